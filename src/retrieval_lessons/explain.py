"""A BM25 score taken apart, word by word."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval_lessons.chunks import Chunk

if TYPE_CHECKING:
    from retrieval_lessons.index import Index

HEADER = ("word", "query", "df", "idf", "floor", "tf", "length", "contribution")


@dataclass(frozen=True, slots=True)
class WordContribution:
    """What one word of a query adds to the score of a chunk, and why.

    Attributes:
        word: The word, as the index's tokenizer makes it.
        query_frequency: How often the query has it.
        document_frequency: How many chunks of the index have it; 0 for an unknown word.
        idf: Its weight: the rarer, the heavier.
        idf_floor: Whether that weight is rank_bm25's floor for words in more than half of the
            chunks.
        term_frequency: How often the chunk has it.
        length_factor: 1 for a chunk of average length, more for a longer one: the same for all
            words of a chunk.
        contribution: query_frequency · idf · term_frequency · (k1 + 1) /
            (term_frequency + k1 · length_factor); 0 if the chunk does not have the word.
    """

    word: str
    query_frequency: int
    document_frequency: int
    idf: float
    idf_floor: bool
    term_frequency: int
    length_factor: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The contributions of all words of a query to the score of one chunk.

    Attributes:
        query: The query.
        chunk: The chunk.
        words: One row for each different word, in the order of the query.
    """

    query: str
    chunk: Chunk
    words: list[WordContribution]

    @property
    def score(self) -> float:
        """The sum of the contributions: the BM25 score of the chunk."""
        return sum((row.contribution for row in self.words), start=0.0)

    def __str__(self) -> str:
        return self.table()

    def table(self, header: Sequence[str] = HEADER) -> str:
        """Return the contributions as an aligned table, with their sum in its last line.

        Args:
            header: The titles of the eight columns, for a page in another language.

        Raises:
            ValueError: If there are not eight titles.
        """
        if len(header) != len(HEADER):
            raise ValueError(f"header must have {len(HEADER)} titles, got {len(header)}: {header}")
        rows = [tuple(header), *map(_cells, self.words)]
        rows.append(("total", *[""] * (len(HEADER) - 2), f"{self.score:.4f}"))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in rows
        )


def _cells(row: WordContribution) -> tuple[str, ...]:
    return (
        row.word,
        str(row.query_frequency),
        str(row.document_frequency),
        f"{row.idf:.4f}",
        "ε" if row.idf_floor else "",
        str(row.term_frequency),
        f"{row.length_factor:.4f}",
        f"{row.contribution:.4f}",
    )


def explain(query: str, chunk: Chunk, index: "Index") -> Explanation:
    """Say what each word of a query adds to the score of a chunk.

    Args:
        query: The query.
        chunk: One of the chunks of the index.
        index: The index that gave the score.

    Returns:
        One row for each different word of the query, those without effect included. They add up to
        the chunk's score in `index.scores(query)`, but for the rounding of floats. Printed, it is a
        table; ε marks an IDF that is rank_bm25's floor.

    Raises:
        ValueError: If the chunk is not in the index.

    The formula is the one that Trotman, Puurula & Burgess, *Improvements to BM25 and Language
    Models Examined*, 2014, call ATIRE's, with rank_bm25's own IDF.

    Examples:
        >>> from retrieval_lessons import build_index, explain, load_chunks, search
        >>> index = build_index(load_chunks())
        >>> query = "Is there a refund?"
        >>> print(explain(query, search(query, 1, index)[0], index))
        word    query  df     idf  floor  tf  length  contribution
        is          1  32  0.7752      ε   1  1.1705        0.7032
        there       1   4  2.4756          0  1.1705        0.0000
        a           1  38  0.7752      ε   4  1.1705        1.3468
        refund      1   5  2.2561          4  1.1705        3.9197
        total                                               5.9697
    """
    if chunk not in index.chunks:
        raise ValueError(
            f"no such chunk in the index: {chunk!r}. Take it from index.chunks or from a search"
        )
    position = index.chunks.index(chunk)
    k1, length_factor = index.bm25.k1, index.length_factor(position)

    def row(word: str, query_frequency: int) -> WordContribution:
        idf, frequency = index.idf(word), index.term_frequency(word, position)
        saturated = frequency * (k1 + 1) / (frequency + k1 * length_factor)
        return WordContribution(
            word=word,
            query_frequency=query_frequency,
            document_frequency=index.document_frequency(word),
            idf=idf,
            idf_floor=index.has_idf_floor(word),
            term_frequency=frequency,
            length_factor=length_factor,
            contribution=query_frequency * idf * saturated,
        )

    words = Counter(index.tokenizer(query))
    return Explanation(query, chunk, [row(word, count) for word, count in words.items()])
