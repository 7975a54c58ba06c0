"""Markdown extension: an empty ``<div data-explorer="…">`` becomes the ranking explorer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from lesson_site.explorer import LAST_K, METRICS, Explorer

_TAG = re.compile(r"(?m)^<div data-explorer\b[^>\n]*></div>[ \t]*$")
_ATTRIBUTE = re.compile(r'\bdata-([\w-]+)="([^"]*)"')
_BETWEEN_FENCES_AND_COMMENTS = 23


@dataclass(frozen=True, slots=True)
class Opening:
    """What an explorer shows first.

    Attributes:
        metric: The one that its page is about.
        query: The position of the query.
        k: How wide the window is.
        opened: The rank of the score that is shown word by word, if any is.
    """

    metric: str
    query: int
    k: int
    opened: int | None = None


Show = Callable[[Opening, str], str]
"""Is told what is shown first, and what the ids begin with; returns the HTML."""

Refuse = Callable[[str, str], None]
"""Is told a tag that asks for something that is not there, and why it can't be shown."""


def opening(tag: str, shown: Explorer) -> Opening:
    """Return what a tag asks for.

    Args:
        tag: Such as ``<div data-explorer="recall" data-document="room-focus" data-k="5"></div>``;
            with ``data-open="2"`` the second score is shown word by word.
        shown: What the explorer has to show.

    Raises:
        ValueError: The tag asks for something that is not there.
    """
    values = {"open": "", **dict(_ATTRIBUTE.findall(tag))}
    documents = [ranking.expected for ranking in shown.rankings]
    ranks = [str(rank) for rank in range(1, LAST_K + 1)]
    known = {"explorer": METRICS, "document": documents, "k": ranks, "open": ["", *ranks]}
    if unknown := sorted(set(values) - set(known)):
        names = ", ".join(f"data-{name}" for name in known)
        raise ValueError(f"an explorer has no data-{unknown[0]}; it knows {names}")
    for name, allowed in known.items():
        if values.get(name) not in allowed:
            said = f"data-{name}={values[name]!r}" if name in values else f"no data-{name}"
            choice = ", ".join(filter(None, allowed))
            raise ValueError(f"the explorer has {said}, expected one of {choice}")
    return Opening(
        metric=values["explorer"],
        query=documents.index(values["document"]),
        k=int(values["k"]),
        opened=int(values["open"]) if values["open"] else None,
    )


class Explorers(Extension):
    """Put an explorer in the place of each tag.

    Args:
        shown: What it has to show.
        show: Makes its HTML.
        refuse: Told of the tags that can't be shown.
    """

    def __init__(self, shown: Callable[[], Explorer], show: Show, refuse: Refuse) -> None:
        super().__init__()
        self.shown, self.show, self.refuse = shown, show, refuse

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register the step."""
        step = _Replace(md, self)
        md.preprocessors.register(step, "lesson-explorers", _BETWEEN_FENCES_AND_COMMENTS)


class _Replace(Preprocessor):
    def __init__(self, md: Markdown, extension: Explorers) -> None:
        super().__init__(md)
        self.extension = extension
        self.count = 0

    def run(self, lines: list[str]) -> list[str]:
        return _TAG.sub(self.html, "\n".join(lines)).split("\n")

    def html(self, tag: re.Match[str]) -> str:
        try:
            start = opening(tag[0], self.extension.shown())
        except ValueError as error:
            self.extension.refuse(tag[0].rstrip(), str(error))
            return ""
        self.count += 1
        html = self.extension.show(start, f"explorer-{self.count}")
        return f"\n{self.md.htmlStash.store(html)}\n"
