"""The metrics: conventions, refusals and the laws that hold between them."""

import doctest
import inspect
import itertools
import math
import re
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval_lessons import metrics
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

Metric = Callable[..., float]
Query = tuple[list[int], list[int]]

ROOT = Path(__file__).parent.parent

AT_K: list[Metric] = [recall_at_k, precision_at_k, f1_at_k, success_at_k, average_precision]
DIVIDED_BY_RELEVANT: list[Metric] = [recall_at_k, f1_at_k]  # and average_precision, k optional
FOUR = [0.9, 0.8, 0.7, 0.6]

ks = st.integers(1, 15)
patient = settings(deadline=None)  # a busy machine is no failure


@st.composite
def queries(draw: st.DrawFn, least_relevant: int = 0, most_relevant: int = 12) -> Query:
    """Up to twelve candidates whose few different scores tie often."""
    scores = draw(st.lists(st.integers(0, 3), min_size=least_relevant, max_size=12))
    relevant = draw(st.integers(least_relevant, min(most_relevant, len(scores))))
    labels = draw(st.permutations([1] * relevant + [0] * (len(scores) - relevant)))
    return labels, scores


def message(
    kind: type[Exception], function: Callable[..., object], *args: Any, **named: Any
) -> str:
    with pytest.raises(kind) as caught:
        function(*args, **named)
    return str(caught.value)


# What the module offers


def test_the_public_names_are_exactly_these() -> None:
    assert metrics.__all__ == [
        "average_precision",
        "f1_at_k",
        "mean_at_k",
        "mean_average_precision",
        "mean_reciprocal_rank",
        "precision_at_k",
        "recall_at_k",
        "reciprocal_rank",
        "success_at_k",
    ]


def test_every_public_function_that_returns_a_number_is_offered() -> None:
    metrics_there = [
        name
        for name, function in inspect.getmembers(metrics, inspect.isfunction)
        if function.__module__ == metrics.__name__
        and name[0] != "_"
        and inspect.signature(function).return_annotation is float
    ]
    assert metrics_there == metrics.__all__


