"""Hold a page against its twin: what must not depend on the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from lesson_checker.essence import essence, without_comments
from lesson_checker.page import Block, Example, Page
from lesson_checker.problems import Problem
from lesson_checker.prose import Prose, prose_of, sections

_NUMBER = re.compile(r"(?<!\d)(?<!\d[.,])(?:\d{1,3}(?:[\u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*)")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,\u00a0\u202f]\d{3})+")
_LIST_NUMBER = re.compile(r"(?m)^([ \t>]*)\d+[.)](?=\s)")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\(([^)\s]*)")
_LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)")
_ADMONITION = re.compile(r"^[ \t]*(?:!!!|\?\?\?\+?)[ \t]*([\w-]+)", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*\r?$", re.MULTILINE)
_WORDS_IN_FORMULA = re.compile(r"\\(text|textrm|textbf|textit|operatorname|mathrm)\{[^{}]*\}")

Newer = Callable[[], str]


@dataclass(frozen=True, slots=True)
class _Pair:
    """A page, its twin, and how a problem is told."""

    page: Page
    twin: Page
    newer: Newer

    def problem(
        self,
        code: str,
        message: str,
        lines: tuple[int, int],
        told: tuple[str, str] = ("", ""),
        remedy: str = "bring the other page in line",
    ) -> Problem:
        where = f"{self.twin.name}:{lines[1]}"
        changed = self.newer()
        suffix = f" ({changed} changed last)" if changed else ""
        return Problem(
            self.page.path,
            lines[0],
            code,
            f"{message} {where}{suffix}",
            expected=told[0],
            actual=told[1],
            remedy=remedy,
        )


def twin_missing(page: Page, lang: str, name: str) -> Problem:
    """Return the problem of a page that the language ``lang`` does not have."""
    return Problem(
        page.path,
        1,
        "twin-missing",
        f"the page is missing in the other language ({lang})",
        remedy=f"write {name}, or delete this page too",
    )


def compare_twins(page: Page, twin: Page, newer: Newer) -> Iterator[Problem]:
    """Yield how ``page`` and its twin contradict each other, as problems of ``page``.

    Args:
        page: The page.
        twin: The same page in the other language.
        newer: Names the page that changed last; only asked if there is a problem.
    """
    if not (page.readable and twin.readable):
        return  # what could not be read can't be compared; that is a problem already
    pair = _Pair(page, twin, newer)
    prose = prose_of(page), prose_of(twin)
    headings = list(_headings(pair, *prose))
    yield from headings
    yield from _examples(pair)
    if headings:
        return  # sections that do not match would only repeat it
    for mine, other in zip(sections(prose[0]), sections(prose[1]), strict=True):
        yield from _section(pair, prose, mine, other)


def _headings(pair: _Pair, mine: Prose, other: Prose) -> Iterator[Problem]:
    for left, right in zip_longest(mine.headings, other.headings):
        last = (mine.headings or other.headings)[-1]
        lines = (
            pair.page.line_at((left or last).start) if mine.headings else 1,
            pair.twin.line_at(right.start) if right else pair.twin.text.count("\n") + 1,
        )
        if left is None or right is None:
            more = "more" if left is None else "fewer"
            yield pair.problem("twin-structure", f"the twin has {more} headings:", lines)
            return
        if left.level != right.level:
            message = f"the heading has level {left.level}, its twin level {right.level}:"
            yield pair.problem("twin-structure", message, lines)
            return
        if left.ident != right.ident:
            message = (
                f"the heading has {_ident(left.ident)}, its twin has {_ident(right.ident)}, "
                "and a link to it would break when the language is switched:"
            )
            remedy = "give both headings the same id: ## Heading { #the-id }"
            yield pair.problem("twin-structure", message, lines, remedy=remedy)
            return


def _ident(ident: str | None) -> str:
    return f"the id {ident!r}" if ident else "no id"


def _examples(pair: _Pair) -> Iterator[Problem]:
    for mine, other in zip_longest(pair.page.examples, pair.twin.examples):
        problem = _example(pair, mine, other)
        if problem:
            yield problem
            if problem.code == "twin-code":
                return  # from here on the blocks may not belong together


def _example(pair: _Pair, mine: Example | None, other: Example | None) -> Problem | None:
    if mine is None or other is None:
        more = "more" if mine is None else "fewer"
        lines = tuple(
            each.code.line if each else page.text.count("\n") + 1
            for each, page in ((mine, pair.page), (other, pair.twin))
        )
        return pair.problem(
            "twin-code",
            f"the twin has {more} code blocks:",
            (lines[0], lines[1]),
            (mine.code.body if mine else "", other.code.body if other else ""),
            "give both pages the same blocks in the same order",
        )
    lines = (mine.code.line, other.code.line)
    if _manner(mine) != _manner(other):
        told = (_manner(mine), _manner(other))
        message = "the comments above this block are not those of its twin,"
        return pair.problem("twin-code", message, lines, told)
    if essence(mine.code) != essence(other.code):
        return pair.problem(
            "twin-code",
            "the code is not that of its twin,",
            lines,
            (mine.code.body, other.code.body),
            "only comments, docstrings and the words in string literals may differ",
        )
    outputs = [each.output.body if each.output else "" for each in (mine, other)]
    if numbers(outputs[0]) != numbers(outputs[1]):
        blocks = [each.output or each.code for each in (mine, other)]
        return pair.problem(
            "twin-numbers",
            "the numbers of this output are not those of its twin,",
            (blocks[0].line, blocks[1].line),
            (outputs[0], outputs[1]),
            f"lesson-checker update {pair.page.name} {pair.twin.name}",
        )
    return None


def _manner(example: Example) -> str:
    return (
        f"skip: {example.skip is not None}, raises: {example.raises}, "
        f"plot: {example.plot is not None}, console: {example.code.language == 'pycon'}"
    )


def _section(
    pair: _Pair, prose: tuple[Prose, Prose], mine: tuple[int, int], other: tuple[int, int]
) -> Iterator[Problem]:
    spans = (mine, other)
    pages = (pair.page, pair.twin)
    lines = (pages[0].line_at(mine[0]), pages[1].line_at(other[0]))
    texts = [each.text[start:end] for each, (start, end) in zip(prose, spans, strict=True)]
    raw = [
        _readable(page, each, span) for page, each, span in zip(pages, prose, spans, strict=True)
    ]
    code = [each.with_code[start:end] for each, (start, end) in zip(prose, spans, strict=True)]
    found = [sorted(numbers(text)) for text in code]
    if found[0] != found[1]:
        lines_of = [
            _line_of_odd(page, text, span[0], odd)
            for page, text, span, odd in zip(pages, code, spans, (found[1], found[0]), strict=True)
        ]
        yield pair.problem(
            "twin-numbers",
            "the numbers in this section are not those of the twin's,",
            (lines_of[0] or lines[0], lines_of[1] or lines[1]),
            (" ".join(found[0]), " ".join(found[1])),
            "write the same numbers in digits in both languages",
        )
    facets: list[tuple[str, list[Sequence[str]]]] = [
        ("formulas", [_formulas(each, span) for each, span in zip(prose, spans, strict=True)]),
        ("links", [sorted(_targets(text)) for text in raw]),
        ("images", [sorted(_IMAGE.findall(text)) for text in raw]),
        ("admonitions", [_ADMONITION.findall(text) for text in texts]),
        ("tables", [_shape(text) for text in texts]),
        ("blocks", [_blocks(page, span) for page, span in zip(pages, spans, strict=True)]),
    ]
    for name, (left, right) in facets:
        if list(left) != list(right):
            yield pair.problem(
                "twin-structure",
                f"the {name} in this section are not those of the twin's,",
                lines,
                ("\n".join(left), "\n".join(right)),
            )


def numbers(text: str) -> list[str]:
    """Return the numbers of a text, the same however a language writes them.

    Examples:
        >>> numbers("0,667 of 1.234") == numbers("0.667 of 1,234")
        True
    """
    return [_plain(number) for number in _NUMBER.findall(_LIST_NUMBER.sub(r"\1", text))]


def _plain(number: str) -> str:
    if _GROUPED.fullmatch(number):
        return re.sub(r"\D", "", number)
    return number.replace(",", ".")


def _line_of_odd(page: Page, text: str, offset: int, others: Sequence[str]) -> int | None:
    """Return the line of the first number that the twin's section does not have."""
    left = list(others)
    for match in _NUMBER.finditer(_LIST_NUMBER.sub(lambda m: " " * len(m[0]), text)):
        number = _plain(match[0])
        if number not in left:
            return page.line_at(offset + match.start())
        left.remove(number)
    return None


