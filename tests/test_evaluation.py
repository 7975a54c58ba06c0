import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval_lessons import (
    EVAL_SET,
    Chunk,
    Index,
    build_index,
    curve,
    evaluate_precision,
    evaluate_recall,
    evaluation,
    first_relevant_rank,
    load_chunks,
    metrics,
    precision_at_k,
    recall_at_k,
    search,
)

RESERVO = build_index(load_chunks())


def results_from(*doc_ids: str) -> list[Chunk]:
    return [Chunk(doc_id, "", f"text {number}") for number, doc_id in enumerate(doc_ids)]


def index_of(bodies: list[str]) -> Index:
    return build_index(Chunk(f"doc{n % 4}", "", body) for n, body in enumerate(bodies))


def mean(scores: list[float]) -> float:
    return sum(scores) / len(scores)


def test_recall_is_one_wherever_the_expected_document_stands() -> None:
    assert [recall_at_k(results_from(*ids), "x") for ids in ("xab", "axb", "abx")] == [1.0] * 3


def test_recall_is_zero_without_the_expected_document() -> None:
    assert recall_at_k(results_from("a", "b"), "x") == 0.0


def test_recall_of_no_results_is_zero() -> None:
    assert recall_at_k([], "x") == 0.0


def test_two_chunks_of_the_expected_document_do_not_make_two() -> None:
    assert recall_at_k(results_from("x", "x"), "x") == 1.0


def test_recall_is_a_float() -> None:
    assert repr(recall_at_k(results_from("x"), "x")) == "1.0"


def test_recall_is_measured_for_each_query_in_the_order_of_the_set() -> None:
    assert evaluate_recall(EVAL_SET, RESERVO, 3) == [1.0, 1.0, 1.0, 0.0, 0.0, 1.0]


def test_the_recall_of_the_lessons() -> None:
    hits = [sum(evaluate_recall(EVAL_SET, RESERVO, k)) for k in range(1, 8)]
    assert hits == [1, 3, 4, 5, 5, 6, 6]


def test_precision_is_the_share_of_k_from_the_expected_document() -> None:
    assert precision_at_k(results_from("x", "a", "x", "b"), "x", 4) == 0.5


def test_precision_divides_by_k_when_fewer_come_back() -> None:
    assert precision_at_k(results_from("x", "a"), "x", 5) == 0.2


def test_precision_cuts_longer_results_to_k() -> None:
    assert precision_at_k(results_from("a", "x", "x", "x"), "x", 2) == 0.5


def test_precision_of_no_results_is_zero() -> None:
    assert precision_at_k([], "x", 3) == 0.0


@pytest.mark.parametrize("k", [True, 2.0, "2", None])
def test_precision_refuses_a_k_that_is_no_int(k: int) -> None:
    with pytest.raises(TypeError, match=f"k must be an int, got {k!r}"):
        precision_at_k(results_from("x"), "x", k)


@pytest.mark.parametrize("k", [0, -1])
def test_precision_refuses_a_k_below_one(k: int) -> None:
    with pytest.raises(ValueError, match=f"k must be at least 1, got {k}"):
        precision_at_k(results_from("x"), "x", k)


def test_precision_is_measured_for_each_query_in_the_order_of_the_set() -> None:
    expected = [
        [chunk.doc_id for chunk in search(query, 4, RESERVO)].count(doc_id) / 4
        for query, doc_id in EVAL_SET
    ]
    assert evaluate_precision(EVAL_SET, RESERVO, 4) == expected
    assert len(set(expected)) > 2


def test_the_first_relevant_ranks_of_the_lessons() -> None:
    ranks = [first_relevant_rank(query, doc_id, RESERVO) for query, doc_id in EVAL_SET]
    assert ranks == [1, 2, 2, 6, 4, 3]


def test_the_first_relevant_rank_is_the_first_k_with_recall() -> None:
    for query, doc_id in EVAL_SET:
        rank = first_relevant_rank(query, doc_id, RESERVO)
        recalls = [recall_at_k(search(query, k, RESERVO), doc_id) for k in range(1, 58)]
        assert recalls.index(1.0) + 1 == rank


@pytest.mark.parametrize("doc_id", ["no-such-document", "room-focus"])
def test_a_document_without_a_word_of_the_query_has_no_rank(doc_id: str) -> None:
    assert first_relevant_rank("refund", doc_id, RESERVO) is None


