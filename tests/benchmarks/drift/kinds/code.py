"""Faults in code, in one language and in both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from drift.places import code_blocks, in_code
from drift.planting import Pair, Plan, fault, mine, other


def in_both(pair: Pair, pattern: str, new: Callable[[re.Match[str]], str]) -> Iterator[Plan]:
    """Yield the same change of the same code in both languages."""
    pairs = zip(in_code(pair.mine, pattern), in_code(pair.twin, pattern), strict=True)
    for left, right in pairs:
        yield ((*left.span(), new(left)),), ((*right.span(), new(right)),)


@fault("code", "a number changed in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_code(pair.mine, r"(?<![\w.])\d+(?![\w.])"):
        yield mine((*match.span(), other(match[0])))


@fault("code", "an operator changed in one language")
def _(pair: Pair) -> Iterator[Plan]:
    swaps = {"==": "!=", " + ": " - ", " / ": " * ", " < ": " <= ", " - ": " + ", " * ": " / "}
    for match in in_code(pair.mine, "|".join(map(re.escape, swaps))):
        quotes = pair.mine.text[pair.mine.text.rfind("\n", 0, match.start()) : match.start()]
        if quotes.count('"') % 2 == 0 and quotes.count("'") % 2 == 0:
            yield mine((*match.span(), swaps[match[0]]))


@fault("code", "a name changed in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_code(pair.mine, r"(?m)^(?:def )?[a-z_]+(?=[ (][=\w])"):
        yield mine((match.end(), match.end(), "x"))


@fault("code", "a line deleted in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_code(pair.mine, r'(?m)^ *[^\s#"][^\n]*\n'):
        yield mine((*match.span(), ""))


@fault("code", "a format changed in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_code(pair.mine, r":\.(\d)f\}"):
        yield mine((*match.span(), f":.{other(match[1])}f}}"))
        yield mine((*match.span(), f":.{match[1]}e}}"))


@fault("code", "a block deleted in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for example in pair.mine.page.examples:
        last = example.output or example.code
        yield mine((example.code.opening, last.after, ""))


@fault("code", "two blocks swapped in one language")
def _(pair: Pair) -> Iterator[Plan]:
    blocks = code_blocks(pair.mine)
    for one, two in pairwise(blocks):
        texts = [pair.mine.text[each.start : each.end] for each in (one, two)]
        yield mine((one.start, one.end, texts[1]), (two.start, two.end, texts[0]))


@fault("code", "an announced exception in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        yield mine((block.opening, block.opening, "<!--! raises: KeyError -->\n"))


@fault("code", "a printed word changed in one language", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_code(pair.mine, r"(?m)^print\(f?\"[^\"{\n]*?[a-z]"):
        yield mine((match.end(), match.end(), "zz"))


@fault("code", "a format changed in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    yield from in_both(pair, r"(?m)^print\(f\"[^\n]*:\.4f\}", lambda match: match[0][:-3] + "3f}")


@fault("code", "one more print in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    yield from in_both(pair, r"(?m)^print\(", lambda match: "print(1)\n" + match[0])


@fault("code", "a print deleted in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    yield from in_both(pair, r"(?m)^print\([^\n]*\)\n", lambda _: "pass\n")


@fault("code", "an exception in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    yield from in_both(pair, r"(?m)^print\(", lambda match: "1 / 0\n" + match[0])


@fault("code", "a module that is not there, in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    yield from in_both(pair, r"(?m)^print\(", lambda match: "import nowhere\n" + match[0])


@fault("code", "an import deleted in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    yield from in_both(pair, r"(?m)^from [^\n]*\n", lambda _: "")


@fault("code", "the process ends, in both languages", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    new = "import os\nos._exit(0)\n"
    yield from list(in_both(pair, r"(?m)^print\(", lambda match: new + match[0]))[:1]


@fault("code", "a loop that never ends, in both languages", reruns=True, hangs=True)
def _(pair: Pair) -> Iterator[Plan]:
    new = "while True:\n    pass\n"
    yield from list(in_both(pair, r"(?m)^print\(", lambda match: new + match[0]))[:1]
