"""Find the fenced blocks of a Markdown text, as the site renders them.

The dialect is that of pymdownx.superfences. What only looks like a fence there, or is one for a
code host but not for the site, is a finding and not a fence: nothing is passed over in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

RUNNABLE = ("python", "py", "python3", "pycon")
_ATTRIBUTES = ("title", "hl_lines", "linenums")
_TAB = 4

_START = re.compile(r"(?P<marks>`{3,}|~{3,})(?P<info>.*)$")
_LISTED = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:`{3,}|~{3,})")
_LANGUAGE = re.compile(r"\s*\.?(?P<language>[\w#.+-]+)(?=\s|$)")
_BRACES = re.compile(r"\s*(?P<language>\.?[\w#.+-]+)?\s*\{(?P<inside>.*)\}\s*$")
_OPTION = re.compile(r"\s+(?P<key>[A-Za-z][A-Za-z0-9_]*)=(?P<quote>[\"']).*?(?P=quote)(?=\s|$)")
_BRACED = re.compile(r"\s*(?:\.(?P<class>[\w#.+-]+)|#[\w-]+|(?P<key>[\w-]+)=(\"[^\"]*\"|'[^']*'))")

_LIST = re.compile(r" {0,3}(?:[-*+]|\d+\.)\s+\S")
_CONTAINER = re.compile(r" {0,3}(?:!!!|\?\?\?\+?|===[!+]?) ?[\w\"]")
_COMMENT = re.compile(r"<!--.*?(?:-->|$)")
_INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_HTML = re.compile(r"<(?P<close>/?)(?P<tag>details|div|section|table|figure)\b(?P<rest>[^>]*)>")
_PRE = re.compile(r"<(?:pre|code)\b[^>]*>", re.IGNORECASE)
_SNIPPET = re.compile(r"\s*-+8<-+")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: lines ``opening`` to ``closing``, counted from 0, with what is between."""

    opening: int
    closing: int
    language: str
    indent: int
    marks: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a reader of the page, or of its source, would take for a checked block."""

    line: int
    code: str
    message: str
    remedy: str


def scan(lines: Sequence[str]) -> tuple[list[Fence], list[Finding]]:
    """Return the fences among ``lines`` (without their line ends) and what is wrong with others."""
    scanner = _Scanner(lines)
    fences = list(scanner.fences())
    return fences, scanner.findings


class _Scanner:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.findings: list[Finding] = []
        # how many list items, admonitions and tabs are open, one level of indentation each
        self.depth = 0
        self.after_blank = True
        self.in_list = False
        self.in_comment = False
        self.raw_html: list[str] = []

    def fences(self) -> Iterator[Fence]:
        number = end_of_front_matter(self.lines)
        while number < len(self.lines):
            line = self.lines[number].lstrip("\ufeff") if number == 0 else self.lines[number]
            prefix = line[: len(line) - len(line.lstrip("> \t"))]
            start = _START.match(line, len(prefix))
            if start is None or _is_inline_code(start):
                if start is not None and _language_of(start["info"]) in (*RUNNABLE, "text"):
                    self.note(number, "fence-not-rendered", "a fence on one line is shown as text")
                elif _LISTED.match(line):
                    self.note(
                        number,
                        "fence-not-rendered",
                        "a fence beside a list marker is shown as text",
                        "start it on a line of its own, indented by four spaces",
                    )
                self.read_prose(number, line)
                number += 1
                continue
            fence = self.read_fence(number, prefix, start)
            if isinstance(fence, Fence):
                if self.accept(fence, prefix):
                    yield fence
                number = fence.closing + 1
                self.after_blank = False
            else:
                number = fence
                self.after_blank = True

    # ------------------------------------------------------------------------------ a fence

    def read_fence(self, opening: int, prefix: str, start: re.Match[str]) -> Fence | int:
        """Return the fence that opens here, or the line at which to go on if it is none."""
        marks = start["marks"]
        indent = _width(prefix)
        own = re.compile(rf"{marks}[ \t]*$")
        like_end = re.compile(rf"[ \t]{{0,3}}{marks}{marks[0]}*[ \t]*$")
        like_start = re.compile(rf"[ \t]{{0,3}}{marks}{marks[0]}*[^{marks[0]}]+$")
        sound = True
        for number in range(opening + 1, len(self.lines)):
            line = self.lines[number].rstrip("\r")
            if not line.strip():
                continue
            if line.startswith(">") and ">" not in prefix and indent:
                continue
            taken, rest = _dedent(line, indent)
            if ">" in prefix:
                rest = line.lstrip("> \t")
            elif taken < indent:
                self.note(
                    opening,
                    "fence-not-rendered",
                    f"line {number + 1} is indented less than the fence that it is in, "
                    "which ends the block without its closing fence",
                    f"indent it by {indent} spaces, as the opening fence is",
                )
                return self.resume(number, marks)
            if own.match(rest):
                language = _language_of(start["info"])
                if sound:
                    return Fence(opening, number, language, indent, marks)
                return number + 1
            if sound and like_end.match(rest):
                self.note(
                    number,
                    "fence-not-rendered",
                    "this closing fence is longer or further indented than its opening fence in "
                    f"line {opening + 1}: the site takes it for a line of the block",
                    f"close the block with {marks}, indented as in line {opening + 1}",
                )
                return number + 1
            if sound and like_start.match(rest):
                self.note(
                    opening,
                    "fence-unclosed",
                    f"the block is still open where another fence starts, in line {number + 1}",
                    f"close it with {marks} before line {number + 1}; if that line belongs to the "
                    f"block, open and close the block with {marks[0] * (len(marks) + 1)}",
                )
                return number
            if _SNIPPET.match(rest):
                self.note(
                    number,
                    "fence-not-rendered",
                    "a snippet in a block would be filled in by the site after the check",
                    "write its text into the block",
                )
        self.note(
            opening,
            "fence-unclosed",
            "the block is never closed",
            f"close it with {marks}",
        )
        return len(self.lines)

    def resume(self, number: int, marks: str) -> int:
        """Return the line after the closing fence that a broken block most likely ends with."""
        for after in range(number, len(self.lines)):
            text = self.lines[after].strip()
            if text.startswith(marks):
                return after + 1 if not text.strip(marks[0]) else after
        return len(self.lines)

    def accept(self, fence: Fence, prefix: str) -> bool:
        """Say whether the site renders this fence as code, and note why if it doesn't."""
        info = _START.match(self.lines[fence.opening].lstrip("\ufeff> \t"))
        fault = _info_fault(info["info"]) if info else ""
        level = fence.indent // _TAB
        html = self.raw_html[-1] if self.raw_html else ""
        remedy = ""
        code = "fence-not-rendered"
        if self.in_comment:
            code = "code-hidden"
            message = "a block in an HTML comment is neither shown nor run"
            remedy = "take it out of the comment, or delete it"
        elif ">" in prefix:
            message = "a fence in a quote is not read"
            remedy = "take it out of the quote; an admonition (!!! quote) can hold one"
        elif html:
            message = f'a fence inside <{html}> without markdown="1" is not read'
            remedy = f'write <{html} markdown="1">'
        elif fault:
            message = fault
            remedy = 'the site knows: ```python title="…" hl_lines="1 2"'
        elif level > self.depth:
            message = "the fence is indented, but nothing is open that it could belong to"
            remedy = (
                "begin it at the margin, or indent it by four spaces for each list item, "
                "admonition or tab around it"
            )
        else:
            if self.after_blank:
                self.depth = level
            return True
        self.note(fence.opening, code, message, remedy)
        return False

    # -------------------------------------------------------------------------------- prose

    def read_prose(self, number: int, line: str) -> None:
        """Follow what a line outside of fences opens and closes."""
        text = line.rstrip("\r")
        if self.in_comment:
            self.in_comment = "-->" not in text
            return
        if not text.strip():
            self.after_blank = True
            return
        plain = _INLINE_CODE.sub("", text)
        if _PRE.match(plain.lstrip()) and plain.lstrip().lower().startswith("<pre"):
            self.note(
                number,
                "code-hidden",
                "code in raw HTML is shown, but neither run nor compared",
                "write it as a fenced block",
            )
        self.in_comment = _COMMENT.sub(
            lambda comment: "" if comment[0].endswith("-->") else "\0", plain
        ).endswith("\0")
        plain = _COMMENT.sub("", plain)
        for tag in _HTML.finditer(plain):
            if tag["close"]:
                if self.raw_html:
                    self.raw_html.pop()
            else:
                self.raw_html.append("" if "markdown" in tag["rest"] else tag["tag"])
        self.follow_containers(text)
        self.after_blank = False

    def follow_containers(self, text: str) -> None:
        indent = _width(text[: len(text) - len(text.lstrip(" \t"))])
        level = min(indent // _TAB, self.depth)
        inner = _dedent(text, level * _TAB)[1]
        if self.after_blank:
            self.depth = level
        if _CONTAINER.match(inner):
            self.depth = level + 1
            self.in_list = False
        elif _LIST.match(inner) and (self.after_blank or self.in_list or self.depth > level):
            self.depth = level + 1
            self.in_list = True
        elif not self.in_list and level < self.depth:
            # an admonition or a tab ends with its indentation; a list item goes on to the blank
            self.depth = level

    def note(self, line: int, code: str, message: str, remedy: str = "") -> None:
        self.findings.append(Finding(line, code, message, remedy))


def end_of_front_matter(lines: Sequence[str]) -> int:
    """Return the number of the line after the front matter, 0 without one."""
    if lines and lines[0].lstrip("\ufeff").rstrip() == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip() in ("---", "..."):
                return number + 1
    return 0


def dedented(lines: Sequence[str], indent: int) -> list[str]:
    """Return the lines of a block without the indentation of its fence and without returns."""
    return [_dedent(line.removesuffix("\r"), indent)[1] if line.strip() else "" for line in lines]


def _dedent(line: str, indent: int) -> tuple[int, str]:
    """Take up to ``indent`` columns of white space off a line; return how many, and the rest."""
    width = 0
    for place, character in enumerate(line):
        if width >= indent or character not in " \t":
            return width, line[place:]
        width += _TAB - width % _TAB if character == "\t" else 1
    return width, ""


def _width(prefix: str) -> int:
    width = 0
    for character in prefix:
        width += _TAB - width % _TAB if character == "\t" else 1
    return width


def _is_inline_code(start: re.Match[str]) -> bool:
    return start["marks"][0] == "`" and "`" in start["info"]


def _language_of(info: str) -> str:
    braces = _BRACES.match(info)
    if braces:
        inside = re.search(r"(?:^|\s)\.([\w#.+-]+)", braces["inside"])
        return (braces["language"] or (inside[1] if inside else "")).lstrip(".").lower()
    language = _LANGUAGE.match(info)
    return language["language"].lower() if language else ""


def _info_fault(info: str) -> str:
    """Say why the site would show a fence with this info line as broken text, if it would."""
    braces = _BRACES.match(info)
    if braces:
        inside, pattern = braces["inside"], _BRACED
    else:
        language = _LANGUAGE.match(info)
        inside, pattern = info[language.end() :] if language else info, _OPTION
    place = 0
    while inside[place:].strip():
        attribute = pattern.match(inside, place)
        if attribute is None:
            return f"the site shows this block as broken text: it can't read {inside.strip()!r}"
        if attribute["key"] and attribute["key"] not in _ATTRIBUTES:
            return f"a fence has no attribute {attribute['key']!r}"
        place = attribute.end()
    return ""
