"""What of a section is no matter of language: links, images, tables, admonitions, blocks, ..."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from lesson_checker.essence import without_comments
from lesson_checker.numerals import canonical
from lesson_checker.page import Block, Page
from lesson_checker.prose import Prose, Span, sections

_BRACKET = re.compile(r"\\.|!?\[|\]", re.DOTALL)
_TARGET = re.compile(
    r"\(\s*<?(?P<inline>[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)|\[(?P<label>[^\]\n]*)\]"
)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[(?!\^)([^\]\n]+)\]:[ \t]*<?([^\s>]*)", re.MULTILINE)
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^>\s]*)>")
_HTML_LINK = re.compile(r"<(a|img)\b[^<>]*?\b(?:href|src)=[\"']([^\"'<>]*)", re.IGNORECASE)
_OTHER_SITE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:(?<=/)|^)[a-z]{2}/|[._-][a-z]{2}(?=\.)")
_ATTRIBUTES = re.compile(r"\{:?([^{}\n]*)\}")
_ADMONITION = re.compile(r"(?P<marks>!!!|\?\?\?\+?|===[!+]?)[ \t]*(?P<kinds>[\w -]*)")
_CONTAINER = re.compile(
    r"<(/?(?:details|summary|div|section|figure|figcaption|table|iframe|video)\b)([^<>]*)>",
    re.IGNORECASE,
)
_CONTAINER_ATTRIBUTE = re.compile(r"\b(?:class|id|markdown|open)\b(?:=[\"'][^\"']*[\"'])?")
_DELIMITERS = re.compile(r"[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*(?:\||$))+[ \t]*$")
_CELL_END = re.compile(r"\\.|\|", re.DOTALL)
# the words of a formula are in the language of the page
_WORDS = re.compile(r"\\text(?:rm|bf|it|sf|tt|normal)?\{([^{}]*)\}")
_SYMBOL = re.compile(r"([^\w\s.,;:!?¿¡'\"«»“”‘’()…])\1*")


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image: where it goes, and where that stands in the page."""

    target: str
    start: int
    image: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: where it starts, and its cells; only a delimiter row has an alignment."""

    start: int
    cells: tuple[Span, ...]
    alignment: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a page shows: what kind of thing, where, and what of it must be the same."""

    kind: str
    start: int
    text: str


_IN_ANY_ORDER = ("formulas", "links", "images", "ids and classes")
_IN_ORDER = ("admonitions", "HTML elements", "tables", "blocks")


@lru_cache(maxsize=32)
def structure(page: Page, prose: Prose) -> tuple[dict[str, list[str]], ...]:
    """Return for each section what has to be the same in both languages, by its kind."""
    spans = list(sections(prose))
    starts = [start for start, _ in spans]
    found: list[dict[str, list[str]]] = [
        {kind: [] for kind in (*_IN_ANY_ORDER, *_IN_ORDER)} for _ in spans
    ]
    for fact in _facts(page, prose):
        found[bisect_right(starts, fact.start) - 1][fact.kind].append(fact.text)
    # a sentence may need its links and formulas in another order
    for section in found:
        for kind in _IN_ANY_ORDER:
            section[kind].sort()
    return tuple(found)


def _facts(page: Page, prose: Prose) -> Iterator[Fact]:
    for formula in prose.formulas:
        yield Fact("formulas", formula.start, wordless(formula.text))
    for link in links_of(prose):
        yield Fact("images" if link.image else "links", link.start, link.target)
    for row in tables(prose):
        text = row.alignment or f"{len(row.cells)} cells"
        yield Fact("tables", row.start, text)
    for block in page.blocks:
        yield Fact("blocks", block.opening, _shown(page, block))
    yield from _attributes(prose.marked)
    yield from _admonitions(prose.marked)
    yield from _containers(prose.marked)


def wordless(formula: str) -> str:
    r"""Return a formula as it is in any language: without its words, but with their numbers.

    Examples:
        >>> wordless(r"0{,}5 = \text{media de 3}.")
        '0.5=\\text{3}'
    """
    told = _WORDS.sub(lambda match: rf"\text{{{' '.join(canonical(match[1]))}}}", formula)
    return re.sub(r"\s+", "", told.replace("{,}", ".")).rstrip(".,;")


@lru_cache(maxsize=32)
def links_of(prose: Prose) -> tuple[Link, ...]:
    """Return the links and images of a page in order; one to another site names no address."""
    text = prose.marked
    found = [
        *_bracketed(text, dict(_definitions(text))),
        *(Link(match[1], match.start()) for match in _AUTOLINK.finditer(text)),
        *(
            Link(match[2], match.start(), image=match[1].lower() == "img")
            for match in _HTML_LINK.finditer(text)
        ),
    ]
    anywhere = (replace(link, target=_in_any_language(link.target)) for link in found)
    return tuple(sorted(anywhere, key=lambda link: link.start))


