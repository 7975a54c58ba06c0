"""Claims: numbers in prose that say something about a run, and what backs them."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation

from lesson_checker.jobs import PageRun, Value
from lesson_checker.page import Page
from lesson_checker.problems import Problem
from lesson_checker.prose import Comment, Prose, prose_of
from lesson_checker.settings import Settings

_DIGITS = r"\d{1,3}(?:[\u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*"
_BEFORE = r"(?<![^\W_])(?<![^\W\d_]-)(?<![^\W_][.,])"
_CANDIDATE = re.compile(
    rf"""
    (?P<name>(?<![^\W_])(?<!@)[^\W\d_]\w*)(?P<sign>\s?[=@]\s?)(?P<value>-?(?:{_DIGITS}))
    | {_BEFORE}(?P<fraction>\d+/\d+)(?![/\w])
    | {_BEFORE}(?P<number>{_DIGITS})(?P<percent>[ \u00a0\u202f]?%)?(?![^\W_])
    """,
    re.VERBOSE,
)
_PRINTED = re.compile(r"(?<![\w.])\d[\d_]*(?:[.,]\d+)*(?:[eE][-+]?\d+)?|\.\d+")
_PRINTED_NAME = re.compile(rf"(?<![\w@])([^\W\d_]\w*)\s*([=@])\s*(-?(?:{_DIGITS}))")
_PRINTED_FRACTION = re.compile(r"(?<![\w./])\d+/\d+(?![/\w])")
# what may stand before a number that names a place in a book
_CHAPTER = re.compile(
    r"(?:§|\b(?:caps?|chs?|chap|secs?|secc|figs?|pp?|págs?|vol)\."
    r"|\b(?:chapters?|capítulos?|sections?|sección|secciones|apartados?))[ \u00a0]*$",
    re.IGNORECASE,
)
_LIST_NUMBER = re.compile(r"(?m)^[ \t>]*\d+[.)](?=\s)")
_SPAN = re.compile(
    r"(?:(\*{1,3})(?P<stars>[^*\s](?:[^*]*[^*\s])?)\1"
    r"|(?<!\w)(_{1,3})(?P<lines>[^_\s](?:[^_]*[^_\s])?)\3|(`+)(?P<code>[^`]+)\5)$"
)
_OPENING = "([{«“\u2018\"'¿¡*_"
_CLOSING = ")]}»”\u2019\"'.,;:!?…*_"


@dataclass(frozen=True, slots=True)
class Claim:
    """A number in prose.

    Attributes:
        text: As it is written.
        start: Where it starts in the page's text.
        end: Where it ends.
        name: What it is the value of, in ``k=6`` and ``recall@6``.
        sign: What stands between the two.
        fraction: Whether it is two numbers with a slash.
        percent: Whether a percent sign follows.
        readings: What it can mean: its values with the number of decimals that each shows.
    """

    text: str
    start: int
    end: int
    name: str = ""
    sign: str = ""
    fraction: bool = False
    percent: bool = False
    readings: tuple[tuple[Decimal, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Bound:
    """Words of the page, and the expression whose value they have to be.

    Attributes:
        expression: The Python expression in the comment.
        start: Where the words start in the page's text.
        end: Where they end.
        after: How many examples stand above them, so that the expression sees what they did.
    """

    expression: str
    start: int
    end: int
    after: int


@dataclass
class Evidence:
    """The numbers that a page's outputs and code hold, to look claims up in."""

    values: set[Decimal] = field(default_factory=set)
    names: set[tuple[str, str, Decimal]] = field(default_factory=set)
    fractions: set[str] = field(default_factory=set)
    _rounded: dict[int, set[Decimal]] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Evidence:
        """Collect the numbers of some outputs and code blocks."""
        found = cls()
        for text in texts:
            for match in _PRINTED.finditer(text):
                found.values.update(value for value, _ in readings(match[0].replace("_", "")))
            for match in _PRINTED_NAME.finditer(text):
                found.names.update((match[1], match[2], value) for value, _ in readings(match[3]))
            found.fractions.update(_PRINTED_FRACTION.findall(text))
        return found

    def backs(self, claim: Claim) -> bool:
        """Say whether one of the numbers is the claimed one."""
        if claim.fraction:
            return claim.text in self.fractions
        if claim.name and any(self.names_it(claim, value) for value, _ in claim.readings):
            return True
        if claim.name and all(digits == 0 for _, digits in claim.readings):
            return False  # an integer says too little without its name
        return any(
            value in self.rounded(digits)
            or (claim.percent and value / 100 in self.rounded(digits + 2))
            for value, digits in claim.readings
        )

    def names_it(self, claim: Claim, value: Decimal) -> bool:
        """Say whether a value is shown under the claim's name; k=6 and recall@6 are the same k."""
        if (claim.name, claim.sign, value) in self.names:
            return True
        if claim.sign == "@":
            return ("k", "=", value) in self.names
        return claim.name == "k" and any(
            sign == "@" and shown == value for _, sign, shown in self.names
        )

    def rounded(self, digits: int) -> set[Decimal]:
        """Return the values rounded to that many decimals, halves either way."""
        if digits not in self._rounded:
            step = Decimal(1).scaleb(-digits)
            found = set()
            for value in self.values:
                # a count is never rounded: 3.3 does not back "3 chunks"
                if digits == 0:
                    found.add(value)
                    continue
                for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN):
                    try:
                        found.add(value.quantize(step, mode))
                    except InvalidOperation:  # far too long to be meant
                        found.add(value)
            self._rounded[digits] = found
        return self._rounded[digits]


