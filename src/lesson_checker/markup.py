"""What HTML does to the lines of a page: comments hide text, and elements keep it as it is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

COMMENT = "\1"  # stands for a comment; a page holds no such character
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")

_LINE_END = "\2"  # one in a comment
_TICKS_OR_COMMENT = re.compile(r"`+|<!--")
_BLANK_LINES = re.compile(r"\n\s*\n")

_TAG_BEGINS_LINE = re.compile(r"[ ]{0,3}<")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?=[\s/>]|$)"
    r"(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)(?P<end>>?)"
)
_MARKDOWN = re.compile(r"\smarkdown(?:=([\"']?)(?:1|block)\1)?(?=[\s/]|$)")
_SHOWS_CODE = re.compile("listing|plaintext|pre|textarea|xmp")
_HOLDS_BLOCKS = re.compile("article|aside|details|div|figure|footer|header|main|nav|section")
_BLOCK_LEVEL = re.compile(
    "address|article|aside|blockquote|body|canvas|center|colgroup|dd|details|div|dl|dt|fieldset"
    "|figcaption|figure|footer|form|group|h[1-6]|header|hgroup|html|iframe|legend|li|listing|main"
    "|map|math|menu|nav|noscript|object|ol|option|output|p|plaintext|pre|progress|script|section"
    "|style|summary|table|tbody|td|template|textarea|tfoot|th|thead|tr|ul|video|xmp"
)


class Row(NamedTuple):
    """A line, or what is left of several when a comment that joins them is gone.

    Attributes:
        number: The number of the (first) line.
        text: The text, with ``COMMENT`` in the place of each comment.
        hidden: The numbers of the lines that comments have swallowed.
    """

    number: int
    text: str
    hidden: tuple[int, ...] = ()


def without_comments(rows: Sequence[Row]) -> tuple[list[Row], int | None]:
    """Return the rows without comments, and the number of the line where one never ends."""
    text = "\n".join([row.text for row in rows])
    if "<!--" not in text:
        return list(rows), None
    parts = []
    place = 0
    unclosed = None
    for start, end in _comments(text):
        if end > start:
            parts += [text[place:start], COMMENT, _LINE_END * text.count("\n", start, end)]
            place = end
        else:
            unclosed = rows[text.count("\n", 0, start)].number
    shown = []
    first = 0
    for line in "".join([*parts, text[place:]]).split("\n"):
        number, *hidden = (row.number for row in rows[first : first + 1 + line.count(_LINE_END)])
        shown.append(Row(number, line.replace(_LINE_END, ""), tuple(hidden)))
        first += 1 + len(hidden)
    return shown, unclosed


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each comment outside of code spans starts and ends; 0 if it never ends."""
    blanks = [match.start() for match in _BLANK_LINES.finditer(text)]
    tokens = list(_TICKS_OR_COMMENT.finditer(text))
    code: dict[int, int] = {}  # where the code span ends that starts here
    later: dict[tuple[str, int], int] = {}
    for token in reversed(tokens):
        ticks_in_paragraph = token[0], bisect_left(blanks, token.start())
        code[token.start()] = later.get(ticks_in_paragraph, 0)
        later[ticks_in_paragraph] = token.end()
    place = 0
    for token in tokens:
        if token.start() < place:
            continue
        if token[0] != "<!--":
            place = code[token.start()]
            continue
        place = text.find("-->", token.end()) + len("-->")
        if place < token.end():
            yield token.start(), 0
            return
        yield token.start(), place


class Elements:
    """The HTML elements that are open.

    Attributes:
        read: Those whose Markdown is read, outermost first, each with the line of its tag.
        raw: The name of one whose content is raw, if one is open in them.
        noted: Whether that element has been noted; one that shows code always is.
    """

    def __init__(self) -> None:
        self.read: list[tuple[str, int]] = []
        self.raw = ""
        self.noted = False
        self._depth = 0
        self._names: Counter[str] = Counter()

    def follow(self, number: int, text: str) -> int:
        """Follow the tags of a line, and return where the last one ends that counts, 0 if none."""
        alone = _TAG_BEGINS_LINE.match(text) is not None
        end = 0
        for tag in _TAG.finditer(text) if alone or self.raw or self.read else ():
            name = tag["name"].lower()
            alone = alone and not text[end : tag.start()].strip()
            if tag["close"]:
                counts = self._close(name)
            else:
                counts = bool(_BLOCK_LEVEL.fullmatch(name)) and (alone or self.raw != "")
                if counts and not tag["rest"].endswith("/"):
                    self._open(number, name, tag)
            end = tag.end() if counts else end
        return end

    def _open(self, number: int, name: str, tag: re.Match[str]) -> None:
        if self.raw:
            self._depth += name == self.raw
        elif can_hold_blocks(name) and tag["end"] and _MARKDOWN.search(tag["rest"]):
            self.read.append((name, number))
            self._names[name] += 1
        else:
            self.raw, self._depth = name, 1
            self.noted = _SHOWS_CODE.fullmatch(name) is not None

    def _close(self, name: str) -> bool:
        if name == self.raw:
            self._depth -= 1
            if not self._depth:
                self.raw, self.noted = "", False
        elif self._names[name]:
            closed = ""
            while closed != name:
                closed, _ = self.read.pop()
                self._names[closed] -= 1
            self.raw, self.noted = "", False
        else:
            return False
        return True


def can_hold_blocks(name: str) -> bool:
    """Say whether an element can be told to have its Markdown read."""
    return _HOLDS_BLOCKS.fullmatch(name) is not None


def shows_code(text: str) -> bool:
    """Say whether a line opens an element that shows its content as code."""
    if "<" not in text:
        return False
    visible = text if _TAG_BEGINS_LINE.match(text) else CODE_SPAN.sub("", text)
    return any(
        _SHOWS_CODE.fullmatch(tag["name"].lower()) and not tag["close"]
        for tag in _TAG.finditer(visible)
    )
