"""Metrics for one ranked query and their means over many, on binary labels and scores.

One query is a pair: `y_true` says which candidates are relevant (1) and which are not (0),
`y_score` how much the system likes each of them. Candidates are ranked by score, best first, and
equal scores keep the order given. All that a metric then needs is the list of ranks, counted from
1, at which relevant candidates stand.
"""

import math
import reprlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from statistics import fmean
from typing import Any, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
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

T = TypeVar("T")
Ranking: TypeAlias = tuple[ArrayLike, ArrayLike]
Queries: TypeAlias = Mapping[str, Ranking] | Iterable[Ranking]
Counts: TypeAlias = Mapping[str, SupportsIndex] | Iterable[SupportsIndex]


def recall_at_k(
    y_true: ArrayLike, y_score: ArrayLike, k: SupportsIndex, n_relevant: SupportsIndex | None = None
) -> float:
    """Which share of all relevant items stands among the best k candidates.

    Args:
        y_true: 1 for each relevant candidate, 0 for the others.
        y_score: One score per candidate, the highest is best; ties keep the order given.
        k: How many of the best count; more than there are candidates is fine.
        n_relevant: How many items are relevant in all, if some are not among the candidates.

    Returns:
        From 0 to 1, never falling as k grows. The divisor is all that is relevant, found or not,
        so with more than k relevant items even the best ranking stays below 1.

    Raises:
        TypeError: If k or n_relevant is not an int.
        ValueError: If k is below 1, nothing is relevant, n_relevant is less than the labels show,
            labels are not 0 or 1, scores are NaN, or the lengths differ.

    Recall is defined on sets in Manning, Raghavan & Schütze, *Introduction to Information
    Retrieval*, ch. 8.3; ch. 8.4 cuts it at k. trec_eval calls it `recall`.

    Examples:
        >>> recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)
        0.5
        >>> recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2, n_relevant=4)
        0.25
    """
    k, ranks = whole_number("k", k), _relevant_ranks(y_true, y_score)
    return len(_within(ranks, k)) / _all_relevant(ranks, n_relevant)


def precision_at_k(y_true: ArrayLike, y_score: ArrayLike, k: SupportsIndex) -> float:
    """Which share of k results is relevant.

    Args:
        y_true: 1 for each relevant candidate, 0 for the others.
        y_score: One score per candidate, the highest is best; ties keep the order given.
        k: How many of the best count; more than there are candidates is fine.

    Returns:
        From 0 to 1. The divisor is k even if there are fewer candidates: an empty place helps
        nobody. So with fewer than k relevant items even the best ranking stays below 1.
        Without a relevant candidate it is 0, since nothing is divided by their number.

    Raises:
        TypeError: If k is not an int.
        ValueError: If k is below 1, labels are not 0 or 1, scores are NaN, or the lengths differ.

    See Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, ch. 8.4. trec_eval
    calls it `P` and divides by k too.

    Examples:
        >>> precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=3)
        0.6666666666666666
        >>> precision_at_k([1, 0], [0.9, 0.8], k=5)
        0.2
    """
    k, ranks = whole_number("k", k), _relevant_ranks(y_true, y_score)
    return len(_within(ranks, k)) / k


def f1_at_k(
    y_true: ArrayLike, y_score: ArrayLike, k: SupportsIndex, n_relevant: SupportsIndex | None = None
) -> float:
    """The harmonic mean of precision@k and recall@k.

    Args:
        y_true: 1 for each relevant candidate, 0 for the others.
        y_score: One score per candidate, the highest is best; ties keep the order given.
        k: How many of the best count; more than there are candidates is fine.
        n_relevant: How many items are relevant in all, if some are not among the candidates.

    Returns:
        From 0 to 1, between its two parts, and 0 when both are 0. With h relevant results among
        k and g relevant items in all it is 2h / (k + g), so the order inside k is no matter.

    Raises:
        TypeError: If k or n_relevant is not an int.
        ValueError: If k is below 1, nothing is relevant, n_relevant is less than the labels show,
            labels are not 0 or 1, scores are NaN, or the lengths differ.

    F1 is the balanced F measure of Manning, Raghavan & Schütze, *Introduction to Information
    Retrieval*, ch. 8.3; it goes back to van Rijsbergen, *Information Retrieval* (1979), ch. 7.

    Examples:
        >>> f1_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=3)  # precision 2/3, recall 2/2
        0.8
    """
    k, ranks = whole_number("k", k), _relevant_ranks(y_true, y_score)
    # One division, where 2pr / (p + r) would round several times and fail at 0 / 0.
    return 2 * len(_within(ranks, k)) / (k + _all_relevant(ranks, n_relevant))