def find_claims(prose: Prose, lang: str | None, settings: Settings) -> Iterator[Claim]:
    """Yield the claims of a page, bound and excused ones among them."""
    nouns = _nouns(lang, settings)
    lists = {match.end() for match in _LIST_NUMBER.finditer(prose.text)}
    versioned = re.compile(
        rf"(?:{'|'.join(map(re.escape, ['Python', *settings.versions]))})[ \u00a0]+$"
    )
    for match in _CANDIDATE.finditer(prose.text):
        start, end = match.span()
        before = prose.text[max(0, start - 40) : start]
        text = match[0].strip()
        if match["name"]:
            yield Claim(
                text,
                start,
                end,
                match["name"],
                match["sign"].strip(),
                readings=tuple(readings(match["value"])),
            )
        elif match["fraction"]:
            yield Claim(text, start, end, fraction=True)
        elif not (
            match["number"].count(".") > 1  # a version
            or end + 1 in lists
            or versioned.search(before)
            or _CHAPTER.search(before)
        ):
            decimal = bool(re.search(r"[.,\u00a0\u202f]", match["number"]))
            counted = nouns.match(prose.text, end)
            if match["percent"] or decimal or counted:
                yield Claim(
                    text,
                    start,
                    end,
                    percent=bool(match["percent"]),
                    readings=tuple(readings(match["number"])),
                )


def readings(number: str) -> Iterator[tuple[Decimal, int]]:
    """Yield what digits with points or commas can mean, each with its number of decimals.

    ``1.234`` is a bit more than one in English and a thousand and more in Spanish; a page may
    print either.

    Examples:
        >>> [str(value) for value, _ in readings("1.234")]
        ['1.234', '1234']
        >>> [str(value) for value, _ in readings("0,667")]
        ['0.667']
    """
    plain = re.sub(r"[\u00a0\u202f]", "", number)
    if re.fullmatch(r"-?(?:\d*[.,])?\d+(?:[eE][-+]?\d+)?", plain):
        value = Decimal(plain.replace(",", "."))
        yield value, max(0, -int(value.as_tuple().exponent))
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:[.,]\d{3})+", plain):
        yield Decimal(re.sub(r"[.,]", "", plain)), 0
    mixed = re.fullmatch(r"(-?[1-9]\d{0,2}(?:([.,])\d{3})+)(?!\2)[.,](\d+)", plain)
    if mixed:
        yield Decimal(re.sub(r"[.,]", "", mixed[1]) + "." + mixed[3]), len(mixed[3])


def find_bound(page: Page, prose: Prose) -> Iterator[Bound]:
    """Yield the words of a page that are bound to an expression."""
    for comment in prose.comments:
        span = _words_before(page.text, comment)
        if comment.kind == "bound" and span:
            above = sum(1 for each in page.examples if each.code.after <= comment.start)
            yield Bound(comment.text, *span, above)


def bound_by_block(page: Page) -> list[list[Bound]]:
    """Return, for each block that runs, what is to be evaluated after it."""
    groups: list[list[Bound]] = [[] for example in page.examples if example.runs]
    for bound in find_bound(page, prose_of(page)):
        above = sum(1 for example in page.examples[: bound.after] if example.runs)
        if above:  # above the first block there is nothing to evaluate it with
            groups[above - 1].append(bound)
    return groups


def bound_values(page: Page, run: PageRun) -> Iterator[tuple[Bound, Value]]:
    """Yield the bound words whose expressions were evaluated, with what came of it."""
    for group, outcome in zip(bound_by_block(page), run["outcomes"], strict=False):
        yield from zip(group, outcome["bound"], strict=False)


def claim_problems(
    page: Page,
    settings: Settings,
    outputs: Sequence[str],
    values: Sequence[tuple[Bound, Value]],
) -> Iterator[Problem]:
    """Yield the claims that nothing backs, and the comments that bind or excuse nothing.

    Args:
        page: The page.
        settings: Of the project.
        outputs: What the page's output blocks hold once they are brought up to date.
        values: The bound words whose expressions were evaluated.
    """
    prose = prose_of(page)
    code = [example.code.body for example in page.examples if example.runs]
    now = Evidence.of([*code, *outputs])
    covered = []
    for comment in prose.comments:
        if comment.kind in ("bound", "excused"):
            span = _words_before(page.text, comment)
            problem = _comment_problem(page, comment, span)
            if problem:
                yield problem
            if span:
                covered.append(span)
    yield from _bound_problems(page, prose, values)
    for claim in find_claims(prose, page.lang, settings):
        inside = any(start <= claim.start and claim.end <= end for start, end in covered)
        if not inside and not now.backs(claim):
            yield Problem(
                page.path,
                page.line_at(claim.start),
                "claim-unbacked",
                f"no run of this page prints {claim.text!r}" + _what_changed(page, claim),
                remedy=_nearest(claim, now)
                + "print it, correct it, bind it to an expression (NUMBER<!--= expression -->) or "
                "excuse it (NUMBER<!--~ why -->)",
            )


