"""A page: one Markdown file, parsed without loss into blocks and examples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Literal

from lesson_checker.fences import RUNNABLE, Fence, Finding, dedented, scan
from lesson_checker.problems import Problem
from lesson_checker.settings import Settings

Kind = Literal["code", "output", "shown"]

_OUTPUT = "text"
_DIRECTIVES = ("skip", "raises", "plot")
_UNREADABLE = ("page-unreadable", "fence-unclosed", "fence-not-rendered", "code-hidden")
_DIRECTIVE = re.compile(r"\s*<!--!\s*(?P<name>[\w-]*)\s*(?::\s*(?P<value>.*?))?\s*-->\s*$")
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


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page; ``text`` is the file's content, to the character.

    Attributes:
        path: The file.
        name: The path as messages show it.
        lang: The code of the language, if the path tells.
        slug: What the page has in common with its twin: the path below the language's folder.
        text: The content, with its own line ends.
        label: The paragraph that introduces an output block on this page.
        blocks: Every fenced block, in order.
        examples: Every code block with its output block.
        problems: What is wrong with the page before anything has run.
    """

    path: Path
    name: str
    lang: str | None
    slug: str
    text: str
    label: str
    blocks: tuple[Block, ...] = ()
    examples: tuple[Example, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def readable(self) -> bool:
        """Whether every block was read, so that running them means something."""
        return not any(problem.code in _UNREADABLE for problem in self.problems)

    def line_at(self, offset: int) -> int:
        """Return the number of the line, from 1, that ``offset`` of the text is in."""
        return self.text.count("\n", 0, offset) + 1


def read_page(path: Path, settings: Settings) -> Page:
    """Read and parse the page at ``path``; what can't be read is a problem of the page."""
    try:
        return parse_page(path.read_bytes().decode("utf-8"), path, settings)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = f"not UTF-8: byte {error.object[error.start]:#04x}"
        problem = Problem(path, line, "page-unreadable", message, remedy="save it as UTF-8")
    except OSError as error:
        problem = Problem(path, 1, "page-unreadable", f"can't be read: {error.strerror}")
    return replace(parse_page("", path, settings), problems=(problem,))


def parse_page(text: str, path: Path, settings: Settings) -> Page:
    """Parse ``text`` as the content of the page at ``path``.

    Parsing never fails: what is wrong with the page stands in its ``problems``.
    """
    lang = settings.language_of(path)
    labels = [each.label for code, each in settings.languages.items() if lang in (code, None)]
    # only line feeds end a line: form feeds and the like belong to the text of a block
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    fences, findings = scan(lines)
    blocks = [_block(fence, lines, starts) for fence in fences]
    pairing = _Pairing(lines, starts, fences, blocks, labels)
    examples = pairing.examples()
    findings += pairing.findings
    findings += [
        Finding(
            number,
            "page-unreadable",
            "a lone carriage return, which only some programs take for a line end",
            "end the line with a line feed",
        )
        for number, line in enumerate(lines)
        if "\r" in line.removesuffix("\r")
    ]
    return Page(
        path=path,
        name=settings.relative(path).as_posix(),
        lang=lang,
        slug=settings.slug_of(path),
        text=text,
        label=labels[-1],
        blocks=tuple(blocks),
        examples=tuple(examples),
        problems=tuple(
            Problem(path, each.line + 1, each.code, each.message, remedy=each.remedy)
            for each in sorted(findings, key=lambda finding: finding.line)
        ),
    )


def _block(fence: Fence, lines: Sequence[str], starts: Sequence[int]) -> Block:
    opening = lines[fence.opening]
    inside = lines[fence.opening + 1 : fence.closing]
    kind: Kind = "shown"
    if fence.language in RUNNABLE:
        kind = "code"
    elif fence.language == _OUTPUT:
        kind = "output"
    return Block(
        kind=kind,
        language=fence.language,
        body="\n".join(dedented(inside, fence.indent)),
        line=fence.opening + 1,
        start=starts[fence.opening + 1],
        end=starts[fence.closing],
        opening=starts[fence.opening],
        after=min(starts[fence.closing + 1], starts[-1] - 1),
        indent=opening[: len(opening) - len(opening.lstrip(" \t"))],
        marks=fence.marks,
    )


def _belongs(output: Block, code: Block) -> bool:
    return output.kind == "output" and output.indent == code.indent


class _Pairing:
    """Give each code block its output block, and name what is left over."""

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
        self.used_lines: set[int] = set()

    def examples(self) -> list[Example]:
        found = []
        taken = set()
        for place, (fence, block) in enumerate(zip(self.fences, self.blocks, strict=True)):
            if block.kind == "code":
                example = self.example(place)
                if example.output:
                    taken.add(place + 1)
                found.append(example)
            else:
                if block.kind == "output" and place not in taken:
                    self.note(fence.opening, *self.why_unpaired(place))
                for number in self.directives_above(fence.opening):
                    self.note(
                        number,
                        "comment-misplaced",
                        "this comment belongs above a python block, and the block below is none",
                    )
                    self.used_lines.add(number)
        self.find_strays()
        return found

    def example(self, place: int) -> Example:
        fence, block = self.fences[place], self.blocks[place]
        following = self.blocks[place + 1] if place + 1 < len(self.blocks) else None
        until = self.fences[place + 1].opening if following else len(self.lines)
        between = range(fence.closing + 1, until)
        written = [number for number in between if self.lines[number].strip()]
        labelled = bool(written) and self.lines[written[0]].strip() in self.labels
        output = None
        insert_at = block.after
        if following and len(written) == labelled and _belongs(following, block):
            output = following
        if labelled:
            label = written[0]
            self.used_lines.add(label)
            insert_at = min(self.starts[label + 1], self.starts[-1] - 1)
            if output is None:
                self.note(
                    label,
                    "label-alone",
                    "no output block follows this label",
                    "let `lesson-checker update` write it, or delete the label",
                )
            elif label - 1 not in between or label + 1 not in between:
                self.note(
                    label,
                    "label-alone",
                    "the label is no paragraph of its own",
                    "leave a blank line before and after it",
                )
        values = self.directives(fence.opening)
        if output and "skip" in values:
            self.note(
                self.fences[place + 1].opening,
                "output-without-code",
                "the code above is skipped, so no run proves this output",
                "delete the output block, or let the code run",
            )
        return Example(
            code=block,
            output=output,
            insert_at=insert_at,
            labelled=labelled,
            skip=values.get("skip"),
            raises=values.get("raises"),
            plot=values.get("plot"),
        )

    def directives_above(self, opening: int) -> list[int]:
        """Return the lines right above a fence that hold comments for the checker."""
        number = opening - 1
        while number >= 0 and "<!--!" in self.lines[number]:
            number -= 1
        return list(range(number + 1, opening))

    def directives(self, opening: int) -> dict[str, str]:
        values: dict[str, str] = {}
        for number in self.directives_above(opening):
            self.used_lines.add(number)
            match = _DIRECTIVE.match(self.lines[number])
            name = match["name"] if match else ""
            value = (match["value"] or "").strip() if match else ""
            if name not in _DIRECTIVES:
                self.note(
                    number,
                    "comment-unknown",
                    "the checker does not know this comment",
                    f"write <!--! NAME: text -->, NAME one of {', '.join(_DIRECTIVES)}",
                )
            elif not value or (name == "raises" and not _EXCEPTION.match(value)):
                wanted = {
                    "skip": "the reason, which the reader will see",
                    "raises": "the name of the exception",
                    "plot": "a text alternative that says what the picture shows",
                }[name]
                self.note(number, "comment-unknown", f"{name!r} needs {wanted}")
            else:
                values[name] = value
        return values

    def find_strays(self) -> None:
        """Note labels and comments for the checker that belong to no code block."""
        inside = {n for f in self.fences for n in range(f.opening, f.closing + 1)}
        for number, line in enumerate(self.lines):
            if number in inside or number in self.used_lines:
                continue
            if line.strip() in self.labels:
                self.note(
                    number,
                    "label-alone",
                    "this label has no code block right before it",
                    "put the output block and its label right after the code, or delete the label",
                )
            elif line.lstrip().startswith("<!--!"):
                self.note(
                    number,
                    "comment-misplaced",
                    "this comment is not on the line above a fence, so it has no effect",
                    "move it to the line right above the block that it is about",
                )

    def why_unpaired(self, place: int) -> tuple[str, str, str]:
        remedy = (
            "a text block is what the code right above it prints; for anything else use a fence "
            "without a language"
        )
        if place and self.blocks[place - 1].kind == "code":
            if self.blocks[place - 1].indent != self.blocks[place].indent:
                why = "it is indented otherwise than the code above it"
            else:
                label = " or ".join(repr(label) for label in self.labels)
                why = f"only the label {label} may stand between it and the code above it"
        else:
            why = "no code block stands right before it"
        return "output-without-code", f"this output belongs to no code: {why}", remedy

    def note(self, line: int, code: str, message: str, remedy: str = "") -> None:
        self.findings.append(Finding(line, code, message, remedy))