@pytest.mark.parametrize(
    ("metric", "evaluate"),
    [(recall_at_k, evaluate_recall), (precision_at_k, evaluate_precision)],
)
def test_a_curve_equals_one_search_for_each_query_and_k(metric, evaluate) -> None:  # type: ignore[no-untyped-def]
    ks = [3, 1, 7, 20, 2, 100]
    naive = [mean(evaluate(EVAL_SET, RESERVO, k)) for k in ks]
    assert curve(metric, EVAL_SET, RESERVO, ks) == naive


texts = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6).map(" ".join)
bodies = st.lists(texts, min_size=10, max_size=20)
pairs = st.tuples(texts, st.sampled_from(["doc0", "doc1", "doc2"]))


@settings(deadline=None)
@given(
    bodies,
    st.lists(pairs, min_size=1, max_size=4),
    st.lists(st.integers(min_value=1, max_value=25), min_size=1, max_size=5),
)
def test_a_curve_equals_the_naive_loop_on_any_corpus(
    bodies: list[str], eval_set: list[tuple[str, str]], ks: list[int]
) -> None:
    index = index_of(bodies)
    naive = [mean(evaluate_precision(eval_set, index, k)) for k in ks]
    assert curve(precision_at_k, eval_set, index, ks) == naive


@settings(deadline=None)
@given(bodies, pairs, st.integers(1, 25))
def test_recall_never_falls_as_k_grows(bodies: list[str], pair: tuple[str, str], k: int) -> None:
    index = index_of(bodies)
    assert evaluate_recall([pair], index, k) <= evaluate_recall([pair], index, k + 1)


@settings(deadline=None)
@given(bodies, pairs, st.integers(1, 25))
def test_the_lessons_measure_what_the_metrics_on_labels_and_scores_do(
    bodies: list[str], pair: tuple[str, str], k: int
) -> None:
    index, (query, expected_doc_id) = index_of(bodies), pair
    scores = index.scores(query)
    found = scores > 0  # the others are never returned
    labels = np.array([chunk.doc_id == expected_doc_id for chunk in index.chunks])[found]
    results = search(query, k, index)
    rank = first_relevant_rank(query, expected_doc_id, index)
    assert [
        recall_at_k(results, expected_doc_id),
        precision_at_k(results, expected_doc_id, k),
        0.0 if rank is None else 1 / rank,
    ] == [
        metrics.success_at_k(labels, scores[found], k),
        metrics.precision_at_k(labels, scores[found], k),
        metrics.reciprocal_rank(labels, scores[found]),
    ]


def test_a_curve_ranks_each_query_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def counted(query: str, k: int, index: Index) -> list[Chunk]:
        searched.append(query)
        return search(query, k, index)

    monkeypatch.setattr(evaluation, "search", counted)
    curve(recall_at_k, EVAL_SET, RESERVO, range(1, 8))
    assert searched == [query for query, _ in EVAL_SET]


def test_a_curve_takes_any_function_of_results_and_document() -> None:
    sizes = curve(lambda results, _doc_id: len(results), EVAL_SET, RESERVO, [2, 5])
    assert sizes == [2.0, 5.0]


def test_a_curve_takes_its_ks_from_a_generator() -> None:
    assert curve(recall_at_k, EVAL_SET, RESERVO, (k for k in (6, 7))) == [1.0, 1.0]


def test_a_curve_refuses_a_k_below_one_before_it_searches() -> None:
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        curve(recall_at_k, EVAL_SET, RESERVO, [3, 0])


def test_a_curve_refuses_a_k_that_is_no_int() -> None:
    with pytest.raises(TypeError, match=r"k must be an int, got 2\.0"):
        curve(recall_at_k, EVAL_SET, RESERVO, [1, 2.0])  # type: ignore[list-item]


@pytest.mark.parametrize(("eval_set", "ks"), [([], [1]), (EVAL_SET, []), ([], [])])
def test_a_curve_needs_a_query_and_a_k(eval_set: list[tuple[str, str]], ks: list[int]) -> None:
    with pytest.raises(ValueError, match=rf"got {len(eval_set)} queries and {len(ks)} values of k"):
        curve(recall_at_k, eval_set, RESERVO, ks)