@lru_cache(maxsize=32)
def tables(prose: Prose) -> tuple[Row, ...]:
    """Return the rows of a page's tables, delimiter rows among them."""
    return tuple(_tables(prose))


def _tables(prose: Prose) -> Iterator[Row]:
    lines: list[Span] = []
    start = 0
    for line in [*prose.marked.split("\n"), ""]:
        if line.strip(" \t\r>"):
            lines.append((start, start + len(line)))
        else:
            yield from _rows(prose.marked, lines)
            lines = []
        start += len(line) + 1


def _rows(text: str, lines: Sequence[Span]) -> Iterator[Row]:
    """Yield the rows that a group of lines is, none if it is no table."""
    delimiters = text[slice(*lines[1])] if len(lines) > 1 else ""
    if "|" not in delimiters or not _DELIMITERS.fullmatch(delimiters.rstrip()):
        return
    for number, (start, end) in enumerate(lines):
        bars = [match.start() for match in _CELL_END.finditer(text, start, end) if match[0] == "|"]
        cells = [(left + 1, right) for left, right in pairwise([start - 1, *bars, end])]
        # a bar at either end of a row closes no cell
        if not text[slice(*cells[0])].strip(" \t>"):
            del cells[0]
        if cells and not text[slice(*cells[-1])].strip():
            del cells[-1]
        alignment = re.sub(r"[ \t>\r]|(?<=-)-+", "", delimiters).strip("|")
        yield Row(start, tuple(cells), alignment if number == 1 else "")


def _bracketed(text: str, definitions: Mapping[str, str]) -> Iterator[Link]:
    opened: list[re.Match[str]] = []
    place = 0
    for match in _BRACKET.finditer(text):
        if match.start() < place or match[0][0] == "\\":
            continue  # the label of the link before, or no bracket
        if match[0] != "]":
            opened.append(match)
        elif opened and not text.startswith("]:", match.start()):
            opening = opened.pop()
            goes = _TARGET.match(text, match.end())
            label = (goes and goes["label"]) or text[opening.end() : match.start()]
            target = goes["inline"] if goes else None
            if target is None:
                target = definitions.get(_label(label))
            if target is not None:
                place = goes.end() if goes else 0
                yield Link(target, opening.start(), image=opening[0] == "![")


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    for match in _DEFINITION.finditer(text):
        yield _label(match[1]), match[2]


def _label(text: str) -> str:
    return " ".join(text.lower().split())


def _in_any_language(target: str) -> str:
    """Return where a link goes; other sites, and files with a language's code, count as one."""
    if _OTHER_SITE.match(target):
        return "another site"
    return _LANGUAGE.sub("", target)


def _attributes(text: str) -> Iterator[Fact]:
    for match in _ATTRIBUTES.finditer(text):
        for name in re.findall(r"(?<!\S)[#.][\w:.-]+", match[1]):
            yield Fact("ids and classes", match.start(), name)


def _admonitions(text: str) -> Iterator[Fact]:
    opened: tuple[str, int, int] | None = None
    start = 0
    for line in [*text.split("\n"), "end"]:
        words = line.lstrip(" \t>")
        if words.strip():
            indent = len(line) - len(words)
            if opened:
                told, place, outer = opened
                yield Fact("admonitions", place, told + (", empty" if indent <= outer else ""))
            match = _ADMONITION.match(words)
            told = f"{match['marks']} {match['kinds'].strip()}" if match else ""
            opened = (told, start, indent) if match else None
        start += len(line) + 1


def _containers(text: str) -> Iterator[Fact]:
    for match in _CONTAINER.finditer(text):
        attributes = _CONTAINER_ATTRIBUTE.findall(match[2])
        yield Fact("HTML elements", match.start(), " ".join([match[1].lower(), *attributes]))


def _shown(page: Page, block: Block) -> str:
    """Return what of a block must be the same; code and outputs are compared elsewhere."""
    info = " ".join(canonical(page.text[block.opening : block.start]))
    if block.kind != "shown":
        return f"{block.kind} {info}".rstrip()
    if block.language:
        return f"{block.language} {info}: {without_comments(block.body)}"
    drawn = " ".join("".join(symbols(line)) for line in block.body.split("\n"))
    return f"a diagram with {' '.join(canonical(block.body))} and {drawn}"


def symbols(line: str) -> list[str]:
    """Return the arrows, dots and lines of a diagram's line; how long a line is does not count."""
    return _SYMBOL.findall(line)
