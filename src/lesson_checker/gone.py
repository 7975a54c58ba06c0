"""Numbers that an update takes out of an output while the sentences around it still say them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lesson_checker.claims import Evidence, open_claims
from lesson_checker.page import Page
from lesson_checker.prose import prose_of, sections
from lesson_checker.settings import Settings


@dataclass(frozen=True, slots=True)
class Gone:
    """A number that an output no longer shows, and a sentence of its section that says it.

    Attributes:
        number: As the sentence writes it.
        line: The line of the sentence in the updated page.
        output: The line of the output in the updated page.
    """

    number: str
    line: int
    output: int


def gone(before: Page, after: Page, settings: Settings) -> Iterator[Gone]:
    """Yield what the prose of ``after`` still says of the outputs of ``before``.

    Only what a check lets pass, because the page prints the number elsewhere: it may be meant, or
    it may be what the old output said. A number that nothing backs is a problem of its own.

    Args:
        before: The page as it was.
        after: The same page with its real outputs; nothing else may differ.
        settings: Of the project.
    """
    claims = list(open_claims(after, settings))
    spans = list(sections(prose_of(after)))
    shown = [each.code.body for each in after.examples if each.runs]
    shown += [each.output.body for each in after.examples if each.output]
    backed = Evidence.of(shown, after.lang)
    for old, new in zip(before.examples, after.examples, strict=True):
        if not (old.output and new.output) or old.output.body == new.output.body:
            continue
        lost, kept = (Evidence.of([each.body], after.lang) for each in (old.output, new.output))
        first, last = next(span for span in spans if span[0] <= new.output.start < span[1])
        for claim in claims:
            said = first <= claim.start < last and backed.backs(claim)
            if said and lost.backs(claim) and not kept.backs(claim):
                yield Gone(claim.text, after.line_at(claim.start), new.output.line)
