"""A page is parsed without loss, and every block on it has its place."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_fences import BLOCKS, LINES, scraps, trees

from lesson_checker import Block, Page, Settings, parse_page, read_page

ROOT = Path("/course")
LABEL = "What to expect:"
CODE = "```python\nprint(1)\n```\n"
OUTPUT = "```text\n1\n```\n"


def parse(text: str, path: str = "en/page.md") -> Page:
    return parse_page(text, ROOT / path, Settings(root=ROOT))


def found(text: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.code) for problem in parse(text).problems]


def message(text: str) -> str:
    (problem,) = parse(text).problems
    assert problem.remedy
    return problem.message


# -------------------------------------------------------------------------------- the page


def test_the_path_tells_language_slug_and_label() -> None:
    page = parse("text", "docs/es/lessons/04.md")
    assert (page.name, page.lang, page.slug) == ("docs/es/lessons/04.md", "es", "lessons/04")
    assert page.label == "Qué esperar:"


@pytest.mark.parametrize("label", ["What to expect:", "Qué esperar:"])
def test_a_page_outside_of_the_languages_may_use_any_label(label: str) -> None:
    page = parse(f"{CODE}\n{label}\n\n{OUTPUT}", "page.md")
    assert (page.lang, page.problems) == (None, ())
    assert page.examples[0].output is not None


def test_a_label_of_another_language_is_no_label() -> None:
    assert "only the label 'What to expect:' may stand" in message(
        f"{CODE}\nQué esperar:\n\n{OUTPUT}"
    )


def test_a_file_is_read_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\tb\n")
    assert read_page(path, Settings(root=tmp_path)).text == "\ufeffa\r\n\tb\n"


def test_a_file_that_is_not_utf_8_is_one_problem_in_its_line(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"a\nb\xff\n" + CODE.encode())
    page = read_page(path, Settings(root=tmp_path))
    (problem,) = page.problems
    assert (problem.line, problem.code, problem.message) == (
        2,
        "page-unreadable",
        "not UTF-8: byte 0xff",
    )
    assert (page.readable, page.blocks, page.text) == (False, (), "")


def test_a_file_that_can_not_be_opened_is_a_problem(tmp_path: Path) -> None:
    (problem,) = read_page(tmp_path / "page.md", Settings(root=tmp_path)).problems
    assert problem.code == "page-unreadable"
    assert problem.message.startswith("can't be read: ")


def test_a_page_with_a_stray_label_can_still_be_run() -> None:
    assert parse(CODE + "\ntext\n\n" + LABEL + "\n").readable
    assert not parse("```python\n").readable


def test_problems_stand_in_the_order_of_their_lines() -> None:
    text = (
        f"{LABEL}\n\n```python title=x\n```\n\ntext\n\n{OUTPUT}\n<!--! skip: x -->\n\n```py3\n```\n"
    )
    assert [line for line, _ in found(text)] == [1, 3, 8, 12, 14]


# ------------------------------------------------------------------------ code and its output

PAIRED = {
    "right below": CODE + OUTPUT,
    "below a blank line": CODE + "\n" + OUTPUT,
    "below the label": f"{CODE}\n{LABEL}\n\n{OUTPUT}",
    "far below the label": f"{CODE}\n\n\n{LABEL}\n\n\n\n{OUTPUT}",
    "below a label with blanks": f"{CODE}\n  {LABEL} \t\n\n{OUTPUT}",
    "with windows line ends": f"{CODE}\n{LABEL}\n\n{OUTPUT}".replace("\n", "\r\n"),
    "in a list": "- item\n\n" + indent(f"{CODE}\n{LABEL}\n\n{OUTPUT}", "    "),
    "indented by a tab and by spaces": "- a\n\n"
    + indent(CODE, "\t")
    + "\n"
    + indent(OUTPUT, "    "),
    "in details": f'<details markdown="1">\n\n{CODE}\n{LABEL}\n\n{OUTPUT}\n</details>\n',
    "at the end, without a line end": CODE + "\n" + OUTPUT.rstrip("\n"),
}


@pytest.mark.parametrize("text", PAIRED.values(), ids=PAIRED)
def test_an_output_belongs_to_the_code_above_it(text: str) -> None:
    page = parse(text)
    ((code, output),) = [(each.code, each.output) for each in page.examples]
    assert page.problems == ()
    assert page.blocks == (code, output)
    assert (code.body, output.body if output else None) == ("print(1)", "1")


LONELY = {
    "without code": ("text\n\n" + OUTPUT, 3, "no code block stands right before it"),
    "behind another output": (CODE + OUTPUT + OUTPUT, 7, "no code block stands right before it"),
    "behind another block": (
        CODE + "```\n```\n" + OUTPUT,
        6,
        "no code block stands right before it",
    ),
    "behind text": (CODE + "\ntext\n\n" + OUTPUT, 7, "only the label 'What to expect:' may stand"),
    "behind a comment": (CODE + "\n<!-- a -->\n\n" + OUTPUT, 7, "only the label"),
    "behind label and text": (f"{CODE}\n{LABEL}\n\ntext\n\n{OUTPUT}", 9, "only the label"),
    "behind text and label": (f"{CODE}\ntext\n\n{LABEL}\n\n{OUTPUT}", 9, "only the label"),
    "with a label, without code": (f"text\n\n{LABEL}\n\n{OUTPUT}", 5, "no code block stands"),
    "indented otherwise": (
        "- a\n\n" + indent(CODE, "    ") + "\n" + OUTPUT,
        7,
        "indented otherwise",
    ),
    "indented otherwise, with a label": (
        f"- a\n\n{indent(CODE, '    ')}\n{LABEL}\n\n{OUTPUT}",
        9,
        "indented otherwise",
    ),
    "outside of the details": (
        f'<details markdown="1">\n\n{CODE}\n</details>\n\n{OUTPUT}',
        9,
        "only the label",
    ),
    "of skipped code": (f"<!--! skip: x -->\n{CODE}\n{OUTPUT}", 6, "the code above is skipped"),
    "with a label right above, without code": (
        f"text\n\n{LABEL}\n{OUTPUT}",
        4,
        "no code block stands",
    ),
    "indented otherwise, behind two blocks": (
        "- a\n\n" + indent(CODE + "\n" + CODE, "    ") + "\n" + OUTPUT,
        11,
        "indented otherwise",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), LONELY.values(), ids=LONELY)
def test_an_output_without_code_is_one_problem(text: str, line: int, words: str) -> None:
    assert found(text) == [(line, "output-without-code")]
    assert words in message(text)


def test_what_is_indented_otherwise_further_up_does_not_matter() -> None:
    page = parse("```\n```\n\n- a\n\n" + indent(CODE + OUTPUT, "    "))
    assert (page.problems, page.examples[0].output) == ((), page.blocks[2])


def test_code_without_an_output_is_an_example_too() -> None:
    (first, second) = parse(CODE + "\ntext\n\n" + CODE).examples
    assert (first.output, second.output) == (None, None)
    assert (first.labelled, first.runs) == (False, True)


def test_only_code_is_an_example() -> None:
    page = parse("```bash\nls\n```\n\n```\n+--+\n```\n\n```pycon\n>>> 1\n1\n```\n")
    assert [block.kind for block in page.blocks] == ["shown", "shown", "code"]
    assert [example.code.language for example in page.examples] == ["pycon"]


# -------------------------------------------------------------------------------- the label

ALONE = {
    "at the end": (f"{CODE}\n{LABEL}\n", 5, "no output block follows"),
    "before text": (f"{CODE}\n{LABEL}\n\ntext\n", 5, "no output block follows"),
    "before another code block": (f"{CODE}\n{LABEL}\n\n{CODE}", 5, "no output block follows"),
    "without code": (f"text\n\n{LABEL}\n\ntext\n", 3, "no code block right before it"),
    "behind text": (f"{CODE}\ntext\n\n{LABEL}\n\ntext\n", 7, "no code block right before it"),
    "right below the code": (f"{CODE}{LABEL}\n\n{OUTPUT}", 4, "not a paragraph of its own"),
    "right above the output": (f"{CODE}\n{LABEL}\n{OUTPUT}", 5, "not a paragraph of its own"),
}


@pytest.mark.parametrize(("text", "line", "words"), ALONE.values(), ids=ALONE)
def test_a_label_that_is_out_of_its_place_is_one_problem(text: str, line: int, words: str) -> None:
    assert found(text) == [(line, "label-alone")]
    assert words in message(text)


def test_a_label_within_a_sentence_or_a_block_is_none() -> None:
    assert found(f"{LABEL} nothing.\n\n```\n{LABEL}\n```\n") == []


@pytest.mark.parametrize(
    ("text", "before", "labelled"),
    [
        (CODE, CODE, False),
        (CODE + "\ntext\n", CODE, False),
        (CODE.rstrip("\n"), CODE.rstrip("\n"), False),
        (f"{CODE}\n{LABEL}\n\ntext\n", f"{CODE}\n{LABEL}\n", True),
        (f"{CODE}\n{LABEL}", f"{CODE}\n{LABEL}", True),
        ((CODE + "\n").replace("\n", "\r\n"), CODE.replace("\n", "\r\n"), False),
    ],
)
def test_a_missing_output_goes_below_the_code_and_its_label(
    text: str, before: str, labelled: bool
) -> None:
    (example,) = parse(text).examples
    assert (text[: example.insert_at], example.labelled) == (before, labelled)


# ------------------------------------------------------------------ comments for the checker


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("margin", ["", "    "])
def test_comments_above_the_code_say_how_it_runs(margin: str, line_end: str) -> None:
    comments = "<!--! raises: ZeroDivisionError -->\n<!--!plot : a line: it rises-->\n"
    text = ("- item\n\n" * bool(margin) + indent(comments + CODE, margin)).replace("\n", line_end)
    page = parse(text)
    (example,) = page.examples
    assert page.problems == ()
    assert (example.raises, example.plot) == ("ZeroDivisionError", "a line: it rises")
    assert (example.skip, example.runs) == (None, True)


def test_skipped_code_says_why() -> None:
    (example,) = parse("<!--! skip: needs a microphone -->\n" + CODE).examples
    assert (example.skip, example.runs) == ("needs a microphone", False)


@pytest.mark.parametrize(
    "comment", ["<!-- skip this -->", "<!-- skip: why -->", "<!-- code follows -->", "<!-- ! -->"]
)
def test_a_comment_that_merely_begins_with_such_a_word_is_a_comment(comment: str) -> None:
    page = parse(comment + "\n" + CODE)
    assert (page.examples[0].runs, page.problems) == (True, ())


UNKNOWN = {
    "<!--! skipp: why -->": "does not know this comment",
    "<!--! -->": "does not know this comment",
    "<!--! skip why -->": "does not know this comment",
    "<!--! skip: why --> text": "does not know this comment",
    "<!--! skip: why --> <!--! plot: x -->": "does not know this comment",
    "<!--! skip -->": "'skip' needs the reason, which the reader will see",
    "<!--! skip: -->": "'skip' needs the reason, which the reader will see",
    "<!--! raises: -->": "'raises' needs the name of the exception",
    "<!--! raises: a ValueError -->": "'raises' needs the name of the exception",
    "<!--! plot:  -->": "'plot' needs a text alternative that says what the picture shows",
    "<!--! skip: a -->\n<!--! skip: b -->": "'skip' is said twice",
}


@pytest.mark.parametrize(("comment", "words"), UNKNOWN.items())
def test_a_comment_that_the_checker_does_not_understand_is_a_problem(
    comment: str, words: str
) -> None:
    assert words in message(comment + "\n" + CODE)
    assert {code for _, code in found(comment + "\n" + CODE)} == {"comment-unknown"}


MISPLACED = {
    "above an output": (CODE + "<!--! skip: x -->\n" + OUTPUT, 4),
    "above a block that is only shown": ("<!--! skip: x -->\n```bash\nls\n```\n", 1),
    "above a blank line": ("<!--! skip: x -->\n\n" + CODE, 1),
    "in a line of text": (f"text <!--! skip: x -->\n\n{CODE}", 1),
    "below its block": (CODE + "<!--! skip: x -->\n", 4),
    "in two lines": ("<!--! skip: x\ny -->\n" + CODE, 1),
}


@pytest.mark.parametrize(("text", "line"), MISPLACED.values(), ids=MISPLACED)
def test_a_comment_without_effect_is_a_problem(text: str, line: int) -> None:
    assert (line, "comment-misplaced") in found(text)


def test_a_comment_that_is_shown_as_code_is_none_for_the_checker() -> None:
    assert found("Write `<!--! skip: x -->`:\n\n```\n<!--! skip: x -->\n```\n") == []


# ---------------------------------------------------------------------------------- the spans


def test_a_block_knows_where_it_stands() -> None:
    text = "text\r\n\r\n- a\r\n\r\n    ~~~~ python\r\n    x\r\n\r\n      y\r\n    ~~~~\r\nz"
    page = parse(text)
    (block,) = page.blocks
    assert (block.kind, block.language, block.marks, block.indent) == (
        "code",
        "python",
        "~~~~",
        "    ",
    )
    assert (block.body, block.line, page.line_at(block.end)) == ("x\n\n  y", 5, 9)
    assert text[: block.opening] == "text\r\n\r\n- a\r\n\r\n"
    assert text[block.opening : block.start] == "    ~~~~ python\r\n"
    assert text[block.start : block.end] == "    x\r\n\r\n      y\r\n"
    assert text[block.end : block.after] == "    ~~~~\r\n"


def test_the_byte_order_mark_belongs_to_no_block() -> None:
    (block,) = parse("\ufeff" + CODE).blocks
    assert (block.indent, block.opening, block.body) == ("", 0, "print(1)")


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        ("", ""),
        ("\n", ""),
        ("\n\n", "\n"),
        ("    a\n", "a"),
        ("\ta\n", "a"),
        ("  \ta\n", "a"),
        ("    \ta\n", "\ta"),
        ("\t\ta\tb\n", "\ta\tb"),
        ("     a  \n", " a  "),
        ("    a\n \n\t\t\n    b\n", "a\n\n\nb"),
        ("    a\x0c\u2028b\n", "a\x0c\u2028b"),
        (" \u00a0\n", ""),
    ],
)
def test_the_body_stands_without_the_indentation_of_its_fence(lines: str, body: str) -> None:
    page = parse(f"- a\n\n    ```text\n{lines}    ```\n")
    assert [block.body for block in page.blocks] == [body]


def test_a_tab_that_reaches_into_the_body_leaves_its_blanks_there() -> None:
    (block,) = parse("  ```text\n\ta\n  ```\n").blocks
    assert block.body == "  a"


def test_text_that_no_site_can_show_is_not_read_further() -> None:
    page = parse(CODE + "\x00\n" + CODE)
    assert (page.blocks, page.readable) == ((), False)


def rebuilt(text: str, block: Block) -> str:
    """Put a block's body back into the page, as an update does."""
    lines = block.body.split("\n") if block.end > block.start else []
    body = "".join((block.indent + line if line else "") + "\n" for line in lines)
    return text[: block.start] + body + text[block.end :]


@settings(max_examples=300, deadline=None)
@given(scraps | trees)
def test_taking_a_page_apart_and_putting_it_together_changes_nothing(text: str) -> None:
    page = parse(text)
    spans = [
        place
        for block in page.blocks
        for place in (block.opening, block.start, block.end, block.after)
    ]
    assert spans == sorted(spans)
    assert all(0 <= place <= len(text) for place in spans)
    if page.readable:
        assert [rebuilt(text, block) for block in page.blocks] == [text] * len(page.blocks)


@settings(max_examples=300, deadline=None)
@given(
    st.text()
    | st.text(st.sampled_from('`~ \t\n\r>-*#!?="<>/[]{}$|:.0a\\\ufeff\x0c\u2028\x00'), max_size=60)
    | st.lists(st.sampled_from([*LINES, *BLOCKS, "\r\n", "\n", "\t", "<!--", "-->"])).map("".join)
)
def test_any_text_is_a_page(text: str) -> None:
    page = parse(text)
    assert page.text == text
    assert all(problem.remedy for problem in page.problems)
    last = text.count("\n") + 1
    assert all(1 <= problem.line <= last for problem in page.problems)
    assert all(1 <= block.line <= last for block in page.blocks)
