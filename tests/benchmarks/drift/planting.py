"""What is planted, and in what: pages and their twins, and kinds of faults and edits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lesson_checker.jobs import PageRun
from lesson_checker.page import Block, Page
from lesson_checker.prose import Prose, Span, prose_of
from lesson_checker.settings import Settings
from lesson_checker.twins import recorded_digest

WORDS = {"es": "nueva frase", "en": "new sentence"}

Expected = Literal["error", "silence", "warning"]
Change = tuple[int, int, str]
"""Where the text to be replaced starts and ends, and what takes its place."""
Plan = tuple[Sequence[Change], Sequence[Change]]
"""The changes of a page, and those of its twin."""


@dataclass(frozen=True)
class Side:
    """A page, its prose, and what its blocks did."""

    page: Page
    run: PageRun | None

    @property
    def prose(self) -> Prose:
        return prose_of(self.page)

    @property
    def text(self) -> str:
        return self.page.text

    def blocks(self, kind: str) -> list[Block]:
        return [block for block in self.page.blocks if block.kind == kind]

    def lines(self) -> Iterator[Span]:
        """Yield the lines that belong to no block and are not empty."""
        start = 0
        hidden = [(block.opening, block.after) for block in self.page.blocks]
        front = recorded_digest(self.page)[1]
        for number, line in enumerate(self.text.split("\n"), 1):
            inside = any(first <= start < last for first, last in hidden)
            if line.strip() and not inside and number > front + 1:
                yield start, start + len(line)
            start += len(line) + 1

    def paragraphs(self) -> Iterator[Span]:
        """Yield the lines that are paragraphs at the margin."""
        for start, end in self.lines():
            if self.text[start].isalpha() and self.text[start:end] != self.page.label:
                yield start, end


@dataclass(frozen=True)
class Pair:
    """The page that a fault is planted in, and its twin."""

    mine: Side
    twin: Side


SETTINGS: dict[Path, Settings] = {}


def settings_of(pair: Pair) -> Settings:
    """Return the settings that hold for a pair."""
    return SETTINGS[pair.mine.page.path]


Planter = Callable[[Pair], Iterable[Plan]]


@dataclass(frozen=True)
class Kind:
    """A kind of fault or edit.

    Attributes:
        group: What it is about.
        name: What is done, in a few words.
        plant: Yields each way to do it to a pair.
        expected: What a check has to say.
        reruns: Whether the blocks of the page do something else afterwards.
        updates: Whether the author lets the checker update the page afterwards.
        everywhere: Whether it is planted in every place that a page has for it.
        hangs: Whether the page never ends.
    """

    group: str
    name: str
    plant: Planter
    expected: Expected = "error"
    reruns: bool = False
    updates: bool = False
    everywhere: bool = False
    hangs: bool = False


KINDS: list[Kind] = []


def fault(
    group: str,
    name: str,
    *,
    reruns: bool = False,
    everywhere: bool = False,
    hangs: bool = False,
) -> Callable[[Planter], Planter]:
    """Register a kind of fault."""
    return _register(Kind, group, name, reruns=reruns, everywhere=everywhere, hangs=hangs)


def edit(
    name: str, *, words: bool = False, reruns: bool = False, updates: bool = False
) -> Callable[[Planter], Planter]:
    """Register a kind of ordinary edit; ``words`` says that the warning is due."""
    expected: Expected = "warning" if words else "silence"
    return _register(Kind, "edit", name, expected=expected, reruns=reruns, updates=updates)


def _register(
    kind: type[Kind], group: str, name: str, **more: object
) -> Callable[[Planter], Planter]:
    def register(plant: Planter) -> Planter:
        KINDS.append(kind(group, name, plant, **more))  # type: ignore[arg-type]
        return plant

    return register


def mine(*changes: Change) -> Plan:
    """Return the plan that changes the page and not its twin."""
    return changes, ()


def gone(text: str, span: Span, *, line: bool = False) -> Change:
    """Return the change that deletes a span, with its line end if it is a line."""
    return span[0], min(span[1] + line, len(text)), ""


def changed(text: str, changes: Sequence[Change]) -> str:
    """Return a text with some changes made."""
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def other(digits: str) -> str:
    """Return the number with another last digit."""
    return digits[:-1] + str((int(digits[-1]) + 1) % 10)
