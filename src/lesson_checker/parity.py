"""Hold a page against its twin: what must not depend on the language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile, zip_longest

from lesson_checker.essence import essence
from lesson_checker.numerals import Number, canonical, numbers, odd_ones
from lesson_checker.page import Example, Page
from lesson_checker.problems import Problem
from lesson_checker.prose import Heading, Prose, Span, prose_of, sections
from lesson_checker.structure import Row, structure, tables

Newer = Callable[[], str]

_EXCERPT = 40  # characters on either side of a number


@dataclass(frozen=True, slots=True)
class _Pair:
    """A page, its twin, and how a problem is told."""

    page: Page
    twin: Page
    prose: tuple[Prose, Prose]
    newer: Newer

    @property
    def pages(self) -> tuple[Page, Page]:
        return self.page, self.twin

    def lines(self, mine: int, other: int) -> tuple[int, int]:
        """Return the lines of an offset in the page and one in its twin."""
        return self.page.line_at(mine), self.twin.line_at(other)

    def problem(
        self,
        code: str,
        message: str,
        lines: tuple[int, int],
        told: tuple[str, str] = ("", ""),
        remedy: str = "bring the two in line",
    ) -> Problem:
        """Return a problem; the message ends where the twin's line and the newer page follow."""
        changed = self.newer()
        suffix = f" ({changed} changed last)" if changed else ""
        return Problem(
            self.page.path,
            lines[0],
            code,
            f"{message} {self.twin.name}:{lines[1]}{suffix}",
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
        newer: Names the page that changed last; only asked if there is a problem, and once.
    """
    if not (page.readable and twin.readable):
        return  # what could not be read can't be compared; that is a problem already
    pair = _Pair(page, twin, (prose_of(page), prose_of(twin)), cache(newer))
    headings = list(_headings(pair))
    yield from headings
    yield from _examples(pair)
    if headings:
        return  # sections that do not match would only repeat it
    mine, other = pair.prose
    pairs = list(zip(sections(mine), sections(other), strict=True))
    found = zip(structure(page, mine), structure(twin, other), strict=True)
    for (left, right), (here, there) in zip(pairs, found, strict=True):
        yield from _numbers(pair, left, right)
        yield from _structure(pair, pair.lines(left[0], right[0]), here, there)
    yield from _cells(pair)


# --------------------------------------------------------------------------------- headings


def _headings(pair: _Pair) -> Iterator[Problem]:
    mine, other = (each.headings for each in pair.prose)
    for left, right in zip_longest(mine, other):
        if left and right and (left.level, left.ident) == (right.level, right.ident):
            continue
        lines = pair.lines(
            left.start if left else len(pair.page.text),
            right.start if right else len(pair.twin.text),
        )
        message = f"the twin has {'fewer' if left else 'more'} headings:"
        remedy = "give both pages the same headings in the same order"
        if right and _lacks(mine, right) and not (left and _lacks(other, left)):
            message = f"the twin has a heading that this page lacks, {_ident(right.ident)}:"
            remedy = "write it here, before this line, or delete it there"
        elif left and _lacks(other, left) and not (right and _lacks(mine, right)):
            message = f"this page has a heading that its twin lacks, {_ident(left.ident)}:"
            remedy = "write it there, before that line, or delete it here"
        elif left and right and left.level != right.level:
            message = f"the heading has level {left.level}, its twin level {right.level}:"
        elif left and right:
            message = (
                f"the heading has {_ident(left.ident)}, its twin has {_ident(right.ident)}, "
                "and a link to it would break when the language is switched:"
            )
            remedy = "give both headings the same id: ## Heading { #the-id }"
        yield pair.problem("twin-structure", message, lines, remedy=remedy)
        return  # from here on the headings may not belong together


def _lacks(headings: Sequence[Heading], wanted: Heading) -> bool:
    return wanted.ident is not None and all(each.ident != wanted.ident for each in headings)


def _ident(ident: str | None) -> str:
    return f"the id {ident!r}" if ident else "no id"


# ----------------------------------------------------------------------------------- blocks


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
        lines = (
            mine.code.line if mine else pair.page.text.count("\n") + 1,
            other.code.line if other else pair.twin.text.count("\n") + 1,
        )
        return pair.problem(
            "twin-code",
            f"the twin has {more} code blocks:",
            lines,
            (mine.code.body if mine else "", other.code.body if other else ""),
            "give both pages the same blocks in the same order",
        )
    lines = (mine.code.line, other.code.line)
    if _manner(mine) != _manner(other):
        told = (_manner(mine), _manner(other))
        message = "this block is not run in the same way as its twin,"
        remedy = "write the same comments (<!--! … -->) above both, and the same language"
        return pair.problem("twin-code", message, lines, told, remedy)
    if essence(mine.code) != essence(other.code):
        return pair.problem(
            "twin-code",
            "the code is not that of its twin,",
            lines,
            (mine.code.body, other.code.body),
            "write the same code; only comments, docstrings and the words in string literals may "
            "differ",
        )
    outputs = [each.output.body if each.output else "" for each in (mine, other)]
    # an output that is missing is told by its own page
    if all(outputs) and canonical(outputs[0]) != canonical(outputs[1]):
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


# --------------------------------------------------------------------------------- sections


def _numbers(pair: _Pair, mine: Span, other: Span) -> Iterator[Problem]:
    spans = (mine, other)
    texts = [prose.with_code[slice(*span)] for prose, span in zip(pair.prose, spans, strict=True)]
    found = [numbers(text, page.lang) for text, page in zip(texts, pair.pages, strict=True)]
    odd = odd_ones(*found)
    if not any(odd):
        return
    firsts = _first_odd(found, odd)
    places = [
        span[0] + (first.start if first else 0) for span, first in zip(spans, firsts, strict=True)
    ]
    told = [
        _excerpt(page.text, place, first)
        for page, place, first in zip(pair.pages, places, firsts, strict=True)
    ]
    yield pair.problem(
        "twin-numbers",
        f"this section says {_listed(odd[0])} where its twin says {_listed(odd[1])},",
        pair.lines(places[0], places[1]),
        (told[0], told[1]),
        "write the same numbers in digits in both languages, section by section",
    )


def _first_odd(
    found: Sequence[Sequence[Number]], odd: Sequence[Sequence[Number]]
) -> tuple[Number | None, Number | None]:
    """Return, for each side, where a reader would say that the difference is.

    Of a number that is there more often on one side, any may be the one too many: it is the first
    from where on the two sides no longer say the same.
    """
    written = ([min(map(str, number.keys)) for number in each] for each in found)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*written, strict=False)))
    first = []
    for each, alone in zip(found, odd, strict=True):
        texts = {number.text for number in alone}
        later = (number for number in each[same:] if number.text in texts)
        first.append(next(later, alone[0] if alone else None))
    return first[0], first[1]


def _listed(odd: Sequence[Number]) -> str:
    return ", ".join(number.text for number in odd) or "nothing"


def _excerpt(text: str, place: int, odd: Number | None) -> str:
    """Return the words around a number that has no partner."""
    if odd is None:
        return ""
    first = text.rfind("\n", 0, place) + 1
    line = text[first : place + len(odd.text) + _EXCERPT].split("\n")[0]
    start = max(0, place - first - _EXCERPT)
    return line[line.find(" ", start) + 1 if start else 0 :].strip()


def _structure(
    pair: _Pair,
    lines: tuple[int, int],
    mine: dict[str, list[str]],
    other: dict[str, list[str]],
) -> Iterator[Problem]:
    for kind, here in mine.items():
        there = other[kind]
        if here != there:
            yield pair.problem(
                "twin-structure",
                f"the {kind} in this section are not those of the twin's,",
                lines,
                ("\n".join(here), "\n".join(there)),
                f"give both sections the same {kind}",
            )


def _cells(pair: _Pair) -> Iterator[Problem]:
    """Yield the rows whose cells hold other numbers than the twin's cells do."""
    rows = [tables(prose) for prose in pair.prose]
    if [len(row.cells) for row in rows[0]] != [len(row.cells) for row in rows[1]]:
        return  # told as a matter of structure
    for mine, other in zip(*rows, strict=True):
        here, there = (
            _numbers_of(page, prose, row)
            for page, prose, row in zip(pair.pages, pair.prose, (mine, other), strict=True)
        )
        if any(any(odd_ones(*cells)) for cells in zip(here, there, strict=True)):
            yield pair.problem(
                "twin-numbers",
                "the numbers of this row stand in other cells than in its twin,",
                pair.lines(mine.start, other.start),
                (_written(pair.page, mine), _written(pair.twin, other)),
                "write the same numbers in the same cells",
            )


def _numbers_of(page: Page, prose: Prose, row: Row) -> list[tuple[Number, ...]]:
    return [numbers(prose.with_code[slice(*cell)], page.lang) for cell in row.cells]


def _written(page: Page, row: Row) -> str:
    return page.text[row.start :].split("\n", 1)[0].strip()