@pytest.mark.parametrize("name", metrics.__all__)
@pytest.mark.parametrize("language", ["es", "en"])
def test_the_reference_page_names_every_metric(name: str, language: str) -> None:
    page = ROOT / f"docs/{language}/reference/recall-and-precision.md"
    assert re.search(rf"\b{name}\b", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", metrics.__all__)
def test_every_docstring_tells_range_errors_source_and_example(name: str) -> None:
    text = inspect.getdoc(getattr(metrics, name)) or ""
    headings = ("Args:", "Returns:", "Raises:", "Examples:", ">>> ")
    assert [heading for heading in headings if heading not in text] == []
    assert any(author in text for author in ("Manning", "Voorhees", "trec_eval"))


@pytest.mark.parametrize("name", metrics.__all__)
def test_every_docstring_of_a_metric_tells_its_ties(name: str) -> None:
    text = inspect.getdoc(getattr(metrics, name)) or ""
    assert "order given" in text or "ties" in text


def test_the_examples_in_the_docstrings_run() -> None:
    failed, attempted = doctest.testmod(metrics)
    assert failed == 0
    assert attempted >= len(metrics.__all__)


# One query


def test_recall_divides_by_all_relevant() -> None:
    assert recall_at_k([1, 0, 1, 1], FOUR, 3) == 2 / 3


def test_recall_divides_by_n_relevant_when_some_are_not_among_the_candidates() -> None:
    assert recall_at_k([1, 0, 1, 0], FOUR, 4, n_relevant=8) == 0.25


def test_precision_divides_by_k() -> None:
    assert precision_at_k([1, 0, 1, 1], FOUR, 3) == 2 / 3


def test_precision_divides_by_k_even_when_there_are_fewer_candidates() -> None:
    assert precision_at_k([1, 0], [0.9, 0.8], 5) == 0.2


def test_a_k_beyond_the_list_finds_all_of_it() -> None:
    assert recall_at_k([1, 0], [0.9, 0.8], 5) == 1.0


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    precision, recall = 1 / 4, 1 / 2
    assert f1_at_k([0, 1, 0, 0], FOUR, 4, n_relevant=2) == pytest.approx(
        2 * precision * recall / (precision + recall), rel=1e-15
    )


def test_f1_is_0_when_both_parts_are() -> None:
    assert f1_at_k([0, 1], [0.9, 0.8], 1) == 0.0


def test_success_asks_for_one_relevant_result_within_k() -> None:
    assert [success_at_k([0, 1, 1], [0.9, 0.8, 0.7], k) for k in (1, 2, 3)] == [0.0, 1.0, 1.0]


def test_average_precision_averages_the_precision_at_each_relevant_rank() -> None:
    assert average_precision([1, 0, 1, 0], FOUR) == (1 / 1 + 2 / 3) / 2


def test_average_precision_at_k_still_divides_by_all_relevant() -> None:
    assert average_precision([0, 1, 0, 0, 1], [5, 4, 3, 2, 1], k=3) == 0.25


def test_average_precision_divides_by_n_relevant() -> None:
    assert average_precision([1, 0], [0.9, 0.8], n_relevant=2) == 0.5


def test_reciprocal_rank_looks_at_the_first_relevant_candidate_alone() -> None:
    assert reciprocal_rank([0, 0, 0, 1, 1], [5, 4, 3, 2, 1]) == 1 / 4


@pytest.mark.parametrize("metric", [precision_at_k, success_at_k])
def test_without_a_relevant_candidate_what_divides_by_none_is_0(metric: Metric) -> None:
    assert metric([0, 0], [0.9, 0.8], 1) == 0.0


def test_without_a_relevant_candidate_the_reciprocal_rank_is_0() -> None:
    assert reciprocal_rank([0, 0], [0.9, 0.8]) == 0.0


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
def test_with_n_relevant_finding_none_of_them_is_0(metric: Metric) -> None:
    assert metric([0, 0], [0.9, 0.8], 2, n_relevant=3) == 0.0


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
def test_with_n_relevant_an_empty_ranking_is_0(metric: Metric) -> None:
    assert metric([], [], 2, n_relevant=3) == 0.0


@pytest.mark.parametrize("metric", [precision_at_k, success_at_k])
def test_an_empty_ranking_is_0_where_nothing_divides_by_relevant(metric: Metric) -> None:
    assert metric([], [], 2) == 0.0


@pytest.mark.parametrize("metric", AT_K)
def test_a_value_is_a_plain_float(metric: Metric) -> None:
    assert type(metric(np.array([0, 1]), np.array([0.9, 0.8]), np.int64(1))) is float


def test_the_values_without_k_are_plain_floats() -> None:
    labels, scores = np.array([0, 1]), np.array([0.9, 0.8])
    assert {type(f(labels, scores)) for f in (average_precision, reciprocal_rank)} == {float}


# Order


@pytest.mark.parametrize(
    "dtype", ["uint8", "uint64", "int8", "int64", "float16", "float64", "bool"]
)
def test_ties_keep_the_order_given_however_many_there_are(dtype: str) -> None:
    labels = np.zeros(5000, int)
    labels[1234] = 1
    assert reciprocal_rank(labels, np.ones(5000, dtype)) == 1 / 1235


def test_ties_keep_the_order_given_between_other_scores() -> None:
    assert reciprocal_rank([0, 0, 0, 1, 0], [1, 7, 3, 3, 3]) == 1 / 3


def test_the_signs_of_zero_tie() -> None:
    assert reciprocal_rank([1, 0], [-0.0, 0.0]) == 1.0


def test_unsigned_scores_do_not_wrap_around() -> None:
    assert reciprocal_rank([1, 0, 0], np.array([0, 1, 2], np.uint8)) == 1 / 3


def test_the_lowest_signed_score_does_not_wrap_around() -> None:
    assert reciprocal_rank([1, 0, 0], np.array([-128, 1, 2], np.int8)) == 1 / 3


def test_large_integer_scores_do_not_become_ties() -> None:
    assert reciprocal_rank([0, 1], [2**53, 2**53 + 1]) == 1.0


def test_infinite_scores_stand_at_the_ends() -> None:
    assert average_precision([0, 1, 1, 0], [-math.inf, 0.0, math.inf, -1.0]) == 1.0


@pytest.mark.parametrize(
    "labels",
    [[True, False], [1.0, 0.0], (1, 0), np.array([1, 0], np.uint8), np.array([True, False])],
)
def test_labels_may_be_any_numbers_equal_to_0_or_1(labels: Any) -> None:
    assert recall_at_k(labels, [0.8, 0.9], 1) == 0.0
    assert recall_at_k(labels, [0.8, 0.9], 2) == 1.0


def test_the_arrays_given_stay_as_they_were() -> None:
    labels, scores = np.array([0, 1, 0]), np.array([1, 3, 2])
    average_precision(labels, scores)
    assert (labels.tolist(), scores.tolist()) == ([0, 1, 0], [1, 3, 2])


# Refusals


@pytest.mark.parametrize("metric", AT_K)
@pytest.mark.parametrize("k", [True, np.True_, 2.0, "2", [2]])
def test_a_k_that_is_no_int_is_a_type_error(metric: Metric, k: object) -> None:
    assert message(TypeError, metric, [1], [0.9], k) == (
        f"k must be an int of at least 1, given {k!r}: "
        "pass a whole number, without quotes or decimal point"
    )


@pytest.mark.parametrize("metric", AT_K)
@pytest.mark.parametrize("k", [0, -1, np.int64(0)])
def test_a_k_below_1_is_a_value_error(metric: Metric, k: int) -> None:
    assert message(ValueError, metric, [1], [0.9], k) == (
        f"k must be an int of at least 1, given {k!r}: pass 1 or more"
    )


@pytest.mark.parametrize("metric", [m for m in AT_K if m is not average_precision])
def test_only_average_precision_goes_without_a_k(metric: Metric) -> None:
    assert "k must be an int" in message(TypeError, metric, [1], [0.9], None)


@pytest.mark.parametrize("metric", AT_K)
def test_a_small_numpy_k_does_not_overflow(metric: Metric) -> None:
    assert metric([1], [0.9], np.int8(127)) == metric([1], [0.9], 127)


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
@pytest.mark.parametrize(("labels", "scores"), [([0, 0], [0.9, 0.8]), ([], [])])
def test_nothing_relevant_is_a_value_error(metric: Metric, labels: Any, scores: Any) -> None:
    assert message(ValueError, metric, labels, scores, 1) == (
        "y_true has no relevant candidate and n_relevant is None, so there is nothing to divide "
        "by: leave the query out, or pass n_relevant if its relevant items are not among the "
        "candidates"
    )


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
def test_an_n_relevant_of_0_is_a_value_error(metric: Metric) -> None:
    assert "n_relevant is 0, so there is nothing to divide by" in message(
        ValueError, metric, [0], [0.9], 1, n_relevant=0
    )


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
def test_an_n_relevant_below_what_the_labels_show_is_a_value_error(metric: Metric) -> None:
    assert message(ValueError, metric, [1, 1, 0], [3, 2, 1], 1, n_relevant=1) == (
        "n_relevant is 1, but y_true has 2 relevant candidates: "
        "count all relevant items, found or not"
    )


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
@pytest.mark.parametrize("n_relevant", [True, 2.0])
def test_an_n_relevant_that_is_no_int_is_a_type_error(metric: Metric, n_relevant: object) -> None:
    assert message(TypeError, metric, [1], [0.9], 1, n_relevant=n_relevant) == (
        f"n_relevant must be an int of at least 0, given {n_relevant!r}: "
        "pass a whole number, without quotes or decimal point"
    )


def test_an_n_relevant_below_0_is_a_value_error() -> None:
    assert message(ValueError, recall_at_k, [0], [0.9], 1, n_relevant=-1) == (
        "n_relevant must be an int of at least 0, given -1: pass 0 or more"
    )


@pytest.mark.parametrize(
    ("labels", "first"),
    [
        ([1, 0, 3], "y_true[2] is 3"),
        ([1, 0.5, 3], "y_true[1] is 0.5"),
        ([1, 0, math.nan], "y_true[2] is nan"),
        ([1, -1, -1], "y_true[1] is -1"),
        (np.array([1, 0, 0], np.uint8) - np.array([0, 1, 0], np.uint8), "y_true[1] is 255"),
    ],
)
def test_a_label_other_than_0_and_1_is_a_value_error(labels: Any, first: str) -> None:
    assert message(ValueError, precision_at_k, labels, [3, 2, 1], 1) == (
        f"{first}: labels are 0 or 1, so choose from which grade on an item is relevant, "
        "as in np.asarray(y_true) >= 1"
    )


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        ([[1, 0], [0, 1]], "[[1, 0], [0, 1]]"),
        ([[1, 0], [0]], "[[1, 0], [0]]"),
        (["1", "0"], "['1', '0']"),
        ([1, None], "[1, None]"),
        ([1, 1j], "[1, 1j]"),
        (1, "1"),
        ("10", "'10'"),
        (None, "None"),
        ({1, 0}, "{0, 1}"),
    ],
)
def test_labels_that_are_no_flat_list_of_numbers_are_a_value_error(labels: Any, shown: str) -> None:
    assert message(ValueError, recall_at_k, labels, [0.9, 0.8], 1) == (
        f"y_true must be a flat list of numbers, given {shown}: "
        "pass one number per candidate, one query at a time"
    )


