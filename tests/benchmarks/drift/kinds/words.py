"""Faults in the words of one language, and in the line that confirms the twin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from drift.places import twin_line
from drift.planting import WORDS, Pair, Plan, fault, gone, mine


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
