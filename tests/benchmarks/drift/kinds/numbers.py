"""Faults in the numbers of the prose, in one language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from drift.places import prose_numbers
from drift.planting import Pair, Plan, Planter, Side, fault, mine, other
from lesson_checker.prose import sections
from lesson_checker.structure import tables


def context(side: Side, place: int) -> str:
    """Say what kind of text a number stands in."""
    text = side.text
    start = text.rfind("\n", 0, place) + 1
    line = text[start : text.find("\n", place)]
    before, after = text[start:place], text[place : start + len(line)]
    if place < next(iter(side.lines()), (0, 0))[0]:
        return "the front matter"
    if side.prose.text[place] == " ":
        return "a code span"
    if "<!--!" in before:
        return "a comment that is read"
    if re.match(r"[ >]*#{1,6} ", line):
        return "a heading"
    if any(row.start == start for row in tables(side.prose)):
        return "a table"
    if "!!!" in before or "???" in before or line.startswith("    "):
        return "an admonition"
    if "<summary" in before:
        return "a summary"
    if re.search(r"!\[[^\]]*\Z", before):
        return "a text alternative"
    if re.search(r"\[[^\]]*\Z", before) and re.match(r"[^\[]*\][(\[]", after):
        return "a link"
    if line.startswith(">"):
        return "a quote"
    if re.match(r" *\d+[.)] ", line) and not before.strip():
        return "the number of a list item"
    if re.match(r" *(?:[-*+]|\d+[.)]) ", line):
        return "a list item"
    if re.search(r"(\*{1,2}|_)[^*_]*\Z", before) and before.count("**") % 2:
        return "emphasis"
    return "a paragraph"


CONTEXTS = (
    "a paragraph", "emphasis", "a heading", "a list item", "the number of a list item", "a table",
    "an admonition", "a link", "a code span", "a quote", "a summary", "a text alternative",
    "a comment that is read", "the front matter",
)  # fmt: skip


def _in_context(name: str) -> Planter:
    def plant(pair: Pair) -> Iterator[Plan]:
        for number in prose_numbers(pair.mine):
            if context(pair.mine, number.start) == name:
                end = number.start + len(number.text)
                yield mine((end - 1, end, other(number.text[-1])))

    return plant


for each_context in CONTEXTS:
    fault("number", f"changed in {each_context}", everywhere=True)(_in_context(each_context))


def on_numbers(name: str, new: Callable[[str], str | None]) -> None:
    """Register a fault that rewrites each number of the prose, where ``new`` finds a way."""

    @fault("number", name)
    def plant(pair: Pair) -> Iterator[Plan]:
        for number in prose_numbers(pair.mine):
            text = new(number.text)
            if text is not None:
                yield mine((number.start, number.start + len(number.text), text))


on_numbers("deleted", lambda _: "")
on_numbers("written as a word", lambda text: "siete" if text.isdecimal() else None)
on_numbers("doubled", lambda text: f"{text} {text}")
on_numbers("one digit more", lambda text: f"{text}1")
on_numbers("a digit less", lambda text: text[:-1] if len(text) > 1 and text[-2].isdigit() else None)
on_numbers(
    "two digits swapped",
    lambda t: t[:-2] + t[-1] + t[-2] if re.search(r"(\d)(?!\1)\d$", t) else None,
)
on_numbers("point deleted", lambda text: text.replace(".", "") if "." in text else None)
on_numbers(
    "point moved", lambda t: re.sub(r"\.(\d)", r"\1.", t) if re.search(r"\.\d\d", t) else None
)
on_numbers("minus added", lambda text: f" -{text}" if text.replace(".", "").isdecimal() else None)
on_numbers(
    "point instead of nothing",
    lambda t: f"{t[0]}.{t[1:]}" if re.fullmatch(r"[1-9]\d+", t) else None,
)


@fault("number", "a new one in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, " (3)"))


@fault("number", "percent sign deleted in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(r"(?<=\d)[ \u00a0]?%", pair.mine.prose.text):
        yield mine((*match.span(), ""))


@fault("number", "two swapped in one language")
def _(pair: Pair) -> Iterator[Plan]:
    side = pair.mine
    for start, end in sections(side.prose):
        inside = [each for each in prose_numbers(side) if start <= each.start < end]
        for one, two in pairwise(inside):
            if not set(one.keys) & set(two.keys):
                yield mine(
                    (one.start, one.start + len(one.text), two.text),
                    (two.start, two.start + len(two.text), one.text),
                )
