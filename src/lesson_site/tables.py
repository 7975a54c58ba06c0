"""Markdown extension: each table stands in a box of its own, which scrolls on a narrow screen."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

_LAST = -10


class Tables(Extension):
    """Put each table of a page into a box.

    What scrolls sideways has to be reachable from the keyboard, so the box can have the focus.
    """

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register the step."""
        md.treeprocessors.register(_Boxes(md), "lesson-tables", _LAST)


class _Boxes(Treeprocessor):
    def run(self, root: Element) -> None:
        for parent in list(root.iter()):
            for place, child in enumerate(parent):
                if child.tag == "table":
                    box = Element("div", {"class": "table", "role": "group", "tabindex": "0"})
                    box.tail, child.tail = child.tail, None
                    box.append(child)
                    parent[place] = box
