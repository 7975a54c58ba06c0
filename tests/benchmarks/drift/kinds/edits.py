"""What authors do every day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from drift.places import (
    closing_line,
    code_blocks,
    covered,
    fence_line,
    heading_lines,
    in_code,
    inside,
    prose_numbers,
    targets,
    twin_line,
)
from drift.planting import WORDS, Pair, Plan, edit, mine


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