def success_at_k(y_true: ArrayLike, y_score: ArrayLike, k: SupportsIndex) -> float:
    """Whether at least one of the best k candidates is relevant.

    Args:
        y_true: 1 for each relevant candidate, 0 for the others.
        y_score: One score per candidate, the highest is best; ties keep the order given.
        k: How many of the best count; more than there are candidates is fine.

    Returns:
        1.0 or 0.0, never falling as k grows. There is no divisor, so without a relevant candidate
        it is 0. With a single relevant item it equals recall@k.

    Raises:
        TypeError: If k is not an int.
        ValueError: If k is below 1, labels are not 0 or 1, scores are NaN, or the lengths differ.

    trec_eval calls it `success`; recommender systems call its mean the hit rate.

    Examples:
        >>> success_at_k([0, 1, 1], [0.9, 0.8, 0.7], k=1)
        0.0
        >>> success_at_k([0, 1, 1], [0.9, 0.8, 0.7], k=2)
        1.0
    """
    k, ranks = whole_number("k", k), _relevant_ranks(y_true, y_score)
    return 1.0 if _within(ranks, k) else 0.0


def average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: SupportsIndex | None = None,
    n_relevant: SupportsIndex | None = None,
) -> float:
    """The precision at the rank of each relevant item, averaged over all of them.

    Args:
        y_true: 1 for each relevant candidate, 0 for the others.
        y_score: One score per candidate, the highest is best; ties keep the order given.
        k: How many of the best count; None for the whole ranking.
        n_relevant: How many items are relevant in all, if some are not among the candidates.

    Returns:
        From 0 to 1, and 1 only if every relevant item stands before all others and within k. The
        divisor is all that is relevant, found or not: what stands below k or was never
        retrieved adds 0. With a single relevant item it is the reciprocal rank.

    Raises:
        TypeError: If k or n_relevant is not an int.
        ValueError: If k is below 1, nothing is relevant, n_relevant is less than the labels show,
            labels are not 0 or 1, scores are NaN, or the lengths differ.

    See Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, ch. 8.4. Over all it
    is trec_eval's `map`, at k its `map_cut`; some tools divide by the relevant among k instead.

    Examples:
        >>> average_precision([0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])  # (1/2 + 2/4) / 2
        0.5
        >>> average_precision([0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6], k=3)  # (1/2) / 2
        0.25
    """
    ranks = _relevant_ranks(y_true, y_score)
    found = ranks if k is None else _within(ranks, whole_number("k", k))
    precisions = (hits / rank for hits, rank in enumerate(found, start=1))
    return math.fsum(precisions) / _all_relevant(ranks, n_relevant)


