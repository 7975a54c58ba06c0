"""What doubts a number: Wilson's interval and the exact sign-flip test."""

import doctest
import inspect
import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test  # type: ignore[import-untyped]

from retrieval_lessons import significance
from retrieval_lessons.significance import sign_flip_test, wilson_interval

patient = settings(deadline=None)  # scipy loads what it needs at its first call


def message(kind: type[Exception], function: Callable[..., object], *args: Any) -> str:
    with pytest.raises(kind) as caught:
        function(*args)
    return str(caught.value)


# What the module offers


def test_the_public_names_are_exactly_these() -> None:
    assert significance.__all__ == ["sign_flip_test", "wilson_interval"]


@pytest.mark.parametrize(
    ("name", "source"), [("sign_flip_test", "Fisher"), ("wilson_interval", "Wilson")]
)
def test_every_docstring_tells_range_errors_source_and_example(name: str, source: str) -> None:
    text = inspect.getdoc(getattr(significance, name)) or ""
    parts = ("Args:", "Returns:", "Raises:", f"{source}", "Examples:", ">>> ")
    assert [part for part in parts if part not in text] == []


def test_the_examples_in_the_docstrings_run() -> None:
    failed, attempted = doctest.testmod(significance)
    assert failed == 0
    assert attempted >= len(significance.__all__)


# Wilson's interval


def test_wilson_of_4_in_6_is_wide() -> None:
    low, high = wilson_interval(4, 6)
    assert (round(low, 3), round(high, 3)) == (0.300, 0.903)


@patient
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_ends_are_where_the_score_test_has_its_critical_value(
    counts: tuple[int, int],
) -> None:
    successes, n = counts
    for end in wilson_interval(successes, n):
        distance = (successes / n - end) ** 2
        assert distance == pytest.approx(1.959963984540054**2 * end * (1 - end) / n, abs=1e-12)


@patient
@given(
    st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(1e-6, 1 - 1e-12),
)
def test_wilson_stays_in_bounds_around_the_proportion(
    counts: tuple[int, int], confidence: float
) -> None:
    successes, n = counts
    low, high = wilson_interval(successes, n, confidence)
    assert 0 <= low < high <= 1
    assert low <= successes / n + 1e-12
    assert high >= successes / n - 1e-12


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 49, 1000])
def test_wilson_touches_0_and_1_exactly_at_the_extremes(n: int) -> None:
    assert (wilson_interval(0, n)[0], wilson_interval(n, n)[1]) == (0.0, 1.0)


def test_wilson_is_wider_the_more_confidence_is_asked() -> None:
    widths = [
        high - low for low, high in (wilson_interval(4, 6, share) for share in (0.5, 0.9, 0.99))
    ]
    assert widths == sorted(set(widths))


def test_wilson_takes_the_highest_confidence_below_1() -> None:
    low, high = wilson_interval(3, 6, math.nextafter(1, 0))
    assert 0 < low < 0.1
    assert 0.9 < high < 1


@pytest.mark.parametrize("n", [0, -1])
def test_wilson_without_queries_is_a_value_error(n: int) -> None:
    assert message(ValueError, wilson_interval, 0, n) == (
        f"n must be an int of at least 1, given {n}: pass 1 or more"
    )


def test_wilson_with_negative_successes_is_a_value_error() -> None:
    assert message(ValueError, wilson_interval, -1, 6) == (
        "successes must be an int of at least 0, given -1: pass 0 or more"
    )


def test_wilson_with_more_successes_than_queries_is_a_value_error() -> None:
    assert message(ValueError, wilson_interval, 6, 4) == (
        "successes is 6, more than n = 4: give the part, then all"
    )


@pytest.mark.parametrize(("successes", "n"), [(4.0, 6), (True, 6), (4, 6.0), (1, True)])
def test_wilson_counts_only_ints(successes: Any, n: Any) -> None:
    assert "must be an int" in message(TypeError, wilson_interval, successes, n)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, math.nan])
def test_wilson_with_a_confidence_out_of_range_is_a_value_error(confidence: float) -> None:
    assert message(ValueError, wilson_interval, 4, 6, confidence) == (
        f"confidence must lie between 0 and 1, given {confidence!r}: 95 % is 0.95"
    )


@pytest.mark.parametrize("confidence", ["0.95", None])
def test_wilson_with_a_confidence_that_is_no_number_is_a_type_error(confidence: Any) -> None:
    assert message(TypeError, wilson_interval, 4, 6, confidence) == (
        f"confidence must be a number such as 0.95, given {confidence!r}"
    )


