from lesson_site.home import last_answer, picture
from retrieval_lessons import EVAL_SET, MAX_K, build_index, first_relevant_rank, load_chunks, search

INDEX = build_index(load_chunks())


def test_the_picture_shows_the_query_whose_answer_comes_last() -> None:
    ranks = {query: first_relevant_rank(query, doc_id, INDEX) for query, doc_id in EVAL_SET}
    assert ranks[picture().query] == max(rank or 0 for rank in ranks.values())


def test_the_rows_are_what_the_search_returns() -> None:
    rows = picture().rows
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    assert [(row.doc_id, row.heading) for row in rows] == [
        (chunk.doc_id, chunk.heading) for chunk in search(picture().query, len(rows), INDEX)
    ]


def test_the_answer_is_the_last_row_and_no_other() -> None:
    assert [row.rank for row in picture().rows if row.expected] == [len(picture().rows)]
    assert picture().rows[-1].doc_id == dict(EVAL_SET)[picture().query]


def test_what_is_read_is_what_production_returns() -> None:
    assert [row.rank for row in picture().rows if row.read] == list(range(1, MAX_K + 1))


def test_an_answer_near_the_top_is_shown_with_the_whole_window_and_one_row_more() -> None:
    rows = last_answer(EVAL_SET[:1]).rows
    assert rows[0].expected
    assert len(rows) == MAX_K + 1


def test_a_query_whose_answer_never_comes_is_the_last() -> None:
    lost = last_answer([*EVAL_SET, ("wifi", "no-show-policy")])
    assert lost.query == "wifi"
    assert not any(row.expected for row in lost.rows)