def reciprocal_rank(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """1 divided by the rank of the first relevant candidate.

    Args:
        y_true: 1 for each relevant candidate, 0 for the others.
        y_score: One score per candidate, the highest is best; ties keep the order given.

    Returns:
        1, 1/2, 1/3 and so on; 0 without a relevant candidate, as if its rank were infinite. The
        second and later relevant candidates change nothing.

    Raises:
        ValueError: If labels are not 0 or 1, scores are NaN, or the lengths differ.

    See Voorhees, *The TREC-8 Question Answering Track Report* (1999). trec_eval calls it
    `recip_rank`.

    Examples:
        >>> reciprocal_rank([0, 0, 1, 1], [0.9, 0.8, 0.7, 0.6])
        0.3333333333333333
    """
    ranks = _relevant_ranks(y_true, y_score)
    return 1 / ranks[0] if ranks else 0.0


def mean_at_k(
    metric: Callable[..., float],
    queries: Queries,
    k: SupportsIndex,
    n_relevant: Counts | None = None,
) -> float:
    """The mean of a metric at k over queries, each of which weighs the same.

    Args:
        metric: Called as `metric(y_true, y_score, k)` with arrays, such as `recall_at_k`.
        queries: Pairs `(y_true, y_score)` of any lengths, or such pairs by the query's name.
        k: The same for all queries.
        n_relevant: How many items are relevant in all for each query, in the same order or by the
            same names; for metrics that have a parameter `n_relevant`.

    Returns:
        The macro mean, which divides the sum of the values by the number of queries. An empty
        ranking counts as 0, since that is its value for any number of relevant items. Ties
        and range are those of the metric; the library's keep the order given.

    Raises:
        TypeError: If k is not an int.
        ValueError: If there is no query, if `n_relevant` speaks of other queries, or if the metric
            refuses one. The message then names it: `queries[2]` or `queries['its name']`.

    On why queries weigh the same see Manning, Raghavan & Schütze, *Introduction to Information
    Retrieval*, ch. 8.4, on mean average precision.

    Examples:
        >>> queries = {"wifi": ([0, 1], [0.9, 0.8]), "refund": ([1, 0, 0], [0.9, 0.8, 0.7])}
        >>> mean_at_k(recall_at_k, queries, k=1)
        0.5
        >>> mean_at_k(recall_at_k, queries, k=1, n_relevant={"wifi": 1, "refund": 2})
        0.25
    """
    k = whole_number("k", k)

    def metric_at_k(y_true: ArrayLike, y_score: ArrayLike, **known: SupportsIndex) -> float:
        return metric(y_true, y_score, k, **known)

    return _mean(metric_at_k, queries, n_relevant)


def mean_average_precision(
    queries: Queries, k: SupportsIndex | None = None, n_relevant: Counts | None = None
) -> float:
    """MAP: the mean of the average precision over queries, each of which weighs the same.

    Args:
        queries: Pairs `(y_true, y_score)` of any lengths, or such pairs by the query's name.
        k: How many of the best count in each query; None for whole rankings.
        n_relevant: How many items are relevant in all for each query, in the same order or by the
            same names.

    Returns:
        From 0 to 1; an empty ranking counts as 0. Two divisors: all that is relevant in each
        query, then the number of queries. Ties keep the order given.

    Raises:
        TypeError: If k or a number of relevant items is not an int.
        ValueError: If there is no query, if `n_relevant` speaks of other queries, or if
            `average_precision` refuses one, with nothing relevant for instance; the message names
            it.

    See Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, ch. 8.4. trec_eval
    calls it `map`, with a k `map_cut`.

    Examples:
        >>> mean_average_precision([([0, 1], [0.9, 0.8]), ([1, 0, 0], [0.9, 0.8, 0.7])])
        0.75
    """
    if k is None:
        return _mean(average_precision, queries, n_relevant)
    return mean_at_k(average_precision, queries, k, n_relevant)


def mean_reciprocal_rank(queries: Queries) -> float:
    """MRR: the mean of the reciprocal rank over queries, each of which weighs the same.

    Args:
        queries: Pairs `(y_true, y_score)` of any lengths, or such pairs by the query's name.

    Returns:
        From 0 to 1. The divisor is the number of queries; one without a relevant candidate, or
        with an empty ranking, counts as 0. Ties keep the order given.

    Raises:
        ValueError: If there is no query, or if `reciprocal_rank` refuses one; the message names it.

    See Voorhees, *The TREC-8 Question Answering Track Report* (1999).

    Examples:
        >>> mean_reciprocal_rank([([0, 1], [0.9, 0.8]), ([1, 0, 0], [0.9, 0.8, 0.7])])
        0.75
    """
    return _mean(reciprocal_rank, queries)


def _relevant_ranks(y_true: ArrayLike, y_score: ArrayLike) -> list[int]:
    """The ranks of the relevant candidates, from 1, best score first, ties in the order given."""
    labels, scores = flat_array("y_true", y_true), flat_array("y_score", y_score)
    if len(labels) != len(scores):
        raise ValueError(
            f"y_true has length {len(labels)} and y_score {len(scores)}: give each candidate "
            "one label and one score"
        )
    refuse_where(
        "y_true",
        labels,
        (labels != 0) & (labels != 1),
        "labels are 0 or 1, so choose from which grade on an item is relevant, "
        "as in np.asarray(y_true) >= 1",
    )
    refuse_where("y_score", scores, np.isnan(scores), "give the candidate a score, or leave it out")
    # Reversed, sorted upwards and reversed again: the highest comes first and ties stay in place.
    # A minus sign would wrap unsigned scores, and floats would make ties of large integers.
    best_first = np.argsort(scores[::-1], kind="stable")[::-1]
    ranks: list[int] = (np.flatnonzero(labels[::-1][best_first]) + 1).tolist()
    return ranks


def _within(ranks: list[int], k: int) -> list[int]:
    return [rank for rank in ranks if rank <= k]


def _all_relevant(ranks: list[int], n_relevant: SupportsIndex | None) -> int:
    """How many items are relevant in all: the divisor of recall and average precision."""
    total = len(ranks) if n_relevant is None else whole_number("n_relevant", n_relevant, least=0)
    if total < len(ranks):
        raise ValueError(
            f"n_relevant is {total}, but y_true has {len(ranks)} relevant candidates: "
            "count all relevant items, found or not"
        )
    if total == 0:
        raise ValueError(
            f"y_true has no relevant candidate and n_relevant is {n_relevant}, so there is nothing "
            "to divide by: leave the query out, or pass n_relevant if its relevant items are not "
            "among the candidates"
        )
    return total


def _mean(
    metric: Callable[..., float], queries: Queries, n_relevant: Counts | None = None
) -> float:
    rankings = _by_name(queries)
    if not rankings:
        raise ValueError("queries is empty, and no query has no mean: pass at least one")
    counts = None if n_relevant is None else _by_name(n_relevant)
    if counts is not None and counts.keys() != rankings.keys():
        raise ValueError(
            f"n_relevant is for {reprlib.repr(list(counts))} and queries for "
            f"{reprlib.repr(list(rankings))}: give one number for each query, by the same names "
            "or in the same order"
        )
    values = []
    for name, ranking in rankings.items():
        known = {} if counts is None else {"n_relevant": counts[name]}
        try:
            values.append(_value(metric, ranking, known))
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"queries[{name!r}]: {error}") from error
    return fmean(values)


