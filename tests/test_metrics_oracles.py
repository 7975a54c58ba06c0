"""The metrics agree with what others wrote, on generated rankings; where they don't, it says so.

trec_eval (through pytrec_eval) orders by score in float32 and breaks ties by document id, so it is
sent `n - position`: our order, which has no ties. scikit-learn gets the same.
"""

import platform
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (  # type: ignore[import-untyped]
    average_precision_score,
    f1_score,
    label_ranking_average_precision_score,
    precision_score,
    recall_score,
)

from retrieval_lessons.metrics import (
    average_precision,
    f1_at_k,
    mean_at_k,
    mean_average_precision,
    mean_reciprocal_rank,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    success_at_k,
)

if platform.machine() == "aarch64":  # Linux on ARM; anywhere else a missing package is an error
    for package in ("pytrec_eval", "ir_measures"):
        pytest.importorskip(package, reason="trec_eval has no wheel for Linux on ARM")

import ir_measures
import pytrec_eval
from ir_measures import AP, RR, P, R, Success

KS = (1, 2, 3, 5, 10, 20)  # from the top to beyond every list
CUTS = ",".join(map(str, KS))
MEASURES = {f"{name}.{CUTS}" for name in ("recall", "P", "success", "map_cut")}
MEASURES |= {"map", "recip_rank"}

patient = settings(deadline=None)  # the others load what they need at their first call

Judged = tuple[list[int], list[float], int]  # labels, scores, all relevant items


@st.composite
def judged(draw: st.DrawFn) -> Judged:
    """A ranking of up to twelve candidates, often tied, and up to three items it never found."""
    candidate = st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1e-9]))
    candidates = draw(st.lists(candidate, max_size=12))
    labels, scores = [label for label, _ in candidates], [score for _, score in candidates]
    unseen = draw(st.integers(0 if any(labels) else 1, 3))
    return labels, scores, sum(labels) + unseen


judged_queries = st.lists(judged(), min_size=1, max_size=4)


def position_scores(scores: list[float]) -> list[int]:
    """Scores without ties that give the same order, ties resolved as given: n - position."""
    best_first = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    return [len(scores) - best_first.index(item) for item in range(len(scores))]


def as_qrels(queries: list[Judged]) -> dict[str, dict[str, int]]:
    return {
        str(number): {
            **{f"d{item}": label for item, label in enumerate(labels)},
            **{f"unseen{item}": 1 for item in range(n_relevant - sum(labels))},
        }
        for number, (labels, _, n_relevant) in enumerate(queries)
    }


def as_run(queries: list[Judged]) -> dict[str, dict[str, float]]:
    return {
        str(number): {
            f"d{item}": float(score) for item, score in enumerate(position_scores(scores))
        }
        for number, (_, scores, _) in enumerate(queries)
    }


def trec_eval(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> Any:
    return pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)


@patient
@given(judged_queries)
def test_each_query_agrees_with_trec_eval(queries: list[Judged]) -> None:
    theirs = trec_eval(as_qrels(queries), as_run(queries))
    ours = {}
    for number, (labels, scores, n_relevant) in enumerate(queries):
        values = {
            "map": average_precision(labels, scores, n_relevant=n_relevant),
            "recip_rank": reciprocal_rank(labels, scores),
        }
        for k in KS:
            values[f"recall_{k}"] = recall_at_k(labels, scores, k, n_relevant)
            values[f"P_{k}"] = precision_at_k(labels, scores, k)
            values[f"success_{k}"] = success_at_k(labels, scores, k)
            values[f"map_cut_{k}"] = average_precision(labels, scores, k, n_relevant)
        ours[str(number)] = pytest.approx(values, abs=1e-12)
    assert theirs == ours


