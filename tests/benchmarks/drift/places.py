"""Where in a page the kinds find what they change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from drift.planting import Side
from lesson_checker.bound import words_before
from lesson_checker.numerals import Number, numbers
from lesson_checker.page import Block
from lesson_checker.prose import Comment, Span
from lesson_checker.structure import links_of


def code_blocks(side: Side) -> list[Block]:
    return [example.code for example in side.page.examples if example.runs]


def shown_outputs(side: Side) -> list[tuple[Block, Block]]:
    return [(e.code, e.output) for e in side.page.examples if e.output and e.runs]


def fence_line(block: Block) -> Span:
    return block.opening, block.start - 1


def closing_line(side: Side, block: Block) -> Span:
    return block.end, side.text.index("\n", block.end) if "\n" in side.text[block.end :] else len(
        side.text
    )


def in_code(side: Side, pattern: str) -> Iterator[re.Match[str]]:
    """Yield the matches in code, but in no comment and no docstring."""
    for block in code_blocks(side):
        for match in re.compile(pattern).finditer(side.text, block.start, block.end):
            line = side.text[side.text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if "#" not in line and '"""' not in line:
                yield match


def prose_numbers(side: Side) -> tuple[Number, ...]:
    return numbers(side.prose.with_code, side.page.lang)


def covered(side: Side) -> list[Span]:
    comments = [each for each in side.prose.comments if each.kind in ("bound", "excused")]
    return [span for span in (words_before(side.text, each) for each in comments) if span]


def comments(side: Side, kind: str) -> list[Comment]:
    return [comment for comment in side.prose.comments if comment.kind == kind]


def heading_lines(side: Side) -> Iterator[Span]:
    for heading in side.prose.headings:
        yield heading.start, side.text.index("\n", heading.start)


def targets(side: Side, *, image: bool = False) -> Iterator[re.Match[str]]:
    """Yield the links that are written inline, as they stand in the text."""
    pattern = re.compile(r"!?\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)[^()]*\)")
    for link in links_of(side.prose):
        match = pattern.match(side.text, link.start)
        if match and link.image is image:
            yield match


def inside(match: re.Match[str]) -> bool:
    return ":" not in match["target"]


def twin_line(side: Side) -> re.Match[str]:
    found = re.search(r"(?m)^twin: (\w+)\n", side.text)
    assert found is not None
    return found
