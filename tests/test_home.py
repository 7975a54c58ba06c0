from lesson_site.home import Picture, Row, picture
from retrieval_lessons import EVAL_SET, MAX_K, build_index, load_chunks, search


def test_the_picture_shows_each_query_at_the_rank_of_its_document() -> None:
    index = build_index(load_chunks())
    for (query, expected_doc_id), row in zip(EVAL_SET, picture().rows, strict=True):
        assert row.query == query
        assert row.rank is not None
        *before, last = search(query, row.rank, index)
        assert last.doc_id == expected_doc_id
        assert expected_doc_id not in [chunk.doc_id for chunk in before]


def test_the_window_is_what_production_returns() -> None:
    assert picture().window == MAX_K


def test_the_picture_is_wide_enough_for_every_rank_and_for_the_window() -> None:
    assert Picture((Row("a", 2), Row("b", 9)), window=5).width == 10
    assert Picture((Row("a", None),), window=5).width == 6
