"""Plant every kind of fault in every page, one at a time, and count which are caught.

    python tests/benchmarks/drift.py              # every page that has a twin: some minutes
    python tests/benchmarks/drift.py docs/en/lessons/04-recall-at-k.md
    python tests/benchmarks/drift.py --verbose    # and where each miss and false alarm was planted

A *fault* makes the page untrue, or unlike its twin in what must not depend on the language. It is
caught if the check of the page or of its twin finds a problem that was not there before; "by
warning" counts those that only the notice "this page may be behind its twin" betrays, which is all
that a machine can say about words. An *edit* is what authors do every day. It must stay silent, or
give that warning and nothing else where words have changed: anything more is a false alarm.

Each number of the prose, and each claim, is changed; other kinds in up to three places of a
page, spread evenly (`--places 0` plants them everywhere, for an hour). If the blocks do what they
did, the run of the page is reused. Whatever is chosen is chosen by counting, so two runs print the
same table. The exit status is 1 if a fault is missed, an edit is reported, or a page has problems
of its own.

The last table is the burden of the authors: how many numbers they had to bind or to excuse, for
each hundred words that they wrote.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Literal
from unittest.mock import patch

from lesson_checker import checks
from lesson_checker.bound import find_bound, words_before
from lesson_checker.claims import Claim, Evidence, find_claims
from lesson_checker.jobs import PageRun
from lesson_checker.numerals import Number, numbers
from lesson_checker.page import Block, Page, parse_page
from lesson_checker.problems import Problem
from lesson_checker.prose import Comment, Prose, Span, prose_of, sections
from lesson_checker.run import Runner
from lesson_checker.settings import Settings, load_settings
from lesson_checker.structure import links_of, tables
from lesson_checker.twins import behind, confirmed_text, recorded_digest

ROOT = Path(__file__).resolve().parents[2]
PLACES = 3  # of a page, for a fault that means another run
SECONDS = 2.0  # that a page may run that never ends
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


@dataclass
class Count:
    """What came of one kind."""

    planted: int = 0
    caught: int = 0
    by_warning: int = 0
    wrong: list[str] = field(default_factory=list)


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


# ---------------------------------------------------------------------------------- parsing


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


@fault("parsing", "closing fence of code deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        yield mine(gone(pair.mine.text, closing_line(pair.mine, block), line=True))


@fault("parsing", "closing fence of an output deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for _, block in shown_outputs(pair.mine):
        yield mine(gone(pair.mine.text, closing_line(pair.mine, block), line=True))


@fault("parsing", "closing fence too long")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        end = closing_line(pair.mine, block)[1]
        yield mine((end, end, "`"))


@fault("parsing", "block indented by four spaces")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        end = closing_line(pair.mine, block)[1]
        text = pair.mine.text[block.opening : end]
        yield mine((block.opening, end, re.sub("(?m)^", "    ", text)))


@fault("parsing", "unknown attribute on the fence")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        end = block.start - 1
        yield mine((end, end, ' skip="later"'))


@fault("parsing", "code in an HTML comment")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        end = closing_line(pair.mine, block)[1]
        yield mine((block.opening, block.opening, "<!--\n"), (end, end, "\n-->"))


@fault("parsing", "code in a quote")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        end = closing_line(pair.mine, block)[1]
        text = pair.mine.text[block.opening : end]
        yield mine((block.opening, end, re.sub("(?m)^", "> ", text)))


@fault("parsing", "code in raw HTML")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        end = closing_line(pair.mine, block)[1]
        yield mine((block.opening, end, f"<pre>\n{block.body}\n</pre>"))


@fault("parsing", "language of code misspelled")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        start, end = fence_line(block)
        yield mine((start, end, pair.mine.text[start:end].replace("python", "pyhton")))


@fault("parsing", "output marked as something else")
def _(pair: Pair) -> Iterator[Plan]:
    for _, block in shown_outputs(pair.mine):
        start, end = fence_line(block)
        yield mine((start, end, pair.mine.text[start:end].replace("text", "console")))


def labels(side: Side) -> Iterator[Span]:
    for match in re.finditer(rf"(?m)^{re.escape(side.page.label)}$", side.text):
        yield match.span()


@fault("parsing", "label misspelled")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in labels(pair.mine):
        yield mine((end - 1, end, ""))


@fault("parsing", "no blank line after the label")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in labels(pair.mine):
        yield mine((end, end + 1, ""))


@fault("parsing", "label alone, its output deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for _, block in shown_outputs(pair.mine):
        yield mine((block.opening, block.after, ""))


@fault("parsing", "a sentence between code and output")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in labels(pair.mine):
        yield mine((end, end, f"\n\n{WORDS['en']}"))


@fault("parsing", "code skipped, output kept")
def _(pair: Pair) -> Iterator[Plan]:
    for block, _ in shown_outputs(pair.mine):
        yield mine((block.opening, block.opening, "<!--! skip: later -->\n"))


@fault("parsing", "unknown comment for the checker")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        yield mine((block.opening, block.opening, "<!--! skipp: later -->\n"))


@fault("parsing", "details without markdown around code")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(
        r'<details markdown="1">(?=.*?\n```.*?</details>)', pair.mine.text, re.S
    ):
        yield mine((*match.span(), "<details>"))


# ---------------------------------------------------------------------------------- outputs


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


# ------------------------------------------------------------------------------------- code


def in_code(side: Side, pattern: str) -> Iterator[re.Match[str]]:
    """Yield the matches in code, but in no comment and no docstring."""
    for block in code_blocks(side):
        for match in re.compile(pattern).finditer(side.text, block.start, block.end):
            line = side.text[side.text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if "#" not in line and '"""' not in line:
                yield match


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


