"""Evaluation sets: queries, each with the one document that answers it."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from pathlib import Path

from retrieval_lessons.chunks import Chunk, read_utf8

HELD_OUT = Path(__file__).parent / "data" / "held_out.csv"

EVAL_SET: list[tuple[str, str]] = [
    ("What is the cancellation policy for Boardroom bookings?", "cancellation-policy"),
    ("How much discount does the pro tier get?", "pricing-tiers"),
    ("What equipment is in the Focus room?", "room-focus"),
    ("Can I get a refund if I didn't show up?", "no-show-policy"),
    ("What payment methods does Reservo accept?", "payment-methods"),
    ("Is there wifi in the Lounge?", "room-lounge"),
]
"""The six queries of the lessons, each with the one document of the Reservo corpus it is after."""

COLUMNS = ["query", "expected_doc_id"]

Row = tuple[int, str, str]
"""The line of a file, and the query and the document that stand there."""


def load_eval_set(
    path: str | Path, *, chunks: Iterable[Chunk] | None = None
) -> list[tuple[str, str]]:
    r"""Read an evaluation set from a file.

    The end of its name says what the file holds:

    - `.csv`: the header `query,expected_doc_id`, then a row per query;
    - `.jsonl`: on each line an object with those two keys;
    - `.qrels` or `.txt`: judgements as trec_eval reads them, `query-id 0 doc_id grade`, where a
      grade above 0 means relevant. Such a file has no texts: the query is its id.

    Args:
        path: The file, in UTF-8.
        chunks: The chunks to be searched. If given, each document must be one of theirs.

    Returns:
        Pairs of a query and its expected document, in the order of the file.

    Raises:
        ValueError: Naming file and line, if a line can't be read, a query is empty or stands there
            twice, or its document is missing or unknown. Two relevant documents for one query are
            a query that stands there twice: `retrieval_lessons.metrics` can measure those.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from retrieval_lessons import load_eval_set
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "mine.csv"
        ...     _ = path.write_text("query,expected_doc_id\nIs there wifi?,room-lounge\n", "utf-8")
        ...     load_eval_set(path)
        [('Is there wifi?', 'room-lounge')]
    """
    path = Path(path)
    if path.suffix not in READERS:
        raise ValueError(f"{path} ends in {path.suffix!r}, expected one of {', '.join(READERS)}")
    known = None if chunks is None else {chunk.doc_id for chunk in chunks}
    expected: dict[str, str] = {}
    for line, query, doc_id in READERS[path.suffix](path):
        if not query:
            raise _bad(path, line, "the query is empty: write one or take the line out")
        if not doc_id:
            raise _bad(path, line, f"no relevant document for {query!r}: name the one expected")
        if query in expected:
            raise _bad(path, line, f"{query!r} stands here again: keep one line with one document")
        if known is not None and doc_id not in known:
            raise _bad(path, line, f"unknown document {doc_id!r}: none of the chunks is from it")
        expected[query] = doc_id
    if not expected:
        raise ValueError(f"{path} holds no query: an evaluation set needs at least one")
    return list(expected.items())


def load_held_out() -> list[tuple[str, str]]:
    """Read the held-out paraphrases: five for each query of `EVAL_SET`, in its order.

    They say in other words what the six queries ask. Whoever wrote them had seen those six alone,
    neither the corpus nor a remedy, of which there were none yet. What is chosen by them is no
    longer measured by them: keep them for the end.

    Returns:
        Pairs of a paraphrase and its expected document.

    Examples:
        >>> from retrieval_lessons import load_held_out
        >>> held_out = load_held_out()
        >>> len(held_out), held_out[15]
        (30, ('no-show refund', 'no-show-policy'))
    """
    return load_eval_set(HELD_OUT)


def _bad(path: Path, line: int, what: str) -> ValueError:
    return ValueError(f"{path}:{line}: {what}")


def _read_csv(path: Path) -> Iterator[Row]:
    reader = csv.reader(StringIO(read_utf8(path), newline=""), strict=True)
    try:
        header = next(reader, [])
        if header != COLUMNS:
            raise _bad(path, 1, f"the header is {header}, expected {','.join(COLUMNS)}")
        for row in filter(None, reader):
            if len(row) != len(COLUMNS):
                what = f"{len(row)} values, expected 2: put a query with a comma between quotes"
                raise _bad(path, reader.line_num, what)
            yield reader.line_num, row[0].strip(), row[1].strip()
    except csv.Error as error:
        raise _bad(path, reader.line_num, f"not CSV, {error}: mend the quotes") from None


def _read_jsonl(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_utf8(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise _bad(path, number, f"not JSON, {error}: write one object per line") from None
        values = [row.get(column) for column in COLUMNS] if isinstance(row, dict) else []
        match values:
            case [str(query), str(doc_id)]:
                yield number, query.strip(), doc_id.strip()
            case _:
                what = f"{line.strip()} is not an object with the strings {' and '.join(COLUMNS)}"
                raise _bad(path, number, what)


def _read_qrels(path: Path) -> Iterator[Row]:
    irrelevant: dict[str, int] = {}
    relevant: set[str] = set()
    for number, line in enumerate(read_utf8(path).split("\n"), start=1):
        match line.split():
            case []:
                continue
            case [query, _, doc_id, grade] if grade.removeprefix("-").isdecimal():
                if int(grade) > 0:
                    relevant.add(query)
                    yield number, query, doc_id
                else:
                    irrelevant.setdefault(query, number)
            case _:
                raise _bad(path, number, f"{line!r} is not `query-id 0 doc_id grade`")
    for query, number in irrelevant.items():
        if query not in relevant:
            yield number, query, ""


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".csv": _read_csv,
    ".jsonl": _read_jsonl,
    ".qrels": _read_qrels,
    ".txt": _read_qrels,
}
