import warnings
from itertools import pairwise
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval_lessons import (
    EVAL_SET,
    MAX_K,
    Chunk,
    build_index,
    load_chunks,
    search,
    search_docs,
    tokenize,
)

RESERVO = build_index(load_chunks())
QUERIES = [query for query, _ in EVAL_SET]

texts = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6).map(" ".join)
corpora = st.lists(texts, min_size=10, max_size=30).map(
    lambda bodies: [Chunk(f"doc{number // 2}", "", body) for number, body in enumerate(bodies)]
)


def chunks_of(*bodies: str) -> list[Chunk]:
    """Chunks with these bodies first, then enough others for an IDF that works."""
    others = [f"filler{number}" for number in range(20)]
    return [Chunk(f"doc{number}", "", body) for number, body in enumerate([*bodies, *others])]


def test_the_index_keeps_the_chunks_in_their_order() -> None:
    assert RESERVO.chunks == load_chunks()


def test_the_index_reads_heading_and_text() -> None:
    index = build_index([Chunk("a", "Zebra", "lion"), *chunks_of()])
    assert [index.document_frequency(word) for word in ("zebra", "lion", "a")] == [1, 1, 0]


def test_the_words_of_a_heading_do_not_run_into_those_of_the_text() -> None:
    assert "heading" in build_index([Chunk("a", "Heading", "text"), *chunks_of()]).vocabulary


def test_the_vocabulary_has_each_word_once_in_alphabetical_order() -> None:
    words = {word for chunk in RESERVO.chunks for word in tokenize(f"{chunk.heading} {chunk.text}")}
    assert RESERVO.vocabulary == sorted(words)


def test_the_lengths_are_the_numbers_of_tokens() -> None:
    assert build_index(chunks_of("a b c", "a a")).lengths[:3] == [3, 2, 1]


def test_an_index_says_its_size_when_it_is_shown() -> None:
    assert repr(build_index(chunks_of("a b"))) == "<Index: 21 chunks, 22 words>"


def test_a_word_that_the_query_repeats_counts_twice() -> None:
    index = build_index(chunks_of("wifi"))
    assert index.scores("wifi wifi")[0] == 2 * index.scores("wifi")[0]


def test_a_word_in_more_than_half_of_the_chunks_gets_a_quarter_of_the_mean_idf() -> None:
    index = RESERVO
    floored = [word for word in index.vocabulary if index.has_idf_floor(word)]
    assert {"a", "is", "the"} <= set(floored)
    assert {index.idf(word) for word in floored} == {0.25 * index.bm25.average_idf}


def test_a_word_in_exactly_half_of_the_chunks_weighs_nothing_and_has_no_floor() -> None:
    index = build_index([Chunk("a", "", "x y" if n < 6 else "y") for n in range(12)])
    assert (index.idf("x"), index.has_idf_floor("x")) == (0.0, False)


def test_an_unknown_word_is_in_no_chunk_and_weighs_nothing() -> None:
    assert RESERVO.document_frequency("zeppelin") == 0
    assert RESERVO.idf("zeppelin") == 0.0
    assert not RESERVO.has_idf_floor("zeppelin")
    assert RESERVO.term_frequency("zeppelin", 0) == 0


def test_the_length_factor_is_one_at_the_average_length_and_grows_with_it() -> None:
    index = build_index([Chunk("a", "", "x " * n) for n in range(1, 12)], b=0.75)
    assert index.length_factor(5) == 1.0
    assert index.length_factor(0) == pytest.approx(0.25 + 0.75 / 6)
    assert all(
        shorter < longer for shorter, longer in pairwise(map(index.length_factor, range(11)))
    )


def test_another_tokenizer_makes_the_tokens_of_chunks_and_queries() -> None:
    index = build_index(chunks_of("CAFÉ olé"), tokenizer=str.split)
    assert [chunk.doc_id for chunk in search("CAFÉ", 3, index)] == ["doc0"]
    assert search("café", 3, index) == []


def test_equal_words_of_an_index_are_one_object() -> None:
    words = [word for frequencies in RESERVO.bm25.doc_freqs for word in frequencies]
    assert len({id(word) for word in words}) == len(set(words))


def test_chunks_can_come_from_a_generator() -> None:
    assert len(build_index(chunk for chunk in load_chunks()).chunks) == 57


def test_a_later_change_of_the_list_does_not_reach_the_index() -> None:
    chunks = load_chunks()
    index = build_index(chunks)
    chunks.clear()
    assert len(index.chunks) == 57


@pytest.mark.parametrize("chunks", [[], ""])
def test_an_index_of_nothing_is_refused(chunks: list[Chunk]) -> None:
    with pytest.raises(ValueError, match="chunks is empty: an index needs at least one chunk"):
        build_index(chunks)


@pytest.mark.parametrize("chunks", ["The Lounge has wifi.", ["The Lounge has wifi."]])
def test_a_bare_string_is_refused(chunks: list[Chunk]) -> None:
    with pytest.raises(TypeError, match=r"chunks\[0\] is 'T.*, expected a Chunk"):
        build_index(chunks)


