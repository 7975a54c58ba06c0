"""Pair each code block with the output block that belongs to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lesson_checker.fences import Fence, Finding
from lesson_checker.markup import CODE_SPAN

Kind = Literal["code", "output", "shown"]

_DIRECTIVES = {
    "skip": "the reason, which the reader will see",
    "raises": "the name of the exception",
    "plot": "a text alternative that says what the picture shows",
}
_DIRECTIVE = re.compile(r"\s*<!--!(?P<inside>(?:(?!-->).)*)-->\s*")
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        kind: Code is run, output is compared, the rest is only shown.
        language: The first word of the info line, in lower case.
        body: What is between the fences, without their indentation and without the last line end.
        line: The line of the opening fence, counted from 1.
        start: Where the body starts in the page's text.
        end: Where the closing fence's line starts in the page's text.
        opening: Where the opening fence's line starts.
        after: Where the text goes on after the closing fence's line.
        indent: The white space before the opening fence.
        marks: The opening fence itself, three backticks as a rule.
    """

    kind: Kind
    language: str
    body: str
    line: int
    start: int
    end: int
    opening: int
    after: int
    indent: str
    marks: str


@dataclass(frozen=True, slots=True)
class Example:
    """A code block with the output block that belongs to it, if any.

    Attributes:
        code: The block that runs.
        output: What the page says that it prints.
        insert_at: Where an output block has to go if there is none: after the label, if that
            stands alone, else after the code.
        labelled: Whether a label stands before that place.
        skip: Why the code is not run, if it isn't.
        raises: The exception that the code must end with, if any.
        plot: The text alternative of the picture that the code draws, if any.
    """

    code: Block
    output: Block | None
    insert_at: int
    labelled: bool
    skip: str | None = None
    raises: str | None = None
    plot: str | None = None

    @property
    def runs(self) -> bool:
        """Whether the code is run at all."""
        return self.skip is None


def pair(
    lines: Sequence[str],
    starts: Sequence[int],
    fences: Sequence[Fence],
    blocks: Sequence[Block],
    labels: Sequence[str],
) -> tuple[list[Example], list[Finding]]:
    """Return the examples of a page, and what belongs to none.

    Args:
        lines: The lines of the page.
        starts: Where each line starts in the page's text; one more for the text's end.
        fences: The fences among the lines.
        blocks: The same as blocks.
        labels: What may stand between code and output.
    """
    pairing = _Pairing(lines, starts, fences, blocks, labels)
    return pairing.examples(), pairing.findings


