"""Every link within the site leads to something that is there: pages, anchors, files, notebooks."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin
from xml.etree import ElementTree

import pytest
from course import PAGES


class Document(HTMLParser):
    """The links of an HTML document, and what a link can lead to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.feed(text)

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.append(value)


@pytest.fixture(scope="module")
def documents(site: Path, base_url: str) -> dict[str, Document]:
    """Return every HTML document of the site, by its address."""
    found = {}
    for file in sorted(site.rglob("*.html")):
        path = file.relative_to(site).as_posix().removesuffix("index.html")
        found[base_url + path] = Document(file.read_text(encoding="utf-8"))
    return found


def broken(
    links: Iterator[tuple[str, str]], site: Path, base_url: str, documents: dict[str, Document]
) -> Iterator[str]:
    """Yield the links, given with what they stand in, that lead to nothing within the site."""
    for source, link in links:
        address, anchor = urldefrag(urljoin(source, link))
        if not address.startswith(base_url):
            continue
        document = documents.get(address)
        there = document is not None or (site / unquote(address.removeprefix(base_url))).is_file()
        if not there or (anchor and document and unquote(anchor) not in document.anchors):
            yield f"{source.removeprefix(base_url)}: {link}"


def test_every_link_on_a_page_leads_somewhere(
    site: Path, base_url: str, documents: dict[str, Document]
) -> None:
    links = ((address, link) for address, each in documents.items() for link in each.links)
    assert list(broken(links, site, base_url, documents)) == []


def test_no_anchor_stands_twice_on_a_page(documents: dict[str, Document]) -> None:
    twice = {
        address: [each for each in set(found.anchors) if found.anchors.count(each) > 1]
        for address, found in documents.items()
    }
    assert {address: each for address, each in twice.items() if each} == {}


def test_every_link_in_a_notebook_leads_somewhere(
    site: Path, base_url: str, documents: dict[str, Document]
) -> None:
    files = sorted(site.rglob("*.ipynb"))
    links = [
        (file.name, link)
        for file in files
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
        for link in re.findall(r'\]\(([^()\s]+)|@ (http[^"]*)', "".join(cell["source"]))
        for link in filter(None, link)
    ]
    assert any(link.endswith(".whl") for _, link in links)
    assert [link for link in links if not link[1].startswith("http")] == []
    assert list(broken(iter(links), site, base_url, documents)) == []


def test_every_page_of_the_site_is_one_that_the_other_tests_look_at(
    base_url: str, documents: dict[str, Document]
) -> None:
    assert {base_url + path for path in PAGES} == pages_of(documents)


def test_the_maps_of_the_editions_name_every_page_and_nothing_else(
    site: Path, documents: dict[str, Document]
) -> None:
    trees = [ElementTree.parse(file) for file in site.rglob("sitemap.xml")]  # noqa: S314 - our own
    named = [each.text for tree in trees for each in tree.iter() if each.tag.endswith("}loc")]
    assert set(named) == pages_of(documents)


def pages_of(documents: dict[str, Document]) -> set[str]:
    return {address for address in documents if not address.endswith("404.html")}