def _value(
    metric: Callable[..., float], ranking: Ranking, known: dict[str, SupportsIndex]
) -> float:
    try:
        y_true, y_score = ranking
    except (TypeError, ValueError):
        raise ValueError(
            f"a query must be a pair (y_true, y_score), given {reprlib.repr(ranking)}"
        ) from None
    labels, scores = flat_array("y_true", y_true), flat_array("y_score", y_score)
    if not known and len(labels) == len(scores) == 0:
        return 0.0  # nothing was retrieved: 0 of any number of relevant items
    return metric(labels, scores, **known)


def _by_name(items: Mapping[str, T] | Iterable[T]) -> dict[Hashable, T]:
    """What was given by its names, or else by its positions."""
    named: Iterable[tuple[Hashable, T]] = (
        items.items() if isinstance(items, Mapping) else enumerate(items)
    )
    return dict(named)


def flat_array(
    name: str, values: ArrayLike, remedy: str = "pass one number per candidate, one query at a time"
) -> NDArray[Any]:
    """An argument as an array of numbers in one dimension, or a ValueError that shows it."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.shape == (0,):
        return np.zeros(0)  # whatever its type: pandas' empty columns are objects
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a flat list of numbers, given {reprlib.repr(values)}: {remedy}"
        )
    return array


def refuse_where(name: str, values: NDArray[Any], wrong: NDArray[np.bool_], remedy: str) -> None:
    """Raise a ValueError about the first value that is wrong, if there is one."""
    if wrong.any():
        first = int(wrong.argmax())
        raise ValueError(f"{name}[{first}] is {values[first]}: {remedy}")


def whole_number(name: str, value: SupportsIndex, least: int = 1) -> int:
    """An argument as an int, or a TypeError or ValueError that says what it may be."""
    expected = f"{name} must be an int of at least {least}, given {value!r}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{expected}: pass a whole number, without quotes or decimal point")
    if value < least:
        raise ValueError(f"{expected}: pass {least} or more")
    return int(value)