# ------------------------------------------------------------------- numbers, one language


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


def prose_numbers(side: Side) -> tuple[Number, ...]:
    return numbers(side.prose.with_code, side.page.lang)


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


# -------------------------------------------------------------------- claims, both languages


def backing(side: Side) -> Evidence:
    texts = [example.code.body for example in side.page.examples if example.runs]
    texts += [block.body for _, block in shown_outputs(side)]
    return Evidence.of(texts, side.page.lang)


def covered(side: Side) -> list[Span]:
    comments = [each for each in side.prose.comments if each.kind in ("bound", "excused")]
    return [span for span in (words_before(side.text, each) for each in comments) if span]


def checked_claims(side: Side, settings: Settings) -> list[Claim]:
    """Return the claims that an output has to back, all but bound and excused ones."""
    spans = covered(side)
    return [
        claim
        for claim in find_claims(side.prose, side.page.lang, settings)
        if not any(start < claim.end <= end for start, end in spans)
    ]


def untrue(side: Side, claim: Claim, settings: Settings) -> str | None:
    """Return the claim with another last digit, such that nothing backs it."""
    place = max(n for n, character in enumerate(claim.text) if character.isdigit())
    for digit in "7391582640":
        text = claim.text[:place] + digit + claim.text[place + 1 :]
        written = side.text[: claim.start] + text + side.text[claim.end :]
        page = parse_page(written, side.page.path, settings)
        found = [
            each
            for each in find_claims(prose_of(page), page.lang, settings)
            if each.start == claim.start
        ]
        if text != claim.text and found and not backing(side).backs(found[0]):
            return text
    return None


def kind_of(claim: Claim) -> str:
    if claim.fraction:
        return "a fraction"
    if claim.percent:
        return "a percentage"
    if claim.name:
        return "a value with its name"
    return "a count" if claim.text.isdecimal() else "a decimal"


def _untrue_claims(kind: str) -> Planter:
    def plant(pair: Pair) -> Iterator[Plan]:
        settings = settings_of(pair)
        lists = [checked_claims(side, settings) for side in (pair.mine, pair.twin)]
        for claim in lists[0]:
            if kind_of(claim) != kind:
                continue
            number = lists[0].index(claim)
            alike = [c for c in lists[1] if c.readings == claim.readings and c.name == claim.name]
            nth = sum(
                1
                for c in lists[0][:number]
                if c.readings == claim.readings and c.name == claim.name
            )
            text = untrue(pair.mine, claim, settings)
            if text:
                theirs = alike[nth : nth + 1] if not claim.fraction else []
                yield (
                    ((claim.start, claim.end, text),),
                    tuple((each.start, each.end, text) for each in theirs),
                )

    return plant


for each_kind in ("a decimal", "a percentage", "a fraction", "a value with its name", "a count"):
    fault("claim", f"{each_kind} untrue in both languages", everywhere=True)(
        _untrue_claims(each_kind)
    )


@fault("claim", "a new one that nothing backs, in both languages")
def _(pair: Pair) -> Iterator[Plan]:
    pairs = zip(pair.mine.prose.headings, pair.twin.prose.headings, strict=True)
    for left, right in pairs:
        ends = [
            side.text.index("\n", each.start)
            for side, each in ((pair.mine, left), (pair.twin, right))
        ]
        yield ((ends[0], ends[0], "\n\n0.98765.\n"),), ((ends[1], ends[1], "\n\n0.98765.\n"),)


def comments(side: Side, kind: str) -> list[Comment]:
    return [comment for comment in side.prose.comments if comment.kind == kind]


def both_comments(pair: Pair, kind: str) -> Iterator[tuple[Comment, Comment]]:
    yield from zip(comments(pair.mine, kind), comments(pair.twin, kind), strict=False)


