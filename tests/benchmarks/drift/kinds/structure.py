"""Faults in what must not depend on the language, from headings to diagrams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from drift.places import heading_lines, inside, targets
from drift.planting import Pair, Plan, Side, fault, gone, mine, other
from lesson_checker.numerals import numbers
from lesson_checker.page import Block
from lesson_checker.prose import Span, sections
from lesson_checker.structure import tables


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
