"""A BM25 index over chunks, and the search that reads it."""

import math
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from numbers import Integral

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval_lessons.chunks import Chunk, load_chunks, tokenize
from retrieval_lessons.metrics import whole_number
from retrieval_lessons.remedies import Tokenizer, remedied

MAX_K = 5
"""The most chunks that `search_docs` returns, whatever it is asked for."""

FEWEST_CHUNKS = 10
"""Below this, many words stand in half of the chunks or more, and BM25's IDF breaks down."""


@dataclass(frozen=True, eq=False, repr=False)
class Index:
    """What BM25 knows about a list of chunks. `build_index` makes one.

    Attributes:
        chunks: The chunks, in corpus order.
        tokenizer: The function that made tokens of the chunks, and makes them of each query.
        bm25: rank_bm25's index of those tokens.

    Examples:
        >>> from retrieval_lessons import build_index, load_chunks
        >>> index = build_index(load_chunks())
        >>> index
        <Index: 57 chunks, 682 words>
        >>> min(index.lengths), max(index.lengths)
        (37, 54)
        >>> index.document_frequency("refund"), round(index.idf("refund"), 4)
        (5, 2.2561)
    """

    chunks: list[Chunk]
    tokenizer: Tokenizer
    bm25: BM25Okapi

    def __repr__(self) -> str:
        return f"<Index: {len(self.chunks)} chunks, {len(self.vocabulary)} words>"

    @property
    def vocabulary(self) -> list[str]:
        """The different words of all chunks, in alphabetical order."""
        return sorted(self.bm25.idf)

    @property
    def lengths(self) -> list[int]:
        """How many tokens each chunk has, in corpus order."""
        return list(self.bm25.doc_len)

    def scores(self, query: str) -> NDArray[np.float64]:
        """Return the BM25 score of each chunk for a query, in corpus order.

        A chunk without a word of the query scores 0. There is no highest score, so scores for two
        queries can't be compared. A word that the query repeats counts as often as it is repeated.
        """
        scores: NDArray[np.float64] = self.bm25.get_scores(self.tokenizer(query))
        return scores

    def document_frequency(self, word: str) -> int:
        """In how many chunks a word stands."""
        return sum(word in frequencies for frequencies in self.bm25.doc_freqs)

    def term_frequency(self, word: str, position: int) -> int:
        """How often a word stands in the chunk at a position of the corpus."""
        return int(self.bm25.doc_freqs[position].get(word, 0))

    def idf(self, word: str) -> float:
        """Return the weight of a word: the rarer, the heavier; 0 for a word of no chunk.

        Robertson and Spärck Jones's IDF, log((N - n + 0.5) / (n + 0.5)) for a word in n of N
        chunks, is below 0 for a word in more than half of them. There rank_bm25 puts a floor in its
        place, `epsilon` (0.25) times the mean IDF of all words: see `has_idf_floor`.
        """
        return float(self.bm25.idf.get(word, 0.0))

    def has_idf_floor(self, word: str) -> bool:
        """Whether a word is in more than half of the chunks, so that its IDF is the floor."""
        return 2 * self.document_frequency(word) > len(self.chunks)

    def length_factor(self, position: int) -> float:
        """How much the length of a chunk slows its words down: 1 for one of average length.

        A factor above 1, that of a longer chunk, makes each of its words count for less.
        """
        relative_length = self.bm25.doc_len[position] / self.bm25.avgdl
        return float(1 - self.bm25.b + self.bm25.b * relative_length)


def build_index(
    chunks: Iterable[Chunk],
    *,
    tokenizer: Tokenizer = tokenize,
    k1: float = 1.5,
    b: float = 0.75,
    stop_words: Collection[str] = (),
    synonyms: Iterable[Iterable[str]] = (),
    stem: bool = False,
    heading_weight: int = 1,
    title_weight: int = 0,
) -> Index:
    """Build a BM25 index of chunks; it reads the heading and the text of each.

    The last five parameters are remedies for queries that don't speak like the documents. What they
    do to the tokens, they do to those of each query as well.

    Args:
        chunks: The chunks. Their order decides between equal scores.
        tokenizer: Makes tokens of a chunk and of a query.
        k1: How much the second and later occurrences of a word add: above 0, and near 0 nothing.
        b: How much the length of a chunk matters, from 0 (not at all) to 1.
        stop_words: Tokens to leave out, such as `STOP_WORDS`; the other remedies come after it.
        synonyms: Groups of tokens, such as `SYNONYMS`; the first of a group stands for them all.
        stem: Whether to cut tokens to their stems, by Snowball's rules for English (Porter, 2001).
        heading_weight: How often the heading is read, as if it stood there so many times; 0 leaves
            it out.
        title_weight: How often the title of the document, the words of its `doc_id`, is read in
            each of its chunks.

    Returns:
        The index of rank_bm25's BM25Okapi over those tokens.

    Raises:
        TypeError: If `chunks` holds anything but chunks, as a bare string does, if `stem` is not a
            bool, or a weight not an int.
        ValueError: If there are no chunks, if one has no token, if `k1`, `b` or a weight is out of
            range, if a stop word or a synonym is not a single token, so that it could never be
            found, or if a group of synonyms has fewer than two words or one of another group.

    Warns:
        UserWarning: If there are fewer than ten chunks. A word in half of them then weighs nothing,
            and the mean IDF, with it the floor and whole scores, can be negative.

    BM25 is from Robertson & Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*,
    2009. Weights by repetition are from Robertson, Zaragoza & Taylor, *Simple BM25 Extension to
    Multiple Weighted Fields* (CIKM 2004).

    Examples:
        >>> from retrieval_lessons import build_index, load_chunks
        >>> index = build_index(load_chunks())
        >>> len(index.chunks), len(index.vocabulary)
        (57, 682)
        >>> len(build_index(load_chunks(), stem=True).vocabulary)
        568
    """
    chunks = list(chunks)
    if not chunks:
        raise ValueError("chunks is empty: an index needs at least one chunk")
    if not (0 < k1 < math.inf and 0 <= b <= 1):  # k1 = 0 would divide 0 by 0
        raise ValueError(f"k1 must be a number above 0 and b one from 0 to 1, got {k1} and {b}")
    heading_weight = whole_number("heading_weight", heading_weight, least=0)
    title_weight = whole_number("title_weight", title_weight, least=0)
    tokenizer = remedied(tokenizer, stop_words=stop_words, synonyms=synonyms, stem=stem)

    def read(chunk: Chunk) -> str:
        parts = [chunk.doc_id] * title_weight + [chunk.heading] * heading_weight + [chunk.text]
        return "\n".join(parts)

    bm25 = BM25Okapi(_tokens(chunks, read, tokenizer), k1=k1, b=b)
    if len(chunks) < FEWEST_CHUNKS:
        warnings.warn(
            f"{len(chunks)} chunks are few: below {FEWEST_CHUNKS} the IDF of BM25 breaks down, "
            "and scores can be 0 or negative for chunks that hold the words of the query",
            stacklevel=2,
        )
    return Index(chunks, tokenizer, bm25)