# The sign-flip test


def exact_p(differences: list[Fraction]) -> float:
    sums = [
        sum((sign * part for sign, part in zip(signs, differences, strict=True)), Fraction())
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    observed = abs(sum(differences, Fraction()))
    return sum(abs(value) >= observed for value in sums) / len(sums)


fractions = st.fractions(-1, 1, max_denominator=12)


@patient
@given(st.lists(fractions, min_size=1, max_size=7))
@example([Fraction(1, 6), Fraction(-2, 5), Fraction(2, 5)])  # floats alone say 0.75
def test_sign_flip_is_exact_although_floats_round(differences: list[Fraction]) -> None:
    assert sign_flip_test([float(part) for part in differences]) == exact_p(differences)


def test_sign_flip_of_six_that_agree_is_2_in_64() -> None:
    assert sign_flip_test([0.1, 0.5, 0.2, 0.3, 0.25, 1.0]) == 2 / 64


def test_sign_flip_is_two_sided() -> None:
    assert sign_flip_test([-0.5, -0.25]) == sign_flip_test([0.5, 0.25]) == 0.5


def test_sign_flip_counts_sums_that_tie() -> None:
    assert sign_flip_test([0.1, 0.1, 0.1, -0.1]) == 10 / 16


def test_sign_flip_of_no_difference_at_all_is_1() -> None:
    assert sign_flip_test([0.0, 0.0, 0.0]) == 1.0


def test_sign_flip_does_not_count_zeros() -> None:
    assert sign_flip_test([0.5, 0.25, 0.1] + [0.0] * 100) == 2 / 8


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e307])
def test_sign_flip_does_not_depend_on_the_unit(unit: float) -> None:
    assert sign_flip_test([3 * unit, 2 * unit, -1 * unit]) == sign_flip_test([3, 2, -1])


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
@pytest.mark.parametrize("last", [1, -1])
def test_sign_flip_adds_up_in_full_precision_whatever_the_type(dtype: str, last: int) -> None:
    assert sign_flip_test(np.array([3, 4, -7, last], dtype)) == 1.0


def test_sign_flip_takes_twenty_differences() -> None:
    assert sign_flip_test([0.5] * 20) == 2 / 2**20


def test_sign_flip_of_more_than_twenty_is_a_value_error() -> None:
    assert message(ValueError, sign_flip_test, [0.5] * 21) == (
        "21 differences are not 0, and an exact test of more than 20 takes too long: "
        "sample the patterns of signs instead"
    )


def test_sign_flip_of_nothing_is_a_value_error() -> None:
    assert message(ValueError, sign_flip_test, []) == (
        "differences is empty: pass one difference per query"
    )


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_sign_flip_of_an_infinite_difference_is_a_value_error(value: float) -> None:
    assert message(ValueError, sign_flip_test, [0.5, value]) == (
        f"differences[1] is {value}: measure that query, or leave it out"
    )


@pytest.mark.parametrize("dtype", ["uint8", "bool"])
def test_sign_flip_of_a_type_that_has_no_negatives_is_a_value_error(dtype: str) -> None:
    assert message(ValueError, sign_flip_test, np.array([0, 1], dtype)) == (
        f"differences have the type {dtype}, which can't be negative: subtract metrics as floats"
    )


@pytest.mark.parametrize("differences", [[[0.5]], ["a"], 0.5])
def test_sign_flip_of_no_flat_list_is_a_value_error(differences: Any) -> None:
    assert message(ValueError, sign_flip_test, differences) == (
        f"differences must be a flat list of numbers, given {differences!r}: "
        "pass one difference per query"
    )


# What scipy says


@patient
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy(counts: tuple[int, int]) -> None:
    for confidence in (0.5, 0.95, 0.999):
        theirs = binomtest(*counts).proportion_ci(confidence, method="wilson")
        assert wilson_interval(*counts, confidence) == pytest.approx(tuple(theirs), abs=1e-9)


@patient
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.75]), min_size=2, max_size=6))
def test_sign_flip_agrees_with_scipy(differences: list[float]) -> None:
    theirs = permutation_test((np.array(differences),), np.sum, permutation_type="samples")
    assert sign_flip_test(differences) == pytest.approx(theirs.pvalue, abs=1e-12)