@fault("bound", "the number changed in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for bound in find_bound(pair.mine.page, pair.mine.prose):
        words = pair.mine.text[bound.start : bound.end]
        new = other(words) if words[-1].isdigit() else words + "x"
        yield mine((bound.start, bound.end, new))


@fault("bound", "the number changed in both languages")
def _(pair: Pair) -> Iterator[Plan]:
    bounds = [list(find_bound(side.page, side.prose)) for side in (pair.mine, pair.twin)]
    for left, right in zip(*bounds, strict=False):
        ends = [pair.mine.text[left.end - 1], pair.twin.text[right.end - 1]]
        if all(map(str.isdigit, ends)):
            yield (
                ((left.end - 1, left.end, other(ends[0])),),
                ((right.end - 1, right.end, other(ends[1])),),
            )


def rewritten(kind: str, new: Callable[[Comment], str]) -> Planter:
    def plant(pair: Pair) -> Iterator[Plan]:
        for comment in comments(pair.mine, kind):
            yield mine((comment.start, comment.end, new(comment)))

    return plant


fault("bound", "the expression misspelled", reruns=True)(
    rewritten("bound", lambda comment: f"<!--= x{comment.text[2:]} -->")
)
fault("bound", "the expression says something else", reruns=True)(
    rewritten("bound", lambda comment: f"<!--= str({comment.text}) + '0' -->")
)
fault("bound", "the expression replaced by a constant", reruns=True)(
    rewritten("bound", lambda _: '<!--= "0.5" -->')
)
fault("bound", "a bar in the expression", reruns=True)(
    rewritten("bound", lambda comment: f"<!--= {comment.text} or 1 | 2 -->")
)
fault("bound", "the expression deleted", reruns=True)(rewritten("bound", lambda _: "<!--= -->"))
fault("bound", "the comment unclosed", reruns=True)(
    rewritten("bound", lambda comment: f"<!--= {comment.text} ->")
)


@fault("bound", "the comment in a line of its own", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    for comment in comments(pair.mine, "bound"):
        yield mine((comment.start, comment.start, "\n"))


@fault("bound", "the comment behind another word", reruns=True)
def _(pair: Pair) -> Iterator[Plan]:
    for comment in comments(pair.mine, "bound"):
        yield mine((comment.start, comment.start, f" {WORDS['en']}"))


@fault("excused", "the number changed in one language")
def _(pair: Pair) -> Iterator[Plan]:
    for comment in comments(pair.mine, "excused"):
        span = words_before(pair.mine.text, comment)
        if span and pair.mine.text[span[1] - 1].isdigit():
            yield mine((span[1] - 1, span[1], other(pair.mine.text[span[1] - 1])))


@fault("excused", "the excuse deleted in both languages")
def _(pair: Pair) -> Iterator[Plan]:
    settings = settings_of(pair)
    evidence = backing(pair.mine)
    claims = list(find_claims(pair.mine.prose, pair.mine.page.lang, settings))
    for left, right in both_comments(pair, "excused"):
        span = words_before(pair.mine.text, left)
        excused = [c for c in claims if span and span[0] < c.end <= span[1]]
        if any(not evidence.backs(claim) for claim in excused):
            yield ((left.start, left.end, ""),), ((right.start, right.end, ""),)


fault("excused", "the excuse says nothing")(rewritten("excused", lambda _: "<!--~ -->"))


@fault("excused", "the excuse in a line of its own")
def _(pair: Pair) -> Iterator[Plan]:
    for comment in comments(pair.mine, "excused"):
        yield mine((comment.start, comment.start, "\n"))


# ------------------------------------------------------------------- structure, one language


def heading_lines(side: Side) -> Iterator[Span]:
    for heading in side.prose.headings:
        yield heading.start, side.text.index("\n", heading.start)


def on_headings(name: str, new: Callable[[str], str | None]) -> None:
    @fault("structure", name)
    def plant(pair: Pair) -> Iterator[Plan]:
        for start, end in heading_lines(pair.mine):
            text = new(pair.mine.text[start:end])
            if text is not None and text != pair.mine.text[start:end]:
                yield mine((start, end, text))


on_headings("heading turned into a sentence", lambda line: line.lstrip("# "))
on_headings("heading one level deeper", lambda line: f"#{line}")
on_headings("heading with another id", lambda line: line.replace(" }", "x }"))
on_headings("heading without its id", lambda line: re.sub(r" *\{.*\}", "", line))
on_headings("heading after a space", lambda line: f" {line}")
on_headings("heading deleted", lambda _: "")
on_headings("heading doubled", lambda line: f"{line}\n\n{line}")


@fault("structure", "two sections swapped")
def _(pair: Pair) -> Iterator[Plan]:
    spans = list(sections(pair.mine.prose))[2:]
    for one, two in pairwise(spans):
        texts = [pair.mine.text[start:end].rstrip("\n") + "\n\n" for start, end in (one, two)]
        yield mine((one[0], two[1], texts[1] + texts[0]))


def on_formulas(name: str, pattern: str, new: str) -> None:
    @fault("formula", name)
    def plant(pair: Pair) -> Iterator[Plan]:
        for formula in pair.mine.prose.formulas:
            text = re.sub(r"\\text\{[^{}]*\}", lambda m: "§" * len(m[0]), formula.text)
            place = pair.mine.text.index(formula.text, formula.start)
            for match in re.finditer(pattern, text):
                span = place + match.start(), place + match.end()
                yield mine((*span, match.expand(new)))


on_formulas("a letter changed", r"(?<![\\a-zA-Z])[A-Za-z](?![a-zA-Z])", "z")
on_formulas("a digit changed", r"\d", "9.5")
on_formulas("a command changed", r"\\(?:cap|cup|in|sum|subseteq|frac)\b", r"\\times")
on_formulas("a sign changed", r"[=+]|(?<=\s)-", r"\\ne")
on_formulas("an index deleted", r"_(?:\w|\{[^{}]*\})", "")


@fault("formula", "deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for formula in pair.mine.prose.formulas:
        yield mine((formula.start, formula.end, ""))


@fault("formula", "a dollar deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for formula in pair.mine.prose.formulas:
        yield mine((formula.start, formula.start + 1, ""))


def targets(side: Side, *, image: bool = False) -> Iterator[re.Match[str]]:
    """Yield the links that are written inline, as they stand in the text."""
    pattern = re.compile(r"!?\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)[^()]*\)")
    for link in links_of(side.prose):
        match = pattern.match(side.text, link.start)
        if match and link.image is image:
            yield match


def inside(match: re.Match[str]) -> bool:
    return ":" not in match["target"]


@fault("link", "target changed")
def _(pair: Pair) -> Iterator[Plan]:
    for match in filter(inside, targets(pair.mine)):
        yield mine((match.start("target"), match.start("target"), "x"))


@fault("link", "another place on the page")
def _(pair: Pair) -> Iterator[Plan]:
    for match in filter(inside, targets(pair.mine)):
        yield mine(
            (match.end("target"), match.end("target"), "x" if "#" in match["target"] else "#x")
        )


@fault("link", "deleted, its words kept")
def _(pair: Pair) -> Iterator[Plan]:
    for match in targets(pair.mine):
        yield mine((*match.span(), match["text"]))


@fault("link", "to another site instead of a page")
def _(pair: Pair) -> Iterator[Plan]:
    for match in filter(inside, targets(pair.mine)):
        yield mine((*match.span("target"), "https://example.org"))


@fault("link", "a new one")
def _(pair: Pair) -> Iterator[Plan]:
    for start, _ in pair.mine.paragraphs():
        word = re.compile(r"\w+").match(pair.mine.prose.text, start)
        if word and "[" not in pair.mine.text[start : word.end() + 2]:
            yield mine((*word.span(), f"[{word[0]}](04-recall-at-k.md)"))


@fault("link", "two targets swapped")
def _(pair: Pair) -> Iterator[Plan]:
    found = [match for match in targets(pair.mine) if inside(match)]
    for one, two in pairwise(found):
        if one["target"] != two["target"]:
            yield mine((*one.span("target"), two["target"]), (*two.span("target"), one["target"]))


@fault("image", "another file")
def _(pair: Pair) -> Iterator[Plan]:
    for match in targets(pair.mine, image=True):
        yield mine((match.start("target"), match.start("target"), "x"))


@fault("image", "deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for match in targets(pair.mine, image=True):
        yield mine((*match.span(), ""))


@fault("image", "a new one")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, "\n\n![a](a.svg)"))


@fault("image", "text alternative emptied")
def _(pair: Pair) -> Iterator[Plan]:
    for match in targets(pair.mine, image=True):
        yield mine((*match.span("text"), ""))


def table_rows(side: Side) -> list[Span]:
    return [(row.start, side.text.index("\n", row.start)) for row in tables(side.prose)]


@fault("table", "a row deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for span in table_rows(pair.mine):
        yield mine(gone(pair.mine.text, span, line=True))


@fault("table", "a row doubled")
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in table_rows(pair.mine):
        yield mine((end, end, "\n" + pair.mine.text[start:end]))


@fault("table", "a cell deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for row in tables(pair.mine.prose):
        if not row.alignment:
            yield mine((row.cells[-1][0] - 1, row.cells[-1][1], ""))


@fault("table", "another alignment")
def _(pair: Pair) -> Iterator[Plan]:
    for row in tables(pair.mine.prose):
        if row.alignment:
            start, end = row.cells[-1]
            yield mine((start, end, ":-:" if "-:" not in pair.mine.text[start:end] else "---"))


@fault("table", "numbers of two cells swapped")
def _(pair: Pair) -> Iterator[Plan]:
    for row in tables(pair.mine.prose):
        for one, two in pairwise(row.cells):
            texts = [pair.mine.text[slice(*cell)] for cell in (one, two)]
            found = [{key for number in numbers(text) for key in number.keys} for text in texts]
            if found[0] != found[1]:
                yield mine((*one, texts[1]), (*two, texts[0]))


def on_lines(group: str, name: str, pattern: str, new: str) -> None:
    """Register a fault that rewrites what a pattern finds in the Markdown outside of blocks."""

    @fault(group, name)
    def plant(pair: Pair) -> Iterator[Plan]:
        for match in re.finditer(pattern, pair.mine.prose.marked):
            yield mine((*match.span(), match.expand(new)))


on_lines("admonition", "another kind", r"(?m)^!!! \w+", "!!! danger")
on_lines("admonition", "turned into a paragraph", r"(?m)^(?:!!!|\?\?\?) [^\n]*\n\n", "")
on_lines("admonition", "folded", r"(?m)^!!!", "???")
on_lines("admonition", "its text fallen out", r"(?m)^((?:!!!|\?\?\?) [^\n]*\n\n?) {4}", r"\1")
on_lines("list", "an item deleted", r"(?m)^- [^\n]*\n", "")
on_lines("list", "an item doubled", r"(?m)^(- [^\n]*\n)", r"\1\1")
on_lines("list", "an item turned into a paragraph", r"(?m)^- ", "\n")
on_lines("list", "two items joined", r"(?m)\n- (?=[^\n]*\n- )", " ")
on_lines("fold", "details deleted", r"(?m)^<details[^>]*>", "")
on_lines("fold", "the end of details deleted", r"(?m)^</details>", "")
on_lines("fold", "the summary deleted", r"<summary>[^<]*</summary>", "")
on_lines("fold", "open from the start", r"<details", "<details open")


def shown_blocks(side: Side, *, diagram: bool) -> list[Block]:
    return [each for each in side.blocks("shown") if diagram is not bool(each.language)]


def on_diagrams(
    name: str, pattern: str, new: Callable[[str], str], *, diagram: bool = True
) -> None:
    @fault("diagram" if diagram else "shown block", name)
    def plant(pair: Pair) -> Iterator[Plan]:
        for block in shown_blocks(pair.mine, diagram=diagram):
            for match in re.compile(pattern).finditer(pair.mine.text, block.start, block.end):
                yield mine((*match.span(), new(match[0])))


on_diagrams("a digit changed", r"\d", other)
on_diagrams("a symbol changed", r"[^\w\s.,;:!?¿¡'\"«»()…]+", lambda text: "×" * len(text))
on_diagrams("a word changed", r"[^\W\d_]{2,}", lambda text: f"{text}x")
on_diagrams("a digit changed", r"\d", other, diagram=False)
on_diagrams("a word changed", r"(?m)^[a-z]{2,}", lambda text: f"{text}x", diagram=False)


@fault("diagram", "two symbols of a line swapped")
def _(pair: Pair) -> Iterator[Plan]:
    for block in shown_blocks(pair.mine, diagram=True):
        for match in re.compile(r"([●·→←])(\s+)([●·→←])").finditer(
            pair.mine.text, block.start, block.end
        ):
            if match[1] != match[3]:
                yield mine((*match.span(), match[3] + match[2] + match[1]))


@fault("diagram", "deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for block in pair.mine.blocks("shown"):
        yield mine((block.opening, block.after, ""))


# ----------------------------------------------------------------------- words, one language


@fault("words", "a paragraph deleted")
def _(pair: Pair) -> Iterator[Plan]:
    for span in pair.mine.paragraphs():
        yield mine(gone(pair.mine.text, span, line=True))


@fault("words", "a sentence added")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, " " + WORDS[pair.mine.page.lang or "en"].capitalize() + "."))


@fault("words", "a word turned into its opposite")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(
        r"(?<![\w`])(?:no|not|nunca|never|siempre|always|más|more|menos|less)\b",
        pair.mine.prose.text,
    ):
        yield mine((*match.span(), "quizá"))


@fault("words", "a paragraph moved past a block")
def _(pair: Pair) -> Iterator[Plan]:
    for block in pair.mine.page.blocks:
        before = [span for span in pair.mine.paragraphs() if span[1] + 2 == block.opening]
        for start, end in before:
            moved = "\n" + pair.mine.text[start:end] + "\n"
            yield mine((start, end + 2, ""), (block.after, block.after, moved))


@fault("words", "an identifier in a code span changed")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(r"`[a-z_]+", pair.mine.text):
        if pair.mine.prose.with_code[match.start()] == "`":
            yield mine((match.end(), match.end(), "x"))


# --------------------------------------------------------------------------------- the twin


def twin_line(side: Side) -> re.Match[str]:
    found = re.search(r"(?m)^twin: (\w+)\n", side.text)
    assert found is not None
    return found


@fault("twin line", "deleted")
def _(pair: Pair) -> Iterator[Plan]:
    yield mine((*twin_line(pair.mine).span(), ""))


@fault("twin line", "of another text")
def _(pair: Pair) -> Iterator[Plan]:
    yield mine((*twin_line(pair.mine).span(1), "0123456789ab"))


@fault("twin line", "emptied")
def _(pair: Pair) -> Iterator[Plan]:
    yield mine((*twin_line(pair.mine).span(1), ""))


@fault("twin line", "the front matter never ends")
def _(pair: Pair) -> Iterator[Plan]:
    end = pair.mine.text.index("\n---\n")
    yield mine((end, end + len("\n---"), ""))


@fault("words", "the title in the front matter changed")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(r"(?m)^(?:title|description): [^\n]*?[^\W\d_]{3,}", pair.mine.text):
        yield mine((match.end(), match.end(), "x"))


# ----------------------------------------------------------------------------- ordinary edits


@edit("a sentence reworded", words=True)
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in pair.mine.paragraphs():
        word = re.compile(r"(?<!\S)[^\W\d_]{3,}(?!\S)").search(pair.mine.prose.text, start, end)
        if word:
            yield mine((*word.span(), WORDS[pair.mine.page.lang or "en"]))


@edit("a comma added", words=True)
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in pair.mine.paragraphs():
        space = re.compile(r"(?<=[a-z]) (?=[a-z])").search(pair.mine.prose.text, start, end)
        if space:
            yield mine((*space.span(), ", "))


@edit("a sentence without numbers added", words=True)
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, " " + WORDS[pair.mine.page.lang or "en"].capitalize() + "."))


@edit("the words of a heading changed", words=True)
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in heading_lines(pair.mine):
        word = re.compile(r"[^\W\d_]{3,}").search(pair.mine.prose.text, start, end)
        if word:
            yield mine((*word.span(), "Otro"))


@edit("a line broken in two")
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in pair.mine.paragraphs():
        for space in re.compile(r"(?<=[a-z]) (?=[a-z])").finditer(pair.mine.prose.text, start, end):
            if pair.mine.text[space.start()] == " ":
                yield mine((*space.span(), "\n"))
                break


@edit("a paragraph split")
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in pair.mine.paragraphs():
        for space in re.compile(r"(?<=[a-z][.?!]) (?=[A-Z¿])").finditer(
            pair.mine.prose.text, start, end
        ):
            yield mine((*space.span(), "\n\n"))


@edit("an emphasis added")
def _(pair: Pair) -> Iterator[Plan]:
    for start, end in pair.mine.paragraphs():
        for word in re.compile(r"(?<=[a-z] )[^\W\d_]{3,}(?=[ .,])").finditer(
            pair.mine.prose.text, start, end
        ):
            if "*" not in pair.mine.text[start:end] and "[" not in pair.mine.text[start:end]:
                yield mine((*word.span(), f"**{word[0]}**"))
                break


@edit("an emphasis taken away")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(r"\*\*([^*\n]+)\*\*(?!<)", pair.mine.prose.marked):
        yield mine((match.start(), match.start() + 2, ""), (match.end() - 2, match.end(), ""))


@edit("other bullets")
def _(pair: Pair) -> Iterator[Plan]:
    bullets = [match.span() for match in re.finditer(r"(?m)^-(?= )", pair.mine.prose.marked)]
    if bullets:
        yield mine(*((start, end, "*") for start, end in bullets))


@edit("a blank line more")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, "\n"))