def test_a_long_wrong_argument_is_shown_in_short() -> None:
    assert len(message(ValueError, recall_at_k, ["relevant"] * 1000, [0.9] * 1000, 1)) < 250


@pytest.mark.parametrize("scores", [[[0.9], [0.8]], ["a", "b"], [0.9, None], [0.9, 1j], 0.9])
def test_scores_that_are_no_flat_list_of_numbers_are_a_value_error(scores: Any) -> None:
    assert message(ValueError, recall_at_k, [1, 0], scores, 1) == (
        f"y_score must be a flat list of numbers, given {scores!r}: "
        "pass one number per candidate, one query at a time"
    )


def test_a_score_that_is_not_a_number_is_a_value_error() -> None:
    assert message(ValueError, recall_at_k, [1, 0], [0.9, math.nan], 1) == (
        "y_score[1] is nan: give the candidate a score, or leave it out"
    )


@pytest.mark.parametrize("scores", [[0.9], [0.9, 0.8, 0.7], []])
def test_lists_of_different_lengths_are_a_value_error(scores: list[float]) -> None:
    assert message(ValueError, recall_at_k, [1, 0], scores, 1) == (
        f"y_true has length 2 and y_score {len(scores)}: "
        "give each candidate one label and one score"
    )


# Means

FIRST = ([1, 0], [0.9, 0.8])
SECOND = ([0, 0, 1, 1], FOUR)
NOTHING_RELEVANT = ([0, 0], [0.9, 0.8])
EMPTY: tuple[list[int], list[float]] = ([], [])


