"""What an evaluation set says about a search: recall, precision and ranks, judged on chunks."""

from collections.abc import Callable, Iterable
from inspect import signature

from retrieval_lessons.chunks import Chunk
from retrieval_lessons.index import Index, check_k, search


def recall_at_k(results: list[Chunk], expected_doc_id: str) -> float:
    """Say whether a search found the expected document.

    Recall is the share of all relevant documents that is among the results. With one relevant
    document that is all or nothing, which the literature also calls success@k or hit rate. There
    is no `k`: `search` has cut the results.

    Args:
        results: The chunks that a search for one query returned.
        expected_doc_id: The document that answers the query.

    Returns:
        1.0 if at least one chunk comes from the expected document, however many do, else 0.0; so
        0.0 for no results. The order of the results does not matter.

    Recall is defined on sets in Manning, Raghavan & Schütze, *Introduction to Information
    Retrieval*, ch. 8.3; ch. 8.4 cuts it at k.

    Examples:
        >>> from retrieval_lessons import recall_at_k, search_docs
        >>> recall_at_k(search_docs("Is there wifi in the Lounge?", k=3), "room-lounge")
        1.0
    """
    return 1.0 if any(chunk.doc_id == expected_doc_id for chunk in results) else 0.0


def evaluate_recall(eval_set: list[tuple[str, str]], index: Index, k: int) -> list[float]:
    """Measure `recall_at_k` for each query of an evaluation set.

    Args:
        eval_set: Queries, each with the document that answers it.
        index: The index to search.
        k: How many results count, 1 or more.

    Returns:
        A score per query, 1.0 or 0.0, in the order of the set. Their mean is the set's recall@k; it
        never falls as k grows.

    Raises:
        TypeError: If `k` is not an int.
        ValueError: If `k` is below 1.

    Examples:
        >>> from retrieval_lessons import EVAL_SET, build_index, evaluate_recall, load_chunks
        >>> evaluate_recall(EVAL_SET, build_index(load_chunks()), k=2)
        [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    """
    return [
        recall_at_k(search(query, k, index), expected_doc_id) for query, expected_doc_id in eval_set
    ]


def precision_at_k(results: list[Chunk], expected_doc_id: str, k: int) -> float:
    """Measure which share of k results comes from the expected document.

    Args:
        results: The chunks that a search for one query returned. Those past the first k don't
            count.
        expected_doc_id: The document that answers the query.
        k: How many results count, 1 or more.

    Returns:
        From 0.0 to 1.0. The divisor is k even if there are fewer results, as in trec_eval: a place
        left empty is no hit. (To divide by the number of results is the other convention.) The
        order of the first k does not matter.

    Raises:
        TypeError: If `k` is not an int.
        ValueError: If `k` is below 1.

    Precision at k is from Manning, Raghavan & Schütze, *Introduction to Information Retrieval*,
    ch. 8.4.

    Examples:
        >>> from retrieval_lessons import precision_at_k, search_docs
        >>> precision_at_k(search_docs("Is there wifi in the Lounge?", k=4), "room-lounge", k=4)
        0.25
    """
    check_k(k)
    return sum(chunk.doc_id == expected_doc_id for chunk in results[:k]) / k


def evaluate_precision(eval_set: list[tuple[str, str]], index: Index, k: int) -> list[float]:
    """Measure `precision_at_k` for each query of an evaluation set.

    Args:
        eval_set: Queries, each with the document that answers it.
        index: The index to search.
        k: How many results count, 1 or more.

    Returns:
        A score per query, from 0.0 to 1.0, in the order of the set. Their mean is the set's
        precision@k; it may fall and rise again as k grows.

    Raises:
        TypeError: If `k` is not an int.
        ValueError: If `k` is below 1.

    Examples:
        >>> from retrieval_lessons import EVAL_SET, build_index, evaluate_precision, load_chunks
        >>> evaluate_precision(EVAL_SET, build_index(load_chunks()), k=4)
        [0.25, 0.25, 0.5, 0.0, 0.25, 0.25]
    """
    return [
        precision_at_k(search(query, k, index), expected_doc_id, k)
        for query, expected_doc_id in eval_set
    ]


def first_relevant_rank(query: str, expected_doc_id: str, index: Index) -> int | None:
    """Find the rank, counted in chunks from 1, at which the expected document first stands.

    It is the smallest k at which the query's recall@k is 1.0.

    Args:
        query: The query.
        expected_doc_id: The document that answers it.
        index: The index to search.

    Returns:
        The rank of the document's best chunk, equal scores in corpus order. None if no chunk of it
        scores above 0: then no k would be enough.

    1 / rank is the query's reciprocal rank (Voorhees, *The TREC-8 Question Answering Track
    Report*, 1999), which is 0 for None.

    Examples:
        >>> from retrieval_lessons import EVAL_SET, build_index, first_relevant_rank, load_chunks
        >>> index = build_index(load_chunks())
        >>> [first_relevant_rank(query, doc_id, index) for query, doc_id in EVAL_SET]
        [1, 2, 2, 6, 4, 3]
    """
    for rank, chunk in enumerate(search(query, len(index.chunks), index), start=1):
        if chunk.doc_id == expected_doc_id:
            return rank
    return None


def curve(
    metric: Callable[..., float],
    eval_set: list[tuple[str, str]],
    index: Index,
    ks: Iterable[int],
) -> list[float]:
    """Measure the mean of a metric at several k, with one search per query.

    Args:
        metric: `recall_at_k`, `precision_at_k`, or any function of the results and the expected
            document (and of k, if it has a third parameter).
        eval_set: Queries, each with the document that answers it.
        index: The index to search.
        ks: The values of k, each 1 or more, in any order.

    Returns:
        For each k, in the order of `ks`, the mean over the queries. It equals what a search per
        query and k would give, because a search for fewer results is the beginning of one for more.

    Raises:
        TypeError: If a k is not an int.
        ValueError: If a k is below 1, or if there is no query or no k.

    Examples:
        >>> from retrieval_lessons import EVAL_SET, build_index, curve, load_chunks, recall_at_k
        >>> means = curve(recall_at_k, EVAL_SET, build_index(load_chunks()), ks=[1, 2, 6])
        >>> [round(mean, 4) for mean in means]
        [0.1667, 0.5, 1.0]
    """
    ks = list(ks)
    for k in ks:
        check_k(k)
    if not eval_set or not ks:
        raise ValueError(
            f"got {len(eval_set)} queries and {len(ks)} values of k: a curve needs one of each"
        )
    rankings = [(search(query, max(ks), index), doc_id) for query, doc_id in eval_set]
    arity = len(signature(metric).parameters)
    return [
        sum(metric(*(ranking[:k], doc_id, k)[:arity]) for ranking, doc_id in rankings)
        / len(rankings)
        for k in ks
    ]
