"""Each remedy does what it says to chunks and queries alike, and nothing if it is not asked."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from bm25s.stopwords import STOPWORDS_EN
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from retrieval_lessons import (
    EVAL_SET,
    STOP_WORDS,
    SYNONYMS,
    Chunk,
    Index,
    build_index,
    explain,
    first_relevant_rank,
    load_chunks,
    rechunk,
    search,
    tokenize,
)
from retrieval_lessons.remedies import remedied

CHUNKS = load_chunks()
TRAP, TRAP_DOC_ID = EVAL_SET[3]
FILLERS = [Chunk(f"filler{number}", "", f"filler{number}") for number in range(20)]


def index_of(*texts: str, **remedies: Any) -> Index:
    """An index of chunks with these texts, and enough others for an IDF that works."""
    chunks = [Chunk(f"doc{number}", "", text) for number, text in enumerate(texts)]
    return build_index([*chunks, *FILLERS], **remedies)


def found(query: str, index: Index) -> list[str]:
    return [chunk.doc_id for chunk in search(query, 5, index)]


# ------------------------------------------------------------------------------- the tokens


def test_without_a_remedy_the_tokenizer_is_the_one_that_was_given() -> None:
    assert remedied(tokenize) is tokenize


def test_stop_words_are_left_out_of_chunks_and_queries() -> None:
    index = index_of("the wifi", "the lounge", stop_words=["the"])
    assert index.vocabulary[-2:] == ["lounge", "wifi"]
    assert found("the wifi", index) == ["doc0"]
    assert found("the", index) == []


def test_a_synonym_finds_what_another_word_of_its_group_stands_in() -> None:
    index = index_of("a reservation", "a booking", "a room", synonyms=[["booking", "reservation"]])
    assert found("reservation", index) == found("booking", index) == ["doc0", "doc1"]


def test_the_words_of_a_group_count_as_one_word() -> None:
    index = index_of("fee price", "room", synonyms=[["price", "cost", "fee"]])
    assert index.document_frequency("price") == 1
    assert index.term_frequency("price", 0) == 2


def test_stems_find_other_endings() -> None:
    index = index_of("you get a refund", "rooms", stem=True)
    assert found("refunded", index) == found("refunds", index) == ["doc0"]


@pytest.mark.parametrize(
    ("word", "stem"), [("generously", "generous"), ("dying", "die"), ("bookings", "book")]
)
def test_the_stems_are_those_of_the_second_porter_stemmer(word: str, stem: str) -> None:
    assert remedied(tokenize, stem=True)(word) == [stem]


def test_stop_words_go_before_stems_and_synonyms_before_them() -> None:
    tokens = remedied(tokenize, stop_words=["its"], synonyms=[["costs", "prices"]], stem=True)
    assert tokens("Its prices, it costs") == ["cost", "it", "cost"]


def test_remedies_change_what_another_tokenizer_makes() -> None:
    index = index_of("CAFÉ the", "THE", tokenizer=str.split, stop_words=["the"])
    assert found("CAFÉ", index) == ["doc0"]
    assert found("THE", index) == ["doc1"]


def test_a_score_with_remedies_is_still_the_sum_of_its_words() -> None:
    index = build_index(
        CHUNKS,
        stop_words=STOP_WORDS,
        synonyms=SYNONYMS,
        stem=True,
        heading_weight=2,
        title_weight=1,
    )
    best = search(TRAP, 1, index)[0]
    score = index.scores(TRAP)[CHUNKS.index(best)]
    assert explain(TRAP, best, index).score == pytest.approx(score, rel=1e-12)


@pytest.mark.parametrize(
    ("remedies", "message"),
    [
        ({"stop_words": "the"}, "stop_words must be words, given the str 'the'"),
        ({"stop_words": ["didn't"]}, "\"didn't\".* makes \\['didn', 't'\\] of it"),
        ({"stop_words": ["The"]}, "stop_words has 'The', which is never a token"),
        ({"stop_words": [""]}, "stop_words has '', which is never a token"),
        ({"synonyms": "price cost"}, "synonyms must be groups of words, given the str"),
        ({"synonyms": ["price", "cost"]}, "synonyms must be words, given the str 'price'"),
        ({"synonyms": [["no-show", "absence"]]}, "'no-show'.* makes \\['no', 'show'\\] of it"),
        ({"synonyms": [["price"]]}, "synonyms has the group \\['price'\\]: it takes two words"),
        ({"synonyms": [["price", "fee"], ["fee", "charge"]]}, "synonyms has 'fee' twice"),
        ({"synonyms": [["price", "price"]]}, "synonyms has 'price' twice"),
    ],
)
def test_words_that_could_never_be_found_are_refused(
    remedies: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        index_of("a", "b", **remedies)


@pytest.mark.parametrize("stem", [1, "spanish", None])
def test_stem_is_yes_or_no(stem: Any) -> None:
    with pytest.raises(TypeError, match=f"stem must be True or False, given {stem!r}"):
        index_of("a", stem=stem)


def test_a_chunk_of_stop_words_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="'doc1' has no token"):
        index_of("wifi", "the", stop_words=["the"])


# ------------------------------------------------------------------------------- the weights


def scores(chunks: Iterable[Chunk], **weights: int) -> list[float]:
    return list(build_index(chunks, **weights).scores(TRAP))  # type: ignore[arg-type]


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_a_heading_counts_as_if_it_stood_there_so_often(times: int) -> None:
    repeated = [replace(chunk, heading=f"{chunk.heading} " * times) for chunk in CHUNKS]
    assert scores(CHUNKS, heading_weight=times) == scores(repeated)


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_title_counts_as_if_it_stood_so_often_in_each_chunk(times: int) -> None:
    titled = [
        replace(chunk, heading=f"{chunk.doc_id} " * times + chunk.heading) for chunk in CHUNKS
    ]
    assert scores(CHUNKS, title_weight=times) == scores(titled)


def test_the_chunks_of_an_index_stay_as_they_were() -> None:
    assert build_index(CHUNKS, heading_weight=3, title_weight=1, stem=True).chunks == CHUNKS


@pytest.mark.parametrize("name", ["heading_weight", "title_weight"])
@pytest.mark.parametrize(
    ("weight", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)]
)
def test_a_weight_is_a_whole_number_from_zero_on(
    name: str, weight: Any, error: type[Exception]
) -> None:
    with pytest.raises(error, match=f"{name} must be an int of at least 0, given {weight}"):
        index_of("a", **{name: weight})


# ----------------------------------------------------------------------------- the word lists


def test_the_stop_words_are_those_of_lucene_as_others_copied_them() -> None:
    assert set(STOPWORDS_EN) == STOP_WORDS


def test_the_stop_words_of_scikit_learn_lose_the_answer_of_the_trap_for_good() -> None:
    assert {"can", "show", "up"} <= ENGLISH_STOP_WORDS
    index = build_index(CHUNKS, stop_words=ENGLISH_STOP_WORDS)
    assert first_relevant_rank(TRAP, TRAP_DOC_ID, index) is None


def test_each_group_of_synonyms_begins_with_a_word_of_a_heading() -> None:
    headings = {word for chunk in CHUNKS for word in tokenize(chunk.heading)}
    assert [group for group in SYNONYMS if group[0] not in headings] == []


def test_the_synonyms_are_groups_that_an_index_takes() -> None:
    assert len(build_index(CHUNKS, synonyms=SYNONYMS).chunks) == 57


# -------------------------------------------------------------------------------- the new chunks

words = st.text("abc", min_size=1, max_size=3)
documents = st.lists(
    st.builds(
        Chunk,
        st.sampled_from(["one", "two", "three"]),
        st.sampled_from(["", "First", "Second"]),
        st.lists(words, max_size=12).map(" ".join),
    ),
    max_size=8,
)


def run(chunks: Iterable[Chunk], doc_id: str) -> list[str]:
    return [word for chunk in chunks if chunk.doc_id == doc_id for word in chunk.text.split()]


@given(documents, st.integers(1, 15))
def test_new_chunks_keep_each_word_of_a_document_once_and_in_its_order(
    chunks: list[Chunk], size: int
) -> None:
    cut = rechunk(chunks, size=size)
    for doc_id in ("one", "two", "three"):
        assert run(cut, doc_id) == run(chunks, doc_id)


@given(documents, st.integers(1, 15))
def test_the_new_chunks_of_a_document_are_equally_long_to_a_word(
    chunks: list[Chunk], size: int
) -> None:
    cut = rechunk(chunks, size=size)
    for doc_id in ("one", "two", "three"):
        lengths = {len(chunk.text.split()) for chunk in cut if chunk.doc_id == doc_id}
        assert not lengths or max(lengths) - min(lengths) <= 1
        assert 0 not in lengths


@given(documents, st.integers(1, 15))
def test_documents_stay_together_in_the_order_in_which_they_begin(
    chunks: list[Chunk], size: int
) -> None:
    ids = [chunk.doc_id for chunk in rechunk(chunks, size=size)]
    began = dict.fromkeys(chunk.doc_id for chunk in chunks if run(chunks, chunk.doc_id))
    assert [doc_id for doc_id, _ in groupby(ids)] == list(began)


@pytest.mark.parametrize(("size", "number"), [(1, 6), (2, 3), (3, 2), (4, 2), (5, 1), (99, 1)])
def test_there_are_as_many_new_chunks_as_come_nearest_to_the_size(size: int, number: int) -> None:
    assert len(rechunk([Chunk("a", "H", "one two three four five six")], size=size)) == number


def test_a_new_chunk_has_the_headings_of_all_sections_that_it_has_words_of() -> None:
    chunks = [Chunk("a", "First", "one two"), Chunk("a", "Second", "three four five six")]
    assert rechunk(chunks, size=3) == [
        Chunk("a", "First · Second", "one two three"),
        Chunk("a", "Second", "four five six"),
    ]


def test_new_chunks_never_mix_documents() -> None:
    chunks = [Chunk("a", "", "one"), Chunk("b", "", "two"), Chunk("a", "", "three")]
    assert rechunk(chunks, size=9) == [Chunk("a", "", "one three"), Chunk("b", "", "two")]


def test_new_chunks_can_come_from_a_generator_and_go_into_an_index() -> None:
    index = build_index(rechunk((chunk for chunk in CHUNKS), size=20))
    assert first_relevant_rank(TRAP, TRAP_DOC_ID, index) == 10


@pytest.mark.parametrize(("size", "error"), [(0, ValueError), (2.0, TypeError), (True, TypeError)])
def test_the_size_of_a_new_chunk_is_a_whole_number_from_one_on(
    size: Any, error: type[Exception]
) -> None:
    with pytest.raises(error, match=f"size must be an int of at least 1, got {size}"):
        rechunk(CHUNKS, size=size)


def test_new_chunks_of_anything_but_chunks_are_refused() -> None:
    with pytest.raises(TypeError, match="chunks has 'a', expected a Chunk"):
        rechunk("abc", size=2)  # type: ignore[arg-type]
