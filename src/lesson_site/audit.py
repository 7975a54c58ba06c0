"""Compare the built HTML with what was verified.

A template, raw HTML or another plugin can put code on a page that no run has ever seen. So the
last look is at the files that readers get.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser
from pathlib import Path

from lesson_checker.page import Block, Page
from lesson_checker.problems import Problem

_BLOCKS = {"pre", "textarea", "xmp", "listing", "plaintext"}
_UNSEEN = {"head", "script", "style", "template", "noscript"}
_NO_PROSE = {"code", "kbd", "math", "samp"}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
_VOID |= {"track", "wbr"}
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_TEX = re.compile(r"\$\$|\\[A-Za-z]{2,}|(?<![\w$])\$[^$\s](?:[^$\n]*[^$\s\\])?\$(?![\w$])")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader of one HTML file sees.

    Attributes:
        blocks: The text of each block of code or output, in order.
        tex: Formulas that were left as they are written.
    """

    blocks: tuple[str, ...]
    tex: tuple[str, ...] = ()


def audit(site: Path, pages: Mapping[str, Page], exempt: Collection[str]) -> list[Problem]:
    """Return what the site shows without proof, and what it should show and doesn't.

    Args:
        site: The folder of the built site.
        pages: The verified page behind each HTML file, by the file's path below ``site``.
        exempt: HTML files that show what others check, such as the examples of docstrings.
    """
    problems: list[Problem] = []
    for file in sorted(site.rglob("*.html")):
        name = file.relative_to(site).as_posix()
        if name not in exempt:
            shown = read_html(file.read_text(encoding="utf-8"))
            problems += _compare(shown, pages.get(name), file)
    for name, page in sorted(pages.items()):
        if not (site / name).is_file():
            problems.append(
                Problem(page.path, 1, "site-missing", f"the site has no {name} for this page")
            )
    return problems


def read_html(text: str) -> Shown:
    r"""Return the blocks that a reader of an HTML document sees.

    >>> read_html("<pre><code>print(1)\n</code></pre><pre hidden>2</pre>").blocks
    ('print(1)',)
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return Shown(tuple(map(_normal, reader.blocks)), tuple(_TEX.findall("".join(reader.prose))))


def _compare(shown: Shown, page: Page | None, file: Path) -> Iterator[Problem]:
    blocks: tuple[Block, ...] = page.blocks if page else ()
    expected = [_normal(block.body) for block in blocks]
    path = page.path if page else file
    matcher = SequenceMatcher(None, expected, shown.blocks, autojunk=False)
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag == "equal":
            continue
        missing = list(blocks[start:end])
        for text in shown.blocks[first:last]:
            block = missing.pop(0) if missing else None
            yield Problem(
                path,
                block.line if block else _line_of(text, page),
                "site-unverified",
                "the site shows this block, and no run has proven it",
                expected=block.body if block else "",
                actual=text,
                remedy="look for raw HTML, a template or a plugin that writes it, "
                "and make it a fenced block of the page",
            )
        for block in missing:
            yield Problem(
                path,
                block.line,
                "site-missing",
                f"the site does not show this {block.language or 'plain'} block",
                expected=block.body,
                remedy="look for HTML around it that hides it, or for a template that cuts it out",
            )
    for tex in shown.tex:
        yield Problem(
            path,
            _line_of(tex, page),
            "formula-invalid",
            f"the site shows the source of a formula: {tex}",
            remedy='inside HTML without markdown="1" formulas are not read; '
            "a formula between $$ has to be a paragraph of its own",
        )


def _line_of(text: str, page: Page | None) -> int:
    """Return the line of a page's source that shows up as ``text``, 1 if none does."""
    first = text.strip().split("\n")[0]
    lines = page.text.split("\n") if page and first else []
    whole = [number for number, line in enumerate(lines, 1) if line.strip() == first]
    parts = [number for number, line in enumerate(lines, 1) if first in line]
    return (whole or parts or [1])[0]


def _normal(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")


class _Reader(HTMLParser):
    """Collect the blocks and the prose that are visible.

    ``inside`` holds the element that the reader is in, by the reason why that matters, and how
    many elements of the same name are open within it.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[str] = []
        self.prose: list[str] = []
        self.inside: dict[str, tuple[str, int]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            if tag == "br":
                self.handle_data("\n")
            return
        self.count(tag, 1)
        values = dict(attrs)
        if tag in _UNSEEN or "hidden" in values or _HIDING.search(values.get("style") or ""):
            self.inside.setdefault("unseen", (tag, 1))
        elif tag in _BLOCKS and not self.inside.keys() & {"unseen", "block"}:
            self.inside["block"] = (tag, 1)
            self.blocks.append("")
        elif tag in _NO_PROSE:
            self.inside.setdefault("aside", (tag, 1))

    def handle_endtag(self, tag: str) -> None:
        self.count(tag, -1)

    def handle_data(self, data: str) -> None:
        if "unseen" in self.inside:
            return
        if "block" in self.inside:
            self.blocks[-1] += data
        elif "aside" not in self.inside:
            self.prose.append(data)

    def count(self, tag: str, step: int) -> None:
        for why, (name, depth) in list(self.inside.items()):
            if name == tag:
                self.inside[why] = (name, depth + step)
                if depth + step == 0:
                    del self.inside[why]