def test_a_mean_weighs_queries_alike_whatever_their_length() -> None:
    assert mean_at_k(recall_at_k, [FIRST, SECOND], 3) == (1.0 + 0.5) / 2


def test_a_mean_takes_a_mapping_by_name_or_any_iterable() -> None:
    means = [
        mean_at_k(precision_at_k, {"a": FIRST, "b": SECOND}, 3),
        mean_at_k(precision_at_k, iter([FIRST, SECOND]), 3),
        mean_at_k(precision_at_k, np.array([FIRST, FIRST]), 3),
    ]
    assert means == [1 / 3, 1 / 3, 1 / 3]


def test_mean_average_precision_is_the_mean_of_average_precision() -> None:
    assert mean_average_precision([FIRST, SECOND]) == (1 + (1 / 3 + 2 / 4) / 2) / 2


def test_mean_average_precision_at_k_cuts_each_query() -> None:
    assert mean_average_precision([FIRST, SECOND], k=3) == (1 + (1 / 3) / 2) / 2


def test_mean_reciprocal_rank_is_the_mean_of_the_reciprocal_rank() -> None:
    assert mean_reciprocal_rank([FIRST, SECOND, NOTHING_RELEVANT]) == (1 + 1 / 3 + 0) / 3


@pytest.mark.parametrize("metric", AT_K)
def test_an_empty_ranking_counts_as_0_in_a_mean(metric: Metric) -> None:
    assert mean_at_k(metric, [FIRST, EMPTY], 1) == metric(*FIRST, 1) / 2


