"""The Reservo corpus is written so that the lessons' ranks come out: here is what it has to keep.

The scores are those of a BM25 that shares nothing with the package, so that it can be varied.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import pytest
from bm25_by_formula import Idf, bm25_scores, lucene_idf, okapi_idf

from retrieval_lessons import EVAL_SET, Chunk, load_chunks

CHUNKS = load_chunks()
FIRST_RELEVANT_RANKS = [1, 2, 2, 6, 4, 3]
TRAP = EVAL_SET[3]
PRINTED = 7
"""The longest list of results that a lesson prints."""


class Hit(NamedTuple):
    score: float
    chunk: Chunk


def latin_runs(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", text.lower())


def unicode_runs(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def without_repeats(text: str) -> list[str]:
    return list(dict.fromkeys(latin_runs(text)))


def heading_and_text(chunk: Chunk) -> str:
    return f"{chunk.heading} {chunk.text}"


def text_alone(chunk: Chunk) -> str:
    return chunk.text


def ranking(
    query: str,
    *,
    reads: Callable[[Chunk], str] = heading_and_text,
    tokens: Callable[[str], list[str]] = latin_runs,
    query_tokens: Callable[[str], list[str]] | None = None,
    k1: float = 1.5,
    b: float = 0.75,
    idf: Idf = okapi_idf,
) -> list[Hit]:
    scores = bm25_scores(
        (query_tokens or tokens)(query),
        [tokens(reads(chunk)) for chunk in CHUNKS],
        k1=k1,
        b=b,
        idf=idf,
    )
    return sorted(map(Hit, scores, CHUNKS), key=lambda hit: -hit.score)


def first_relevant_ranks(**variation: object) -> list[int]:
    return [
        [hit.chunk.doc_id for hit in ranking(query, **variation)].index(doc_id) + 1  # type: ignore[arg-type]
        for query, doc_id in EVAL_SET
    ]


def gap(above: Hit, below: Hit) -> float:
    """How far apart two scores are, as a share of the higher one: the stricter reading."""
    return (above.score - below.score) / above.score


def test_the_corpus_has_57_chunks() -> None:
    assert len(CHUNKS) == 57


def test_all_chunks_are_different_in_heading_and_text_of_one_document_and_in_text_of_all() -> None:
    assert len({(chunk.doc_id, chunk.heading) for chunk in CHUNKS}) == 57
    assert len({chunk.text for chunk in CHUNKS}) == 57


def test_each_chunk_has_35_to_55_tokens() -> None:
    lengths = {chunk: len(latin_runs(heading_and_text(chunk))) for chunk in CHUNKS}
    assert [chunk for chunk, length in lengths.items() if not 35 <= length <= 55] == []


def test_the_evaluation_set_expects_six_documents_of_the_corpus() -> None:
    expected = {doc_id for _, doc_id in EVAL_SET}
    assert len(expected) == 6
    assert expected <= {chunk.doc_id for chunk in CHUNKS}


def test_the_first_relevant_ranks_are_those_of_the_lessons() -> None:
    assert first_relevant_ranks() == FIRST_RELEVANT_RANKS


@pytest.mark.parametrize(("query", "doc_id"), EVAL_SET)
def test_the_expected_chunk_is_5_percent_below_the_one_ranked_above(
    query: str, doc_id: str
) -> None:
    hits = ranking(query)
    rank = [hit.chunk.doc_id for hit in hits].index(doc_id)
    assert [
        gap(above, hits[rank]) for above in hits[:rank][-1:] if gap(above, hits[rank]) < 0.05
    ] == []


@pytest.mark.parametrize(("query", "doc_id"), EVAL_SET)
def test_the_expected_chunk_is_5_percent_above_the_next_document(query: str, doc_id: str) -> None:
    hits = ranking(query)
    rank = [hit.chunk.doc_id for hit in hits].index(doc_id)
    following = next(hit for hit in hits[rank:] if hit.chunk.doc_id != doc_id)
    assert gap(hits[rank], following) >= 0.05


@pytest.mark.parametrize("query", [query for query, _ in EVAL_SET])
def test_no_two_scores_of_a_printed_list_are_nearly_equal(query: str) -> None:
    # One past the list counts too: it decides which chunk is printed last.
    assert [pair for pair in pairwise(ranking(query)[: PRINTED + 1]) if gap(*pair) < 1e-6] == []


def test_the_distractors_of_the_trap_come_from_three_documents_or_more() -> None:
    distractors = [hit.chunk.doc_id for hit in ranking(TRAP[0])[:5]]
    assert TRAP[1] not in distractors
    assert len(set(distractors)) >= 3


def test_the_trap_is_fourth_when_documents_are_counted() -> None:
    documents = list(dict.fromkeys(hit.chunk.doc_id for hit in ranking(TRAP[0])))
    assert documents.index(TRAP[1]) + 1 == 4


def test_one_query_has_fewer_than_twenty_chunks_to_find() -> None:
    found = [sum(hit.score > 0 for hit in ranking(query)) for query, _ in EVAL_SET]
    assert min(found) < 20


@pytest.mark.parametrize("k1", [0.9, 1.2, 1.5, 1.8, 2.0])
@pytest.mark.parametrize("b", [0.25, 0.5, 0.75, 1.0])
def test_the_ranks_do_not_hang_on_the_parameters(k1: float, b: float) -> None:
    assert first_relevant_ranks(k1=k1, b=b) == FIRST_RELEVANT_RANKS


def test_the_ranks_do_not_hang_on_the_tokenizer() -> None:
    assert first_relevant_ranks(tokens=unicode_runs) == FIRST_RELEVANT_RANKS


def test_the_ranks_do_not_hang_on_repeated_words_of_the_query() -> None:
    assert first_relevant_ranks(query_tokens=without_repeats) == FIRST_RELEVANT_RANKS


def test_the_ranks_do_not_hang_on_the_idf() -> None:
    assert first_relevant_ranks(idf=lucene_idf) == FIRST_RELEVANT_RANKS


def test_the_ranks_do_not_hang_on_the_headings() -> None:
    assert first_relevant_ranks(reads=text_alone) == FIRST_RELEVANT_RANKS


@pytest.mark.parametrize("word", ["didn", "t"])
def test_no_chunk_has_the_pieces_of_didnt(word: str) -> None:
    assert [chunk for chunk in CHUNKS if word in latin_runs(heading_and_text(chunk))] == []
