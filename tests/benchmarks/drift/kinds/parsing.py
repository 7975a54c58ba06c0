"""Faults in how blocks are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from drift.places import closing_line, code_blocks, fence_line, shown_outputs
from drift.planting import WORDS, Pair, Plan, Side, fault, gone, mine
from lesson_checker.prose import Span


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
