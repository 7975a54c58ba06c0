"""A page as Markdown that reads well elsewhere: what only the site understands is gone.

Everything is an edit of the page's own text, at the places that the checker has found, so what is
not meant is not touched: code, formulas and code spans stay to the character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from lesson_checker.fences import end_of_front_matter
from lesson_checker.page import Block, Example, Page
from lesson_checker.prose import Prose, prose_of

_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]|[\w-]+=)[^{}\n]*\}")
_TARGET = re.compile(
    r"\]\(\s*<?(?P<link>[^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)*)"
    r"|^[ ]{0,3}\[(?!\^)[^\]\n]+\]:[ \t]*<?(?P<defined>[^\s<>]+)"
    r"|<(?:a|img)\b[^<>]*?\b(?:href|src)=\"(?P<html>[^\"]*)\"",
    re.MULTILINE,
)
_DOLLAR = re.compile(r"(?<!\\)\$")
_SUMMARY = re.compile(r"<summary\b[^<>]*>(?P<words>.*?)</summary>", re.DOTALL)
_DETAILS_END = re.compile(r"</details>(?P<ends>\s*(?:#|<details|\Z))?")
_BLOCK_TAG = re.compile(
    r"</?(?:article|aside|details|div|figure|footer|header|main|nav|section)\b[^<>]*>"
)
_BLANK_LINE = re.compile(r"\r?\n[ \t]*(?=\r?\n|\Z)|\Z")
_ADMONITION = re.compile(
    r"(?P<indent>[ \t]*)(?:!!!|\?\?\?\+?)[ \t]+(?P<kind>[\w-]+)[^\"]*"
    r"(?:\"(?P<title>[^\"]*)\")?\s*$"
)
# no page holds this character, so nothing that an author writes is taken for a mark
_MARK = re.compile(r"^(?P<before>[> \t]*)\0(?P<what>\w+)\0[ \t]*(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of prose, in Markdown.

    Attributes:
        markdown: The piece, without blank lines around it.
        folds: Whether it is the heading of a solution, below which nothing else stands.
    """

    markdown: str
    folds: bool = False


def portable(page: Page, *, link: Callable[[str], str], skipped: str) -> Iterator[Text | Example]:
    """Yield the prose of ``page`` and, in their places, the examples that are run.

    The title is a piece of its own. Formulas stay between dollars, blocks that are only shown
    stay fenced; admonitions become quotations, the summaries of solutions headings. Outputs, with
    their labels, belong to their examples.

    Args:
        page: The page; it must be readable.
        link: Returns where the target of a link or picture leads when it is not read on the site.
        skipped: The words before the reason for which a block is not run.
    """
    text = _edited(page, link, skipped).replace("\r\n", "\n").removeprefix("\ufeff")
    text = re.sub(r"\n(?:[ \t]*\n)+", "\n\n", "\n".join(_quoted(text.split("\n"))))
    running = {page.blocks.index(each.code): each for each in page.examples if each.runs}

    def fence(mark: re.Match[str]) -> str:
        number = mark["what"]
        if not number.isdigit() or int(number) in running:
            return mark[0]
        lines = _fenced(page.blocks[int(number)]).split("\n")
        return "".join(f"{mark['before']}{line}".rstrip(" ") + "\n" for line in lines)

    text = _MARK.sub(fence, text)
    place, before, folds = 0, "", False
    for mark in _MARK.finditer(text):
        if piece := _trimmed(text[place : mark.start()], before):
            yield Text(piece, folds)
        if mark["what"].isdigit():
            yield running[int(mark["what"])]
        place, before, folds = mark.end(), mark["before"], mark["what"] == "fold"
    if piece := _trimmed(text[place:], before):
        yield Text(piece)


