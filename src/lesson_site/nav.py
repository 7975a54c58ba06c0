"""The navigation: a section can name all pages of a folder, so that a new lesson needs no entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

Item = str | dict[str, "str | list[Item]"]


def expand(nav: Sequence[Item], docs: Path) -> list[Item]:
    """Return ``nav`` with each ``lessons/*.md`` spelled out, as a section or inside of one.

    Args:
        nav: The navigation of a configuration.
        docs: The folder of the edition's pages.

    Returns:
        The same navigation; the pages of a section are in the order of their names, and a
        section without any page is left out.
    """
    return list(_expanded(nav, docs))


def _expanded(nav: Sequence[Item], docs: Path) -> Iterator[Item]:
    for item in nav:
        if isinstance(item, str):
            yield from _pages(item, docs)
            continue
        for title, content in item.items():
            if isinstance(content, list):
                yield {title: expand(content, docs)}
            elif "*" not in content:
                yield {title: content}
            elif pages := _pages(content, docs):
                yield {title: list(pages)}


def _pages(name: str, docs: Path) -> list[str]:
    if "*" not in name:
        return [name]
    return [page.relative_to(docs).as_posix() for page in sorted(docs.glob(name))]
