"""Faults in the outputs that a page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from drift.places import shown_outputs
from drift.planting import Pair, Plan, fault, mine, other


def in_outputs(pair: Pair, pattern: str) -> Iterator[re.Match[str]]:
    for _, block in shown_outputs(pair.mine):
        yield from re.compile(pattern).finditer(pair.mine.text, block.start, block.end)


@fault("output", "a digit changed")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"\d(?!\d)"):
        yield mine((*match.span(), other(match[0])))


@fault("output", "a letter changed")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"(?m)^[^\n]*?[a-z]"):
        yield mine((match.end() - 1, match.end(), "z" if match[0][-1] != "z" else "y"))


@fault("output", "a capital changed")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"[A-Z]"):
        yield mine((*match.span(), match[0].lower()))


@fault("output", "a line deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"[^\n]+\n"):
        yield mine((*match.span(), ""))


@fault("output", "a line doubled")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"[^\n]+\n"):
        yield mine((match.start(), match.start(), match[0]))


@fault("output", "two lines swapped")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"([^\n]+\n)([^\n]+\n)"):
        if match[1] != match[2]:
            yield mine((*match.span(), match[2] + match[1]))


@fault("output", "a space at the end of a line")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"(?<=\S)\n"):
        yield mine((*match.span(), " \n"))


@fault("output", "columns out of line")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_outputs(pair, r"(?<=\S)  +(?=\S)"):
        yield mine((*match.span(), " "))


@fault("output", "emptied")
def _(pair: Pair) -> Iterator[Plan]:
    for _, block in shown_outputs(pair.mine):
        yield mine((block.start, block.end, ""))


@fault("output", "deleted with its label")
def _(pair: Pair) -> Iterator[Plan]:
    for code, block in shown_outputs(pair.mine):
        yield mine((code.after, block.after, ""))


@fault("output", "swapped with the next one")
def _(pair: Pair) -> Iterator[Plan]:
    blocks = [block for _, block in shown_outputs(pair.mine)]
    for one, two in pairwise(blocks):
        texts = [pair.mine.text[each.start : each.end] for each in (one, two)]
        if texts[0] != texts[1]:
            yield mine((one.start, one.end, texts[1]), (two.start, two.end, texts[0]))


@fault("output", "a digit changed in both languages")
def _(pair: Pair) -> Iterator[Plan]:
    for left, right in zip(shown_outputs(pair.mine), shown_outputs(pair.twin), strict=True):
        plans = []
        for side, (_, block) in ((pair.mine, left), (pair.twin, right)):
            match = re.compile(r"\d(?!\d)").search(side.text, block.start, block.end)
            plans.append(((*match.span(), other(match[0])),) if match else ())
        if all(plans):
            yield plans[0], plans[1]