@edit("spaces at the end of a line")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, "  "))


@edit("a comment for authors")
def _(pair: Pair) -> Iterator[Plan]:
    for _, end in pair.mine.paragraphs():
        yield mine((end, end, " <!-- 7.5 people checked this -->"))


@edit("a comment in code translated")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        for match in re.compile(r"  # [^\n]*").finditer(pair.mine.text, block.start, block.end):
            yield mine((*match.span(), "  # Comentario"))
            yield mine((*match.span(), ""))


@edit("a docstring reworded")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        for match in re.compile(r'"""[^"\n]*"""').finditer(pair.mine.text, block.start, block.end):
            yield mine((*match.span(), '"""Di otra cosa."""'))


@edit("an external link swapped")
def _(pair: Pair) -> Iterator[Plan]:
    for match in targets(pair.mine):
        if not inside(match):
            yield mine((*match.span("target"), "https://example.org/8.4"))


@edit("a link written with its address below")
def _(pair: Pair) -> Iterator[Plan]:
    for match in targets(pair.mine):
        end = len(pair.mine.text)
        yield mine(
            (match.end("text") + 1, match.end(), "[there]"),
            (end, end, f"\n[there]: {match['target']}\n"),
        )


@edit("a decimal comma")
def _(pair: Pair) -> Iterator[Plan]:
    bound = covered(pair.mine)
    for number in prose_numbers(pair.mine):
        span = number.start, number.start + len(number.text)
        free = not any(start <= span[0] < end for start, end in bound)
        code = pair.mine.prose.text[span[0]] == " "
        if (
            pair.mine.page.lang == "es"
            and free
            and not code
            and re.fullmatch(r"\d+\.\d+", number.text)
        ):
            yield mine((*span, number.text.replace(".", ",")))


