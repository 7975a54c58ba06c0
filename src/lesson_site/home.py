"""The picture of the home page: at which rank each query meets the document that answers it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from retrieval_lessons import EVAL_SET, MAX_K, build_index, first_relevant_rank, load_chunks


@dataclass(frozen=True, slots=True)
class Row:
    """One query of the evaluation set.

    Attributes:
        query: What was asked.
        rank: The rank of the first chunk of the expected document, None if it is never found.
    """

    query: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Picture:
    """What the picture shows, as a run of the library found it.

    Attributes:
        rows: One per query.
        window: How many chunks production returns at most.
    """

    rows: tuple[Row, ...]
    window: int

    @property
    def width(self) -> int:
        """How many ranks it takes to show every row and the window, and one more."""
        return 1 + max(self.window, *(row.rank or 0 for row in self.rows))


@cache
def picture() -> Picture:
    """Search for each query of the evaluation set, and return what was found."""
    index = build_index(load_chunks())
    rows = tuple(
        Row(query, first_relevant_rank(query, expected_doc_id, index))
        for query, expected_doc_id in EVAL_SET
    )
    return Picture(rows, MAX_K)