def test_an_empty_ranking_counts_as_0_in_the_means_without_k() -> None:
    assert mean_average_precision([FIRST, EMPTY]) == 0.5
    assert mean_reciprocal_rank([FIRST, EMPTY]) == 0.5


def test_an_empty_ranking_may_be_of_any_type() -> None:
    empty_column = np.array([], object)
    assert mean_reciprocal_rank([FIRST, (empty_column, empty_column)]) == 0.5


def test_an_empty_ranking_with_n_relevant_counts_as_0() -> None:
    assert mean_at_k(recall_at_k, [FIRST, EMPTY], 1, n_relevant=[1, 5]) == 0.5


def test_an_empty_ranking_of_a_query_with_nothing_relevant_is_refused() -> None:
    text = message(ValueError, mean_at_k, recall_at_k, [FIRST, EMPTY], 1, n_relevant=[1, 0])
    assert text.startswith("queries[1]: y_true has no relevant candidate and n_relevant is 0")


def test_n_relevant_is_matched_by_name() -> None:
    by_name = {"second": 4, "first": 1}
    named = {"first": FIRST, "second": SECOND}
    assert mean_at_k(recall_at_k, named, 4, n_relevant=by_name) == (1 / 1 + 2 / 4) / 2


def test_n_relevant_is_matched_by_position() -> None:
    assert mean_average_precision([FIRST, SECOND], 1, n_relevant=[2, 2]) == (1 / 2 + 0) / 2
    assert mean_average_precision([FIRST, SECOND], n_relevant=iter([2, 2])) == pytest.approx(
        (1 / 2 + (1 / 3 + 2 / 4) / 2) / 2, rel=1e-15
    )


@pytest.mark.parametrize(
    ("n_relevant", "names"),
    [
        ({"first": 1}, "['first']"),
        ({"first": 1, "other": 2}, "['first', 'other']"),
        ([1, 2], "[0, 1]"),
        ([], "[]"),
    ],
)
def test_n_relevant_for_other_queries_is_a_value_error(n_relevant: Any, names: str) -> None:
    named = {"first": FIRST, "second": SECOND}
    assert message(ValueError, mean_at_k, recall_at_k, named, 1, n_relevant=n_relevant) == (
        f"n_relevant is for {names} "
        "and queries for ['first', 'second']: give one number for each query, "
        "by the same names or in the same order"
    )


@pytest.mark.parametrize("metric", [*DIVIDED_BY_RELEVANT, average_precision])
def test_a_mean_names_the_query_with_nothing_relevant_by_its_key(metric: Metric) -> None:
    named = {"refund": FIRST, "wifi": NOTHING_RELEVANT}
    text = message(ValueError, mean_at_k, metric, named, 1)
    assert text.startswith("queries['wifi']: y_true has no relevant candidate")


def test_a_mean_names_the_query_by_its_position() -> None:
    text = message(ValueError, mean_average_precision, [FIRST, NOTHING_RELEVANT])
    assert text.startswith("queries[1]: y_true has no relevant candidate")


def test_the_mean_reciprocal_rank_names_the_query_it_refuses() -> None:
    assert message(ValueError, mean_reciprocal_rank, {"wifi": ([2], [0.9])}).startswith(
        "queries['wifi']: y_true[0] is 2: "
    )


