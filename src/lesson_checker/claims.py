"""Claims: numbers in prose that say something about a run, and what backs them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

from lesson_checker.bound import (
    Bound,
    bound_by_block,
    bound_values,
    find_bound,
    is_constant,
    words_before,
)
from lesson_checker.jobs import Value
from lesson_checker.numerals import DIGITS, SIGN, readings
from lesson_checker.page import Page
from lesson_checker.problems import Problem
from lesson_checker.prose import Comment, Prose, Span, prose_of
from lesson_checker.settings import Settings

__all__ = [
    "Bound",
    "Claim",
    "Evidence",
    "bound_by_block",
    "bound_values",
    "claim_problems",
    "find_bound",
    "find_claims",
    "is_constant",
    "open_claims",
]

_BEFORE = r"(?<![^\W_])(?<![^\W\d_]-)(?<![^\W_][.,])"
_CANDIDATE = re.compile(
    rf"""
    (?<!\w)(?<!@)(?P<name>[^\W\d_]\w*+)(?P<sign>\s{{0,4}}[=@]\s{{0,4}})(?P<value>{SIGN}?(?:{DIGITS}))
    | {_BEFORE}(?<!/)(?P<fraction>\d+/\d+)(?![/\w])
    | {_BEFORE}(?P<number>{SIGN}?(?:{DIGITS})|(?<![\w.,])\.\d+)
      (?:(?P<percent>[ \u00a0\u202f]*%)|(?![^\W_])|(?=[^\W\d_]{{1,3}}(?!\w)))  # 0.5, 5 %, 0.5s
    """,
    re.VERBOSE,
)
_DIGIT = re.compile(r"\d")
_PRINTED = re.compile(rf"{SIGN}?(?:(?<![\w.])\d[\d_]*(?:[.,]\d+)*(?:[eE][-+]?\d+)?|\.\d+)")
_PRINTED_NAME = re.compile(
    rf"(?<![\w@])([^\W\d_]\w*+)[ \t]*([=@])[ \t]*({SIGN}?(?:{DIGITS}))(?![^\W_])"
)
_PRINTED_FRACTION = re.compile(r"(?<![\w./])\d+/\d+(?![/\w])")
# what may stand before a number that names a place in a book
_CHAPTER = re.compile(
    r"(?:§|\b(?:caps?|chs?|chap|secs?|secc|figs?|pp?|págs?|vol)\."
    r"|\b(?:chapters?|capítulos?|sections?|sección|secciones|apartados?))[ \u00a0]*$",
    re.IGNORECASE,
)
_NEAR = Decimal("0.2")  # of a number; what is further from it was hardly meant
_LOOK_BACK = 60  # characters; how far a version can stand from the name of what it is one of


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

    @property
    def signed(self) -> bool:
        """Whether it is written with its sign; a fall *by* 0.25 needs none."""
        return self.text[:1] in "+-−–"


@dataclass
class Evidence:
    """The numbers that a page's outputs and code hold, to look claims up in."""

    values: set[Decimal] = field(default_factory=set)
    names: set[tuple[str, str, Decimal]] = field(default_factory=set)
    fractions: set[str] = field(default_factory=set)
    _rounded: dict[int, set[Decimal]] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str], lang: str | None = None) -> Evidence:
        """Collect the numbers of some outputs and code blocks."""
        found = cls()
        for text in texts:
            values, names, fractions = _printed(text, lang)
            found.values |= values
            found.names |= names
            found.fractions |= fractions
        return found

    def backs(self, claim: Claim) -> bool:
        """Say whether one of the numbers is the claimed one."""
        if claim.fraction:
            return claim.text in self.fractions
        if claim.name and any(self.names_it(claim, value) for value, _ in claim.readings):
            return True
        if claim.name and all(digits == 0 for _, digits in claim.readings):
            return False  # an integer says too little without its name
        return any(self.holds(claim, value, digits) for value, digits in claim.readings)

    def holds(self, claim: Claim, value: Decimal, digits: int) -> bool:
        """Say whether a value is shown, rounded to some digits; a percentage also as a share."""
        shown = {value} if claim.signed else {value, -value}
        return bool(shown & self.rounded(digits)) or (
            claim.percent and bool({each / 100 for each in shown} & self.rounded(digits + 2))
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
            # a count is never rounded: 3.3 does not back "3 chunks"
            modes = (ROUND_HALF_UP, ROUND_HALF_EVEN) if digits else ()
            step = Decimal(1).scaleb(-digits)
            found = set(self.values)
            for value in self.values:
                for mode in modes:
                    try:
                        found.add(value.quantize(step, mode))
                    except InvalidOperation:  # far too long to be meant
                        break
            self._rounded[digits] = found
        return self._rounded[digits]


@lru_cache(maxsize=1024)
def _printed(
    text: str, lang: str | None
) -> tuple[set[Decimal], set[tuple[str, str, Decimal]], set[str]]:
    """Return the numbers, the named numbers and the fractions of a text."""
    plain = [match[0].replace("_", "") for match in _PRINTED.finditer(text)]
    # [1,2] is a list as often as it is a decimal
    written = {number for each in plain for number in (each, *each.split(","))}
    values = {value for number in written for value, _ in readings(number, lang)}
    names = {
        (match[1], match[2], value)
        for match in _PRINTED_NAME.finditer(text)
        for value, _ in readings(match[3], lang)
    }
    return values, names, set(_PRINTED_FRACTION.findall(text))


def find_claims(prose: Prose, lang: str | None, settings: Settings) -> Iterator[Claim]:
    """Yield the claims of a page, bound and excused ones among them."""
    nouns = _nouns(lang, settings)
    versioned = _versioned(settings)
    for match in _candidates(prose.text):
        start, end = match.span()
        if match["fraction"]:
            yield Claim(match[0], start, end, fraction=True)
            continue
        number = match["value"] or match["number"]
        means = tuple(readings(number, lang))
        if match["name"] and not means:  # k=1,2,3
            number = number.split(",")[0]
            means = tuple(readings(number, lang))
            end = match.start("value") + len(number)
        text = prose.text[start:end].strip()
        if not means:  # a version, a date
            continue
        if match["name"]:
            name, sign = match["name"], match["sign"].strip()
            yield Claim(text, start, end, name, sign, readings=means)
        elif (
            match["percent"]
            or not number.lstrip("+-−–").isdecimal()
            or nouns.match(prose.text, end)
        ):
            before = prose.text[max(0, start - _LOOK_BACK) : start]
            if not (versioned.search(before) or _CHAPTER.search(before)):
                yield Claim(text, start, end, percent=bool(match["percent"]), readings=means)


def _candidates(text: str) -> Iterator[re.Match[str]]:
    """Yield what may be a claim; where no digit is near, the text is not looked through."""
    place = 0
    while digit := _DIGIT.search(text, place):
        paragraph = text.rfind("\n\n", place, digit.start())
        match = _CANDIDATE.search(text, max(place, paragraph))
        if match is None:
            return
        yield match
        place = match.end()


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
    for comment in prose.comments:
        if comment.kind in ("bound", "excused"):
            covers = words_before(page.text, comment) is not None
            yield from _comment_problems(page, comment, covers=covers)
    yield from _bound_problems(page, prose, values)
    claims = list(open_claims(page, settings))
    if claims:
        code = [example.code.body for example in page.examples if example.runs]
        now = Evidence.of([*code, *outputs], page.lang)
        yield from (_unbacked(page, claim, now) for claim in claims if not now.backs(claim))


def open_claims(page: Page, settings: Settings) -> Iterator[Claim]:
    """Yield the claims that a run has to back: those that are neither bound nor excused."""
    prose = prose_of(page)
    covering = (each for each in prose.comments if each.kind in ("bound", "excused"))
    covered = [span for each in covering if (span := words_before(page.text, each))]
    for claim in find_claims(prose, page.lang, settings):
        if not _inside(covered, claim):
            yield claim


def _inside(covered: Sequence[Span], claim: Claim) -> bool:
    """Say whether a claim ends in one of the spans, which are in order."""
    before = bisect_left(covered, (claim.end, 0)) - 1
    return before >= 0 and claim.end <= covered[before][1]


def _unbacked(page: Page, claim: Claim, now: Evidence) -> Problem:
    return Problem(
        page.path,
        page.line_at(claim.start),
        "claim-unbacked",
        f"the text says {claim.text!r}, but no run of this page prints it"
        + _what_changed(page, claim),
        remedy=_nearest(claim, now) + _ways_out(page, claim),
    )


def _ways_out(page: Page, claim: Claim) -> str:
    """Say what can be done about a claim; within a comment there can be no other."""
    if any(each.start <= claim.start < each.end for each in prose_of(page).comments):
        return "correct the text; or, if it is right, let the code print it, or leave it out"
    return (
        "correct the text; or, if it is right, let the code print it, bind it to an expression, "
        f'{claim.text}<!--= f"{{x}}" -->, or say why no run has to prove it, '
        f"{claim.text}<!--~ an invented example -->"
    )


def _bound_problems(
    page: Page, prose: Prose, values: Sequence[tuple[Bound, Value]]
) -> Iterator[Problem]:
    def problem(bound: Bound, message: str, remedy: str, actual: str = "") -> Problem:
        expected = words(bound) if actual else ""
        line = page.line_at(bound.start)
        return Problem(page.path, line, "claim-differs", message, expected, actual, remedy)

    def words(bound: Bound) -> str:
        return page.text[bound.start : bound.end]

    running = [number for number, example in enumerate(page.examples, 1) if example.runs]
    for bound in find_bound(page, prose):
        if not bisect_right(running, bound.after) and not is_constant(bound.expression):
            yield problem(
                bound,
                f"no code has run above {words(bound)!r}, so the expression that it is bound to, "
                f"{bound.expression}, has no value yet",
                "move the sentence below the code, or excuse the number (<!--~ why -->)",
            )
    for bound, value in values:
        if value["error"] is not None:
            yield problem(
                bound,
                f"the expression that {words(bound)!r} is bound to fails: {value['error']}",
                f"mend the expression {bound.expression}",
            )
        elif value["value"] != words(bound):
            yield problem(
                bound,
                f"the text says {words(bound)!r}, but the expression that it is bound to, "
                f"{bound.expression}, gives {value['value']!r}",
                f"lesson-checker update {page.name}",
                value["value"] or "",
            )


def _comment_problems(page: Page, comment: Comment, *, covers: bool) -> Iterator[Problem]:
    def problem(code: str, message: str, remedy: str) -> Problem:
        return Problem(page.path, page.line_at(comment.start), code, message, remedy=remedy)

    if not covers:
        yield problem(
            "comment-misplaced",
            "nothing stands before this comment on its line that it could be about",
            "put it right after the number, on the same line",
        )
    elif not comment.text:
        what = "an expression" if comment.kind == "bound" else "a reason"
        example = "<!--= len(chunks) -->" if comment.kind == "bound" else "<!--~ invented -->"
        yield problem("comment-unknown", f"this comment needs {what}", f"write {example}")
    elif comment.kind == "bound" and "|" in comment.text:
        yield problem(
            "comment-unknown",
            "the expression holds a '|', which would end the cell of a table",
            "give the value a name in a code block and bind to the name",
        )
    elif comment.kind == "bound" and is_constant(comment.text):
        yield problem(
            "claim-constant",
            f"the expression {comment.text!r} is the same whatever the page's code does: "
            "it proves nothing",
            "use a name that the page's code defines",
        )


def _what_changed(page: Page, claim: Claim) -> str:
    """Name the output that shows the claimed number as the page is written, if one does."""
    for example in page.examples:
        body = example.output.body if example.output else ""
        for number, line in enumerate(body.split("\n"), 1):
            if Evidence.of([line], page.lang).backs(claim):
                place = example.output.line + number if example.output else 0
                return f" any more: line {place} shows it, and that is no longer true"
    return ""


def _nearest(claim: Claim, evidence: Evidence) -> str:
    """Name the printed number that comes closest; one far away would only mislead."""
    wanted = claim.readings[0][0] if claim.readings else Decimal(0)
    shown = {
        f"{name}{sign}{value}": value for name, sign, value in evidence.names if name == claim.name
    }
    if not claim.name:
        shown = {str(value): value for value in evidence.values}
    if claim.fraction or not shown:
        return ""
    scales = (1, 100) if claim.percent else (1,)
    distance = {
        text: min(abs(value * scale - wanted) for scale in scales) for text, value in shown.items()
    }
    near = min(sorted(shown), key=distance.__getitem__)
    if not claim.name and distance[near] > abs(wanted) * _NEAR:
        return ""
    return f"the nearest number it prints is {near}; "


def _versioned(settings: Settings) -> re.Pattern[str]:
    """Match what may stand before a number that is a version, such as ``Python 3.12 or``."""
    names = "|".join(map(re.escape, ("Python", *settings.versions)))
    joined = r"(?:\d+(?:\.\d+)*\+?\s*(?:[,/–-]|(?:and|or|to|y|e|o|u|a)\b)\s*)*"
    return re.compile(rf"\b(?:{names})\s+(?:[<>=~!]=?\s*)?{joined}\Z", re.IGNORECASE)


def _nouns(lang: str | None, settings: Settings) -> re.Pattern[str]:
    words: Sequence[str] = [
        noun
        for code, each in settings.languages.items()
        if lang in (code, None)
        for noun in each.nouns
    ]
    listed = "|".join(map(re.escape, words)) or r"(?!)"
    return re.compile(rf"[ \u00a0\n>]+(?:{listed})\b", re.IGNORECASE)
