"""The corpus on the site: a page that shows every chunk, and the ways that lead to it.

The page is written from what the lessons search, so it can't say anything else. Names of documents
in outputs and in prose become links by themselves, so none has to be written, or can be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from retrieval_lessons import Chunk

PLACE = "<!-- corpus -->"
"""The line of a page that the chunks take the place of."""

_MARK = "\2corpus\3"  # Markdown lets no such characters through
_BETWEEN_FENCES_AND_COMMENTS = 24
_BEFORE_PARAGRAPHS = 100
_BEFORE_TOC = 7  # and so before MkDocs makes links of paths, and warns of those that lead nowhere
_LAST = -20
_HEADINGS = {f"h{level}" for level in range(1, 7)}
# what a fence holds is escaped, so only a real block can look like this
_OUTPUT = re.compile(
    r'(?P<opening><div class="[^"]*\boutput\b[^"]*">(?:<span class="filename">.*?</span>)?'
    r"<pre>.*?<code>)(?P<body>.*?)(?=</code></pre>)",
    re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")
_LETTER = re.compile(r"[^\W\d_]")


def anchor(doc_id: str, heading: str = "") -> str:
    """Return the id of a document on the corpus page, or of one of its chunks.

    Examples:
        >>> anchor("no-show-policy"), anchor("no-show-policy", "What counts as a no-show")
        ('no-show-policy', 'no-show-policy-what-counts-as-a-no-show')
    """
    return "-".join([doc_id, *re.findall(r"[a-z0-9]+", heading.lower())])


class CorpusPage(Extension):
    """Write the chunks where a page says ``<!-- corpus -->``.

    Args:
        chunks: In the order in which they are shown, those of a document together.
        lang: The language that they are written in.
    """

    def __init__(self, chunks: Sequence[Chunk], lang: str) -> None:
        super().__init__()
        self.chunks = chunks
        self.lang = lang

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register both steps."""
        md.preprocessors.register(_Place(md), "corpus-place", _BETWEEN_FENCES_AND_COMMENTS)
        processor = _Chunks(md.parser, self.chunks, self.lang)
        md.parser.blockprocessors.register(processor, "corpus", _BEFORE_PARAGRAPHS)


