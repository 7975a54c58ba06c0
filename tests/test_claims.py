"""Claims: which numbers in prose are claims, and what backs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lesson_checker.checks import check_pages
from lesson_checker.claims import find_bound, find_claims, is_constant, readings
from lesson_checker.page import Page, parse_page
from lesson_checker.problems import Problem
from lesson_checker.prose import prose_of
from lesson_checker.settings import Language, Settings

SETTINGS = Settings(
    Path("/project"),
    languages={
        "es": Language("Qué esperar:", ("chunks", "documentos")),
        "en": Language("What to expect:", ("chunks", "documents")),
    },
    versions=("numpy",),
)


def page_of(text: str, lang: str = "en") -> Page:
    return parse_page(text, Path(f"/project/docs/{lang}/a.md"), SETTINGS)


def claims_of(text: str, lang: str = "en") -> list[str]:
    page = page_of(text, lang)
    return [claim.text for claim in find_claims(prose_of(page), page.lang, SETTINGS)]


def problems_of(folder: Path, text: str, lang: str = "en") -> list[Problem]:
    page = folder / lang / "a.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    settings = Settings(folder, languages=SETTINGS.languages)
    return check_pages(settings, [page]).problems


def codes_of(folder: Path, text: str, lang: str = "en") -> list[str]:
    return [problem.code for problem in problems_of(folder, text, lang)]


def example(printed: str) -> str:
    return f"```python\nprint({printed!r})\n```\n\n```text\n{printed}\n```\n\n"


# ----------------------------------------------------------------------- what is a claim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a mean of 0.667 here", ["0.667"]),
        ("una media de 0,667 aquí", ["0,667"]),
        ("it is 66.7% of them", ["66.7%"]),
        ("es el 66,7 % de ellas", ["66,7 %"]),
        ("about 67 % of them", ["67 %"]),
        ("that is 5/6 of them", ["5/6"]),
        ("with k=6 it enters", ["k=6"]),
        ("with k = 6 it enters", ["k = 6"]),
        ("its recall@6 is perfect", ["recall@6"]),
        ("all 57 chunks", ["57"]),
        ("all **57** chunks", ["57"]),
        ("all 57\nchunks", ["57"]),
        ("fell by -0.25 points", ["-0.25"]),
        ("fell by −0.25 points", ["−0.25"]),
        ("from 3-0.25", ["0.25"]),
        ("k=1,2,3 and recall@7", ["k=1", "recall@7"]),
        ("it took 0.5s, or .25 of it", ["0.5", ".25"]),
        ("*k* = 6 and recall@**7**", ["k  = 6", "recall@  7"]),
        ("66.7&nbsp;% of them", ["66.7\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0%"]),
        ("[a](b.md '0.5 in a title')", ["0.5"]),
        ("A note.[^1]\n\n[^1]: It is 0.5.", ["0.5"]),
        ("---\ntitle: Reaching 0.5\n---\n", ["0.5"]),
        ("from 0.9–2.5", ["0.9", "2.5"]),
        ("from 0.9-2.5", ["0.9", "2.5"]),
        ("1,234.5 in all", ["1,234.5"]),
        ("(0.5)", ["0.5"]),
        ("*0.5*, **0.6** and _0.7_", ["0.5", "0.6", "0.7"]),
        ("## A heading with 0.5 { #id-0.7 }", ["0.5"]),
        ("| a | 0.5 |\n|---|---|\n| b | 0.6 |", ["0.5", "0.6"]),
        ("- item 0.5\n1. other 0.6", ["0.5", "0.6"]),
        ('!!! note "Only 0.5"\n\n    and 0.6', ["0.5", "0.6"]),
        ("[0.5 in a link](a-0.7.md)", ["0.5"]),
        ("![0.5 in a picture](a-0.7.png)", ["0.5"]),
        ("Ends with 0.5.", ["0.5"]),
    ],
)
def test_a_number_that_says_something_about_a_run_is_a_claim(
    text: str, expected: list[str]
) -> None:
    assert claims_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "in 3 steps, on the 1st and the 2.º day, at 10:30, by x2 and 3D",
        "a list of 1,2,3",
        "Python 3.11, 3.12 and 3.13, Python >= 3.11, Python 3.11–3.14",
        "on 30/11/2026 and on 30.11.2026",
        "for $5 or £20",
        "&#8211; and &frac12;",
        "Python 3.13 and numpy 2.4",
        "rank-bm25 0.2.2",
        "cap. 8.4, ch. 8.4, chapter 8.4, § 8.4 and pp. 8.4",
        "on 2026-11-30 and in 1999",
        "1. first\n2. second",
        "`0.5` and ``0.6 ` 0.7``",
        "$0.5 + k=6$",
        "$$\n\\frac{1}{2} = 0.5\n$$",
        "<https://example.org/0.5>, https://example.org/0.5 and [a](b/0.5.md)",
        "<span data-a='0.5'>a</span>",
        "<!-- 0.5 -->",
        "BM25 and TREC-8",
        "```\n0.5\n```",
        "---\ntwin: 0.5\ntags:\n  - 0.5\n---\n",
        "[a]: https://example.org/0.5",
        "the MRR of x86.64",
    ],
)
def test_other_numbers_are_no_claims(text: str) -> None:
    assert claims_of(text) == []


def test_the_text_alternative_of_a_plot_and_the_reason_of_a_skip_are_prose() -> None:
    text = "<!--! plot: it rises to 0.5 -->\n```python\n1\n```\n\n<!--! skip: takes 0.6 h -->\n"
    assert claims_of(text) == ["0.5", "0.6"]


def test_within_a_comment_no_other_comment_is_proposed(tmp_path: Path) -> None:
    text = "<!--! skip: takes 0.6 h -->\n```python\n1\n```\n\nOr 0.7.\n"
    within, outside = (problem.remedy for problem in problems_of(tmp_path, text))
    assert within == "correct the text; or, if it is right, let the code print it, or leave it out"
    assert '0.7<!--= f"{x}" -->' in outside


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("0.667", {"0.667": 3}),
        ("0,667", {"0.667": 3}),
        ("1.234", {"1.234": 3, "1234": 0}),
        ("1,234.5", {"1234.5": 1}),
        ("1.234,5", {"1234.5": 1}),
        ("10\u202f000", {"10000": 0}),
        ("57", {"57": 0}),
    ],
)
def test_a_number_is_read_in_both_formats(number: str, expected: dict[str, int]) -> None:
    assert {str(value): digits for value, digits in readings(number)} == expected


@pytest.mark.parametrize("number", ["0.2.2", "1,2,3", "1" * 61])
def test_what_is_no_number_means_nothing(number: str) -> None:
    assert list(readings(number)) == []


# ---------------------------------------------------------------------- what backs a claim


@pytest.mark.parametrize(
    ("printed", "claim"),
    [
        ("recall 0.6667", "0.6667"),
        ("recall 0.6667", "0.667 and 0.667"),
        ("recall 0.6667", "0,67"),
        ("recall 0.6667", "66.7%"),
        ("recall 0.6667", "67 %"),
        ("66.67 %", "66.7 %"),
        ("a 0.125", "0.13"),
        ("a 0.125", "0.12"),
        ("(5/6)", "5/6"),
        ("k=6", "k=6"),
        ("k=6", "recall@6"),
        ("recall@6 = 1", "k=6"),
        ("recall@6 = 1", "recall@6"),
        ("57 found", "57 chunks"),
        ("1234 found", "1,234 chunks"),
        ("n=6", "n=6"),
        ("MRR 0.4583", "MRR = 0.458"),
        ("-0.25", "0.25"),
        ("1e-05", "0.00001"),
    ],
)
def test_a_printed_number_backs_the_claim(tmp_path: Path, printed: str, claim: str) -> None:
    assert codes_of(tmp_path, example(printed) + claim) == []


@pytest.mark.parametrize(
    ("printed", "claim"),
    [
        ("recall 0.6667", "0.6"),
        ("recall 0.6667", "0.668"),
        ("recall 0.6667", "66.6%"),
        ("(5/6)", "4/6"),
        ("k=6", "k=7"),
        ("k=6", "recall@5"),
        ("precision@6", "recall@6"),
        ("found 6", "k=6"),
        ("3.3 found", "3 chunks"),
        ("57 found", "58 chunks"),
        ("n=6", "m=6"),
        ("0.25", "-0.25"),
        ("-0.25", "+0.25"),
        ("0.5", "1,2,3 and 0.6"),
        ("1e9999", "0.5"),
    ],
)
def test_another_number_does_not(tmp_path: Path, printed: str, claim: str) -> None:
    assert codes_of(tmp_path, example(printed) + claim) == ["claim-unbacked"]


def test_a_point_may_stand_for_thousands_in_spanish_only(tmp_path: Path) -> None:
    text = example("1234 found") + "1.234 chunks"
    assert codes_of(tmp_path, text, "es") == []
    assert "claim-unbacked" in codes_of(tmp_path, text, "en")
    assert claims_of("en 1.234.567 chunks", "es") == ["1.234.567"]
    assert claims_of("in 1.234.567 chunks", "en") == []


def test_code_backs_a_claim_but_skipped_code_does_not(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "```python\nlimit = 0.5\n```\n\nAt 0.5.") == []
    skipped = "<!--! skip: no -->\n```python\nlimit = 0.5\n```\n\nAt 0.5."
    assert codes_of(tmp_path, skipped) == ["claim-unbacked"]


def test_a_claim_that_an_output_no_longer_backs_names_its_line(tmp_path: Path) -> None:
    text = "It is 0.5.\n\n```python\nprint(0.7)\n```\n\n```text\n0.5\n```\n"
    problem, _ = problems_of(tmp_path, text)
    assert (problem.line, problem.code) == (1, "claim-unbacked")
    assert problem.message.endswith("any more: line 8 shows it, and that is no longer true")


@pytest.mark.parametrize(
    ("printed", "claim", "nearest"),
    [
        ("0.6667 0.9", "66 %", "0.6667"),
        ("k=6 k=9", "k=7", "k=6"),
        ("57", "58 chunks", "57"),
        ("k=9", "k=3", "k=9"),
        ("0.8", "It is 1.0", "0.8"),
    ],
)
def test_the_nearest_number_is_one_of_the_same_kind(
    tmp_path: Path, printed: str, claim: str, nearest: str
) -> None:
    remedy = problems_of(tmp_path, example(printed) + claim)[-1].remedy
    assert remedy.startswith(f"the nearest number it prints is {nearest}; ")


def test_a_fraction_has_no_nearest_number(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, example("5/6") + "That is 4/6.")
    assert problem.remedy.startswith("correct the text; or, if it is right, ")


@pytest.mark.parametrize(
    ("printed", "claim"), [("5", "success@5"), ("0.4", "52.2 %"), ("0.79", "It is 1.0")]
)
def test_a_number_of_another_kind_or_far_away_is_not_proposed(
    tmp_path: Path, printed: str, claim: str
) -> None:
    remedy = problems_of(tmp_path, example(printed) + claim)[-1].remedy
    assert remedy.startswith("correct the text; or, if it is right, ")


def test_the_nearest_printed_number_is_named(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, example("0.6667 0.9") + "It is 0.68.")
    assert problem.remedy.startswith("the nearest number it prints is 0.6667; ")


# ------------------------------------------------------------------------ bound and excused


@pytest.mark.parametrize(
    ("line", "bound"),
    [
        ("It is 3.3<!--= x --> now.", "3.3"),
        ("It is (3.3,<!--= x --> so", "3.3"),
        ("It is **about three**<!--= x -->.", "about three"),
        ("**not this** and **this**<!--= x -->.", "this"),
        ("It is `3.3 a`<!--= x -->.", "3.3 a"),
        ("It is _three of_<!--= x -->.", "three of"),
        ("Es el 66,7 %<!--= x -->.", "66,7 %"),
        ("Es el 66,7\u00a0%<!--= x -->.", "66,7\u00a0%"),
        ("3.3<!--= x --> and 4.4<!--= y -->", "3.3"),
        ("| 3.3<!--= x --> |", "3.3"),
        ("¿3.3?<!--= x -->", "3.3"),
        ("It is **about *three* of**<!--= x -->.", "about *three* of"),
        ("It is ``a ` b``<!--= x -->.", "a ` b"),
        ("It is [3.3](a.md)<!--= x -->.", "3.3"),
        ("It is [**3.3**][a]<!--= x -->.", "3.3"),
        ("57\u00a0chunks<!--= x -->", "chunks"),
        ("It is 10\u00a0000<!--= x -->.", "10\u00a0000"),
        ("It is 3.3 <!-- = x -->.", "3.3"),
        ("snake_case_<!--= x -->", "snake_case"),
        ("2 * 3*<!--= x -->", "3"),
    ],
)
def test_a_comment_binds_the_span_or_the_word_before_it(line: str, bound: str) -> None:
    page = page_of(line)
    first = next(find_bound(page, prose_of(page)))
    assert page.text[first.start : first.end] == bound


def test_a_true_bound_number_is_no_problem(tmp_path: Path) -> None:
    text = '```python\nx = 1 / 3\n```\n\nIt is 33.3<!--= f"{100 * x:.1f}" -->.'
    assert codes_of(tmp_path, text) == []


def test_a_bound_number_is_checked_exactly(tmp_path: Path) -> None:
    text = '```python\nx = 1 / 3\n```\n\nIt is 33.30<!--= f"{100 * x:.1f}" -->.'
    (problem,) = problems_of(tmp_path, text)
    assert (problem.code, problem.expected, problem.actual) == ("claim-differs", "33.30", "33.3")


def test_an_expression_sees_the_blocks_above_it_only(tmp_path: Path) -> None:
    text = "```python\nx = 1\n```\n\n**1**<!--= x -->\n\n```python\nx = 2\n```\n\n2<!--= x -->"
    assert codes_of(tmp_path, text) == []


def test_an_expression_above_the_first_block_is_a_problem(tmp_path: Path) -> None:
    text = "1.5<!--= x -->\n\n```python\nx = 1.5\n```\n"
    (problem,) = problems_of(tmp_path, text)
    assert (problem.code, problem.line) == ("claim-differs", 1)


def test_an_expression_that_fails_is_a_problem_with_its_error(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, "```python\nx = 1\n```\n\n1.5<!--= y -->")
    assert problem.code == "claim-differs"
    assert "NameError: name 'y' is not defined" in problem.message


def test_what_an_expression_prints_is_in_no_output(tmp_path: Path) -> None:
    text = "```python\nx = 1\n```\n\n**1**<!--= print('noise') or x -->\n\n" + example("a")
    assert codes_of(tmp_path, text) == []


@pytest.mark.parametrize("expression", ["0.5", "round(1 / 3, 2)", "[i for i in range(3)][0]"])
def test_an_expression_of_constants_proves_nothing(tmp_path: Path, expression: str) -> None:
    assert is_constant(expression)
    codes = codes_of(tmp_path, f"```python\nx = 1\n```\n\n0.5<!--= {expression} -->")
    assert "claim-constant" in codes


def test_an_expression_with_a_name_of_the_page_is_no_constant() -> None:
    assert not is_constant("[x for i in range(3)][0]")


def test_an_expression_with_a_bar_would_break_a_table(tmp_path: Path) -> None:
    codes = codes_of(tmp_path, "```python\nx = 1\n```\n\n1.5<!--= x | x -->")
    assert "comment-unknown" in codes


def test_an_excused_number_is_no_problem(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "Say recall@20<!--~ hypothetical -->.") == []


@pytest.mark.parametrize("comment", ["<!--~ -->", "<!--= -->"])
def test_an_empty_comment_is_a_problem(tmp_path: Path, comment: str) -> None:
    assert "comment-unknown" in codes_of(tmp_path, f"```python\nx = 1\n```\n\nSay 1{comment}.")


def test_a_comment_that_is_never_closed_is_a_problem(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "Say 20<!--~ why ->\n\nIt is 5.") == ["code-hidden"]


def test_a_second_comment_has_no_words_left_to_be_about(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "Say 0.5<!--~ why --><!--~ why -->.") == ["comment-misplaced"]


@pytest.mark.parametrize("words", ["...", "|"])
def test_punctuation_alone_is_nothing_to_be_about(tmp_path: Path, words: str) -> None:
    assert codes_of(tmp_path, f"Say {words}<!--~ why -->.") == ["comment-misplaced"]


def test_a_binding_covers_the_value_of_a_named_claim(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "```python\nn = 7\n```\n\nWith k = 7<!--= n --> here.") == []


@pytest.mark.parametrize("expression", ["x +", "(" * 2000])
def test_an_expression_that_does_not_parse_is_no_constant(expression: str) -> None:
    assert not is_constant(expression)


def test_a_comment_with_nothing_before_it_is_a_problem(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "  <!--~ hypothetical -->\nhere") == ["comment-misplaced"]


def test_an_excuse_covers_its_own_number_only(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "Say 0.5 or 0.6<!--~ why -->.") == ["claim-unbacked"]


def test_updating_rewrites_what_is_bound_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    text = "```python\nx = 2\n```\n\n| a | **1**<!--= x --> | 0.7<!--~ why --> |\n"
    page.write_text(text, encoding="utf-8")
    (verdict,) = check_pages(Settings(tmp_path)).verdicts
    assert verdict.updated_text == text.replace("**1**", "**2**")
