"""Comparing and updating: only what is stale changes, and two updates are one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import blocks, found, judged, only, without_carets

from lesson_checker.compare import normal, updated_text
from lesson_checker.jobs import Outcome
from lesson_checker.page import Page, parse_page
from lesson_checker.run import Runner
from lesson_checker.settings import Settings


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Runner(Settings(root=tmp_path_factory.mktemp("pages"))) as runner:
        yield runner


def updated(text: str, runner: Runner) -> str:
    """Return the page after an update; another one must change nothing."""
    once = judged(text, runner).updated_text
    assert judged(once, runner).updated_text == once
    return once


# ----------------------------------------------------------------------- what an update changes

WAYS = {
    "a wrong line": (
        "```python\nprint('a\\nb\\nc')\n```\n\n```text\na\nx\nc\n```\n",
        "```python\nprint('a\\nb\\nc')\n```\n\n```text\na\nb\nc\n```\n",
    ),
    "a line too few": (
        "```python\nprint('a\\nb')\n```\n\n```text\na\n```\nword\n",
        "```python\nprint('a\\nb')\n```\n\n```text\na\nb\n```\nword\n",
    ),
    "a line too many": (
        "```python\nprint('a\\na')\n```\n\n```text\na\na\na\n```\n",
        "```python\nprint('a\\na')\n```\n\n```text\na\na\n```\n",
    ),
    "an output of a block that prints nothing": (
        "```python\nx = 1\n```\n\n```text\na\n```\n",
        "```python\nx = 1\n```\n\n```text\n```\n",
    ),
    "an empty output": (
        "```python\nprint('a')\n```\n\n```text\n```\n",
        "```python\nprint('a')\n```\n\n```text\na\n```\n",
    ),
    "blanks at the end of a line": (
        "```python\nprint('a\\nb')\n```\n\n```text\na  \nb\n```\n",
        "```python\nprint('a\\nb')\n```\n\n```text\na\nb\n```\n",
    ),
    "a missing output": (
        "```python\nprint('a')\n```\n\nProse.\n",
        "```python\nprint('a')\n```\n\nWhat to expect:\n\n```text\na\n```\n\nProse.\n",
    ),
    "a missing output with prose right below": (
        "```python\nprint('a')\n```\nProse.\n",
        "```python\nprint('a')\n```\n\nWhat to expect:\n\n```text\na\n```\n\nProse.\n",
    ),
    "a missing output at the end of a page without a line end": (
        "```python\nprint('a')\n```",
        "```python\nprint('a')\n```\n\nWhat to expect:\n\n```text\na\n```\n",
    ),
    "a missing output below its label": (
        "```python\nprint('a')\n```\n\nQué esperar:\n\nProse.\n",
        "```python\nprint('a')\n```\n\nQué esperar:\n\n```text\na\n```\n\nProse.\n",
    ),
    "two outputs": (
        "```python\nprint('a')\n```\n\n```text\n1\n```\n\n```python\nprint('b')\n```\n",
        "```python\nprint('a')\n```\n\n```text\na\n```\n\n```python\nprint('b')\n```\n\n"
        "What to expect:\n\n```text\nb\n```\n",
    ),
    "lines that end in different ways": (
        "```python\r\nprint('a\\nb\\nc')\n```\n\n```text\r\na\r\nx\nc\n```\r\n",
        "```python\r\nprint('a\\nb\\nc')\n```\n\n```text\r\na\r\nb\r\nc\n```\r\n",
    ),
    "a missing output on a page with Windows line ends": (
        "```python\r\nprint('a')\r\n```\r\n",
        "```python\r\nprint('a')\r\n```\r\n\r\nWhat to expect:\r\n\r\n```text\r\na\r\n```\r\n",
    ),
    "a page with a byte order mark": (
        "\ufeff```python\nprint('a')\n```\n\n```text\nb\n```\n",
        "\ufeff```python\nprint('a')\n```\n\n```text\na\n```\n",
    ),
    "an indented output": (
        "!!! note\n\n    ```python\n    print('a\\n\\n  b')\n    ```\n\n    ```text\n    x\n"
        "    ```\n",
        "!!! note\n\n    ```python\n    print('a\\n\\n  b')\n    ```\n\n    ```text\n    a\n\n"
        "      b\n    ```\n",
    ),
    "a missing output of an indented block": (
        "!!! note\n\n    ```python\n    print('a')\n    ```\n",
        "!!! note\n\n    ```python\n    print('a')\n    ```\n\n    What to expect:\n\n    ```text\n"
        "    a\n    ```\n",
    ),
    "an output that holds a fence": (
        "```python\nprint('`' * 3 + 'x')\n```\n\n```text\na\n```\n",
        "```python\nprint('`' * 3 + 'x')\n```\n\n````text\n```x\n````\n",
    ),
    "a missing output that holds a longer fence": (
        "```python\nprint('  ' + '`' * 4)\n```\n",
        "```python\nprint('  ' + '`' * 4)\n```\n\nWhat to expect:\n\n`````text\n  ````\n`````\n",
    ),
    "an output in tildes that holds a fence": (
        "~~~python\nprint('`' * 3 + '\\n' + '~' * 3)\n~~~\n\n~~~text\na\n~~~\n",
        "~~~python\nprint('`' * 3 + '\\n' + '~' * 3)\n~~~\n\n~~~~text\n```\n~~~\n~~~~\n",
    ),
    "what an announced exception says": (
        "<!--! raises: KeyError -->\n```python\n{}['b']\n```\n\n```text\nKeyError: 'a'\n```\n",
        "<!--! raises: KeyError -->\n```python\n{}['b']\n```\n\n```text\nKeyError: 'b'\n```\n",
    ),
    "a console session": (
        "```pycon\n>>> 1 + 1\n3\n>>> for x in 'a', '':\n...     print(x)\nb\n>>> x\n>>> 5\n5\n"
        "```\n",
        "```pycon\n>>> 1 + 1\n2\n>>> for x in 'a', '':\n...     print(x)\na\n<BLANKLINE>\n"
        ">>> x\n''\n>>> 5\n5\n```\n",
    ),
    "the message of an exception in a console session": (
        "```pycon\n>>> {}['b']\nTraceback (most recent call last):\n  ...\nKeyError: 'a'\n```\n",
        "```pycon\n>>> {}['b']\nTraceback (most recent call last):\n  ...\nKeyError: 'b'\n```\n",
    ),
    "an exception in a console session that does not come": (
        "```pycon\n>>> 1\nTraceback (most recent call last):\n  ...\nKeyError: 'a'\n```\n",
        "```pycon\n>>> 1\n1\n```\n",
    ),
    "an indented console session": (
        "```pycon\n  >>> print('a\\n  b')\n  x\n```\n",
        "```pycon\n  >>> print('a\\n  b')\n  a\n    b\n```\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), WAYS.values(), ids=WAYS)
def test_an_update_mends(before: str, after: str, runner: Runner) -> None:
    assert updated(before, runner) == after


@pytest.mark.parametrize("before", [before for before, _ in WAYS.values()], ids=WAYS)
def test_a_page_is_true_after_an_update(before: str, runner: Runner) -> None:
    assert found(judged(updated(before, runner), runner)) == []


STALE = "```python\nprint(1)\n```\n\n```text\n2\n```\n\n"
LEFT_ALONE = {
    "a block raises": STALE + blocks("1 / 0"),
    "a block raises another exception": STALE + "<!--! raises: KeyError -->\n" + blocks("1 / 0"),
    "a block does not raise": STALE + "<!--! raises: KeyError -->\n" + blocks("1"),
    "its process dies": STALE + blocks("import os\nos._exit(0)"),
    "it prints what is no text": STALE + blocks("print('\\x1b[1mbold')"),
    "it prints too much": STALE + blocks("print('x' * 2**20)"),
    "a console session raises": STALE + "```pycon\n>>> 1 / 0\n```\n",
    "a console session raises another exception": STALE
    + "```pycon\n>>> 1 / 0\nTraceback (most recent call last):\nKeyError: 1\n```\n",
    "a console session prints a prompt": STALE + "```pycon\n>>> print('>>> 1')\nx\n```\n",
    "a block is not closed": STALE + "```python\nprint(1)\n",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_no_page_is_half_mended_when(text: str, runner: Runner) -> None:
    verdict = judged(text, runner)
    assert verdict.updated_text == text
    assert [problem for problem in verdict.problems if problem.code != "output-differs"] != []


def test_a_wrong_console_session_is_a_problem_on_its_line(runner: Runner) -> None:
    text = "```pycon\n>>> 1\n1\n>>> 2\n3\n```\n"
    assert found(judged(text, runner)) == [(5, "output-differs")]


@pytest.mark.parametrize(
    ("session", "line"),
    [(">>> 1\n1\n>>> def f():\n...     1 / 0\n>>> f()", 6), (">>> 1\n1\n>>> x = (", 4)],
)
def test_an_exception_in_a_console_session_is_a_problem_on_its_line(
    session: str, line: int, runner: Runner
) -> None:
    assert found(judged(f"```pycon\n{session}\n```\n", runner)) == [(line, "raised")]


def test_a_traceback_of_a_console_session_shows_code_without_prompts(runner: Runner) -> None:
    verdict = judged("```pycon\n>>> def f():\n...     raise OSError\n>>> f()\n```\n", runner)
    assert without_carets(only(verdict).actual).split("\n") == [
        "Traceback (most recent call last):",
        '  File "page.md", line 4, in <module>',
        "    f()",
        '  File "page.md", line 3, in f',
        "    raise OSError",
        "OSError",
        "",
    ]


def test_a_console_session_that_is_none_is_a_problem(runner: Runner) -> None:
    assert found(judged("```pycon\n>>>1\n```\n", runner)) == [(1, "raised")]


def test_a_wrong_output_is_a_problem_on_the_first_line_that_differs(runner: Runner) -> None:
    text = "```python\nprint('a\\nb')\n```\n\n```text\na\nx\n```\n"
    assert found(judged(text, runner)) == [(7, "output-differs")]


def test_an_output_that_is_too_short_is_a_problem_on_its_last_line(runner: Runner) -> None:
    text = "```python\nprint('a\\nb')\n```\n\n```text\na\n```\n"
    assert found(judged(text, runner)) == [(7, "output-differs")]


# ----------------------------------------------------------------------- for any output

PAGE = (
    "# Page\r\n\n```python\nprint(1)\n```\n\n```text\nold\n```\n\n"
    "!!! note\n\n\t```python\n\tprint(2)\n\t```\n\n\tWhat to expect:\n\n"
    "~~~python\nprint(3)\n~~~\n\n~~~text\nold\nlines\n~~~\n"
)
LINES = st.lists(
    st.text(st.sampled_from("ab `~\t.>#é\u00a0\u2028\x0c"), max_size=6), max_size=6
).map("\n".join)


def parsed(text: str) -> Page:
    return parse_page(text, Path("page.md"), Settings(root=Path.cwd()))


def with_outputs(page: Page, outputs: list[str]) -> str:
    """Return the page updated as if its blocks had printed that."""
    outcomes: list[Outcome] = [
        {"stdout": text, "stderr": "", "error": None, "rewritten": None, "bound": [], "plots": []}
        for text in outputs
    ]
    return updated_text(page, {"outcomes": outcomes, "death": None})


@given(st.lists(LINES, min_size=3, max_size=3))
def test_two_updates_are_one_whatever_is_printed(outputs: list[str]) -> None:
    once = with_outputs(parsed(PAGE), outputs)
    assert with_outputs(parsed(once), outputs) == once


@given(st.lists(LINES, min_size=3, max_size=3))
def test_an_update_shows_what_was_printed_whatever_that_is(outputs: list[str]) -> None:
    page = parsed(with_outputs(parsed(PAGE), outputs))
    bodies = [example.output.body if example.output else "" for example in page.examples]
    assert bodies == [normal(text) for text in outputs]


@given(st.text())
def test_the_normal_form_is_normal(text: str) -> None:
    assert normal(normal(text)) == normal(text)
