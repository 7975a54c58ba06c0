import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval_lessons import EVAL_SET, Chunk, WordContribution, build_index, explain, load_chunks

RESERVO = build_index(load_chunks())
TRAP = EVAL_SET[3][0]
WHAT_IT_COSTS = next(
    chunk
    for chunk in RESERVO.chunks
    if (chunk.doc_id, chunk.heading) == ("no-show-policy", "What it costs")
)


@pytest.mark.parametrize("query", [query for query, _ in EVAL_SET])
def test_the_contributions_add_up_to_the_score_of_rank_bm25(query: str) -> None:
    totals = [explain(query, chunk, RESERVO).score for chunk in RESERVO.chunks]
    assert totals == pytest.approx(RESERVO.scores(query).tolist(), rel=1e-12, abs=0)


texts = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8).map(" ".join)


@settings(deadline=None)
@given(st.lists(texts, min_size=10, max_size=20, unique=True), texts)
def test_the_contributions_add_up_on_any_corpus(bodies: list[str], query: str) -> None:
    index = build_index((Chunk("doc", "", body) for body in bodies), k1=1.2, b=0.4)
    totals = [explain(query, chunk, index).score for chunk in index.chunks]
    assert totals == pytest.approx(index.scores(query).tolist(), rel=1e-12, abs=1e-12)


def test_there_is_one_row_for_each_word_in_the_order_of_the_query() -> None:
    words = [row.word for row in explain(TRAP, WHAT_IT_COSTS, RESERVO).words]
    assert words == ["can", "i", "get", "a", "refund", "if", "didn", "t", "show", "up"]


def test_a_row_holds_what_the_contribution_is_made_of() -> None:
    chunks = [Chunk("a", "", "wifi wifi x"), *(Chunk("b", "", f"y{n} y y") for n in range(11))]
    index = build_index(chunks)
    (row,) = explain("wifi", chunks[0], index).words
    assert row == WordContribution(
        word="wifi",
        query_frequency=1,
        document_frequency=1,
        idf=index.idf("wifi"),
        idf_floor=False,
        term_frequency=2,
        length_factor=1.0,
        contribution=index.idf("wifi") * 2 * 2.5 / (2 + 1.5),
    )


def test_a_word_that_the_query_repeats_counts_as_often() -> None:
    chunk = RESERVO.chunks[0]
    (once,) = explain("code", chunk, RESERVO).words
    (thrice,) = explain("code code code", chunk, RESERVO).words
    assert thrice.query_frequency == 3
    assert thrice.contribution == pytest.approx(3 * once.contribution, rel=1e-15)
    assert once.contribution > 0


def test_the_words_with_a_floor_are_those_of_more_than_half_of_the_chunks() -> None:
    rows = explain(TRAP, WHAT_IT_COSTS, RESERVO).words
    assert [row.word for row in rows if row.idf_floor] == ["a"]
    assert [row.word for row in rows if row.document_frequency > 57 / 2] == ["a"]


def test_a_word_of_no_chunk_has_a_row_without_effect() -> None:
    (row,) = explain("zeppelin", WHAT_IT_COSTS, RESERVO).words
    assert (row.document_frequency, row.idf, row.contribution) == (0, 0.0, 0.0)


def test_a_query_without_words_has_a_score_of_zero_and_no_rows() -> None:
    explanation = explain("¿?", WHAT_IT_COSTS, RESERVO)
    assert (explanation.words, repr(explanation.score)) == ([], "0.0")


def test_the_tokenizer_of_the_index_cuts_the_query() -> None:
    chunks = [Chunk("a", "", f"Año {n}") for n in range(12)]
    rows = explain("Año 3", chunks[3], build_index(chunks, tokenizer=str.split)).words
    assert [row.word for row in rows] == ["Año", "3"]


def test_a_chunk_that_is_not_in_the_index_is_refused() -> None:
    with pytest.raises(ValueError, match="no such chunk in the index: Chunk"):
        explain("wifi", Chunk("a", "b", "c"), RESERVO)


def test_an_explanation_prints_as_an_aligned_table_with_the_sum_below() -> None:
    chunks = [Chunk("a", "", "wifi is wifi"), *(Chunk("b", "", f"y{n} is y") for n in range(11))]
    assert str(explain("is is wifi", chunks[0], build_index(chunks))).split("\n") == [
        "word   query  df     idf  floor  tf  length  contribution",
        "is         2  12  0.3426      ε   1  1.0000        0.6852",
        "wifi       1   1  2.0369          2  1.0000        2.9098",
        "total                                              3.5951",
    ]


def test_the_titles_of_the_table_can_be_those_of_another_language() -> None:
    titles = ["palabra", "consulta", "df", "idf", "suelo", "tf", "longitud", "aporte"]
    explanation = explain(TRAP, WHAT_IT_COSTS, RESERVO)
    table = explanation.table(titles)
    assert table.split("\n")[0].split() == titles
    assert table.split() != str(explanation).split()
    assert table.split()[8:] == str(explanation).split()[8:]


def test_a_table_needs_all_its_titles() -> None:
    with pytest.raises(ValueError, match="header must have 8 titles, got 2"):
        explain(TRAP, WHAT_IT_COSTS, RESERVO).table(["palabra", "aporte"])
