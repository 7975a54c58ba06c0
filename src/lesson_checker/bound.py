"""Words of a page that are bound to an expression, or excused, by the comment after them."""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from lesson_checker.jobs import PageRun, Value
from lesson_checker.page import Page
from lesson_checker.prose import Comment, Prose, Span, prose_of

# a percent sign belongs to its number, and a space that does not break holds thousands together
_WITHIN_WORD = re.compile(r"(?<=\d)(?:[\u00a0\u202f](?=\d{3}|%)| (?=%))")
_BINDING = re.compile(r"<!--\s*=")
_LINK_TARGET = re.compile(r"\](?:\([^()\s]*\)|\[[^\]]*\])\Z")
_OPENING = "([{«“‘\"'¿¡*_"
_CLOSING = ")]}»”’\"'.,;:!?…*_"


@dataclass(frozen=True, slots=True)
class Bound:
    """Words of the page, and the expression whose value they have to be.

    Attributes:
        expression: The Python expression in the comment.
        start: Where the words start in the page's text.
        end: Where they end.
        after: How many examples stand above them, so that the expression sees what they did.
    """

    expression: str
    start: int
    end: int
    after: int


def find_bound(page: Page, prose: Prose) -> Iterator[Bound]:
    """Yield the words of a page that are bound to an expression."""
    ends = [example.code.after for example in page.examples]
    for comment in prose.comments:
        span = words_before(page.text, comment)
        if comment.kind == "bound" and comment.text and span:
            yield Bound(comment.text, *span, bisect_right(ends, comment.start))


def bound_by_block(page: Page) -> list[list[Bound]]:
    """Return, for each block that runs, what is to be evaluated after it."""
    running = [number for number, example in enumerate(page.examples, 1) if example.runs]
    groups: list[list[Bound]] = [[] for _ in running]
    if not _BINDING.search(page.text):  # as on most pages: what is prose need not be found out
        return groups
    for bound in find_bound(page, prose_of(page)):
        above = bisect_right(running, bound.after)
        if above:  # above the first block there is nothing to evaluate it with
            groups[above - 1].append(bound)
    return groups


def bound_values(page: Page, run: PageRun) -> Iterator[tuple[Bound, Value]]:
    """Yield the bound words whose expressions were evaluated, with what came of it."""
    for group, outcome in zip(bound_by_block(page), run["outcomes"], strict=False):
        yield from zip(group, outcome["bound"], strict=False)


def is_constant(expression: str) -> bool:
    """Say whether an expression would have the same value on any page."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return not {node.id for node in names} - own - set(dir(builtins))


def words_before(text: str, comment: Comment) -> Span | None:
    """Return the words that a comment is about.

    That is the emphasised words or the code span before it, else the last word without its
    punctuation.
    """
    first = text.rfind("\n", 0, comment.start) + 1
    # what another comment was about is not looked at again
    other = text.rfind("-->", first, comment.start)
    first = other + len("-->") if other >= 0 else first
    line = text[first : comment.start].rstrip(" ")
    target = _LINK_TARGET.search(line, max(0, line.rfind("](")))
    line = line[: target.start()] if target else line
    span = _marked_words(line) or _last_word(line)
    return (first + span[0], first + span[1]) if span else None


def _marked_words(line: str) -> Span | None:
    """Return the emphasised words or the code span that ``line`` ends with."""
    sign = line[-1:]
    end = len(line.rstrip(sign)) if sign in ("*", "_", "`") else len(line)
    marks = line[end:]
    runs = re.finditer(rf"{re.escape(sign)}+", line[:end]) if marks else ()
    alike = [run.end() for run in runs if run[0] == marks and _opens(line, run)]
    return (alike[-1], end) if alike else None


def _opens(line: str, run: re.Match[str]) -> bool:
    before, after = line[run.start() - 1 : run.start()], line[run.end() : run.end() + 1]
    return run[0][0] == "`" or not (after.isspace() or (before.isalnum() and run[0][0] == "_"))


def _last_word(line: str) -> Span | None:
    start = end = len(line)
    while start and (
        line[start - 1] not in " \t|\u00a0\u202f" or _WITHIN_WORD.match(line, start - 1)
    ):
        start -= 1
    word = line[start:]
    start += len(word) - len(word.lstrip(_OPENING))
    end -= len(word) - len(word.rstrip(_CLOSING))
    return (start, end) if start < end else None
