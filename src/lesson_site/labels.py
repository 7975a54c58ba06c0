"""Show what a run has proven: outputs with a title and a mark, the reasons of skipped blocks.

The checker's own parse of a page says which block is what, so what bears the mark on the site is
what was verified, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import escape

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from lesson_checker.page import Example, Page

_INFO = re.compile(r"(?P<fence>[\s>]*(?:`{3,}|~{3,}))\s*text\b(?P<attributes>[^{}]*)$")
_CODE_OR_COMMENT = re.compile(
    r"(?P<code>(?P<ticks>(?<!`)`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=ticks)(?!`))|<!--.*?-->",
    re.DOTALL,
)
# a fence's content is escaped, so only the title bar of a real block can look like this
_TITLE = re.compile(r'<div class="[^"]*\boutput verified\b[^"]*"><span class="filename">[^<]*')
_AFTER_FENCES = 22  # fences are put away by then, HTML blocks are not yet
_LAST = -10


def join_labels(
    markdown: str,
    page: Page,
    *,
    proven: Collection[Example],
    skipped: str,
    pictures: Mapping[Example, str] | None = None,
) -> str:
    """Return the Markdown of a page with each label joined to its output block, as its title.

    Args:
        markdown: The page's text, with or without its front matter.
        page: What the checker read in that text.
        proven: The examples whose output a run has proven.
        skipped: The words before the reason for which a block is not run.
        pictures: What goes below a block and its output.
    """
    lines = markdown.split("\n")
    # counted from the end: front matter is at the beginning, and may be gone
    shift = len(lines) - page.text.count("\n") - 2
    for example in page.examples:
        code = example.code.line + shift
        if example.skip is not None:
            above = max(n for n in range(code) if lines[n].lstrip().startswith("<!--! skip"))
            indent = example.code.indent
            lines[above] = f"\n{indent}**{skipped}** {example.skip}\n{indent}{{: .skipped }}\n"
        if example.output is not None:
            output = example.output.line + shift
            title = escape(page.label.rstrip(": "))
            lines[output] = _titled(lines[output], title, verified=example in proven)
            for number in range(code + example.code.body.count("\n") + 2, output):
                if lines[number].strip() == page.label:
                    lines[number] = ""
        if picture := (pictures or {}).get(example):
            last = example.output or example.code
            closing = last.line + shift + last.body.count("\n") + 2
            lines[closing] += f"\n\n{last.indent}{picture}\n"
    return "\n".join(lines)


def _titled(opening: str, title: str, *, verified: bool) -> str:
    match = _INFO.match(opening.rstrip())
    if match is None:  # its author has written the classes already
        return opening
    classes = ".text .output .verified" if verified else ".text .output"
    own = match["attributes"].strip()
    title = "" if "title=" in own else f' title="{title}"'
    return f"{match['fence']} {{ {classes}{title} {own}}}"


class Marks(Extension):
    """Take the checker's comments away, and write the mark beside the title of verified outputs.

    Args:
        verified: The words of the mark.
    """

    def __init__(self, verified: str) -> None:
        super().__init__()
        self.verified = verified

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register both steps."""
        md.preprocessors.register(_Comments(md), "lesson-comments", _AFTER_FENCES)
        md.postprocessors.register(_Mark(self.verified), "lesson-marks", _LAST)


class _Comments(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        return _CODE_OR_COMMENT.sub(lambda match: match["code"] or "", text).split("\n")


class _Mark(Postprocessor):
    def __init__(self, verified: str) -> None:
        super().__init__()
        self.mark = f' <span class="mark">{escape(verified)}</span>'

    def run(self, text: str) -> str:
        return _TITLE.sub(lambda match: match[0] + self.mark, text)
