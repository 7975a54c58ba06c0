"""BM25 written from its formula alone, to hold rank_bm25 and the corpus against.

Okapi's BM25 as Robertson and Zaragoza give it ("The Probabilistic Relevance Framework: BM25 and
Beyond", 2009), with a choice of two IDFs: rank_bm25's, which lifts negative values to a floor, and
Lucene's, which can't be negative. Nothing here is shared with the package under test.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

Idf = Callable[[int, int], float]
"""From the number of chunks, and of those with the word, to the word's weight."""


def okapi_idf(chunks: int, with_word: int) -> float:
    return math.log((chunks - with_word + 0.5) / (with_word + 0.5))


def lucene_idf(chunks: int, with_word: int) -> float:
    return math.log(1 + (chunks - with_word + 0.5) / (with_word + 0.5))


def bm25_scores(
    query: Sequence[str],
    chunks: Sequence[Sequence[str]],
    *,
    k1: float = 1.5,
    b: float = 0.75,
    idf: Idf = okapi_idf,
    epsilon: float = 0.25,
) -> list[float]:
    counts = [Counter(tokens) for tokens in chunks]
    with_word = Counter(word for tokens in chunks for word in set(tokens))
    weights = {word: idf(len(chunks), n) for word, n in with_word.items()}
    floor = epsilon * sum(weights.values()) / len(weights)
    mean_length = sum(len(tokens) for tokens in chunks) / len(chunks)

    def score(tokens: Sequence[str], count: Counter[str]) -> float:
        slowdown = k1 * (1 - b + b * len(tokens) / mean_length)
        return sum(
            (weights[word] if weights[word] >= 0 else floor)
            * count[word]
            * (k1 + 1)
            / (count[word] + slowdown)
            for word in query
            if word in weights
        )

    return [score(tokens, count) for tokens, count in zip(chunks, counts, strict=True)]