@edit("a space that does not break before %")
def _(pair: Pair) -> Iterator[Plan]:
    for match in re.finditer(r"(?<=\d) ?(?=%)", pair.mine.prose.text):
        yield mine((*match.span(), "\u00a0"))


@edit("spaces in a formula")
def _(pair: Pair) -> Iterator[Plan]:
    for formula in pair.mine.prose.formulas:
        for match in re.finditer(r"=", formula.text):
            place = pair.mine.text.index(formula.text, formula.start) + match.start()
            yield mine((place, place + 1, "  =  "))


@edit("the words of a formula translated")
def _(pair: Pair) -> Iterator[Plan]:
    for formula in pair.mine.prose.formulas:
        for match in re.finditer(r"\\text\{[a-z]+", formula.text):
            place = pair.mine.text.index(formula.text, formula.start) + match.end()
            yield mine((place, place, " media"))


@edit("a language spelled otherwise")
def _(pair: Pair) -> Iterator[Plan]:
    for block in code_blocks(pair.mine):
        start, end = fence_line(block)
        yield mine((start, end, pair.mine.text[start:end].replace("python", "py")))


@edit("longer fences")
def _(pair: Pair) -> Iterator[Plan]:
    for block in pair.mine.page.blocks:
        start, end = block.opening + len(block.indent), closing_line(pair.mine, block)[1]
        yield mine((start, start, "`"), (end, end, "`"))


