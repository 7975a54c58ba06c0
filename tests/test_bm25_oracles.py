"""The scores agree with what others wrote: the formula alone, and bm25s; where not, it says so.

bm25s fills a sparse matrix before it knows a query, so it shares nothing with rank_bm25 but the
literature. With ATIRE's term frequency and Robertson's IDF it computes what rank_bm25 does, except
for a word in more than half of the chunks: rank_bm25 lifts its IDF to a floor, bm25s to 0.
"""

from collections.abc import Sequence

import bm25s
import pytest
from bm25_by_formula import bm25_scores, lucene_idf
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval_lessons import (
    EVAL_SET,
    Chunk,
    Index,
    build_index,
    explain,
    first_relevant_rank,
    load_chunks,
    search,
    tokenize,
)

RESERVO = build_index(load_chunks())
QUERIES = [query for query, _ in EVAL_SET]
PARAMETERS = [(1.5, 0.75), (0.9, 0.25), (2.0, 1.0), (1e-9, 0.0)]

# "h" is often in more than half of the chunks, "a" seldom, and "z" in none.
words = st.sampled_from("abcdefghhhhhhhh")
corpora = st.lists(
    st.lists(words, min_size=1, max_size=6).map(" ".join), min_size=10, max_size=30
).map(lambda bodies: [Chunk(f"doc{number}", "", body) for number, body in enumerate(bodies)])
queries = st.lists(st.sampled_from("abcdefghz"), min_size=1, max_size=6).map(" ".join)
parameters = st.tuples(st.floats(0.1, 3), st.floats(0, 1))

patient = settings(deadline=None)


def tokens_of(chunks: Sequence[Chunk]) -> list[list[str]]:
    return [tokenize(f"{chunk.heading} {chunk.text}") for chunk in chunks]


def by_bm25s(
    tokens: Sequence[str],
    chunks: Sequence[Chunk],
    *,
    k1: float = 1.5,
    b: float = 0.75,
    method: str = "atire",
    idf_method: str = "robertson",
) -> list[float]:
    retriever = bm25s.BM25(k1=k1, b=b, method=method, idf_method=idf_method, dtype="float64")
    retriever.index(tokens_of(chunks), show_progress=False)
    # It refuses a query without words; one that no chunk has adds nothing.
    scores: list[float] = retriever.get_scores([*tokens, "zeppelin"]).tolist()
    return scores


def without_floor(query: str, index: Index) -> str:
    """The query without the words whose IDF rank_bm25 lifts."""
    return " ".join(word for word in tokenize(query) if not index.has_idf_floor(word))


# The formula


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(("k1", "b"), PARAMETERS)
def test_the_scores_are_those_of_the_formula(query: str, k1: float, b: float) -> None:
    expected = bm25_scores(tokenize(query), tokens_of(RESERVO.chunks), k1=k1, b=b)
    scores = build_index(RESERVO.chunks, k1=k1, b=b).scores(query)
    assert scores.tolist() == pytest.approx(expected, rel=1e-12, abs=0)


@patient
@given(corpora, queries, parameters)
def test_the_scores_of_any_corpus_are_those_of_the_formula(
    chunks: list[Chunk], query: str, parameters: tuple[float, float]
) -> None:
    k1, b = parameters
    expected = bm25_scores(tokenize(query), tokens_of(chunks), k1=k1, b=b)
    scores = build_index(chunks, k1=k1, b=b).scores(query)
    assert scores.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


# bm25s


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(("k1", "b"), PARAMETERS)
def test_the_scores_are_those_of_bm25s(query: str, k1: float, b: float) -> None:
    query = without_floor(query, RESERVO)
    expected = by_bm25s(tokenize(query), RESERVO.chunks, k1=k1, b=b)
    scores = build_index(RESERVO.chunks, k1=k1, b=b).scores(query)
    assert scores.tolist() == pytest.approx(expected, rel=1e-12, abs=0)
    assert max(expected) > 0


@patient
@given(corpora, queries, parameters)
def test_the_scores_of_any_corpus_are_those_of_bm25s(
    chunks: list[Chunk], query: str, parameters: tuple[float, float]
) -> None:
    k1, b = parameters
    index = build_index(chunks, k1=k1, b=b)
    query = without_floor(query, index)
    expected = by_bm25s(tokenize(query), chunks, k1=k1, b=b)
    assert index.scores(query).tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


@patient
@given(corpora, queries, parameters)
def test_the_formula_itself_agrees_with_bm25s_under_the_idf_of_lucene(
    chunks: list[Chunk], query: str, parameters: tuple[float, float]
) -> None:
    k1, b = parameters
    tokens = tokenize(query)
    expected = by_bm25s(tokens, chunks, k1=k1, b=b, idf_method="lucene")
    ours = bm25_scores(tokens, tokens_of(chunks), k1=k1, b=b, idf=lucene_idf)
    assert ours == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("query", QUERIES)
def test_the_contributions_of_each_word_are_its_scores_by_bm25s(query: str) -> None:
    words = list(dict.fromkeys(tokenize(without_floor(query, RESERVO))))
    by_word = {word: by_bm25s([word], RESERVO.chunks) for word in words}
    for position, chunk in enumerate(RESERVO.chunks):
        rows = explain(" ".join(words), chunk, RESERVO).words
        ours = {row.word: row.contribution for row in rows}
        theirs = {word: scores[position] for word, scores in by_word.items()}
        assert ours == pytest.approx(theirs, rel=1e-12, abs=0)


def test_the_ranks_of_the_lessons_are_those_of_bm25s_as_it_comes() -> None:
    def rank(query: str, expected_doc_id: str) -> int:
        scores = by_bm25s(tokenize(query), RESERVO.chunks, method="lucene", idf_method="lucene")
        best_first = sorted(range(len(scores)), key=lambda position: -scores[position])
        doc_ids = [RESERVO.chunks[position].doc_id for position in best_first]
        return doc_ids.index(expected_doc_id) + 1

    theirs = [rank(*pair) for pair in EVAL_SET]
    assert [first_relevant_rank(*pair, RESERVO) for pair in EVAL_SET] == theirs


@patient
@given(corpora, queries, st.integers(1, 40))
def test_a_search_finds_what_bm25s_scores_above_zero_best_first(
    chunks: list[Chunk], query: str, k: int
) -> None:
    index = build_index(chunks)
    query = without_floor(query, index)
    scores = dict(zip(chunks, by_bm25s(tokenize(query), chunks), strict=True))
    # By their scores and not by their names: what ties here may differ there by a rounding.
    best = sorted((score for score in scores.values() if score > 0), reverse=True)[:k]
    assert [scores[chunk] for chunk in search(query, k, index)] == pytest.approx(best, rel=1e-9)


# Where they disagree, on purpose


def test_bm25s_gives_a_word_of_most_chunks_nothing_and_rank_bm25_a_floor() -> None:
    assert RESERVO.has_idf_floor("a")
    theirs = by_bm25s(["a"], RESERVO.chunks)
    ours = RESERVO.scores("a")
    assert max(theirs) == 0.0
    assert (ours > 0).sum() == RESERVO.document_frequency("a")
