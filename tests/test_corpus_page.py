"""The page that shows the corpus, and the links that lead to it."""

import doctest
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown import Markdown
from site_markdown import site_markdown

from lesson_site import corpus as module
from lesson_site.audit import read_html
from lesson_site.corpus import PLACE, CorpusPage, Mentions, Ways
from retrieval_lessons import Chunk, load_chunks

ROOT = Path(__file__).parent.parent
CHUNKS = load_chunks()
EXTENSIONS = ["attr_list", "md_in_html", "tables", "toc", "pymdownx.superfences"]
WAYS = Ways(source="../corpus.md", url="../../corpus/")


class Reader(HTMLParser):
    """Read the chunks of a page as a reader does: by their headings."""

    def __init__(self) -> None:
        super().__init__()
        self.chunks: list[list[str]] = []
        self.ids: list[str] = []
        self.langs: list[str] = []
        self.doc_id = self.tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.langs += [values["lang"] or ""] if "lang" in values else []
        if tag in ("h2", "h3", "p"):
            self.tag = tag
        if tag == "h2":
            self.doc_id = ""
        elif tag == "h3":
            self.chunks.append([self.doc_id, "", ""])

    def handle_data(self, data: str) -> None:
        if self.tag == "h2":
            self.doc_id += data.strip()
        elif self.chunks and self.tag:
            self.chunks[-1][1 if self.tag == "h3" else 2] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == self.tag:
            self.tag = ""


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def corpus_page(chunks: list[Chunk], text: str = PLACE) -> str:
    return Markdown(extensions=[*EXTENSIONS, CorpusPage(chunks, "en")]).convert(text)


def linked(text: str, ways: Ways | None = WAYS) -> str:
    md = Markdown(extensions=[*EXTENSIONS, Mentions(CHUNKS, lambda: ways)])
    return md.convert(text)


def output(text: str, ways: Ways | None = WAYS) -> str:
    return linked(f"``` {{ .text .output .verified }}\n{text}\n```\n", ways)


def links(html: str) -> list[tuple[str, str]]:
    """The address and the text of each link, without what stands before the anchor."""
    found = re.findall(r'<a class="mention" href="[^"#]*#([^"]*)"[^>]*>(.*?)</a>', html)
    return [(ident, re.sub("<[^>]*>", "", text)) for ident, text in found]


# -------------------------------------------------------------------------------- the page


def test_the_page_shows_every_chunk_with_its_text_in_order() -> None:
    shown = read(corpus_page(CHUNKS)).chunks
    assert shown == [[chunk.doc_id, chunk.heading, chunk.text] for chunk in CHUNKS]
    assert len(shown) == 57


def test_no_anchor_is_there_twice() -> None:
    ids = read(corpus_page(CHUNKS)).ids
    assert len(ids) == len(set(ids)) == len(CHUNKS) + len({chunk.doc_id for chunk in CHUNKS})


def test_the_page_says_which_language_the_chunks_are_in() -> None:
    assert read(corpus_page(CHUNKS)).langs == ["en"]


def test_a_chunk_is_shown_to_the_letter() -> None:
    text = "*a* _b_ `c` <d> &amp; $e$ [f](g) {: .h }\n# i <!-- j -->"
    chunk = Chunk("k", "*l* & <m>", text)
    assert read(corpus_page([chunk])).chunks == [["k", chunk.heading, text]]


def test_the_page_may_say_more_before_and_after_the_chunks() -> None:
    html = corpus_page([Chunk("a", "b", "c")], f"before\n{PLACE}\nafter")
    assert re.findall(r"<p>(.*?)</p>", html) == ["before", "c", "after"]


def test_where_the_chunks_go_is_no_secret_in_code() -> None:
    html = corpus_page(CHUNKS, f"```\n{PLACE}\n```\n\n`{PLACE}`")
    assert read_html(html).blocks == (PLACE,)
    assert "no-show-policy" not in html


@pytest.mark.parametrize("lang", ["es", "en"])
def test_each_edition_has_a_place_for_the_chunks(lang: str) -> None:
    text = (ROOT / f"docs/{lang}/corpus.md").read_text(encoding="utf-8")
    assert text.split("\n").count(PLACE) == 1


# ------------------------------------------------------------------------------- the links


def test_a_name_in_an_output_leads_to_its_document() -> None:
    assert links(output("no-show-policy  Can I get a refund?")) == [
        ("no-show-policy", "no-show-policy")
    ]


def test_a_name_and_a_heading_lead_to_the_chunk() -> None:
    assert links(output("-> 6. no-show-policy · What it costs")) == [
        ("no-show-policy-what-it-costs", "no-show-policy · What it costs")
    ]