def _bound_problems(
    page: Page, prose: Prose, values: Sequence[tuple[Bound, Value]]
) -> Iterator[Problem]:
    for bound in find_bound(page, prose):
        if not bound.after and not is_constant(bound.expression):
            yield Problem(
                page.path,
                page.line_at(bound.start),
                "claim-differs",
                f"no code has run above {page.text[bound.start : bound.end]!r}, so "
                f"{bound.expression!r} has no value yet",
                remedy="bind it further down, or excuse it (<!--~ why -->)",
            )
    for bound, value in values:
        words = page.text[bound.start : bound.end]
        if value["error"] is not None:
            yield Problem(
                page.path,
                page.line_at(bound.start),
                "claim-differs",
                f"the expression that {words!r} is bound to failed: {value['error']}",
                remedy=f"mend the expression {bound.expression}",
            )
        elif value["value"] != words:
            yield Problem(
                page.path,
                page.line_at(bound.start),
                "claim-differs",
                f"the text says {words!r}, but its expression gives {value['value']!r}",
                expected=words,
                actual=value["value"] or "",
                remedy=f"lesson-checker update {page.name}",
            )


def is_constant(expression: str) -> bool:
    """Say whether an expression would have the same value on any page."""
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError:
        return False
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return not names - own - set(dir(builtins))


def _comment_problem(page: Page, comment: Comment, span: tuple[int, int] | None) -> Problem | None:
    line = page.line_at(comment.start)
    if span is None:
        return Problem(
            page.path,
            line,
            "comment-misplaced",
            "nothing stands before this comment on its line that it could be about",
            remedy="put it right after the number, on the same line",
        )
    if not comment.text:
        kind = "an expression" if comment.kind == "bound" else "a reason"
        return Problem(page.path, line, "comment-unknown", f"this comment needs {kind}")
    if comment.kind == "bound" and "|" in comment.text:
        return Problem(
            page.path,
            line,
            "comment-unknown",
            "the expression holds a '|', which would end the cell of a table",
            remedy="give the value a name in a code block and bind to the name",
        )
    if comment.kind == "bound" and is_constant(comment.text):
        return Problem(
            page.path,
            line,
            "claim-constant",
            f"the expression {comment.text!r} is a constant: it proves nothing",
            remedy="use a name that the page's code defines",
        )
    return None


def _words_before(text: str, comment: Comment) -> tuple[int, int] | None:
    """Return the words that a comment is about.

    That is the emphasised words or the code span before it, else the last word without its
    punctuation.
    """
    first = text.rfind("\n", 0, comment.start) + 1
    before = re.sub(r"<!--.*?-->", lambda match: "\0" * len(match[0]), text[first : comment.start])
    line = before.rstrip(" ")
    span = _SPAN.search(line)
    if span:
        group = next(name for name, text in span.groupdict().items() if text is not None)
        return first + span.start(group), first + span.end(group)
    start = max(line.rfind(sign) for sign in " \t|\0") + 1
    # a percent sign belongs to its number
    if line[start:].strip(_OPENING + _CLOSING) == "%":
        start = max(line.rfind(sign, 0, start - 1) for sign in " \t|\0") + 1
    word = line[start:]
    left = len(word) - len(word.lstrip(_OPENING))
    right = len(word.rstrip(_CLOSING))
    return (first + start + left, first + start + right) if left < right else None


def _what_changed(page: Page, claim: Claim) -> str:
    """Name the output that shows the claimed number as the page is written, if one does."""
    for example in page.examples:
        if example.output and Evidence.of([example.output.body]).backs(claim):
            for number, line in enumerate(example.output.body.split("\n"), 1):
                if Evidence.of([line]).backs(claim):
                    place = example.output.line + number
                    return f" any more: line {place} shows it, and that is no longer true"
    return ""


def _nearest(claim: Claim, evidence: Evidence) -> str:
    if claim.name or claim.fraction or not evidence.values:
        return ""
    wanted, digits = claim.readings[0]
    near = min(evidence.values, key=lambda value: abs(value - wanted))
    return f"the nearest number it prints is {near}; " if digits else ""


def _nouns(lang: str | None, settings: Settings) -> re.Pattern[str]:
    words: Sequence[str] = [
        noun
        for code, each in settings.languages.items()
        if lang in (code, None)
        for noun in each.nouns
    ]
    listed = "|".join(map(re.escape, words)) or r"(?!)"
    return re.compile(rf"[*_]*[ \u00a0\n]+[*_]*(?:{listed})\b", re.IGNORECASE)