def _edited(page: Page, link: Callable[[str], str], skipped: str) -> str:
    prose = prose_of(page)
    formulas = [(each.start, each.end) for each in prose.formulas]
    text = prose.marked
    for start, end in formulas:
        text = text[:start] + " " * (end - start) + text[end:]
    edits = [*_block_edits(page), *_comment_edits(prose, skipped), *_tag_edits(prose, text)]
    edits += [(*match.span(), "") for match in _ATTRIBUTES.finditer(text)]
    edits += [(*match.span(), r"\$") for match in _DOLLAR.finditer(text)]
    for match in _TARGET.finditer(text):
        name = match.lastgroup or ""
        edits.append((*match.span(name), link(match[name])))
    if prose.headings and prose.headings[0].level == 1:
        after = _BLANK_LINE.search(page.text, prose.headings[0].start)
        edits += [(after.start(), after.start(), "\n\0end\0\n")] if after else []
    result = page.text
    for start, end, new in sorted(edits, reverse=True):  # so that the others keep their places
        result = result[:start] + new + result[end:]
    return result


def _block_edits(page: Page) -> Iterator[tuple[int, int, str]]:
    """Put a mark in the place of each block, and of all between a run block and its output."""
    lines = page.text.split("\n")
    yield 0, sum(len(line) + 1 for line in lines[: end_of_front_matter(lines)]), ""
    outputs = {each.code: each.output for each in page.examples if each.runs and each.output}
    for number, block in enumerate(page.blocks):
        if block not in outputs.values():
            last = outputs.get(block, block)
            yield block.opening, last.after, f"{block.indent}\0{number}\0\n"


def _comment_edits(prose: Prose, skipped: str) -> Iterator[tuple[int, int, str]]:
    for comment in prose.comments:
        directive, _, reason = comment.text.partition(":")
        is_skip = comment.kind == "directive" and directive.strip() == "skip"
        shown = f"**{skipped}** {reason.strip()}\n" if is_skip else ""
        yield comment.start, comment.end, shown


def _tag_edits(prose: Prose, text: str) -> Iterator[tuple[int, int, str]]:
    """Make headings of summaries, and drop the tags of elements that hold blocks."""
    for match in _SUMMARY.finditer(text):
        levels = [each.level for each in prose.headings if each.start < match.start()]
        marks = "#" * min(6, max([1, *levels[-1:]]) + 1)
        end = _DETAILS_END.search(text, match.end())
        first, last = match.span("words")
        mark = "\0fold\0" if end and end["ends"] is not None else "\0end\0"
        yield match.start(), first, f"\n{mark}\n{marks} "
        yield last, match.end(), "\n\0end\0\n"
    for match in _BLOCK_TAG.finditer(text):
        yield *match.span(), ""


def _quoted(lines: list[str]) -> Iterator[str]:
    """Turn admonitions, and those inside of them, into quotations."""
    place = 0
    while place < len(lines):
        opening = _ADMONITION.match(lines[place])
        place += 1
        if opening is None:
            yield lines[place - 1]
            continue
        inner = opening["indent"] + "    "
        content = list(_within(lines[place:], inner))
        while content and not content[-1].strip():
            content.pop()
        place += len(content)
        title = opening["kind"].capitalize() if opening["title"] is None else opening["title"]
        words = [f"**{title}**", ""] if title else []
        for line in (*words, *_quoted([each.removeprefix(inner) for each in content])):
            yield f"{opening['indent']}> {line}".rstrip(" ")


def _fenced(block: Block) -> str:
    return f"{block.marks}{block.language}\n{block.body}\n{block.marks}"


def _trimmed(piece: str, before: str) -> str:
    """Return a piece without what is empty around it.

    What goes on with a list after a block in it would be read as code: it moves to the margin.
    """
    lines = piece.split("\n")
    if before and not before.strip():
        moved = [line.removeprefix(before) for line in _within(lines, before)]
        lines[: len(moved)] = moved
    while lines and not lines[0].strip("> \t"):
        lines.pop(0)
    while lines and not lines[-1].strip("> \t"):
        lines.pop()
    return "\n".join(lines)


def _within(lines: list[str], indent: str) -> Iterator[str]:
    return takewhile(lambda line: not line.strip() or line.startswith(indent), lines)
