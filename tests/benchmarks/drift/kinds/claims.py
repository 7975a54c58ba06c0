"""Faults in claims, and in the comments that bind or excuse them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from drift.places import comments, covered, shown_outputs
from drift.planting import WORDS, Pair, Plan, Planter, Side, fault, mine, other, settings_of
from lesson_checker.bound import find_bound, words_before
from lesson_checker.claims import Claim, Evidence, find_claims
from lesson_checker.page import parse_page
from lesson_checker.prose import Comment, prose_of
from lesson_checker.settings import Settings


def backing(side: Side) -> Evidence:
    texts = [example.code.body for example in side.page.examples if example.runs]
    texts += [block.body for _, block in shown_outputs(side)]
    return Evidence.of(texts, side.page.lang)


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