def test_a_type_error_in_a_query_stays_one_and_names_it() -> None:
    text = message(TypeError, mean_at_k, recall_at_k, [FIRST], 1, n_relevant=[1.5])
    assert text.startswith("queries[0]: n_relevant must be an int of at least 0, given 1.5: ")


def test_a_metric_without_n_relevant_does_not_swallow_it() -> None:
    text = message(TypeError, mean_at_k, precision_at_k, [FIRST], 1, n_relevant=[1])
    assert "unexpected keyword argument 'n_relevant'" in text


@pytest.mark.parametrize("query", [[1, 0, 1], 1, ([1], [0.9], 2)])
def test_a_query_that_is_no_pair_is_a_value_error(query: Any) -> None:
    assert message(ValueError, mean_at_k, recall_at_k, [query], 1) == (
        f"queries[0]: a query must be a pair (y_true, y_score), given {query!r}"
    )


@pytest.mark.parametrize("nothing", [[], {}])
def test_a_mean_over_no_query_is_a_value_error(nothing: Any) -> None:
    expected = "queries is empty, and no query has no mean: pass at least one"
    assert message(ValueError, mean_at_k, recall_at_k, nothing, 1) == expected
    assert message(ValueError, mean_average_precision, nothing) == expected
    assert message(ValueError, mean_reciprocal_rank, nothing) == expected


@pytest.mark.parametrize("many", [[FIRST], [EMPTY]])
def test_a_wrong_k_is_not_blamed_on_a_query(many: Any) -> None:
    expected = "k must be an int of at least 1, given 0: pass 1 or more"
    assert message(ValueError, mean_at_k, recall_at_k, many, 0) == expected
    assert message(ValueError, mean_average_precision, many, 0) == expected


def test_a_mean_hands_arrays_and_k_to_any_metric() -> None:
    def candidates(y_true: Any, y_score: Any, k: int) -> float:
        return float(y_true.size + y_score.size + k)

    assert mean_at_k(candidates, [FIRST, SECOND], 10) == (14 + 18) / 2


# What the reference page says of us


def outcome(metric: Callable[..., float], *args: Any, **named: Any) -> str:
    """What a call gives, as the page writes it."""
    try:
        return f"{metric(*args, **named):g}"
    except (TypeError, ValueError) as error:
        return type(error).__name__


@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_table_of_the_reference_page_says_of_us_what_is_so(lang: str) -> None:
    page = ROOT / f"docs/{lang}/reference/recall-and-precision.md"
    section = page.read_text(encoding="utf-8").split("{ #disagreements }")[1].split("```")[0]
    rows = [line.split(" | ")[-1] for line in section.split("\n") if line.startswith("|")]
    missing = {"present": FIRST}
    with_missing = {"present": 1, "absent": 1}
    recalls = mean_at_k(recall_at_k, [FIRST, EMPTY], 1), mean_at_k(recall_at_k, [FIRST], 1)
    assert [re.findall(r"`([^`]+)`", cell) for cell in rows[2:]] == [
        [outcome(precision_at_k, [1, 0], [2, 1], 5)],
        [
            outcome(average_precision, [1, 0], [2, 1]),
            "n_relevant",
            outcome(average_precision, [1, 0], [2, 1], n_relevant=2),
        ],
        [outcome(average_precision, [0, 1, 0, 0, 1], [5, 4, 3, 2, 1], 3)],
        [outcome(recall_at_k, [0], [1], 1), outcome(precision_at_k, [0], [1], 1)],
        ["n_relevant", outcome(mean_at_k, recall_at_k, missing, 1, n_relevant=with_missing)],
        [f"{2 * recalls[0] - recalls[1]:g}"],
        [],  # ties: the order given, which the tests of order hold to
        [outcome(recall_at_k, [1, 0], [2, 1], 0)],
        [],  # negative scores: as usual
    ]
    assert recall_at_k([1, 0], [-1, -2], 1) == 1.0


