"""The prose of a page: what a reader reads that is no block, with every character in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from lesson_checker.fences import end_of_front_matter
from lesson_checker.page import Page

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_NOT_READ = re.compile(
    r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)"  # the target of a link
    r"|\]\[[^\]\n]*\]"
    r"|^[ \t]{0,3}\[[^\]\n]+\]:[^\n]*$"  # the definition of a link
    r"|<https?://[^>\s]*>|https?://[^\s)>]*"
    r"|</?[A-Za-z][^<>]*>"  # a tag
    r"|\{[:#. ][^{}\n]*\}",  # attributes, such as the id of a heading
    re.MULTILINE,
)
_FORMULA = re.compile(
    r"(?<![\\$])(?:\$\$(?P<display>(?:(?!\n[ \t]*\n).)+?)\$\$"
    r"|\$(?P<inline>[^\s$](?:[^$\n]*[^\s$\\])?)\$)(?!\$)",
    re.DOTALL,
)
_HEADING = re.compile(
    r"^(#{1,6})[ \t]+(.*?)[ \t#]*?(?:\{[^}\n]*#(?P<id>[\w-]+)[^}\n]*\})?[ \t]*\r?$", re.M
)

CommentKind = Literal["bound", "excused", "directive", "plain"]
_KINDS: dict[str, CommentKind] = {"=": "bound", "~": "excused", "!": "directive"}


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment; ``text`` is what stands after the sign that tells its kind."""

    kind: CommentKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level, its explicit id if it has one, and where it starts."""

    level: int
    ident: str | None
    start: int


@dataclass(frozen=True, slots=True)
class Prose:
    """What is read on a page.

    Every text is as long as the page's own: what is left out is blank, so an offset in one is an
    offset in all.

    Attributes:
        text: Sentences only: no blocks, comments, code spans, formulas, link targets or tags.
        with_code: The same with its code spans.
        comments: The comments outside of blocks and code spans.
        code_spans: Where the code spans are.
        formulas: Each formula's text and where it starts.
        headings: The headings, in order.
    """

    text: str
    with_code: str
    comments: tuple[Comment, ...]
    code_spans: tuple[tuple[int, int], ...]
    formulas: tuple[tuple[str, int], ...]
    headings: tuple[Heading, ...]


def prose_of(page: Page) -> Prose:
    """Return the prose of ``page``."""
    text = page.text
    first = end_of_front_matter(text.split("\n"))
    body = len("".join(text.splitlines(keepends=True)[:first])) if first else 0
    text = _blank(text, [(0, body), *((block.opening, block.after) for block in page.blocks)])
    code = [match.span() for match in _CODE_SPAN.finditer(text)]
    no_code = _blank(text, code)
    comments = tuple(_comment(match) for match in _COMMENT.finditer(no_code))
    hidden = [(each.start, each.end) for each in comments if each.kind != "directive"]
    # what a directive says, the reader sees: a reason, or what a picture shows
    hidden += [span for each in comments if each.kind == "directive" for span in _marks(each)]
    no_code = _blank(no_code, hidden)
    formulas = tuple(
        (match["display"] or match["inline"], match.start()) for match in _FORMULA.finditer(no_code)
    )
    hidden += [match.span() for match in _FORMULA.finditer(no_code)]
    headings = tuple(
        Heading(len(match[1]), match["id"], match.start()) for match in _HEADING.finditer(no_code)
    )
    hidden += [match.span() for match in _NOT_READ.finditer(_blank(no_code, hidden))]
    return Prose(
        text=_blank(text, [*hidden, *code]),
        with_code=_blank(text, hidden),
        comments=comments,
        code_spans=tuple(code),
        formulas=formulas,
        headings=headings,
    )


def sections(prose: Prose) -> Iterator[tuple[int, int]]:
    """Yield where each section starts and ends; the first is what stands before any heading."""
    starts = [0, *(heading.start for heading in prose.headings), len(prose.text)]
    yield from pairwise(starts)


def _comment(match: re.Match[str]) -> Comment:
    inside = match[0].removeprefix("<!--").removesuffix("-->")
    kind = _KINDS.get(inside[:1], "plain")
    text = inside if kind == "plain" else inside[1:]
    return Comment(kind, text.strip(), match.start(), match.end())


def _marks(comment: Comment) -> list[tuple[int, int]]:
    """Return the parts of a directive that only the checker reads."""
    name = len("<!--!") + len(re.match(r"\s*[\w-]*\s*:?", comment.text)[0]) + 1  # type: ignore[index]
    return [(comment.start, comment.start + name), (comment.end - len("-->"), comment.end)]


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """Return ``text`` with blanks in the place of ``spans``; lines stay lines."""
    parts = []
    place = 0
    for start, end in sorted(spans):
        start = max(start, place)
        if end > start:
            parts += [text[place:start], re.sub(r"[^\n]", " ", text[start:end])]
            place = end
    return "".join([*parts, text[place:]])