@patient
@given(judged_queries)
def test_the_means_agree_with_ir_measures(queries: list[Judged]) -> None:
    run = {name: found for name, found in as_run(queries).items() if found}  # empty: not in the run
    measures = [AP, RR, *(measure @ k for measure in (AP, P, R, Success) for k in KS)]
    theirs = ir_measures.calc_aggregate(measures, as_qrels(queries), run)
    pairs = {str(number): query[:2] for number, query in enumerate(queries)}
    counts = {str(number): query[2] for number, query in enumerate(queries)}
    ours = {AP: mean_average_precision(pairs, None, counts), RR: mean_reciprocal_rank(pairs)}
    for k in KS:
        ours[AP @ k] = mean_average_precision(pairs, k, counts)
        ours[P @ k] = mean_at_k(precision_at_k, pairs, k)
        ours[R @ k] = mean_at_k(recall_at_k, pairs, k, counts)
        ours[Success @ k] = mean_at_k(success_at_k, pairs, k)
    assert theirs == pytest.approx(ours, abs=1e-12)


@patient
@given(judged(), st.integers(1, 12))
def test_precision_recall_and_f1_agree_with_scikit_learn(query: Judged, k: int) -> None:
    labels, scores, n_relevant = query
    # For scikit-learn "retrieved" is a prediction: pad with unseen items and with empty places.
    unseen, empty = n_relevant - sum(labels), max(0, k - len(labels))
    top_k = [int(score > len(scores) - k) for score in position_scores(scores)]
    truth, predicted = labels + [1] * unseen + [0] * empty, top_k + [0] * unseen + [1] * empty
    ours = [
        precision_at_k(labels, scores, k),
        recall_at_k(labels, scores, k, n_relevant),
        f1_at_k(labels, scores, k, n_relevant),
    ]
    assert ours == pytest.approx(
        [score(truth, predicted) for score in (precision_score, recall_score, f1_score)], abs=1e-12
    )


@patient
@given(judged().filter(lambda query: 1 in query[0]))
def test_average_precision_agrees_with_scikit_learn(query: Judged) -> None:
    labels, scores, _ = query
    positions = position_scores(scores)
    assert average_precision(labels, scores) == pytest.approx(
        average_precision_score(labels, positions), abs=1e-12
    )
    assert average_precision(labels, scores) == pytest.approx(
        label_ranking_average_precision_score([labels], [positions]), abs=1e-12
    )


# Where they disagree, on purpose


def test_trec_eval_breaks_ties_by_document_id_and_we_by_the_order_given() -> None:
    theirs = trec_eval({"q": {"a": 1}}, {"q": {"a": 0.5, "b": 0.5}})
    assert theirs["q"]["recip_rank"] == 0.5
    assert reciprocal_rank([1, 0], [0.5, 0.5]) == 1.0


def test_trec_eval_sees_ties_in_float32_and_we_do_not() -> None:
    theirs = trec_eval({"q": {"a": 1}}, {"q": {"a": 0.5 + 1e-9, "b": 0.5}})
    assert theirs["q"]["recip_rank"] == 0.5
    assert reciprocal_rank([1, 0], [0.5 + 1e-9, 0.5]) == 1.0


def test_trec_eval_counts_0_when_nothing_is_relevant_and_we_refuse() -> None:
    theirs = trec_eval({"q": {"a": 0}}, {"q": {"a": 0.5}})
    assert (theirs["q"]["recall_1"], theirs["q"]["map"]) == (0.0, 0.0)
    with pytest.raises(ValueError, match="no relevant candidate"):
        recall_at_k([0], [0.5], 1)


def test_pytrec_eval_drops_a_query_that_is_absent_and_we_count_0() -> None:
    assert list(trec_eval({"q": {"a": 1}, "absent": {"a": 1}}, {"q": {"a": 0.5}})) == ["q"]
    assert mean_reciprocal_rank({"q": ([1], [0.5]), "absent": ([], [])}) == 0.5


def test_scikit_learn_averages_over_tied_scores_and_we_keep_the_order_given() -> None:
    assert average_precision_score([1, 0], [0.5, 0.5]) == 0.5
    assert average_precision([1, 0], [0.5, 0.5]) == 1.0
