"""The picture of the home page: what the search returns for the query that falls into the trap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from retrieval_lessons import EVAL_SET, MAX_K, build_index, first_relevant_rank, load_chunks, search


@dataclass(frozen=True, slots=True)
class Row:
    """One place of the ranked list.

    Attributes:
        rank: Counted from 1.
        doc_id: The document that the chunk in this place comes from.
        heading: What stands above the chunk.
        expected: Whether that document is the one that answers the query.
        read: Whether production returns this place.
    """

    rank: int
    doc_id: str
    heading: str
    expected: bool
    read: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """What the picture shows, as a run of the library found it.

    Attributes:
        query: What was asked.
        rows: The ranked list, down to the answer or one place past what production returns.
    """

    query: str
    rows: tuple[Row, ...]


@cache
def picture() -> Picture:
    """Return the picture of the lessons' evaluation set."""
    return last_answer(EVAL_SET)


def last_answer(eval_set: list[tuple[str, str]]) -> Picture:
    """Search the Reservo corpus for the one query whose answer comes last.

    The others are left for the lessons, which ask for bets on them.
    """
    index = build_index(load_chunks())

    def depth(pair: tuple[str, str]) -> int:  # past all chunks, if the answer never comes
        return first_relevant_rank(*pair, index) or len(index.chunks) + 1

    query, expected_doc_id = trap = max(eval_set, key=depth)
    return Picture(
        query,
        tuple(
            Row(rank, chunk.doc_id, chunk.heading, chunk.doc_id == expected_doc_id, rank <= MAX_K)
            for rank, chunk in enumerate(search(query, max(MAX_K + 1, depth(trap)), index), start=1)
        ),
    )