@edit("the front matter quoted otherwise")
def _(pair: Pair) -> Iterator[Plan]:
    match = twin_line(pair.mine)
    yield mine((*match.span(1), f'"{match[1]}"'))


@edit("line ends of another system")
def _(pair: Pair) -> Iterator[Plan]:
    yield mine((0, len(pair.mine.text), pair.mine.text.replace("\n", "\r\n")))


@edit("a printed word translated, the output updated", reruns=True, updates=True)
def _(pair: Pair) -> Iterator[Plan]:
    for match in in_code(pair.mine, r"(?m)^print\(f?\"[^\"{\n]*?[a-z]"):
        yield mine((match.end(), match.end(), "zz"))


# ------------------------------------------------------------------------------- measurement


def settings_of(pair: Pair) -> Settings:
    """Return the settings that hold for a pair."""
    return SETTINGS[pair.mine.page.path]


SETTINGS: dict[Path, Settings] = {}


def confirmed(paths: Sequence[Path], settings: Settings) -> list[Page]:
    """Return a page and its twin as they are once both have been confirmed."""
    pages = [parse_page(path.read_bytes().decode("utf-8"), path, settings) for path in paths]
    for _ in range(2):  # the line itself is no part of the text that it is about
        pages = [
            parse_page(confirmed_text(page, twin), page.path, settings)
            for page, twin in zip(pages, reversed(pages), strict=True)
        ]
    return pages