def _formulas(prose: Prose, span: tuple[int, int]) -> list[str]:
    return [
        re.sub(r"\s+", "", _WORDS_IN_FORMULA.sub(r"\\text{}", text))
        for text, start in prose.formulas
        if span[0] <= start < span[1]
    ]


def _readable(page: Page, prose: Prose, span: tuple[int, int]) -> str:
    """Return a section with its links, but without blocks and code spans."""
    text = list(page.text[span[0] : span[1]])
    hidden = [*prose.code_spans, *((block.opening, block.after) for block in page.blocks)]
    hidden += [(each.start, each.end) for each in prose.comments]
    for start, end in hidden:
        if span[0] <= start < span[1]:
            for place in range(start - span[0], min(end - span[0], len(text))):
                if text[place] != "\n":
                    text[place] = " "
    return "".join(text)


def _targets(text: str) -> Iterator[str]:
    """Yield where links go; another site may have a page in each language."""
    for target in _LINK.findall(text):
        yield "another site" if re.match(r"[a-z]+:", target) else target


def _shape(text: str) -> list[str]:
    return [f"{row.count('|') - 1} cells" for row in _TABLE_ROW.findall(text)]


def _blocks(page: Page, span: tuple[int, int]) -> list[str]:
    return [_shown(block) for block in page.blocks if span[0] <= block.opening < span[1]]


def _shown(block: Block) -> str:
    """Return what of a block must be the same; code and outputs are compared elsewhere."""
    if block.kind != "shown":
        return block.kind
    if block.language:
        return f"{block.language}: {without_comments(block.body)}"
    return f"a diagram with {' '.join(numbers(block.body))}"
