"""Find the fenced blocks of a Markdown text, as the site takes them.

The dialect is that of pymdownx.superfences. What only looks like a fence there, or is one for a
code host but not for the site, is found too, as unsound: nothing is passed over in silence.
Whether the site shows a sound fence where it stands, ``places`` says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

TAB = 4
RUNNABLE = ("python", "py", "python3", "pycon")
OUTPUT = "text"

_MARKS = re.compile(r"`{3,}|~{3,}")
_LIST_MARKER = re.compile(r"[> ]*(?:[-*+]|\d+[.)])[ ]+(?:\[[ xX]\][ ]+)?")
_LANGUAGE = re.compile(r"[ ]*\.?(?P<language>[\w#.+-]+)(?=[\s{]|$)")
_CLASS = re.compile(r"[{ ]\.(?P<language>[\w+-]+)")
_STRING = r"(?:\"[^\"]*\"|'[^']*')"
_LINES = r"\d+(?:-\d+)?(?:[ ]+\d+(?:-\d+)?)*"
_ATTRIBUTE = rf"(?:title={_STRING}|hl_lines=(?:\"{_LINES}\"|'{_LINES}'))"
_OPTIONS = re.compile(rf"(?:[ ]*{_ATTRIBUTE}(?=[ ]|$))*[ ]*")
_BRACES = re.compile(rf"[ ]*\{{(?:[ ]*(?:[.#][\w+-]+|{_ATTRIBUTE})(?=[ }}]))*[ ]*\}}[ ]*")
_NEARLY_PYTHON = re.compile(r"i?py(?!tb$)")
_SNIPPET = re.compile(r"[ ]*-+8<-+")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: lines ``opening`` to ``closing``, counted from 0, with what is between.

    An unsound one is what its author must have meant; the site does not show it like that.
    """

    opening: int
    closing: int
    language: str
    indent: int
    marks: str
    sound: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a reader of the page, or of its source, would take for a checked block."""

    line: int
    code: str
    message: str
    remedy: str


def scan(lines: Sequence[str]) -> tuple[list[Fence], list[Finding]]:
    """Return the fences among ``lines``, and what is wrong with the unsound ones.

    Args:
        lines: Lines without their ends and with tabs expanded, as the site reads them.
    """
    fences: list[Fence] = []
    findings: list[Finding] = []
    body = end_of_front_matter(lines)
    number = 0
    while number < len(lines):
        marks = _MARKS.search(lines[number])
        opening, fault = _opening(number, lines[number], marks) if marks else (None, None)
        closing = number
        if opening:
            if number < body:
                fault = _hidden(number, "this block is in the front matter", "move it below")
            if fault:
                closing = _likely_end(lines, number + 1, opening.marks)
            else:
                closing, fault = _read(lines, opening)
            fences.append(opening.fence(closing, sound=fault is None))
        if fault:
            findings.append(fault)
        number = closing + 1
    return fences, findings


def end_of_front_matter(lines: Sequence[str]) -> int:
    """Return the number of the line after the front matter, 0 without one."""
    if lines and lines[0].lstrip("\ufeff").rstrip() == "---":
        for number in range(2, len(lines) - 1):
            if lines[number].rstrip() in ("---", "..."):
                return number + 1
    return 0


# ---------------------------------------------------------------------------- the first line


class _Opening(NamedTuple):
    line: int
    indent: int
    marks: str
    info: str
    language: str
    unread: str  # what the site can't read behind the language

    def fence(self, closing: int, *, sound: bool) -> Fence:
        return Fence(self.line, closing, self.language, self.indent, self.marks, sound)


def _opened(line: int, indent: int, marks: str, info: str) -> _Opening:
    plain = _LANGUAGE.match(info)
    match = plain or _CLASS.search(re.sub(_STRING, "", info))
    rest = info[plain.end() :] if plain else info
    glued = plain and rest.startswith("{")
    known = _OPTIONS.fullmatch(rest) or (_BRACES.fullmatch(rest) and not glued)
    language = match["language"].lower() if match else ""
    return _Opening(line, indent, marks, info, language, "" if known else rest.strip(" "))


def _opening(
    number: int, line: str, match: re.Match[str]
) -> tuple[_Opening | None, Finding | None]:
    """Return what opens in a line with such marks, and what keeps the site from seeing that."""
    before, marks, info = line[: match.start()], match[0], line[match.end() :]
    opening = _opened(number, len(before), marks, info)
    tick = "`" in info and marks.startswith("`")
    if before.strip("> "):
        return _beside(opening, before, inline=tick)
    if marks in info or (tick and opening.unread):
        if opening.language not in (*RUNNABLE, OUTPUT):
            return None, None  # inline code
        return None, _broken(
            number,
            "a block on one line is shown as a part of the text, and not run",
            f"write {marks}{opening.language} on one line, the code below, {marks} on the last",
        )
    fault = None
    if ">" in before:
        fault = _broken(
            number,
            "a block in a quote is not read by the checker",
            "take it out of the quote; an admonition (!!! quote) can hold one",
        )
    elif tick:
        fault = _broken(
            number,
            "a title with a backtick makes the block inline code for a code host",
            "take the backtick out of the title",
        )
    elif opening.unread:
        fault = _broken(
            number,
            f"the site can't read {opening.unread!r} here, and shows the block as broken text",
            'it knows ```python, ```python title="…" and ```python hl_lines="1 3-4"; what the '
            "checker has to know stands in a comment above: <!--! skip: needs a network -->",
        )
    elif _NEARLY_PYTHON.match(opening.language) and opening.language not in RUNNABLE:
        fault = _hidden(
            number,
            f"a block in {opening.language!r} looks like Python, but is not run",
            f"write {marks}python, or {marks}pycon for a session with >>>",
        )
    return opening, fault


def _beside(
    opening: _Opening, before: str, *, inline: bool
) -> tuple[_Opening | None, Finding | None]:
    """Say whether marks in the middle of a line are meant as a fence."""
    if inline or "`" in before or before.endswith("\\"):
        return None, None
    own = f"{opening.marks}{opening.info.strip()} on a line of its own"
    if _LIST_MARKER.fullmatch(before):
        return opening, _broken(
            opening.line,
            "a block that begins beside the marker of a list item is shown as broken text",
            f"write {own}, and indent the whole block by four spaces",
        )
    if opening.info.rstrip() in (*RUNNABLE, OUTPUT):
        return opening, _broken(
            opening.line,
            "a block that begins in the middle of a line is shown as broken text",
            f"write {own}",
        )
    return None, None


# ---------------------------------------------------------------------------- the other lines


def _read(lines: Sequence[str], opening: _Opening) -> tuple[int, Finding | None]:
    """Return the last line of a fence, and what is wrong with the fence, if anything."""
    marks, indent = opening.marks, opening.indent
    own_end, like_end, like_start = _patterns(marks)
    fault = None
    for number in range(opening.line + 1, len(lines)):
        line = lines[number]
        rest = line[indent:]
        if not line.strip():
            continue
        if line[:indent].strip(" "):
            return _likely_end(lines, number, marks), fault or _broken(
                opening.line,
                f"line {number + 1} of this block is indented less than its first line, so the "
                "site shows the block as broken text",
                f"indent every line of it, the closing {marks} too, by {indent} spaces",
            )
        if _SNIPPET.match(rest):
            fault = _broken(
                number,
                "a snippet in a block is filled in by the site, after the check",
                "write its text into the block",
            )
        if marks not in rest:
            continue
        if own_end.match(rest):
            return number, fault
        if like_end.match(rest):
            return number, fault or _near_miss(number, rest, opening)
        if like_start.match(rest):
            return number - 1, fault or Finding(
                opening.line,
                "fence-unclosed",
                f"this block is still open in line {number + 1}, where another one begins",
                f"write {marks} on a line of its own below the last line of the block, "
                f"{_or_wider(rest)}",
            )
    return len(lines) - 1, fault or Finding(
        opening.line,
        "fence-unclosed",
        "this block is never closed",
        f"write {marks} on a line of its own below the last line of the block",
    )


def _near_miss(number: int, rest: str, opening: _Opening) -> Finding:
    """Return in what a line differs from the one that would close the block."""
    blanks = len(rest) - len(rest.lstrip(" "))
    faults, cures = [], []
    if blanks:
        faults.append(f"indented by {blanks} space{'s'[: blanks > 1]} more than")
        cures.append("delete the space" if blanks == 1 else f"delete {blanks} spaces")
    if len(rest.strip(" ")) > len(opening.marks):
        faults.append("longer than")
        cures.append(f"write {opening.marks}")
    return _broken(
        number,
        f"this fence is {' and '.join(faults)} the one in line {opening.line + 1} that it should "
        "close",
        f"{' and '.join(cures)}, {_or_wider(rest)}",
    )


def _or_wider(line: str) -> str:
    """Return what to do with a line like a fence if it is a part of the block around it."""
    marks = line.strip(" ")
    marks = marks[: len(marks) - len(marks.lstrip(marks[0]))]
    return f"or, if it belongs to the block, begin and end the block with {marks}{marks[0]}"


@cache
def _patterns(marks: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what the end of such a fence looks like, what is nearly one, and another's start."""
    like = rf"[ ]{{0,3}}{marks}{marks[0]}*"
    ends = rf"{marks}[ ]*$", rf"{like}[ ]*$", rf"{like}[^{marks[0]}]+$"
    own_end, like_end, like_start = map(re.compile, ends)
    return own_end, like_end, like_start


def _likely_end(lines: Sequence[str], start: int, marks: str) -> int:
    """Return the line that a broken block ends with, as its author must have meant it."""
    for number in range(start, len(lines)):
        text = lines[number].strip("> ")
        if text.startswith(marks):
            return number if not text.strip(marks[0]) else number - 1
    return len(lines) - 1


def _broken(line: int, message: str, remedy: str) -> Finding:
    return Finding(line, "fence-not-rendered", message, remedy)


def _hidden(line: int, message: str, remedy: str) -> Finding:
    return Finding(line, "code-hidden", message, remedy)
