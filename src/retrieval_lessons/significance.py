"""How far a number from a few queries can be trusted: an interval and an exact test."""

import math
from numbers import Real
from statistics import NormalDist
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from retrieval_lessons.metrics import flat_array, refuse_where, whole_number

__all__ = ["sign_flip_test", "wilson_interval"]

_MAX_FLIPPED = 20  # 2**20 sums take 8 MiB and a few hundredths of a second


def wilson_interval(
    successes: SupportsIndex, n: SupportsIndex, confidence: float = 0.95
) -> tuple[float, float]:
    """Wilson's score interval for a proportion, such as recall@k with one relevant item per query.

    Args:
        successes: In how many of the n queries the right item was found.
        n: How many queries there are.
        confidence: How often intervals made like this one hold the true proportion, between 0
            and 1; in small samples the real share lies around it, not exactly at it.

    Returns:
        The lower and the upper end, from 0 to 1, with successes / n between them. It supposes
        that the queries are a random sample of those that users ask; hand-picked ones are not,
        and for them the interval only shows how little n queries could tell at best.

    Raises:
        TypeError: If successes or n is not an int, or confidence not a real number.
        ValueError: If n is below 1, successes not from 0 to n, or confidence not between 0 and 1.

    See Wilson, "Probable inference, the law of succession, and statistical inference", *Journal
    of the American Statistical Association* 22 (1927).

    Examples:
        >>> low, high = wilson_interval(4, 6)
        >>> print(f"from {low:.2f} to {high:.2f}")
        from 0.30 to 0.90
    """
    n = whole_number("n", n)
    successes = whole_number("successes", successes, least=0)
    if successes > n:
        raise ValueError(f"successes is {successes}, more than n = {n}: give the part, then all")
    if not isinstance(confidence, Real):
        raise TypeError(f"confidence must be a number such as 0.95, given {confidence!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, given {confidence!r}: 95 % is 0.95")
    z = NormalDist().inv_cdf((1 - confidence) / 2)  # the lower tail, so z is negative

    def lower_end(count: int) -> float:
        spread = math.sqrt(count * (n - count) / n + z * z / 4)
        return (count + z * z / 2 + z * spread) / (n + z * z)

    # The upper end is where the failures' lower end leaves off: exactly 1 if there are none.
    return lower_end(successes), 1 - lower_end(n - successes)


def sign_flip_test(differences: ArrayLike) -> float:
    """The exact p-value of a paired difference: could chance signs have made it as large?

    If two systems were alike, each query's difference could as well have had the other sign. The
    test tries all 2**n patterns of signs and counts those whose sum is at least as far from 0, on
    either side (two-sided), as the one observed.

    Args:
        differences: One per query: the metric of one system minus that of the other.

    Returns:
        From 2 / 2**n to 1, where n counts the differences that are not 0 (a zero has no sign to
        flip, and leaving it out changes nothing); 1 if all are 0. So fewer than six
        of them can never give a p below 0.05. Sums that differ by less than 1e-9 of the
        largest difference are ties, and count, since thirds and tenths have no exact float.

    Raises:
        ValueError: If there are no differences, more than 20 that are not 0 (their patterns would
            have to be sampled), one that is not finite, or an unsigned type, which can't hold a
            negative one.

    The test is Fisher's, *The Design of Experiments* (1935). Smucker, Allan & Carterette compare
    it with others for retrieval in "A comparison of statistical significance tests for
    information retrieval evaluation" (CIKM 2007).

    Examples:
        >>> sign_flip_test([0.5, 0.25, 0.5, 0.1, 0.2, 0.1])  # 2 patterns of 64
        0.03125
        >>> sign_flip_test([0.5, -0.25, 0.0])
        1.0
    """
    given = flat_array("differences", differences, "pass one difference per query")
    if not len(given):
        raise ValueError("differences is empty: pass one difference per query")
    if given.dtype.kind in "bu":
        raise ValueError(
            f"differences have the type {given.dtype}, which can't be negative: "
            "subtract metrics as floats"
        )
    refuse_where("differences", given, ~np.isfinite(given), "measure that query, or leave it out")
    flipped = given[given != 0].astype(float)
    if not len(flipped):
        return 1.0
    if len(flipped) > _MAX_FLIPPED:
        raise ValueError(
            f"{len(flipped)} differences are not 0, and an exact test of more than {_MAX_FLIPPED} "
            "takes too long: sample the patterns of signs instead"
        )
    sums = np.zeros(1)
    for difference in flipped / np.abs(flipped).max():  # p has no unit, and no sum overflows
        sums = np.concatenate([sums + difference, sums - difference])
    observed = abs(sums[0])  # the pattern that flips nothing
    return float(np.mean(np.abs(sums) >= observed - 1e-9))
