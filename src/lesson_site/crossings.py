"""Links from a page of one edition to a page of another.

They are written as they are in the repository, ``[hit](../en/glossary.md#hit)``, and so work on a
code host too. MkDocs knows one edition at a time, so they are kept from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

_BEFORE_MKDOCS, _AFTER_MKDOCS = 3, -3
_SCHEME = "crossing:"  # MkDocs leaves an address with a scheme as it is


class Place(NamedTuple):
    """Where a link to another edition leads: the code of its language, and the address."""

    lang: str
    href: str


class Crossings(Extension):
    """Turn links to the source of another edition's page into links to the page.

    Args:
        place: Told what a link says, returns where that leads; None if it stays in the edition.
    """

    def __init__(self, place: Callable[[str], Place | None]) -> None:
        super().__init__()
        self.place = place

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register both steps."""
        md.treeprocessors.register(_Take(md, self.place), "crossings-take", _BEFORE_MKDOCS)
        md.treeprocessors.register(_Give(md), "crossings-give", _AFTER_MKDOCS)


class _Take(Treeprocessor):
    def __init__(self, md: Markdown, place: Callable[[str], Place | None]) -> None:
        super().__init__(md)
        self.place = place

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            place = self.place(link.get("href", ""))
            if place:
                href = _SCHEME + place.href
                link.attrib |= {"href": href, "hreflang": place.lang, "lang": place.lang}


class _Give(Treeprocessor):
    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            link.set("href", link.get("href", "").removeprefix(_SCHEME))