def _tokens(
    chunks: list[Chunk], read: Callable[[Chunk], str], tokenizer: Tokenizer
) -> Iterator[list[str]]:
    """Yield the tokens of each chunk: one at a time, so that they are never in memory together.

    Equal tokens are one object. That takes less memory, and a search finds what it reads of the
    chunks close together instead of scattered among their words.
    """
    words: dict[str, str] = {}
    for position, chunk in enumerate(chunks):
        if not isinstance(chunk, Chunk):
            raise TypeError(
                f"chunks[{position}] is {chunk!r}, expected a Chunk: "
                "make one with Chunk(doc_id, heading, text), or a list with load_chunks"
            )
        tokens = tokenizer(read(chunk))
        if not tokens:
            raise ValueError(
                f"chunks[{position}] of document {chunk.doc_id!r} has no token, so that no query "
                f"could find it: leave it out (heading {chunk.heading!r}, text {chunk.text!r})"
            )
        yield list(map(words.setdefault, tokens, tokens))


def search(query: str, k: int, index: Index) -> list[Chunk]:
    """Return the chunks with the k best scores for a query.

    The result for k begins the result for k + 1, so that recall@k never falls as k grows.

    Args:
        query: What somebody asks, in their words.
        k: How many chunks at most, 1 or more.
        index: Where to search.

    Returns:
        At most k chunks, the best score first and equal scores in corpus order. Only chunks with a
        positive score: fewer than k, or none, if fewer hold a word of the query.

    Raises:
        TypeError: If `query` is not a string or `k` is not an int.
        ValueError: If `k` is below 1.

    Examples:
        >>> from retrieval_lessons import build_index, load_chunks, search
        >>> index = build_index(load_chunks())
        >>> [chunk.doc_id for chunk in search("Is there wifi in the Lounge?", 3, index)]
        ['wifi-and-network', 'support', 'room-lounge']
        >>> search("Zeppelin", 3, index)
        []
    """
    check_k(k)
    scores = index.scores(query)
    best_first = np.argsort(-scores, kind="stable")[:k]
    return [index.chunks[position] for position in best_first if scores[position] > 0]


def search_docs(query: str, k: int = 3) -> list[Chunk]:
    """Search the Reservo corpus as its agent does in production.

    Args:
        query: What somebody asks, in their words.
        k: How many chunks at most, 1 or more.

    Returns:
        What `search` returns, but never more than `MAX_K` (5) chunks, whatever k is.

    Raises:
        TypeError: If `query` is not a string or `k` is not an int.
        ValueError: If `k` is below 1.

    Examples:
        >>> from retrieval_lessons import search_docs
        >>> len(search_docs("Is there wifi in the Lounge?", k=20))
        5
    """
    return search(query, k, _reservo_index())[:MAX_K]


@cache
def _reservo_index() -> Index:
    """Build the index of the Reservo corpus when the first search needs it."""
    return build_index(load_chunks())


def check_k(k: int) -> None:
    """Refuse a k that can't say how many results to look at.

    Args:
        k: How many results count. An int of numpy is one too; True, 3.0 and "3" are not.

    Raises:
        TypeError: If `k` is not an int.
        ValueError: If `k` is below 1.

    Examples:
        >>> from retrieval_lessons import check_k
        >>> check_k(5)
        >>> check_k(0)
        Traceback (most recent call last):
        ValueError: k must be at least 1, got 0: it says how many results to look at
    """
    if isinstance(k, bool) or not isinstance(k, Integral):
        raise TypeError(f"k must be an int, got {k!r}: it says how many results to look at")
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}: it says how many results to look at")