# Laws


@patient
@given(queries(least_relevant=1), ks)
def test_recall_never_falls_as_k_grows(query: Query, k: int) -> None:
    assert recall_at_k(*query, k) <= recall_at_k(*query, k + 1)


@patient
@given(queries(), ks)
def test_success_never_falls_as_k_grows(query: Query, k: int) -> None:
    assert success_at_k(*query, k) <= success_at_k(*query, k + 1)


@patient
@given(queries(least_relevant=1), ks)
def test_average_precision_never_falls_as_k_grows_and_ends_at_the_whole(
    query: Query, k: int
) -> None:
    assert average_precision(*query, k) <= average_precision(*query, k + 1)
    assert average_precision(*query, k=12) == average_precision(*query)


@patient
@given(queries(least_relevant=1), ks)
def test_every_metric_lies_between_0_and_1(query: Query, k: int) -> None:
    values = [metric(*query, k) for metric in AT_K]
    values += [average_precision(*query), reciprocal_rank(*query)]
    assert [value for value in values if not 0 <= value <= 1] == []


@patient
@given(queries(least_relevant=1))
def test_ties_keep_the_order_given(query: Query) -> None:
    labels, scores = query
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)  # stable in Python
    resorted = [labels[place] for place in order]
    first = resorted.index(1) + 1
    assert reciprocal_rank(labels, scores) == 1 / first
    assert [precision_at_k(labels, scores, k) * k for k in range(1, len(labels) + 1)] == (
        pytest.approx(list(itertools.accumulate(resorted)), rel=1e-12)
    )


@patient
@given(queries(least_relevant=1, most_relevant=1), ks)
def test_with_one_relevant_recall_is_success(query: Query, k: int) -> None:
    assert recall_at_k(*query, k) == success_at_k(*query, k)


@patient
@given(queries(least_relevant=1, most_relevant=1))
def test_with_one_relevant_average_precision_is_the_reciprocal_rank(query: Query) -> None:
    assert average_precision(*query) == reciprocal_rank(*query)


@patient
@given(queries(least_relevant=1), st.integers(0, 3), ks)
def test_f1_lies_between_precision_and_recall(query: Query, unseen: int, k: int) -> None:
    total = sum(query[0]) + unseen
    parts = [precision_at_k(*query, k), recall_at_k(*query, k, total)]
    assert min(parts) <= f1_at_k(*query, k, total) <= max(parts)


@patient
@given(queries(), st.integers(1, 3), ks)
def test_recall_times_relevant_is_precision_times_k(query: Query, unseen: int, k: int) -> None:
    total = sum(query[0]) + unseen
    hits = recall_at_k(*query, k, total) * total
    assert hits == pytest.approx(precision_at_k(*query, k) * k, rel=1e-12)


@patient
@given(queries(least_relevant=1))
def test_at_k_equal_to_all_relevant_precision_recall_and_f1_agree(query: Query) -> None:
    total = sum(query[0])
    values = {metric(*query, total) for metric in (precision_at_k, recall_at_k, f1_at_k)}
    assert len(values) == 1


@patient
@given(st.lists(queries(least_relevant=1), min_size=1, max_size=5), ks)
def test_a_mean_is_the_mean_of_the_queries(many: list[Query], k: int) -> None:
    for metric in AT_K:
        assert mean_at_k(metric, many, k) == fmean(metric(*query, k) for query in many)
    assert mean_average_precision(many) == fmean(average_precision(*query) for query in many)
    assert mean_reciprocal_rank(many) == fmean(reciprocal_rank(*query) for query in many)


@patient
@given(st.lists(queries(least_relevant=1), min_size=1, max_size=5), ks)
def test_an_empty_ranking_adds_a_query_and_no_more(many: list[Query], k: int) -> None:
    longer = mean_at_k(recall_at_k, [*many, ([], [])], k) * (len(many) + 1)
    assert longer == pytest.approx(mean_at_k(recall_at_k, many, k) * len(many), rel=1e-12)
