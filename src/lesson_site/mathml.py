"""Markdown extension: formulas become MathML while the site is built, so no page needs a script.

It takes over what ``pymdownx.arithmatex`` (``generic: true``) finds and has to be loaded with it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from math_core import LatexError, LatexToMathML

OnError = Callable[[str, str], None]
"""Is told the formula, in TeX, and why it can't be converted."""

_DELIMITERS = 2  # characters that arithmatex writes before and after a formula
_DOTS = dict.fromkeys(("dots", "ldots", "dotsc"), "…")  # else three full stops, far apart
_BEFORE_TOC = 6  # the table of contents shows headings, so it must find them converted
_CONVERTER = LatexToMathML(macros=_DOTS, fancy_error=False)


def to_mathml(tex: str, *, display: bool) -> str:
    r"""Return a formula as a ``math`` element.

    Args:
        tex: The formula, without delimiters.
        display: Whether it stands in a paragraph of its own.

    Raises:
        ValueError: The formula is not valid, or uses a command that MathML can't express.

    >>> to_mathml("k", display=False)
    '<math><mi>k</mi></math>'
    """
    try:
        return _CONVERTER.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        why = re.sub(r"^(\d+): ", r"at its character \1: ", str(error))
        raise ValueError(why) from error


class MathML(Extension):
    """Turn each formula of a page into MathML.

    Args:
        on_error: Called for a formula that can't be converted, which is then shown as its TeX.
            Without it such a formula raises ValueError.
    """

    def __init__(self, on_error: OnError | None = None) -> None:
        super().__init__()
        self.on_error = on_error

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register the conversion."""
        md.treeprocessors.register(_Formulas(md, self.on_error), "mathml", _BEFORE_TOC)


class _Formulas(Treeprocessor):
    def __init__(self, md: Markdown, on_error: OnError | None) -> None:
        super().__init__(md)
        self.stash = md.htmlStash
        self.on_error = on_error

    def run(self, root: Element) -> None:
        for element in root.iter():
            if element.get("class") == "arithmatex":
                self.convert(element)

    def convert(self, element: Element) -> None:
        display = element.tag == "div"
        tex = (element.text or "")[_DELIMITERS:-_DELIMITERS].strip()
        if display:
            tex = html.unescape(tex)  # arithmatex escapes these, and only these
        try:
            result = to_mathml(tex, display=display)
        except ValueError as error:
            if self.on_error is None:
                raise ValueError(f"formula {tex!r}: {error}") from error
            self.on_error(tex, str(error))
            element.attrib = {"class": "formula-error"}
            element.text = ""
            SubElement(element, "code").text = tex
            return
        element.attrib = {"class": "formula"}
        if display:
            # what scrolls sideways on a narrow screen has to be reachable from the keyboard
            element.attrib |= {"tabindex": "0", "role": "group"}
        element.text = self.stash.store(result)


def makeExtension(**options: OnError) -> MathML:  # noqa: N802 - Markdown calls it so
    """Return the extension, for ``markdown_extensions`` of a configuration."""
    return MathML(**options)
