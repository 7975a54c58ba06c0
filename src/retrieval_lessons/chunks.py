"""From a folder of Markdown documents to chunks, and from a chunk to its tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

CORPUS = Path(__file__).parent / "data" / "corpus"

TOKEN = re.compile(r"[a-z0-9]+")
HEADING = re.compile(r" {0,3}#{1,2}[ \t]+(?P<heading>.*?)(?:[ \t]+#+)?[ \t]*")
FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One section of a document: what a search returns.

    Attributes:
        doc_id: The document that the chunk comes from: the name of its file, without ".md".
        heading: The section's heading.
        text: The section's body. An index reads heading and text.

    Examples:
        >>> from retrieval_lessons import Chunk
        >>> Chunk("no-show-policy", "What it costs", "If you do not show up, …").doc_id
        'no-show-policy'
    """

    doc_id: str
    heading: str
    text: str


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text: the runs of a-z and 0-9 once it is in lower case.

    All else separates: an apostrophe, a hyphen and an accented letter each end a token. Nothing is
    left out (no stop words) and nothing is cut (no stemming).

    Args:
        text: A query, or what an index reads of a chunk.

    Returns:
        The tokens in the order of the text, repeated words included; empty if there are none.

    Raises:
        TypeError: If `text` is not a string.

    Examples:
        >>> from retrieval_lessons import tokenize
        >>> tokenize("I didn't show up: a no-show.")
        ['i', 'didn', 't', 'show', 'up', 'a', 'no', 'show']
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}: tokenize one at a time")
    return TOKEN.findall(text.lower())


def load_chunks(folder: str | Path | None = None) -> list[Chunk]:
    r"""Cut a folder of Markdown documents into chunks, one for each section.

    A section begins at a heading of level 1 or 2 (`# …`, `## …`); deeper ones stay in its text, and
    a section without text is no chunk. Front matter is left out, and a heading inside a fence is
    code. The documents are the `*.md` files of the folder and of the folders below it.

    Args:
        folder: Where the documents are; without it, the Reservo corpus of the lessons.

    Returns:
        The chunks, by the path of their document and in the order of its text.

    Raises:
        ValueError: If the folder holds no chunk, if two documents have the same name, or if one is
            not in UTF-8 (the message says in which line).

    Examples:
        >>> from retrieval_lessons import load_chunks
        >>> chunks = load_chunks()
        >>> len(chunks)
        57
        >>> chunks[0].doc_id, chunks[0].heading
        ('access-and-check-in', 'Door codes')
    """
    root = CORPUS if folder is None else Path(folder)
    paths = sorted(filter(Path.is_file, root.rglob("*.md")))
    for path, other in pairwise(sorted(paths, key=lambda path: path.stem)):
        if path.stem == other.stem:
            raise ValueError(
                f"{path} and {other} have the same name, and a document is known by its name: "
                "rename one of them"
            )
    chunks = [
        Chunk(path.stem, heading, text)
        for path in paths
        for heading, text in sections(read_utf8(path))
        if text
    ]
    if not chunks:
        raise ValueError(f"no chunk in {root}: expected a folder with *.md files that hold text")
    return chunks


def sections(markdown: str) -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each section; what stands before the first has none."""
    heading, lines, fence = "", list[str](), ""
    for line in without_front_matter(markdown.split("\n")):
        if match := FENCE.fullmatch(line):
            fence = fence_after(fence, match["fence"], match["info"])
        if not fence and (match := HEADING.fullmatch(line)):
            yield heading, "\n".join(lines).strip()
            heading, lines = match["heading"], []
        else:
            lines.append(line)
    yield heading, "\n".join(lines).strip()


def fence_after(fence: str, marks: str, info: str) -> str:
    """Return the fence that is open after a line of marks, "" for none, by CommonMark's rules."""
    if fence:
        closes = marks.startswith(fence) and not info.strip()
        return "" if closes else fence
    is_inline_code = marks[0] == "`" and "`" in info
    return "" if is_inline_code else marks


def without_front_matter(lines: list[str]) -> list[str]:
    """Drop the block between two lines `---` with which a file may begin."""
    if lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], start=2):
            if line.rstrip() in {"---", "..."}:
                return lines[number:]
    return lines


def read_utf8(path: Path) -> str:
    """Read a text file with line feeds as line ends, or say which line is not UTF-8."""
    content = path.read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}:{line}: byte 0x{content[error.start]:02x} is not UTF-8: "
            "save the file with that encoding"
        ) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