def test_a_chunk_without_a_token_is_refused() -> None:
    with pytest.raises(ValueError, match=r"chunks\[1\] of document 'b' has no token"):
        build_index([Chunk("a", "", "word"), Chunk("b", "…", "¡!")])


@pytest.mark.parametrize(
    ("k1", "b"),
    [(0, 0.75), (-1, 0.75), (inf, 0.75), (nan, 0.75), (1.5, -0.1), (1.5, 1.1), (1.5, nan)],
)
def test_parameters_outside_their_range_are_refused(k1: float, b: float) -> None:
    with pytest.raises(ValueError, match="k1 must be a number above 0 and b one from 0 to 1, got"):
        build_index(load_chunks(), k1=k1, b=b)


def test_fewer_than_ten_chunks_are_warned_about_where_the_index_is_built() -> None:
    with pytest.warns(UserWarning, match="9 chunks are few: below 10 the IDF") as caught:
        build_index(load_chunks()[:9])
    assert caught[0].filename == __file__


def test_ten_chunks_are_enough() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        build_index(load_chunks()[:10])


def test_a_search_returns_the_best_score_first() -> None:
    index = build_index(chunks_of("wifi x y z", "wifi", "wifi x"))
    assert [chunk.doc_id for chunk in search("wifi", 3, index)] == ["doc1", "doc2", "doc0"]


def test_equal_scores_stand_in_corpus_order() -> None:
    chunks = [Chunk(f"doc{n}", "", "wifi here" if n % 3 == 0 else "other") for n in range(300)]
    expected = [chunk for chunk in chunks if "wifi" in chunk.text]
    assert search("wifi", 300, build_index(chunks)) == expected


def test_a_chunk_without_a_word_of_the_query_is_never_found() -> None:
    assert len(search("wifi", 50, build_index(chunks_of("wifi", "wifi")))) == 2


@pytest.mark.filterwarnings("ignore:.*chunks are few")
def test_a_chunk_with_a_negative_score_is_never_found() -> None:
    index = build_index([Chunk("a", "", "wifi"), Chunk("b", "", "wifi"), Chunk("c", "", "wifi")])
    assert index.scores("wifi").max() < 0
    assert search("wifi", 3, index) == []


@pytest.mark.parametrize("query", ["", "¿?", "zeppelin"])
def test_a_query_without_a_known_word_finds_nothing(query: str) -> None:
    assert search(query, 5, RESERVO) == []


def test_a_search_returns_at_most_k_chunks() -> None:
    found = int((RESERVO.scores("the") > 0).sum())
    assert found > 7
    assert [len(search("the", k, RESERVO)) for k in (1, 7, 57, 1000)] == [1, 7, found, found]


@settings(deadline=None)
@given(corpora, texts, st.integers(min_value=1, max_value=40))
def test_a_search_is_the_beginning_of_a_longer_one(chunks: list[Chunk], query: str, k: int) -> None:
    index = build_index(chunks)
    longer = search(query, k + 1, index)
    assert search(query, k, index) == longer[:k]


@settings(deadline=None)
@given(corpora, texts)
def test_a_search_is_the_positive_scores_sorted_by_score_and_then_by_position(
    chunks: list[Chunk], query: str
) -> None:
    index = build_index(chunks)
    scores = index.scores(query).tolist()
    found = sorted((-score, position) for position, score in enumerate(scores) if score > 0)
    assert search(query, 50, index) == [chunks[position] for _, position in found]


@pytest.mark.parametrize("k", [True, 3.0, "3", None])
def test_a_k_that_is_no_int_is_refused(k: int) -> None:
    with pytest.raises(TypeError, match=f"k must be an int, got {k!r}"):
        search("wifi", k, RESERVO)
    with pytest.raises(TypeError, match=f"k must be an int, got {k!r}"):
        search_docs("wifi", k)


@pytest.mark.parametrize("k", [0, -1])
def test_a_k_below_one_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=f"k must be at least 1, got {k}"):
        search("wifi", k, RESERVO)
    with pytest.raises(ValueError, match=f"k must be at least 1, got {k}"):
        search_docs("wifi", k)


def test_an_int_of_numpy_is_an_int() -> None:
    np = pytest.importorskip("numpy")
    assert [len(search("wifi", k, RESERVO)) for k in np.arange(1, 4)] == [1, 2, 3]


def test_a_query_that_is_no_string_is_refused() -> None:
    with pytest.raises(TypeError, match="text must be a str, got list"):
        search(["wifi"], 3, RESERVO)  # type: ignore[arg-type]


def test_search_docs_searches_the_reservo_corpus() -> None:
    assert search_docs(QUERIES[0], 4) == search(QUERIES[0], 4, RESERVO)


def test_search_docs_returns_three_chunks_unless_told() -> None:
    assert len(search_docs(QUERIES[0])) == 3


def test_search_docs_never_returns_more_than_five_chunks() -> None:
    assert [len(search_docs(QUERIES[0], k)) for k in (4, 5, 6, 57)] == [4, 5, 5, 5]
    assert MAX_K == 5
