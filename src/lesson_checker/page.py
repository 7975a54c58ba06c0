"""A page: one Markdown file, parsed without loss into blocks and examples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from lesson_checker.examples import Block, Example, Kind, pair
from lesson_checker.fences import OUTPUT, RUNNABLE, TAB, Fence, Finding, scan
from lesson_checker.places import misplaced
from lesson_checker.problems import Problem
from lesson_checker.settings import Settings

__all__ = ["Block", "Example", "Kind", "Page", "parse_page", "read_page"]

_UNREADABLE = ("page-unreadable", "fence-unclosed", "fence-not-rendered", "code-hidden")
# a lone return ends a line for some programs only; the site drops the others, or some of them
_UNWRITABLE = re.compile(r"\r(?!\n)|[\0-\x08]|(?<!\A)\ufeff")


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page; ``text`` is the file's content, to the character.

    Attributes:
        path: The file.
        name: The path as messages show it.
        lang: The code of the language, if the path tells.
        slug: What the page has in common with its twin: the path below the language's folder.
        text: The content, with its own line ends.
        label: The paragraph that introduces an output block on this page.
        blocks: Every fenced block, in order.
        examples: Every code block with its output block.
        problems: What is wrong with the page before anything has run.
    """

    path: Path
    name: str
    lang: str | None
    slug: str
    text: str
    label: str
    blocks: tuple[Block, ...] = ()
    examples: tuple[Example, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __hash__(self) -> int:
        return hash((self.path, self.text))  # all else follows from these

    @property
    def readable(self) -> bool:
        """Whether every block was read, so that running them means something."""
        return not any(problem.code in _UNREADABLE for problem in self.problems)

    @property
    def runs(self) -> bool:
        """Whether there is anything to run: half a page would prove nothing."""
        return self.readable and any(example.runs for example in self.examples)

    def line_at(self, offset: int) -> int:
        """Return the number of the line, from 1, that ``offset`` of the text is in."""
        return self.text.count("\n", 0, offset) + 1


def read_page(path: Path, settings: Settings) -> Page:
    """Read and parse the page at ``path``; what can't be read is a problem of the page."""
    try:
        return parse_page(path.read_bytes().decode("utf-8"), path, settings)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = f"not UTF-8: byte {error.object[error.start]:#04x}"
        problem = Problem(path, line, "page-unreadable", message, remedy="save it as UTF-8")
    except OSError as error:
        message = f"can't be read: {error.strerror}"
        remedy = "check that the file is there and that you may read it"
        problem = Problem(path, 1, "page-unreadable", message, remedy=remedy)
    return replace(parse_page("", path, settings), problems=(problem,))


def parse_page(text: str, path: Path, settings: Settings) -> Page:
    """Parse ``text`` as the content of the page at ``path``.

    Parsing never fails: what is wrong with the page stands in its ``problems``.
    """
    lang = settings.language_of(path)
    labels = [each.label for code, each in settings.languages.items() if lang in (code, None)]
    page = Page(
        path=path,
        name=settings.relative(path).as_posix(),
        lang=lang,
        slug=settings.slug_of(path),
        text=text,
        label=labels[-1],
    )
    unwritable = _UNWRITABLE.search(text)
    if unwritable:
        sign = f"U+{ord(unwritable[0]):04X}"
        finding = Finding(
            page.line_at(unwritable.start()) - 1,
            "page-unreadable",
            f"there is a character {sign} that can't be seen, and that the site does not show",
            "delete it, or in code write it as an escape; end lines as your editor does",
        )
        return replace(page, problems=_problems(path, [finding]))
    # only line feeds end a line: form feeds and the like belong to the text of a block
    lines = text.split("\n")
    expanded = [line.removeprefix("\ufeff").rstrip("\r").expandtabs(TAB) for line in lines]
    starts = [*accumulate((len(line) + 1 for line in lines[:-1]), initial=0), len(text)]
    fences, unread = scan(expanded)
    blocks = [_block(fence, lines, starts) for fence in fences]
    examples, alone = pair(lines, starts, fences, blocks, labels)
    return replace(
        page,
        blocks=tuple(blocks),
        examples=tuple(examples),
        problems=_problems(path, [*unread, *misplaced(expanded, fences), *alone]),
    )


def _problems(path: Path, findings: Sequence[Finding]) -> tuple[Problem, ...]:
    return tuple(
        Problem(path, each.line + 1, each.code, each.message, remedy=each.remedy)
        for each in sorted(findings, key=lambda finding: finding.line)
    )


def _block(fence: Fence, lines: Sequence[str], starts: Sequence[int]) -> Block:
    first = min(fence.opening + 1, len(lines))
    last = max(first, fence.closing)
    kind: Kind = "shown"
    if fence.language in RUNNABLE:
        kind = "code"
    elif fence.language == OUTPUT:
        kind = "output"
    inside = [line.rstrip("\r") for line in lines[first:last]]
    opening = lines[fence.opening].removeprefix("\ufeff")
    return Block(
        kind=kind,
        language=fence.language,
        body="\n".join([_dedented(line, fence.indent) for line in inside]),
        line=fence.opening + 1,
        start=starts[first],
        end=starts[last],
        opening=starts[fence.opening],
        after=starts[fence.closing + 1],
        indent=opening[: len(opening) - len(opening.lstrip(" \t"))],
        marks=fence.marks,
    )


def _dedented(line: str, indent: int) -> str:
    """Take ``indent`` columns off a line; a line of blanks is an empty one, as on the site."""
    if not line.strip(" \t"):
        return ""
    if not indent:
        return line
    width = 0
    for number, character in enumerate(line):
        if width >= indent:
            return " " * (width - indent) + line[number:]
        width += TAB - width % TAB if character == "\t" else 1
    return ""