def test_a_name_with_the_heading_of_another_document_leads_to_the_document() -> None:
    found = links(output("no-show-policy · Cards"))
    assert [ident for ident, _ in found] == ["no-show-policy"]


def test_a_heading_that_begins_like_another_is_not_taken_for_it() -> None:
    chunks = [Chunk("a-b", "Size", "c"), Chunk("a-b", "Size and layout", "d")]
    md = Markdown(extensions=[*EXTENSIONS, Mentions(chunks, lambda: WAYS)])
    html = md.convert("``` { .text .output }\na-b · Size and layout\n```\n")
    assert links(html) == [("a-b-size-and-layout", "a-b · Size and layout")]


def test_a_name_inside_a_longer_one_is_none() -> None:
    assert links(output("my-no-show-policy no-show-policy-2")) == []


def test_a_name_that_is_a_word_counts_in_a_list_and_not_in_a_sentence() -> None:
    assert links(output("   2. support")) == [("support", "support")]
    assert links(output("room-lounge, support"))[1:] == [("support", "support")]
    assert links(output("we support no-show-policy")) == [("no-show-policy", "no-show-policy")]


def test_every_link_leads_to_an_anchor_of_the_page() -> None:
    everything = "\n".join(f"{chunk.doc_id} · {chunk.heading}\n{chunk.doc_id}" for chunk in CHUNKS)
    targets = {ident for ident, _ in links(output(everything))}
    assert targets == set(read(corpus_page(CHUNKS)).ids)


def test_the_text_of_an_output_stays_as_it_was() -> None:
    text = "\n".join(f"{chunk.doc_id} · {chunk.heading} & <b> \"c\" 'd'" for chunk in CHUNKS)
    assert read_html(output(text)).blocks == read_html(output(text, ways=None)).blocks == (text,)


def test_the_tab_key_stops_once_at_each_place() -> None:
    html = output("support\nno-show-policy\nsupport") + linked("next page")
    assert re.findall(r'#([\w-]+)"( tabindex="-1")?>', html) == [
        ("support", ""),
        ("no-show-policy", ""),
        ("support", ' tabindex="-1"'),
    ]


def test_another_page_begins_anew() -> None:
    md = Markdown(extensions=[*EXTENSIONS, Mentions(CHUNKS, lambda: WAYS)])
    pages = [md.reset().convert("``` { .text .output }\nsupport\n```\n") for _ in range(2)]
    assert pages[0] == pages[1]


def test_code_is_left_alone() -> None:
    assert links(linked('```python\n"no-show-policy"\n```\n')) == []


def test_the_first_mention_in_prose_is_a_link_that_mkdocs_can_check() -> None:
    html = linked("See `no-show-policy`, and *`no-show-policy`* again; then `What it costs`.")
    assert re.findall(r'href="(.*?)"', html) == [
        "../corpus.md#no-show-policy",
        "../corpus.md#no-show-policy-what-it-costs",
    ]
    assert [text for _, text in links(html)] == ["no-show-policy", "What it costs"]
    assert re.sub("</?a[^>]*>", "", html) == linked(
        "See `no-show-policy`, and *`no-show-policy`* again; then `What it costs`.", ways=None
    )


def test_a_mention_in_a_table_and_in_a_folded_solution_is_a_link_too() -> None:
    table = "| a |\n|---|\n| `support` |\n"
    folded = '<details markdown="1"><summary>b</summary>\n\n`room-focus`\n\n</details>\n'
    assert [ident for ident, _ in links(linked(table + "\n" + folded))] == ["support", "room-focus"]


def test_headings_and_links_get_no_link() -> None:
    assert links(linked("# `support`\n\n[`support`](other.md)")) == []


def test_a_heading_that_two_chunks_have_names_neither() -> None:
    assert links(linked("`Size and layout`")) == []


def test_words_that_are_no_code_name_nothing() -> None:
    assert links(linked("our support, and the no-show-policy")) == []


def test_a_page_that_takes_no_links_gets_none() -> None:
    assert "mention" not in output("no-show-policy", ways=None) + linked("`support`", ways=None)


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(module).failed == 0


def test_the_extensions_of_the_site_leave_the_chunks_as_they_are() -> None:
    md = site_markdown()
    with_corpus = Markdown(extensions=[*md.registeredExtensions, CorpusPage(CHUNKS, "en")])
    shown = read(re.sub(r"<a class=\"headerlink.*?</a>", "", with_corpus.convert(PLACE)))
    assert [chunk[2] for chunk in shown.chunks] == [chunk.text for chunk in CHUNKS]
