"""The prose of a page: what a reader reads that is no block, with every character in its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from lesson_checker.fences import end_of_front_matter
from lesson_checker.page import Page

Span = tuple[int, int]

_CODE_OR_COMMENT = re.compile(r"\\`|`+|<!--")
_PARAGRAPH_END = re.compile(r"\n(?=[ \t\r]*\n)")
_DIRECTIVE = re.compile(r"<!--!\s*[\w-]*\s*:?")
_READ_IN_FRONT_MATTER = re.compile(r"(?:title|description)[ \t]*:")
_NOT_READ = re.compile(
    r"\]\(\s*<?[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*>?\)?"  # a link's target; its title is read
    r"|\]\[[^\]\n]*\]"
    r"|^[ \t]{0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S*"  # the definition of a link, but of no footnote
    r"|<(?:https?|mailto):[^>\s]*>|https?://[^\s)>\]]*"
    r"|</?[A-Za-z](?:[^<>\n]|\n(?![ \t\r]*[\n>]))*>"  # a tag
    r"|&\#?\w{1,31};"
    r"|\{:?[ \t]*(?:[#.][\w-]|[\w-]+=)[^{}\n]*\}",  # attributes, such as the id of a heading
    re.MULTILINE,
)
_SPACE = re.compile(r"&(?:nbsp|ensp|thinsp|\#160|\#8239|\#x0*a0|\#x0*202f);", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*+|(?<![^\W_])_+|_+(?![^\W_])")
_TEX = r"(?:\\[^\n]?|[^\\$\n]|\n(?![ \t\r]*\n))++"
# as the site finds them; a dollar before a space opens nothing
_FORMULA = re.compile(
    rf"(?<![\\$])(?:\$\$(?P<display>{_TEX})\$\$|\$(?![\s$])(?P<inline>{_TEX})(?<!\s)\$)"
)
_HEADING = re.compile(r"^(?:    |\t|>[ ]?)*+(#{1,6})(?P<words>[^\n]*)$", re.MULTILINE)
_UNDERLINED = re.compile(
    r"(?:\A|(?<=\n))(?=[^\n]*\S)(?P<words>[^\n]*+)\n(?P<line>=+|-+)[ \t\r]*$",
    re.MULTILINE,
)
_ATTRIBUTES = re.compile(r"\{[^{}]*\}(?=[ \t#\r]*$)")

CommentKind = Literal["bound", "excused", "directive", "plain", "unclosed"]
_KINDS: dict[str, CommentKind] = {"=": "bound", "~": "excused", "!": "directive"}


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment; ``text`` is what stands after the sign that tells its kind."""

    kind: CommentKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula without its dollars, and where it stands with them."""

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
    """What is read on a page, the title and the description in its front matter among it.

    Every text is as long as the page's own: what is left out is blank, so an offset in one is an
    offset in all.

    Attributes:
        text: Sentences only: no blocks, comments, code spans, formulas, link targets, tags, and
            none of the marks of emphasis.
        with_code: The same with its code spans.
        marked: All of the Markdown but its blocks, comments and code spans.
        comments: The comments outside of blocks and code spans.
        formulas: The formulas, in order.
        headings: The headings, in order.
    """

    text: str
    with_code: str
    marked: str
    comments: tuple[Comment, ...]
    formulas: tuple[Formula, ...]
    headings: tuple[Heading, ...]


@lru_cache(maxsize=32)
def prose_of(page: Page) -> Prose:
    """Return the prose of ``page``."""
    blocks = [(block.opening, block.after) for block in page.blocks]
    text = _blank(page.text, [*_front_matter(page.text), *blocks])
    code, comments = _code_and_comments(text)
    hidden = [span for comment in comments for span in _unread(text, comment)]
    source = _blank(text, hidden)
    marked = _blank(source, code)
    formulas = [
        Formula(match["display"] or match["inline"], *match.span())
        for match in _all(_FORMULA, marked, "$")
    ]
    hidden += [(formula.start, formula.end) for formula in formulas]
    plain = _blank(marked, hidden)
    hidden += [match.span() for match in _all(_NOT_READ, plain, *"]<&{", "http")]
    spaces = [match.span() for match in _all(_SPACE, plain, "&")]
    hidden += [match.span() for match in _all(_EMPHASIS, _blank(plain, hidden), "*", "_")]
    return Prose(
        text=_blank(_blank(text, [*hidden, *code]), spaces, "\u00a0"),
        with_code=_blank(_blank(text, hidden), spaces, "\u00a0"),
        marked=marked,
        comments=tuple(comments),
        formulas=tuple(formulas),
        headings=tuple(_headings(source)),
    )


def _all(pattern: re.Pattern[str], text: str, *signs: str) -> Iterable[re.Match[str]]:
    """Return the matches of a pattern, each of which holds one of the signs: few texts do."""
    return pattern.finditer(text) if any(sign in text for sign in signs) else ()


def sections(prose: Prose) -> Iterator[Span]:
    """Yield where each section starts and ends; the first is what stands before any heading."""
    starts = [0, *(heading.start for heading in prose.headings), len(prose.text)]
    yield from pairwise(starts)


def _front_matter(text: str) -> Iterator[Span]:
    """Yield the parts of the front matter that no reader sees."""
    lines = text.split("\n")
    start = 0
    read = False
    for line in lines[: end_of_front_matter(lines)]:
        if not line.startswith((" ", "\t")):  # else it goes on with what the line above began
            key = _READ_IN_FRONT_MATTER.match(line)
            read = key is not None
            yield start, start + (key.end() if key else len(line))
        elif not read:
            yield start, start + len(line)
        start += len(line) + 1


def _code_and_comments(text: str) -> tuple[list[Span], list[Comment]]:
    """Return the code spans and the comments; where they overlap, what starts first counts."""
    code: list[Span] = []
    comments: list[Comment] = []
    if "`" not in text and "<!--" not in text:
        return code, comments
    ends = [match.start() for match in _PARAGRAPH_END.finditer(text)]
    ticks: dict[int, list[int]] = {}
    for run in re.finditer("`+", text):
        ticks.setdefault(len(run[0]), []).append(run.start())
    place = 0
    for match in _CODE_OR_COMMENT.finditer(text):
        start = match.start()
        if start < place or match[0] == "\\`":
            continue
        if match[0] == "<!--":
            comments.append(_comment(text, start))
            place = comments[-1].end
            continue
        alike = ticks.get(len(match[0]), [])
        closing = bisect_right(alike, start)
        paragraph = bisect_right(ends, start)
        until = ends[paragraph] if paragraph < len(ends) else len(text)
        if closing < len(alike) and alike[closing] < until:
            place = alike[closing] + len(match[0])
            code.append((start, place))
    return code, comments


def _comment(text: str, start: int) -> Comment:
    end = text.find("-->", start)
    if end < 0:
        line_end = text.find("\n", start)
        return Comment("unclosed", "", start, line_end if line_end >= 0 else len(text))
    inside = text[start + len("<!--") : end].strip()
    kind = _KINDS.get(inside[:1], "plain")
    said = inside if kind == "plain" else inside[1:].strip()
    return Comment(kind, said, start, end + len("-->"))


def _unread(text: str, comment: Comment) -> Iterator[Span]:
    """Yield what of a comment no reader sees; the reason of a skip is seen."""
    directive = _DIRECTIVE.match(text, comment.start, comment.end)
    if directive:
        yield directive.span()
        yield comment.end - len("-->"), comment.end
    else:
        yield comment.start, comment.end


def _headings(source: str) -> list[Heading]:
    found = [
        Heading(len(match[1]), _ident(match["words"]), match.start())
        for match in _all(_HEADING, source, "#")
    ]
    found += [
        Heading(1 if match["line"][0] == "=" else 2, _ident(match["words"]), match.start("words"))
        for match in _all(_UNDERLINED, source, "\n=", "\n-")
        # below a line of a paragraph it is a line of that paragraph
        if not source[source.rfind("\n", 0, max(0, match.start() - 1)) + 1 : match.start()].strip()
    ]
    return sorted(found, key=lambda heading: heading.start)


def _ident(words: str) -> str | None:
    attributes = _ATTRIBUTES.search(words, max(0, words.rfind("{")))
    ident = re.search(r"#([\w:.-]+)", attributes[0]) if attributes else None
    return ident[1] if ident else None


def _blank(text: str, spans: Iterable[Span], blank: str = " ") -> str:
    """Return ``text`` with blanks in the place of ``spans``; lines stay lines."""
    parts = []
    place = 0
    for start, end in sorted(spans):
        start = max(start, place)
        if end > start:
            lines = [blank * len(line) for line in text[start:end].split("\n")]
            parts += [text[place:start], "\n".join(lines)]
            place = end
    return "".join([*parts, text[place:]])
