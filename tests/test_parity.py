"""Twins: what must be the same in both languages, and what may differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from lesson_checker.essence import essence
from lesson_checker.numerals import canonical, numbers, odd_ones
from lesson_checker.page import Page, parse_page
from lesson_checker.parity import compare_twins
from lesson_checker.problems import Problem
from lesson_checker.settings import Settings

SETTINGS = Settings(Path("/project"))

PAIR = {
    "es": """# Título

Unas 2 frases con 0,5 y [un enlace](b.md#x) a [otro sitio](https://es.example.org).

## La fórmula { #formula }

Sea $x_1$ la media, con `k=6`:

$$\\text{media} = \\frac{1}{n}$$

```python
def mean(values):
    \"\"\"La media.\"\"\"
    return sum(values) / len(values)  # sin pesos


print(f"la media de {2} valores: {mean([1, 2]):.2f}")
```

Qué esperar:

```text
la media de 2 valores: 1.50
```

!!! note "Nota"

    Una nota.

| a | b |
|---|---|
| 1 | 2 |

![Un dibujo](a.png)

```bash
make test  # todo
```

```
uno -> 1
```
""",
    "en": """# Title

Some 2 sentences with 0.5 and [a link](b.md#x) to [another site](https://en.example.org).

## The formula { #formula }

Let $x_1$ be the mean, with `k=6`:

$$\\text{mean} = \\frac{1}{n}$$

```python
def mean(values):
    \"\"\"The mean.\"\"\"
    return sum(values) / len(values)  # without weights


print(f"the mean of {2} values: {mean([1, 2]):.2f}")
```

What to expect:

```text
the mean of 2 values: 1.50
```

!!! note "Note"

    A note.

| a | b |
|---|---|
| 1 | 2 |

![A drawing](a.png)

```bash
make test  # everything
```

```
one -> 1
```
""",
}


def page_of(text: str, lang: str) -> Page:
    return parse_page(text, Path(f"/project/docs/{lang}/a.md"), SETTINGS)


def problems_of(old: str = "", new: str = "") -> list[Problem]:
    assert old in PAIR["en"]
    en = page_of(PAIR["en"].replace(old, new, 1), "en")
    es = page_of(PAIR["es"], "es")
    return list(compare_twins(en, es, lambda: "docs/en/a.md"))


def test_a_true_pair_has_no_problem_from_either_side() -> None:
    en, es = (page_of(PAIR[lang], lang) for lang in ("en", "es"))
    assert list(compare_twins(en, es, str)) == []
    assert list(compare_twins(es, en, str)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Some 2 sentences", "A pair of 2 sentences"),
        ("0.5 and", "0.5, and"),
        ("# without weights", "# weightless"),
        ("  # without weights", ""),
        ('    """The mean."""\n', ""),
        ("the mean of {2} values", "of {2} values the mean"),
        ("A note.", "A note,\n    in two lines."),
        ("Let $x_1$", "Now let $ x_1$".replace("$ ", "$")),
        ("\\text{mean}", "\\text{average}"),
        ("make test  # everything", "make test"),
        ("one -> 1", "first -> 1"),
        ("with 0.5 and", "with 0.5\n\nand"),
        ("https://en.example.org", "https://other.example.org"),
        ("![A drawing]", "![Another drawing]"),
        ("(a.png)", "(a.en.png)"),
        ("[a link](b.md#x)", "[a link][there]\n\n[there]: b.md#x\n\nand"),
        ("[a link](b.md#x)", "[a link]\n\n[a  link]: b.md#x\n\nand"),
        ("A note.", "A note [in brackets] and \\[so on]."),
        ("\\frac{1}{n}$$", "\\frac{1}{n}.$$"),
    ],
)
def test_words_are_free(old: str, new: str) -> None:
    assert problems_of(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Some 2", "Some 3", "twin-numbers"),
        ("Some 2", "Some two", "twin-numbers"),
        ("0.5", "0.6", "twin-numbers"),
        ("`k=6`", "`k=7`", "twin-numbers"),
        ("values: 1.50", "values: 1.51", "twin-numbers"),
        ("| 1 | 2 |", "| 1 | 3 |", "twin-numbers"),
        ("## The formula", "### The formula", "twin-structure"),
        ("{ #formula }", "{ #formulas }", "twin-structure"),
        (" { #formula }", "", "twin-structure"),
        ("![A drawing](a.png)", "## More { #more }", "twin-structure"),
        ("## The formula { #formula }", "The formula", "twin-structure"),
        ("$x_1$", "$x_2$", "twin-structure"),
        ("\\frac{1}{n}", "\\frac{1}{m}", "twin-structure"),
        ("b.md#x", "b.md#y", "twin-structure"),
        ("[a link](b.md#x)", "a link", "twin-structure"),
        ("![A drawing](a.png)", "", "twin-structure"),
        ("a.png", "b.png", "twin-structure"),
        ("!!! note", "!!! warning", "twin-structure"),
        ("| 1 | 2 |", "| 1 2 |", "twin-structure"),
        ("| 1 | 2 |\n", "| 1 | 2 |\n| | |\n", "twin-structure"),
        ("make test", "make site", "twin-structure"),
        ("```bash", "```toml", "twin-structure"),
        ("one -> 1", "one -> 2", "twin-structure"),
        ("one -> 1", "one <- 1", "twin-structure"),
        ("| 1 | 2 |", "| 2 | 1 |", "twin-numbers"),
        ("|---|---|", "|---|--:|", "twin-structure"),
        ("|---|---|\n", "", "twin-structure"),
        ("!!! note", "??? note", "twin-structure"),
        ("    A note.", "A note.", "twin-structure"),
        ("\\text{mean} =", "\\operatorname{max} =", "twin-structure"),
        ("A note.", "<details>A note.</details>", "twin-structure"),
        ("A note.", "A note. { .wide }", "twin-structure"),
        ("```bash", '```bash hl_lines="2"', "twin-structure"),
        ("https://en.example.org", "c.md", "twin-structure"),
        ("A note.", "<https://example.org>", "twin-structure"),
        ("A note.", "<img src='b.png'>", "twin-structure"),
        ("A note.", "Title\n    =====", "twin-structure"),
        ("0.5 and", "0.50 and", "twin-numbers"),
        ("0.5 and", "-0.5 and", "twin-numbers"),
        ("sum(values)", "max(values)", "twin-code"),
        ("sum(values) / len(values)", "sum(values) / len(values) + 0", "twin-code"),
        ("{mean([1, 2]):.2f}", "{mean([1, 2]):.3f}", "twin-code"),
        ("{2} values", "2 values", "twin-code"),
        ("```python", "```pycon", "twin-code"),
        ("```python", "<!--! raises: ValueError -->\n```python", "twin-code"),
        ("```bash\nmake test  # everything\n```", "```python\n1\n```", "twin-code"),
    ],
)
def test_all_else_is_the_same(old: str, new: str, code: str) -> None:
    assert code in {problem.code for problem in problems_of(old, new)}


def test_a_problem_names_both_lines_and_the_page_that_changed_last() -> None:
    (problem,) = problems_of("`k=6`", "`k=7`")
    assert problem.line == 7
    assert problem.message.endswith("docs/es/a.md:7 (docs/en/a.md changed last)")


def test_a_block_that_one_page_lacks_is_named_on_the_page_that_has_it() -> None:
    extra = page_of(PAIR["en"] + "\n```python\nx = 1\n```\n", "en")
    lacking = page_of(PAIR["es"], "es")
    (problem, *_) = compare_twins(extra, lacking, str)
    assert (problem.line, problem.code, problem.expected) == (44, "twin-code", "x = 1")
    (problem, *_) = compare_twins(lacking, extra, str)
    assert (problem.line, problem.actual) == (43, "x = 1")


@pytest.mark.parametrize(
    ("code", "printed", "expected"),
    [("x", "2", ["twin-numbers"] * 2), ("y", "1", ["twin-code"])],
)
def test_blocks_are_compared_until_they_may_not_belong_together(
    code: str, printed: str, expected: list[str]
) -> None:
    def page(code: str, printed: str) -> Page:
        return page_of(f"```python\n{code}\n```\n\n```text\n{printed}\n```\n\n" * 2, "en")

    found = compare_twins(page("x", "1"), page(code, printed), str)
    assert [problem.code for problem in found] == expected


def test_nothing_is_compared_with_a_page_that_could_not_be_read() -> None:
    broken = page_of(PAIR["es"] + "\n```python\n", "es")
    assert list(compare_twins(page_of(PAIR["en"], "en"), broken, str)) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("0,667", "0.667"),
        ("1.234", "1,234"),
        ("10\u00a0000", "10,000"),
        ("66,7 %", "66.7%"),
        ("30 de 11 de 2026", "30 11 2026"),
    ],
)
def test_the_same_numbers_in_both_formats(left: str, right: str) -> None:
    assert odd_ones(numbers(left, "es"), numbers(right, "en")) == ([], [])
    assert canonical(left) == canonical(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("0.25", "0.250"),
        ("0.25", "-0.25"),
        ("1.667", "1667 y 1"),
        ("1.234", "1,235"),
        ("0.2.2", "0.2.3"),
        ("2 y 2", "2"),
        ("1. uno\n2. dos", "1. one\n1. two"),
    ],
)
def test_other_numbers(left: str, right: str) -> None:
    assert odd_ones(numbers(left, "es"), numbers(right, "en")) != ([], [])


def test_each_number_has_one_partner() -> None:
    left, right = odd_ones(numbers("1.234 1234", "es"), numbers("1,234"))
    assert ([each.text for each in left], right) == (["1234"], [])


def test_line_ends_make_no_difference() -> None:
    en, es = page_of(PAIR["en"].replace("\n", "\r\n"), "en"), page_of(PAIR["es"], "es")
    assert list(compare_twins(en, es, str)) == []


def test_a_table_needs_no_bars_at_its_edges() -> None:
    def problems(row: str) -> list[str]:
        pages = [page_of(f"a | b\n--|--\n{text}\n", "en") for text in ("1 | 2", row)]
        return [problem.code for problem in compare_twins(pages[0], pages[1], str)]

    assert problems("1 | 2") == []
    assert problems("| 1 | 2 |") == []
    assert problems("2 | 1") == ["twin-numbers"]
    assert problems("1 | 2 | 3") == ["twin-numbers", "twin-structure"]


def test_a_number_takes_the_partner_that_is_written_alike() -> None:
    assert odd_ones(numbers("1.234 1234", "es"), numbers("1,234 1.234", "en")) == ([], [])


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("x = 1", "x = 1  # uno", True),
        ("x = 1", "x = 2", False),
        ("x = 'uno'", "x = 'one'", True),
        ("x = 'uno 1'", "x = 'one 2'", False),
        ("x = '-'", "x = '+'", False),
        ("f'{a} de {b}'", "f'{b} of {a}'", True),
        ("f'{a:.2f}'", "f'{a:.3f}'", False),
        ("f'{a!r}'", "f'{a}'", False),
        ("f'{a}, {b}'", "f'{a}; {b}'", False),
        ("def f():\n    'uno'\n    return 1", "def f():\n    return 1", True),
        ("x = (", "x = (  # uno", True),
        ("f'{a:.2f}'", "f'{a:.2e}'", False),
        ("f'{a} {1}'", "f'{1} {a}'", True),
        ("f'{\"uno\"}'", "f'{\"one\"}'", True),
        ("x = 'el 0,5'", "x = 'the 0.5'", True),
        ("x = b'uno'", "x = b'one'", False),
        ("x = (", "y = (", False),
    ],
)
def test_the_essence_of_code(left: str, right: str, same: bool) -> None:
    first, second = (
        page_of(f"```python\n{code}\n```\n", "en").examples[0].code for code in (left, right)
    )
    assert (essence(first) == essence(second)) is same


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (">>> 'uno'\n'uno'", ">>> 'one'\n'one'", True),
        (">>> 1 + 1\n2", ">>> 1 + 1\n3", False),
        (">>> 1 + 1\n2", ">>> 1 + 2\n2", False),
        (">>> if x:\n...     1\n1", ">>> if x:  # uno\n...     1\n1", True),
    ],
)
def test_the_essence_of_a_session(left: str, right: str, same: bool) -> None:
    first, second = (
        page_of(f"```pycon\n{code}\n```\n", "en").examples[0].code for code in (left, right)
    )
    assert (essence(first) == essence(second)) is same


def test_a_problem_of_numbers_says_which_and_shows_the_words_around_them() -> None:
    (problem,) = problems_of("0.5 and", "0.6 and")
    assert problem.message.startswith("this section says 0.6 where its twin says 0,5, ")
    assert problem.expected == "Some 2 sentences with 0.6 and [a link](b.md#x) to [another site]("
    (problem,) = problems_of(
        "Some 2 sentences with 0.5", "Sentences of 2, not more, with quite some words and 0.6"
    )
    assert problem.expected.startswith("2, not more, with quite some words and 0.6 and [a link]")
    (problem,) = problems_of("0.5 and", "half and")
    assert problem.message.startswith("this section says nothing where its twin says 0,5, ")
    assert problem.expected == ""


def test_who_changed_last_is_asked_once_and_only_if_there_is_a_problem() -> None:
    asked: list[str] = []
    en, es = (page_of(PAIR[lang], lang) for lang in ("en", "es"))
    newer = lambda: asked.append("") or ""  # noqa: E731
    assert list(compare_twins(en, es, newer)) == []
    assert asked == []
    changed = page_of(PAIR["en"].replace("a.png", "b.png").replace("0.5", "0.6"), "en")
    assert len(list(compare_twins(changed, es, newer))) == 2
    assert asked == [""]


def test_the_line_of_a_changed_number_is_that_of_its_partner() -> None:
    text = "# A\n\nAll {} chunks.\n\nOf 57 chunks.\n\nAnd 57 more.\n"
    mine, other = page_of(text.format(58), "en"), page_of(text.format(57), "es")
    (problem,) = compare_twins(mine, other, str)
    assert problem.line == 3
    assert "docs/es/a.md:3" in problem.message


@pytest.mark.parametrize(
    ("lang", "line", "message", "remedy"),
    [
        ("en", 5, "the twin has a heading that this page lacks, the id 'two':", "write it here"),
        ("es", 5, "this page has a heading that its twin lacks, the id 'two':", "write it there"),
    ],
)
def test_a_heading_that_one_page_lacks_is_named_and_no_good_one_blamed(
    lang: str, line: int, message: str, remedy: str
) -> None:
    whole = "# A\n\n## One { #one }\n\n## Two { #two }\n\n## Three { #three }\n"
    pages = {
        "es": page_of(whole, "es"),
        "en": page_of(whole.replace("## Two { #two }\n\n", ""), "en"),
    }
    other = "es" if lang == "en" else "en"
    (problem,) = compare_twins(pages[lang], pages[other], str)
    assert (problem.line, problem.message.startswith(message)) == (line, True)
    assert problem.remedy.startswith(remedy)


@pytest.mark.parametrize(("lang", "word"), [("es", "fewer"), ("en", "more")])
def test_a_heading_without_an_id_that_one_page_lacks_is_counted(lang: str, word: str) -> None:
    pages = {"es": page_of("# A\n\n## Two\n", "es"), "en": page_of("# A\n", "en")}
    other = "es" if lang == "en" else "en"
    (problem,) = compare_twins(pages[lang], pages[other], str)
    assert problem.message.startswith(f"the twin has {word} headings:")
