"""Compare what a page shows with what its run printed, and write the page as it should be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from lesson_checker.claims import bound_values
from lesson_checker.jobs import Outcome, PageRun
from lesson_checker.page import Block, Example, Page
from lesson_checker.problems import Problem

_BLANKS = " \t\r\f\v"
# what no page can show: a lone carriage return, escape sequences, what Markdown stashes text behind
_NO_TEXT = re.compile(r"[\x00-\x08\r\x0e-\x1b]")
_UNMENDABLE = ("raised", "did-not-raise", "output-not-text")


def normal(printed: str) -> str:
    """Return the one form in which a page shows what was printed.

    White space is stripped at the end of each line and of the whole; nothing else changes.
    """
    return "\n".join(line.rstrip(_BLANKS) for line in printed.split("\n")).rstrip("\n")


def shown(example: Example, outcome: Outcome) -> str:
    """Return what the output block of ``example`` has to be."""
    printed = outcome["stdout"]
    if example.raises and outcome["error"]:
        if printed and not printed.endswith("\n"):
            printed += "\n"
        printed += outcome["error"]["last_line"]
    return normal(printed)


def compare(page: Page, run: PageRun) -> list[Problem]:
    """Return what is untrue on ``page``, as its run shows."""
    found = [
        problem
        for example, outcome in outcomes(page, run)
        for problem in _example_problems(page, example, outcome)
    ]
    if death := run["death"]:
        found.append(
            Problem(
                page.path,
                death["line"],
                death["code"],
                death["message"],
                actual=death["stderr"],
                remedy=_REMEDIES[death["code"]],
            )
        )
    return found


def outcomes(page: Page, run: PageRun) -> Iterator[tuple[Example, Outcome]]:
    """Yield each example that was run to its end, with what it did."""
    return zip((each for each in page.examples if each.runs), run["outcomes"], strict=False)


def verified(page: Page, run: PageRun) -> list[Example]:
    """Return the examples that did exactly what the page shows."""
    return [
        example
        for example, outcome in outcomes(page, run)
        if not any(_example_problems(page, example, outcome))
    ]


def updated_text(page: Page, run: PageRun) -> str:
    """Return the page's text with its real outputs; every other character stays.

    A page that raises, or whose process died, is returned as it is: no page is half mended, and
    an accident never becomes an output.
    """
    if run["death"] or any(problem.code in _UNMENDABLE for problem in compare(page, run)):
        return page.text
    edits = [
        edit for example, outcome in outcomes(page, run) for edit in _edits(page, example, outcome)
    ]
    edits += [
        _Edit(bound.start, bound.end, value["value"])
        for bound, value in bound_values(page, run)
        if value["value"] is not None
    ]
    text = page.text
    for edit in sorted(edits, reverse=True):  # the last first, so that the others keep their place
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


# --------------------------------------------------------------------------------- problems

_REMEDIES = {
    "timeout": "mend the code, or raise `timeout` in the settings",
    "crashed": "mend the code; nothing below it was run",
    "output-too-long": "print less; nothing below it was run",
}


def _example_problems(page: Page, example: Example, outcome: Outcome) -> Iterator[Problem]:
    code = example.code
    error = outcome["error"]
    if error and not (example.raises and example.raises in error["names"]):
        wanted = f" instead of {example.raises}" if example.raises else ""
        line = error["line"] if error["line"] and code.line < error["line"] else code.line
        yield Problem(
            page.path,
            line,
            "raised",
            f"the code raised {error['last_line']}{wanted}",
            actual=error["traceback"] + outcome["stderr"],
            remedy="mend the code; nothing below this block was run"
            if not example.raises
            else f"mend the code, or write <!--! raises: {error['names'][0]} --> above it",
        )
        return
    if example.raises and not error:
        yield Problem(
            page.path,
            code.line,
            "did-not-raise",
            f"the code ended without the {example.raises} that the comment above it announces",
            remedy="mend the code, or delete the comment",
        )
        return
    if example.plot is not None and len(outcome["plots"]) != 1:
        yield _plot_missing(page, code, len(outcome["plots"]))
    update = f"lesson-checker update {page.name}"
    if outcome["rewritten"] is not None and outcome["rewritten"] != code.body:
        yield _differs(page, code, outcome["rewritten"], "the session went otherwise", update)
    real = shown(example, outcome)
    if unfit := _NO_TEXT.search(real):
        yield Problem(
            page.path,
            code.line,
            "output-not-text",
            f"the code prints {unfit[0]!r}, a control character that no page can show",
            remedy="print plain lines: no carriage return, no colours",
        )
        return
    if example.output is None:
        if real:
            yield Problem(
                page.path,
                code.line,
                "output-missing",
                "the code prints something that the page does not show",
                actual=real,
                remedy=update,
            )
    elif example.output.body != real:
        message = f"the block in line {code.line} prints something else than the page shows"
        if outcome["stderr"]:
            message += f"; on stderr it said:\n{_indented(outcome['stderr'])}"
        yield _differs(page, example.output, real, message, update)


def _plot_missing(page: Page, code: Block, number: int) -> Problem:
    return Problem(
        page.path,
        code.line,
        "plot-missing",
        "the comment above announces a picture, and the code leaves "
        + (f"{number} figures open instead of one" if number else "no figure open"),
        remedy="close all but one, or give each a block and a comment of its own"
        if number
        else "draw it with matplotlib.pyplot and don't close it, or delete the comment",
    )


def _differs(page: Page, block: Block, real: str, message: str, remedy: str) -> Problem:
    pairs = zip_longest(block.body.split("\n"), real.split("\n"))
    first = next(number for number, (old, new) in enumerate(pairs) if old != new)
    last = page.line_at(block.end) - block.line
    return Problem(
        page.path,
        block.line + min(first + 1, last),
        "output-differs",
        message,
        expected=block.body,
        actual=real,
        remedy=remedy,
    )


# ------------------------------------------------------------------------------------ edits


class _Edit(NamedTuple):
    start: int
    end: int
    new: str


def _edits(page: Page, example: Example, outcome: Outcome) -> Iterator[_Edit]:
    if outcome["rewritten"] is not None and outcome["rewritten"] != example.code.body:
        yield from _replaced(page, example.code, outcome["rewritten"])
    real = shown(example, outcome)
    if example.output is not None:
        if example.output.body != real:
            yield from _replaced(page, example.output, real)
    elif real:
        yield _inserted(page, example, real)


def _replaced(page: Page, block: Block, body: str) -> Iterator[_Edit]:
    marks = _wide_enough(block.marks, body)
    if marks != block.marks:
        for start in (block.opening, block.end):
            place = page.text.index(block.marks, start)
            yield _Edit(place, place + len(block.marks), marks)
    # lines that are still true keep their bytes, whatever their line ends and blanks
    raw = re.findall(r".*\n", page.text[block.start : block.end])
    old = block.body.split("\n") if raw else []
    new = body.split("\n") if body else []
    head = _in_common(old, new)
    tail = _in_common(old[head:][::-1], new[head:][::-1])
    start = block.start + sum(map(len, raw[:head]))
    end = block.end - sum(map(len, raw[len(raw) - tail :]))
    lines = new[head : len(new) - tail]
    yield _Edit(start, end, _lines(lines, block.indent, _line_end(page, block)))


def _in_common(one: list[str], other: list[str]) -> int:
    """Return how many lines are the same before the first that differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _inserted(page: Page, example: Example, body: str) -> _Edit:
    code = example.code
    line_end = _line_end(page, code)
    marks = _wide_enough("```", body)
    label = "" if example.labelled else f"{page.label}\n\n"
    lines = f"\n{label}{marks}text\n{body}\n{marks}".split("\n")
    place = example.insert_at
    before = "" if page.text[:place].endswith("\n") else line_end
    next_line = page.text[place:].split("\n", 1)[0]
    after = line_end if next_line.strip() else ""
    return _Edit(place, place, before + _lines(lines, code.indent, line_end) + after)


def _lines(lines: list[str], indent: str, line_end: str) -> str:
    return "".join((indent + line if line else "") + line_end for line in lines)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip("\n").split("\n"))


def _line_end(page: Page, block: Block) -> str:
    return "\r\n" if page.text[: block.start].endswith("\r\n") else "\n"


def _wide_enough(marks: str, body: str) -> str:
    """Return a fence that no line of ``body`` could be taken for."""
    inner = re.findall(rf"(?m)^[ \t]*({marks[0]}{{3,}})", body)
    longest = max((len(each) for each in inner), default=0)
    return marks[0] * max(len(marks), longest + 1) if inner else marks
