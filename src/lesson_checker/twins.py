"""When a page was last brought in line with its twin: the ``twin:`` line of its front matter."""

from __future__ import annotations

import hashlib
import re
import subprocess
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from lesson_checker.bound import find_bound
from lesson_checker.fences import end_of_front_matter
from lesson_checker.numerals import numbers
from lesson_checker.page import Page
from lesson_checker.problems import Problem
from lesson_checker.prose import Prose, prose_of, sections
from lesson_checker.structure import links_of, wordless

_WORD = re.compile(r"\w+|[^\w\s>]")
_PREFIX = re.compile(r"(?P<indent>[ \t>]*+)(?P<item>(?:[-+*]|\d+[.)])(?=[ \t]))?")
_SEPARATOR = re.compile(r"[,\u00a0\u202f]+")
_TAB = 4
_TWIN = re.compile(r"(?m)^twin:[ \t]*[\"']?(?P<digest>[\w-]*)[\"']?[ \t]*\r?$")


@lru_cache(maxsize=32)
def digest_of(page: Page) -> str:
    """Return a fingerprint of what a reader reads on a page, in the order in which it stands.

    Numbers, formulas and the targets of links are compared one by one elsewhere, so only their
    order within a section counts here: to write another number in both languages changes nothing,
    to swap two in one language does. How lines are broken, what is emphasised, and what is in
    blocks and comments makes no difference, but for the words of diagrams.
    """
    return hashlib.sha256("\n".join(_read(page)).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something in the prose that counts by its kind, and by its rank among its like."""

    start: int
    end: int
    kind: str
    value: Decimal | str = ""


def _read(page: Page) -> Iterator[str]:
    """Yield what is read: words and punctuation, and each mark by its kind and rank."""
    prose = prose_of(page)
    starts = [start for start, _ in sections(prose)]
    marks = list(_outermost(_marks(page, prose)))
    alike: dict[tuple[int, str], set[Decimal | str]] = defaultdict(set)
    for mark in marks:
        alike[bisect_right(starts, mark.start), mark.kind].add(mark.value)
    ranks = {
        key: {value: rank for rank, value in enumerate(sorted(values))}
        for key, values in alike.items()
    }
    place = 0
    for mark in marks:
        yield from _WORD.findall(prose.with_code, place, mark.start)
        rank = ranks[bisect_right(starts, mark.start), mark.kind][mark.value]
        yield f"{mark.kind} {rank}"
        place = mark.end
    yield from _WORD.findall(prose.with_code, place)


def _marks(page: Page, prose: Prose) -> Iterator[_Mark]:
    for start, end in sections(prose):
        for number in numbers(prose.with_code[start:end], page.lang):
            place = start + number.start
            value = number.values[0] if number.values else number.text
            shape = _SEPARATOR.sub(".", re.sub(r"\d+", "0", number.text.lstrip("+-−–")))
            kind = shape if number.values else "version"
            yield _Mark(place, place + len(number.text), kind, value)
    for bound in find_bound(page, prose):  # update rewrites these words, in both languages
        yield _Mark(bound.start, bound.end, "bound")
    for formula in prose.formulas:
        yield _Mark(formula.start, formula.end, "formula", wordless(formula.text))
    for link in links_of(prose):
        yield _Mark(link.start, link.start, "link", link.target)
    for block in page.blocks:
        said = block.body if block.kind == "shown" and not block.language else ""
        words = " ".join(re.findall(r"[^\W\d]+", said))
        yield _Mark(block.opening, block.after, f"{block.kind} {words}")
    yield from _layout(prose.marked)


def _outermost(marks: Iterable[_Mark]) -> Iterator[_Mark]:
    """Yield the marks in order, without those that are part of another."""
    place = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start >= place:
            yield mark
            place = mark.end


def _layout(text: str) -> Iterator[_Mark]:
    """Yield the items of lists, and where a paragraph is indented otherwise than the last."""
    start = level = 0
    after_blank = True
    for line in text.split("\n"):
        prefix = _PREFIX.match(line)
        assert prefix is not None  # noqa: S101 - it may be empty, so it always matches
        indent, item = prefix.groups()
        if after_blank and line.strip() and _level(indent) != level:
            level = _level(indent)
            yield _Mark(start, start, f"level {level}")
        if item:
            kind = "item" if item in "-+*" else "numbered item"
            yield _Mark(start + len(indent), start + len(indent) + len(item), kind)
        after_blank = not line.strip(" \t\r>")
        start += len(line) + 1


def _level(indent: str) -> int:
    return len(indent.expandtabs(_TAB)) // _TAB + 100 * indent.count(">")


def recorded_digest(page: Page) -> tuple[str | None, int]:
    """Return the digest that the front matter holds, and the line that it is or belongs in."""
    lines = page.text.split("\n")
    until = end_of_front_matter(lines)
    match = _TWIN.search("\n".join(lines[:until]))
    if match is None:
        return None, 1
    return match["digest"], page.text.count("\n", 0, match.start()) + 1


def behind(page: Page, twin: Page) -> Problem | None:
    """Return a warning if the twin's prose has changed since ``page`` was in line with it."""
    recorded, line = recorded_digest(page)
    if recorded == digest_of(twin):
        return None
    message = (
        f"the text of {twin.name} has changed since this page was last brought in line with it"
        if recorded
        else f"nobody has confirmed yet that this page says the same as {twin.name}"
    )
    return Problem(
        page.path,
        line,
        "twin-behind",
        message,
        remedy=f"read both, then: lesson-checker confirm {page.name}",
        severity="warning",
    )


def confirmed_text(page: Page, twin: Page) -> str:
    """Return the page's text with the digest of its twin as it is now in its front matter."""
    line_end = "\r\n" if "\r\n" in page.text else "\n"
    entry = f"twin: {digest_of(twin)}"
    lines = page.text.split("\n")
    until = end_of_front_matter(lines)
    if not until:
        mark = "\ufeff" if page.text.startswith("\ufeff") else ""
        front = line_end.join(["---", entry, "---", "", ""])
        return mark + front + page.text.removeprefix("\ufeff")
    match = _TWIN.search("\n".join(lines[:until]))
    if match:
        end = match.end() - match[0].endswith("\r")
        return page.text[: match.start()] + entry + page.text[end:]
    ending = "\r" if lines[until - 1].endswith("\r") else ""
    return "\n".join([*lines[: until - 1], entry + ending, *lines[until - 1 :]])


def changed_last(page: Page, twin: Page, root: Path) -> str:
    """Return the name of the page that changed last, as git knows it; empty if it can't tell."""
    times = [_last_change(each.path, root) for each in (page, twin)]
    if None in times or times[0] == times[1]:
        return ""
    return page.name if (times[0] or 0) > (times[1] or 0) else twin.name


def _last_change(path: Path, root: Path) -> float | None:
    """Return when a file last changed: now on disk if it is not committed, else its commit."""
    try:
        changed = _git(root, "status", "--porcelain", "--", str(path))
        if changed.strip():
            return path.stat().st_mtime
        return float(_git(root, "log", "-1", "--format=%ct", "--", str(path)))
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(  # noqa: S603 - fixed arguments, no shell
        command, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
