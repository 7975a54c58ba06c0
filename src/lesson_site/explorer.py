"""What the ranking explorer shows: six ranked lists and their numbers, as the library finds them.

The site exports it as a JSON file, which the script of the explorer reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache

from lesson_site.corpus import anchor
from retrieval_lessons import (
    EVAL_SET,
    MAX_K,
    Chunk,
    Index,
    build_index,
    curve,
    explain,
    first_relevant_rank,
    load_chunks,
    precision_at_k,
    recall_at_k,
    search,
)

LAST_K = 2 * MAX_K
"""The largest k of the explorer: as much again as production returns."""

DECIMALS = 4  # as in the lessons
METRICS = ("recall", "precision")
TOKEN = re.compile(r"([a-z0-9]+)", re.IGNORECASE)
"""The tokens of an English text, as the tokenizer finds them once it is in lower case."""


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk, and where it stands on the page of the corpus.

    Attributes:
        doc_id: The document that it comes from.
        heading: What stands above it.
        text: The text.
        anchor: Its id on that page.
    """

    doc_id: str
    heading: str
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a query.

    Attributes:
        word: The word, as the tokenizer makes it.
        count: How often the query has it.
        chunks: How many chunks of the corpus have it.
        idf: Its weight.
        floor: Whether that weight is a substitute for a negative one.
    """

    word: str
    count: int
    chunks: int
    idf: float
    floor: bool


@dataclass(frozen=True, slots=True)
class Result:
    """One place of a ranked list.

    Attributes:
        chunk: The position of the chunk in ``Explorer.chunks``.
        score: Its score.
        factor: How much its length slows its words down.
        times: How often it has each word of the query.
        adds: What each word of the query adds to the score.
    """

    chunk: int
    score: float
    factor: float
    times: tuple[int, ...]
    adds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A query and what the search finds for it.

    Attributes:
        query: What is asked.
        expected: The document that answers it.
        rank: Where that document first stands; None if it is not found at all.
        found: How many chunks have a word of the query.
        words: Its different words.
        results: The best of the chunks, ``LAST_K`` at most.
        hits: For each k from 1 on, how many of the first k are from the expected document.
        recall: The query's recall at each k.
        precision: The query's precision at each k.
    """

    query: str
    expected: str
    rank: int | None
    found: int
    words: tuple[Word, ...]
    results: tuple[Result, ...]
    hits: tuple[int, ...]
    recall: tuple[float, ...]
    precision: tuple[float, ...]

    def metric(self, name: str) -> tuple[float, ...]:
        """Return one of ``METRICS``."""
        return self.recall if name == "recall" else self.precision


@dataclass(frozen=True, slots=True)
class Explorer:
    """All that the explorer shows.

    Attributes:
        max_k: How many chunks production returns at most.
        chunks: Those that stand in one of the lists.
        rankings: One for each query, in the order of the evaluation set.
        recall: The mean recall of the queries at each k from 1 on.
        precision: The mean precision of the queries at each k.
    """

    max_k: int
    chunks: tuple[Place, ...]
    rankings: tuple[Ranking, ...]
    recall: tuple[float, ...]
    precision: tuple[float, ...]

    def metric(self, name: str) -> tuple[float, ...]:
        """Return one of ``METRICS``."""
        return self.recall if name == "recall" else self.precision


@cache
def explorer() -> Explorer:
    """Return what the explorer shows of the lessons' own evaluation set."""
    return explore(EVAL_SET, build_index(load_chunks()))


def explore(eval_set: list[tuple[str, str]], index: Index) -> Explorer:
    """Search for each query of an evaluation set, and measure what comes back."""
    lists = [search(query, LAST_K, index) for query, _ in eval_set]
    shown = [chunk for chunk in index.chunks if any(chunk in results for results in lists)]
    ks = range(1, LAST_K + 1)
    return Explorer(
        max_k=MAX_K,
        chunks=tuple(
            Place(chunk.doc_id, chunk.heading, chunk.text, anchor(chunk.doc_id, chunk.heading))
            for chunk in shown
        ),
        rankings=tuple(
            _ranking(query, expected, results, shown, index)
            for (query, expected), results in zip(eval_set, lists, strict=True)
        ),
        recall=tuple(curve(recall_at_k, eval_set, index, ks)),
        precision=tuple(curve(precision_at_k, eval_set, index, ks)),
    )


def as_json(shown: Explorer) -> str:
    """Return the content of the JSON file: its numbers have the decimals that are shown."""

    def rounded(value: object) -> object:
        if isinstance(value, float):
            return round(value, DECIMALS)
        if isinstance(value, dict):
            return {name: rounded(each) for name, each in value.items()}
        return [rounded(each) for each in value] if isinstance(value, list | tuple) else value

    return json.dumps(rounded(asdict(shown)), ensure_ascii=False, separators=(",", ":"))


def _ranking(
    query: str, expected: str, results: list[Chunk], shown: Sequence[Chunk], index: Index
) -> Ranking:
    explanations = [explain(query, chunk, index) for chunk in results]
    scores = dict(zip(index.chunks, index.scores(query).tolist(), strict=True))
    ks = range(1, LAST_K + 1)
    pair = [(query, expected)]
    return Ranking(
        query=query,
        expected=expected,
        rank=first_relevant_rank(query, expected, index),
        found=len(search(query, len(index.chunks), index)),
        words=tuple(
            Word(row.word, row.query_frequency, row.document_frequency, row.idf, row.idf_floor)
            for row in (explanations[0].words if explanations else ())
        ),
        results=tuple(
            Result(
                chunk=shown.index(explanation.chunk),
                score=scores[explanation.chunk],
                factor=explanation.words[0].length_factor,
                times=tuple(row.term_frequency for row in explanation.words),
                adds=tuple(row.contribution for row in explanation.words),
            )
            for explanation in explanations
        ),
        hits=tuple(sum(chunk.doc_id == expected for chunk in results[:k]) for k in ks),
        recall=tuple(curve(recall_at_k, pair, index, ks)),
        precision=tuple(curve(precision_at_k, pair, index, ks)),
    )