def found(page: Page, twin: Page, run: PageRun | None, settings: Settings) -> list[Problem]:
    """Return the problems of a page and of its twin, as far as the page can have caused them."""
    known = {page.path: page, twin.path: twin}
    problems = checks._verdict(page, run, settings, known).problems
    return [*problems, *filter(None, [behind(twin, page)])]


def tell(kind: Kind, side: Side, changes: Sequence[Change]) -> str:
    place = f"{side.page.name}:{side.page.line_at(changes[0][0])}"
    start, end, new = changes[0]
    return f"{kind.group}, {kind.name}: {place}: {side.text[start:end]!r} -> {new!r}"[:300]


def measure(
    pairs: Sequence[Pair],
    settings: Settings,
    kinds: Sequence[Kind],
    *,
    places: int = PLACES,
    sample: bool = False,
) -> dict[Kind, Count]:
    """Plant the kinds in the pairs, and return what came of each.

    Args:
        pairs: Which pages to plant them in.
        settings: Of the project.
        kinds: Which kinds.
        places: How many places of a page to plant a kind in at most, all if it is 0.
        sample: Whether that holds for the kinds too that are planted everywhere.
    """
    counts: dict[Kind, Count] = {kind: Count() for kind in kinds}
    waiting: list[tuple[Kind, Pair, Plan, Page, Page]] = []
    for pair in pairs:
        SETTINGS[pair.mine.page.path] = settings
        for kind in kinds:
            plans = list(kind.plant(pair))
            most = 0 if kind.everywhere and not sample else places
            if most and len(plans) > most:
                plans = [plans[number * len(plans) // most] for number in range(most)]
            for plan in plans:
                page = parse_page(changed(pair.mine.text, plan[0]), pair.mine.page.path, settings)
                twin = pair.twin.page
                if plan[1]:
                    twin = parse_page(changed(pair.twin.text, plan[1]), twin.path, settings)
                if kind.reruns and page.readable:
                    waiting.append((kind, pair, plan, page, twin))
                else:
                    run = pair.mine.run if page.readable else None
                    note(counts[kind], kind, pair, plan, found(page, twin, run, settings))
    for hangs in (False, True):
        limits = replace(settings, timeout=SECONDS) if hangs else settings
        numbered = {id(entry[3]): entry for entry in waiting if entry[0].hangs is hangs}
        if not numbered:
            continue
        for page, run in Runner(limits).run([entry[3] for entry in numbered.values()]):
            kind, pair, plan, _, twin = numbered[id(page)]
            if kind.updates:
                verdict = checks._verdict(page, run, settings, {page.path: page, twin.path: twin})
                page = parse_page(verdict.updated_text, page.path, settings)
            note(counts[kind], kind, pair, plan, found(page, twin, run, settings))
    return counts


def kinds_named(words: str) -> list[Kind]:
    """Return the kinds whose name holds some words, all for none."""
    return [kind for kind in KINDS if words in f"{kind.group}: {kind.name}"]


def measure_one(pair: Pair, settings: Settings, only: str, places: int) -> list[Count]:
    """Return what came of each kind in one pair, in a process that can't return the kinds."""
    return list(measure([pair], settings, kinds_named(only), places=places).values())


def merged(kinds: Sequence[Kind], results: Iterable[Sequence[Count]]) -> dict[Kind, Count]:
    """Return the sums of what came of each kind."""
    counts = {kind: Count() for kind in kinds}
    for result in results:
        for kind, one in zip(kinds, result, strict=True):
            sum_ = counts[kind]
            sum_.planted += one.planted
            sum_.caught += one.caught
            sum_.by_warning += one.by_warning
            sum_.wrong += one.wrong
    return counts


def note(count: Count, kind: Kind, pair: Pair, plan: Plan, problems: Sequence[Problem]) -> None:
    """Count what a check said."""
    severities = {problem.severity for problem in problems}
    count.planted += 1
    if kind.expected == "error":
        count.caught += bool(problems)
        count.by_warning += severities == {"warning"}
        right = bool(problems)
    else:
        right = severities == ({"warning"} if kind.expected == "warning" else set())
    if not right:
        codes = (
            ", ".join(sorted({f"{each.code}: {each.message}" for each in problems})) or "nothing"
        )
        count.wrong.append(f"{tell(kind, pair.mine, plan[0])}: {codes}")


def pairs_of(paths: Sequence[Path], settings: Settings) -> tuple[list[Pair], list[str]]:
    """Return each page with its twin, and the complaints about those that can't be measured."""
    pairs = []
    complaints = []
    for path in paths:
        for twin_path in settings.twins_of(path).values():
            if not twin_path.exists():
                complaints.append(
                    f"{settings.relative(path)}: there is no {twin_path.name} beside it"
                )
                continue
            pages = confirmed([path, twin_path], settings)
            runs = {
                page.path: run
                for page, run in Runner(settings).run([p for p in pages if p.readable])
            }
            problems = found(pages[0], pages[1], runs.get(path), settings)
            if problems:
                complaints.append(
                    f"{pages[0].name} has {len(problems)} problems of its own: check it first"
                )
            else:
                pairs.append(Pair(*(Side(page, runs.get(page.path)) for page in pages)))
    return pairs, complaints


def burden(side: Side) -> tuple[int, int, int]:
    """Return how many words a page has, and how many bindings and excuses."""
    words = len(re.findall(r"[^\W\d_]+", side.prose.with_code))
    return words, len(comments(side, "bound")), len(comments(side, "excused"))


def table_of(counts: dict[Kind, Count]) -> str:
    """Return the table of what was caught, kind by kind, faults first."""
    faults = {kind: count for kind, count in counts.items() if kind.expected == "error"}
    edits = {kind: count for kind, count in counts.items() if kind.expected != "error"}
    lines = [f"{'fault':<62}{'planted':>8}{'caught':>8}{'by warning':>12}{'missed':>8}"]
    for kind, each in faults.items():
        name = f"{kind.group}: {kind.name}"
        lines.append(
            f"{name:<62}{each.planted:>8}{each.caught:>8}{each.by_warning:>12}{len(each.wrong):>8}"
        )
    lines.append(_total(f"{len(faults)} kinds of fault", faults.values(), faults=True))
    lines += ["", f"{'ordinary edit':<62}{'made':>8}{'':>20}{'alarms':>8}"]
    for kind, each in edits.items():
        due = " (the warning only)" if kind.expected == "warning" else ""
        lines.append(f"{kind.name + due:<62}{each.planted:>8}{'':>20}{len(each.wrong):>8}")
    lines.append(_total(f"{len(edits)} kinds of edit", edits.values(), faults=False))
    return "\n".join(lines)


def _total(name: str, counts: Iterable[Count], *, faults: bool) -> str:
    rows = [(each.planted, each.caught, each.by_warning, len(each.wrong)) for each in counts]
    planted, caught, warned, wrong = (sum(row[column] for row in rows) for column in range(4))
    middle = f"{caught:>8}{warned:>12}" if faults else f"{'':>20}"
    return f"{name:<62}{planted:>8}{middle}{wrong:>8}"


def burden_of(pairs: Sequence[Pair]) -> str:
    """Return the table of bindings and excuses."""
    lines = [f"{'page':<48}{'words':>8}{'bound':>8}{'excused':>9}{'per 100 words':>15}"]
    total = [0, 0, 0]
    for pair in pairs:
        row = burden(pair.mine)
        total = [sum(each) for each in zip(total, row, strict=True)]
        lines.append(_burden(pair.mine.page.name, *row))
    return "\n".join([*lines, _burden("all", *total)])


def _burden(name: str, words: int, bound: int, excused: int) -> str:
    share = 100 * (bound + excused) / max(1, words)
    return f"{name:<48}{words:>8}{bound:>8}{excused:>9}{share:>15.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables and return the exit status."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="default: every page that has a twin")
    parser.add_argument("--only", default="", help="the kinds whose name holds these words")
    parser.add_argument("--places", type=int, default=PLACES, help="of a page, for most kinds")
    parser.add_argument("--verbose", action="store_true", help="tell where what was missed stands")
    options = parser.parse_args(arguments)
    settings = load_settings(ROOT)
    paths = checks.find_pages(settings, options.pages or None)
    kinds = kinds_named(options.only)
    # who changed last is git's to say, and would be asked for each problem
    with patch("lesson_checker.checks.changed_last", return_value=""):
        pairs, complaints = pairs_of(paths, settings)
        share = partial(measure_one, settings=settings, only=options.only, places=options.places)
        with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
            counts = merged(kinds, pool.map(share, pairs))
    print(table_of(counts), "", burden_of(pairs), *complaints, sep="\n")
    wrong = [place for count in counts.values() for place in count.wrong]
    if options.verbose:
        print("", *wrong, sep="\n")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
