"""Say whether the site shows the fences of a page in the places where they stand.

A fence may be at the margin, in ``<details markdown="1">``, and, indented by four spaces for
each, in list items, admonitions and tabs. The site's Markdown has many more rules for what an
indented line belongs to. Where they are intricate, a place counts as one that holds no fence:
this module may refuse what the site would show, and never passes what it would not. Blocks that
the site shows without a fence, by indentation or as raw HTML, are noted too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import inf

from lesson_checker.fences import TAB, Fence, Finding, end_of_front_matter
from lesson_checker.markup import (
    COMMENT,
    Elements,
    Row,
    can_hold_blocks,
    shows_code,
    without_comments,
)

_FENCE = "\0"  # stands for a fence; a page holds no such character
# a fence or the first line of a paragraph as most are: nothing but text, from the margin on
_PLAIN = re.compile(rf"(?:[^\W\d_]|{_FENCE})[^<{COMMENT}]*+\Z")

_ITEM = re.compile(r"[ ]{0,3}(?:[-*+]|\d+\.)[ ]+")
_WORDS = r"[\w-]+(?:[ ]+[\w-]+)*"
_BOX = re.compile(
    rf"(?:!!![ ]?{_WORDS}(?:[ ]+\".*\")?"
    rf"|\?\?\?\+?[ ]?(?:{_WORDS}|(?:{_WORDS})?[ ]+\".*\")"
    r"|===(?:\+!?|!\+?)?[ ]+\".*\")[ ]*"
)
_RULE = re.compile(r"[-=_*|:+ ]+")
_LINE = re.compile(r"-{3,}[ ]*")
_QUOTE = re.compile(r"(?:[ ]{0,3}>[ ]?)+")
_MARKERS = re.compile(r"(?:[ ]*(?:>|(?:[-*+]|\d+\.)(?=[ ])))*[ ]*")
_DEFINITION = re.compile(r"[ ]*\[[^\]]*\]:")
# below such a line an indented one can be code even without a blank line between them
_SPECIAL = re.compile(r"[#\\<]|!!!|\?\?\?|===|\$\$|[-=_*|:+ ]*$")
_CLOSED = re.compile(r"\[[^\[\]]*\]|<[^<>]*>|\$[^$]*\$")


def misplaced(lines: Sequence[str], fences: Sequence[Fence]) -> list[Finding]:
    """Return what the site does not show where it stands, and what it shows without a fence.

    Args:
        lines: Lines without their ends and with tabs expanded, as the site reads them.
        fences: The fences among them.
    """
    rows, unclosed = without_comments(list(_rows(lines, fences)))
    walk = _Walk({fence.opening for fence in fences if fence.sound})
    body = end_of_front_matter(lines)
    for row in rows:
        if row.number == body > 0:
            walk.begin_body()
        walk.follow(row)
    walk.end(unclosed)
    return walk.findings


def _rows(lines: Sequence[str], fences: Sequence[Fence]) -> Iterator[Row]:
    number = 0
    for fence in fences:
        yield from (Row(prose, lines[prose]) for prose in range(number, fence.opening))
        yield Row(fence.opening, lines[fence.opening][: fence.indent] + _FENCE)
        number = fence.closing + 1
    yield from (Row(prose, lines[prose]) for prose in range(number, len(lines)))


class _Walk:
    """Follow what is open from line to line.

    A *group* is what the site takes at once: lines without a blank one between them, or what comes
    right below a heading or the first line of a box. A *level* is four spaces of indentation.

    Attributes:
        sound: The fences that nothing is wrong with so far, by their first lines.
        findings: What is wrong.
        elements: The HTML elements that are open.
        chain: What else is open, outermost first: lists, and boxes (admonitions and tabs).
        base: The level of the group.
        fresh: Whether the next line begins a group.
        listy: Whether the group began with a list item, so that others may follow in it.
        limit: The level above which a line is code although it does not begin a group.
        quoted: Whether the last line was text in a quote.
        astray: Whether the last line was indented further than anything open explains.
        glued: The lines above, back to a blank line or a fence.
        defines: Whether there is the definition of a link among the lines since a blank one.
        closers: Signs that would make a fence a part of the text around it, and the fence.
        top: Whether nothing but front matter stands above; the site keeps blanks there.
    """

    def __init__(self, sound: set[int]) -> None:
        self.sound = sound
        self.findings: list[Finding] = []
        self.elements = Elements()
        self.top = True
        self.begin()

    def begin(self) -> None:
        """Begin at the margin, with nothing open."""
        self.chain: list[str] = []
        self.astray = False
        self.blank()
        self.limit: float = 0

    def begin_body(self) -> None:
        """Begin below front matter, which the site takes for text if it is no YAML."""
        self.begin()
        self.fresh = False
        self.top = True

    def blank(self) -> None:
        """Follow a blank line."""
        self.base = 0
        self.limit = inf
        self.fresh = True
        self.listy = self.quoted = self.defines = False
        self.glued: list[str] = []
        self.closers: dict[str, int] = {}

    def end(self, unclosed_comment: int | None) -> None:
        """Note what is still open when the page ends."""
        if unclosed_comment is not None:
            self.hide(
                unclosed_comment,
                "this comment is never closed: a code host hides everything below",
                "end it with -->",
            )
        for name, number in self.elements.read:
            self.hide(
                number,
                f"<{name}> is never closed, so everything below is taken into it",
                f"write </{name}> on a line of its own below what belongs to it",
            )

    def follow(self, row: Row) -> None:
        """Follow what a line opens and closes."""
        if self.followed_easily(row):
            return
        number = row.number
        self.drop(
            row.hidden,
            "code-hidden",
            "this block is in an HTML comment: it is neither shown nor run",
            "take it out of the comment, or delete it",
        )
        text = row.text.replace(COMMENT, "")
        if row.text.lstrip(" ").startswith(COMMENT) and row.text.index(COMMENT) < TAB:
            self.begin()
        if not text or (text == row.text and not text.strip(" ")):
            if self.top and number and len(text) >= TAB:
                self.top = False
                self.hide_indented(number)
            self.blank()
        elif self.elements.raw:
            self.follow_raw(number, text)
        else:
            self.follow_text(number, text)
        self.top = self.top and not row.text.strip(" ")

    def followed_easily(self, row: Row) -> bool:
        """Follow what most lines are, as all that is below would."""
        if not row.text and not row.hidden:
            self.blank()
            return True
        alone = self.fresh and not (self.base or self.glued or self.elements.raw or row.hidden)
        if alone and _PLAIN.match(row.text):
            self.chain = []
            self.limit = inf
            self.fresh = self.listy = self.quoted = self.astray = self.top = False
            self.glued.append(row.text)
            return True
        return False

    # ------------------------------------------------------------------------------- HTML

    def follow_raw(self, number: int, text: str) -> None:
        """Follow a line inside raw HTML."""
        name = self.elements.raw
        remedy = f'write <{name} markdown="1">' if can_hold_blocks(name) else "take it out"
        message = f"this block is inside <{name}>, where the site reads no Markdown"
        if number in self.sound and not self.elements.noted:
            self.elements.noted = True
            self.drop([number], "fence-not-rendered", message, remedy)
        self.follow_tags(number, text)

    def follow_tags(self, number: int, text: str) -> bool:
        """Follow the tags of a line, and say whether there are any that count."""
        if shows_code(text) and not self.elements.noted:
            self.hide(
                number,
                "code in raw HTML is shown, but neither run nor compared",
                "write it between fences (```)",
            )
        end = self.elements.follow(number, text)
        if end:
            self.begin()
            self.fresh = not text[end:].strip()
        return bool(end)

    # -------------------------------------------------------------------------------- text

    def follow_text(self, number: int, text: str) -> None:
        """Follow a line outside of raw HTML."""
        inner = text.lstrip(" ")
        level = (len(text) - len(inner)) // TAB
        if level < self.base and "box" in self.chain[: self.base]:
            self.fresh = level >= self.chain.index("box")
            self.chain, self.base, self.listy = self.chain[:level], level, False
        may_begin = self.fresh or self.limit < inf
        limit = len(self.chain) if self.fresh or number in self.sound else inf
        if level > min(limit, self.limit) or (0 < level < self.base and may_begin):
            self.stray(number, text)
            return
        self.astray = False
        if self.follow_tags(number, text):
            return
        if self.fresh:
            self.chain, self.base, self.listy = self.chain[:level], level, False
        if inner:
            self.follow_glued(number, text)
            self.follow_block(text, level)
            self.follow_quote(number, text[level * TAB :])
        elif self.fresh:  # blanks that a comment has left
            self.fresh = len(text) == TAB * level
            self.limit = len(self.chain)
        else:
            self.chain = self.chain[: max(self.base, 1)]
            self.limit = len(self.chain)

    def follow_block(self, text: str, level: int) -> None:
        """Follow a line that is neither blank, nor a tag, nor astray."""
        inner = text.lstrip(" ")
        rest = _MARKERS.sub("", text, count=1)
        box = _BOX.fullmatch(rest) is not None
        exact = len(text) - len(inner) == TAB * self.base
        item = (self.fresh or self.listy) and _ITEM.match(text, TAB * level) is not None
        self.fresh = False
        if _RULE.fullmatch(inner):
            self.chain = self.chain[: min(level, self.base)]
            self.fresh = level == self.base and _LINE.fullmatch(inner) is not None
            self.listy = False
        elif item and level <= len(self.chain) and not box:
            self.chain = [*self.chain[:level], "list"]
            self.listy = True
        elif box or rest.startswith("#"):
            self.chain = self.chain[:level]
            self.base = min(level, self.base)
            self.listy = False
            if rest == inner and (exact or rest == text):
                self.fresh = box or "\\" not in rest
                if box:
                    self.chain.append("box")
        self.defines = self.defines or _DEFINITION.match(rest) is not None
        self.limit = len(self.chain) if self.defines or _SPECIAL.match(rest) else inf

    def follow_quote(self, number: int, inner: str) -> None:
        """Note what is shown as code because it is indented in a quote."""
        quote = _QUOTE.match(inner)
        rest = inner[quote.end() :] if quote else ""
        if rest.startswith(" " * TAB) and not self.quoted:
            self.hide_indented(number)
        self.quoted = bool(rest) and self.limit == inf
        if quote and not self.quoted:
            self.limit = 0

    def follow_glued(self, number: int, text: str) -> None:
        """Note a fence that the text right above and below it takes in, or out of its order."""
        fences = [fence for sign, fence in self.closers.items() if sign in text]
        if number in self.sound and self.glued:
            if self.defines or (self.listy and "box" in self.chain):
                fences.append(number)
            above = _CLOSED.sub("", "\n".join(self.glued))
            self.closers |= {end: number for start, end in ("[]", "<>", "$$") if start in above}
            self.glued.clear()
        self.drop(
            fences[:1],
            "fence-not-rendered",
            "the site does not keep this block apart from the text right above or below it",
            "leave a blank line above and below the block",
        )
        self.glued.append(text)

    def stray(self, number: int, text: str) -> None:
        """Note a line that is indented further than anything open explains, once for many."""
        if not self.astray:
            if number in self.sound:
                self.drop(
                    [number],
                    "fence-not-rendered",
                    "this block is indented, but nothing is open that it could belong to: the "
                    "site shows it as broken text",
                    "begin it at the margin, or indent it by four spaces for each list item, "
                    "admonition and tab around it",
                )
            elif not text.endswith(_FENCE):
                self.hide_indented(number)
        self.fresh, self.limit, self.astray = False, len(self.chain), True

    # ---------------------------------------------------------------------------- findings

    def drop(self, numbers: Sequence[int], code: str, message: str, remedy: str) -> None:
        """Note the first of the fences in these lines that is sound until now, and drop all."""
        fences = [number for number in numbers if number in self.sound]
        if fences:
            self.findings.append(Finding(fences[0], code, message, remedy))
            self.sound.difference_update(fences)

    def hide_indented(self, number: int) -> None:
        self.hide(
            number,
            "a line that is indented like this is shown as code, but neither run nor compared",
            "write code between fences (```); indent text by four spaces for each list item, "
            "admonition and tab around it, and no more",
        )

    def hide(self, number: int, message: str, remedy: str) -> None:
        self.findings.append(Finding(number, "code-hidden", message, remedy))