class _Pairing:
    def __init__(
        self,
        lines: Sequence[str],
        starts: Sequence[int],
        fences: Sequence[Fence],
        blocks: Sequence[Block],
        labels: Sequence[str],
    ) -> None:
        self.lines = lines
        self.starts = starts
        self.fences = fences
        self.blocks = blocks
        self.labels = labels
        self.findings: list[Finding] = []
        self.explained: set[int] = set()  # lines that are in their place, or noted otherwise

    def examples(self) -> list[Example]:
        found = []
        paired = False
        for place, block in enumerate(self.blocks):
            if block.kind == "code":
                found.append(self.example(place))
                paired = found[-1].output is not None
                continue
            if block.kind == "output" and not paired:
                self.note_unpaired(place)
            paired = False
            for number in self.directives_above(place):
                self.note(
                    number,
                    "comment-misplaced",
                    "this comment is about Python code, and the block below is none",
                    "move it to the line above a python block, or delete it",
                )
        self.note_strays()
        return found

    def example(self, place: int) -> Example:
        code = self.blocks[place]
        between = self.between(place)
        written = [number for number in between if self.lines[number].strip()]
        following = self.blocks[place + 1] if place + 1 < len(self.blocks) else None
        output = following if following and following.kind == "output" else None
        labelled = bool(written) and self.lines[written[0]].strip() in self.labels
        if output and not (self.same_indent(place) and len(written) == labelled):
            output = None  # that is noted with the block
        insert_at = code.after
        if labelled:
            label = written[0]
            insert_at = self.starts[label + 1]
            self.explained.add(label)
            if output and not (label - 1 in between and label + 1 in between):
                self.note(
                    label,
                    "label-alone",
                    "the label is not a paragraph of its own",
                    "leave a blank line above and below it",
                )
            elif not (following and following.kind == "output"):
                self.note(
                    label,
                    "label-alone",
                    "no output block follows this label",
                    "let `lesson-checker update` write it, or delete the label",
                )
        values = self.directives(place)
        if output and "skip" in values:
            self.note(
                output.line - 1,
                "output-without-code",
                "the code above is skipped, so no run can prove this output",
                "delete the output block, or let the code run",
            )
        return Example(
            code=code,
            output=output,
            insert_at=insert_at,
            labelled=labelled,
            skip=values.get("skip"),
            raises=values.get("raises"),
            plot=values.get("plot"),
        )

    def between(self, place: int) -> range:
        """Return the lines between a block and the next one."""
        last = place + 1 == len(self.fences)
        end = len(self.lines) if last else self.fences[place + 1].opening
        return range(self.fences[place].closing + 1, end)

    def same_indent(self, place: int) -> bool:
        return self.fences[place].indent == self.fences[place + 1].indent

    # --------------------------------------------------------------------------- directives

    def directives_above(self, place: int) -> range:
        """Return the lines right above a block that hold comments for the checker."""
        opening = first = self.fences[place].opening
        while first > 0 and "<!--!" in self.lines[first - 1]:
            first -= 1
        self.explained.update(range(first, opening))
        return range(first, opening)

    def directives(self, place: int) -> dict[str, str]:
        """Return what the comments above a code block say, by their names."""
        values: dict[str, str] = {}
        for number in self.directives_above(place):
            match = _DIRECTIVE.fullmatch(self.lines[number])
            name, _, value = (match["inside"] if match else "").partition(":")
            name, value = name.strip(), value.strip()
            wanted = _DIRECTIVES.get(name)
            if wanted is None:
                self.note(
                    number,
                    "comment-unknown",
                    "the checker does not know this comment",
                    f"write <!--! NAME: text -->, where NAME is one of {', '.join(_DIRECTIVES)}",
                )
            elif not value or (name == "raises" and not _EXCEPTION.match(value)):
                self.note(
                    number,
                    "comment-unknown",
                    f"{name!r} needs {wanted}",
                    f"write <!--! {name}: text -->",
                )
            elif name in values:
                self.note(
                    number, "comment-unknown", f"{name!r} is said twice", "delete one of them"
                )
            else:
                values[name] = value
        return values

    # -------------------------------------------------------------------------- what is left

    def note_unpaired(self, place: int) -> None:
        """Note an output block that belongs to no code, and why."""
        opening = self.fences[place].opening
        why = "no code block stands right before it"
        if place and self.blocks[place - 1].kind == "code":
            why = "it is indented otherwise than the code above it"
            if self.same_indent(place - 1):
                label = " or ".join(repr(label) for label in self.labels)
                why = f"only the label {label} may stand between it and the code above it"
        self.note(
            opening,
            "output-without-code",
            f"this output belongs to no code: {why}",
            "a text block is what the code right above it prints; for anything else use a fence "
            "without a language",
        )
        above = opening - 1
        while above >= 0 and not self.lines[above].strip():
            above -= 1
        self.explained.add(above)  # if it is a label, it is none alone

    def note_strays(self) -> None:
        """Note labels and comments for the checker that belong to no block."""
        for fence in self.fences:
            self.explained.update(range(fence.opening, fence.closing + 1))
        for number, line in enumerate(self.lines):
            if number in self.explained:
                continue
            if line.strip() in self.labels:
                self.note(
                    number,
                    "label-alone",
                    "this label has no code block right before it",
                    "put the output block and its label right after the code, or delete the label",
                )
            elif "<!--!" in CODE_SPAN.sub("", line):
                self.note(
                    number,
                    "comment-misplaced",
                    "this comment is not on the line above a block, so it has no effect",
                    "put it on a line of its own right above the block that it is about",
                )

    def note(self, line: int, code: str, message: str, remedy: str) -> None:
        self.findings.append(Finding(line, code, message, remedy))