class _Place(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return [f"\n{_MARK}\n" if line.strip() == PLACE else line for line in lines]


class _Chunks(BlockProcessor):
    def __init__(self, parser: object, chunks: Sequence[Chunk], lang: str) -> None:
        super().__init__(parser)  # type: ignore[arg-type]  # untyped in Markdown
        self.chunks = chunks
        self.lang = lang

    def test(self, parent: Element, block: str) -> bool:  # noqa: ARG002 - Markdown calls it so
        return block.strip() == _MARK

    def run(self, parent: Element, blocks: list[str]) -> None:
        blocks.pop(0)
        corpus = SubElement(parent, "div", {"class": "corpus", "lang": self.lang})
        for doc_id, chunks in groupby(self.chunks, key=lambda chunk: chunk.doc_id):
            title = SubElement(corpus, "h2", {"id": anchor(doc_id)})
            SubElement(title, "code").text = self.to_the_letter(doc_id)
            for chunk in chunks:
                heading = SubElement(corpus, "h3", {"id": anchor(doc_id, chunk.heading)})
                heading.text = self.to_the_letter(chunk.heading)
                for paragraph in re.split(r"\n\s*\n", chunk.text):
                    SubElement(corpus, "p").text = self.to_the_letter(paragraph)

    def to_the_letter(self, text: str) -> str:
        """Keep everything from reading a text, and from taking a part of it for an entity."""
        return AtomicString(self.parser.md.htmlStash.store(escape(text, quote=False)))


@dataclass(frozen=True, slots=True)
class Ways:
    """How a page gets to the corpus page.

    Attributes:
        source: From Markdown file to Markdown file, for MkDocs to check.
        url: From address to address.
    """

    source: str
    url: str


class Mentions(Extension):
    """Make links of the names of documents and chunks.

    In an output each is one: ``doc_id · heading`` leads to the chunk, ``doc_id`` to the document.
    In prose the first on a page is one, if it is in a code span.

    Args:
        chunks: Of the corpus.
        ways: Asked at each page; None if the page takes no links.
    """

    def __init__(self, chunks: Sequence[Chunk], ways: Callable[[], Ways | None]) -> None:
        super().__init__()
        self.chunks = chunks
        self.ways = ways

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register both steps, if the page takes links."""
        ways = self.ways()
        if ways:
            prose = _Prose(md, _anchors(self.chunks), ways.source)
            md.treeprocessors.register(prose, "corpus-prose", _BEFORE_TOC)
            outputs = _Outputs(md, self.chunks, ways.url)
            md.postprocessors.register(outputs, "corpus-outputs", _LAST)


def _anchors(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Return the anchors of what a code span can name: documents, and headings of one chunk."""
    headings = [chunk.heading for chunk in chunks]
    named = {
        chunk.heading: anchor(chunk.doc_id, chunk.heading)
        for chunk in chunks
        if headings.count(chunk.heading) == 1
    }
    return named | {chunk.doc_id: anchor(chunk.doc_id) for chunk in chunks}


class _Prose(Treeprocessor):
    def __init__(self, md: Markdown, anchors: Mapping[str, str], page: str) -> None:
        super().__init__(md)
        self.anchors = anchors
        self.page = page

    def run(self, root: Element) -> None:
        seen: set[str] = set()
        for parent in list(_linkable(root)):
            for place, child in enumerate(parent):
                name = "".join(child.itertext()) if child.tag == "code" else ""
                if name in self.anchors and name not in seen:
                    seen.add(name)
                    link = Element("a", {"class": "mention", "href": self.target(name)})
                    link.append(child)
                    link.tail, child.tail = child.tail, None
                    parent[place] = link

    def target(self, name: str) -> str:
        return f"{self.page}#{self.anchors[name]}"


def _linkable(element: Element) -> Iterator[Element]:
    """Yield the elements, in order, whose children can become links."""
    if element.tag not in {*_HEADINGS, "a", "pre"}:
        yield element
        for child in element:
            yield from _linkable(child)


class _Outputs(Postprocessor):
    def __init__(self, md: Markdown, chunks: Sequence[Chunk], page: str) -> None:
        super().__init__(md)
        self.page = page
        self.names = _pattern(chunks)
        self.headings = {
            (chunk.doc_id, escape(chunk.heading, quote=False)): anchor(chunk.doc_id, chunk.heading)
            for chunk in chunks
        }
        self.seen: set[str] = set()

    def run(self, text: str) -> str:
        self.seen.clear()
        return _OUTPUT.sub(self.linked, text)

    def linked(self, output: re.Match[str]) -> str:
        return output["opening"] + "\n".join(map(self.linked_line, output["body"].split("\n")))

    def linked_line(self, line: str) -> str:
        # a name like `support` is one in a list of names; in a sentence it is a word
        is_list = not _LETTER.search(_TAG.sub("", self.names.sub("", line)))

        def link(name: re.Match[str]) -> str:
            doc_id, heading = name["doc_id"], name["heading"]
            if not ("-" in doc_id or heading or is_list):
                return name[0]
            ident = self.headings.get((doc_id, heading), anchor(doc_id))
            # a stop for the Tab key at the first is enough, and not at all of them
            stop = ' tabindex="-1"' if ident in self.seen else ""
            self.seen.add(ident)
            return f'<a class="mention" href="{self.page}#{ident}"{stop}>{name[0]}</a>'

        return self.names.sub(link, line)


def _pattern(chunks: Sequence[Chunk]) -> re.Pattern[str]:
    """Match the name of a document, and the heading of a chunk if one follows."""
    doc_ids = _alternatives({chunk.doc_id for chunk in chunks})
    headings = _alternatives({escape(chunk.heading, quote=False) for chunk in chunks})
    return re.compile(rf"(?<![\w-])(?P<doc_id>{doc_ids})(?![\w-])(?: · (?P<heading>{headings}))?")


def _alternatives(words: set[str]) -> str:
    """Match any of the words, the longest one that is there."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
