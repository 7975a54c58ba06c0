"""What of a page is read, and what is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lesson_checker.claims import claim_problems
from lesson_checker.page import Page, parse_page
from lesson_checker.parity import compare_twins
from lesson_checker.prose import prose_of, sections
from lesson_checker.settings import Settings
from lesson_checker.twins import digest_of

SETTINGS = Settings(Path("/project"))


def page_of(text: str, lang: str = "en") -> Page:
    return parse_page(text, Path(f"/project/docs/{lang}/a.md"), SETTINGS)


def read(text: str) -> str:
    return " ".join(prose_of(page_of(text)).text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b` c", "a c"),
        ("a ``b ` c`` d", "a d"),
        ("a \\`b` c", "a \\`b` c"),
        ("a ` b\n\nc ` d", "a ` b c ` d"),
        ("a <!-- b --> c", "a c"),
        ("a <!-- ` --> b ` c", "a b ` c"),
        ("a `<!--` b --> c", "a b --> c"),
        ("a $b$ c", "a c"),
        ("a $5 and $6", "a $5 and $6"),
        ("a \\$b$ c", "a \\$b$ c"),
        ("$$\na\n$$\n\nb", "b"),
        ("a $b `c` d$ e", "a e"),
        ("<!-- a --> b ````c```` d", "b d"),
        ("**a *b* c** _d_ snake_case", "a b c d snake_case"),
        ('[a](b.md "c") ![d](e.png)', '[a "c") ![d'),
        ("[a][b]\n\n[b]: c.md 'd'", "[a 'd'"),
        ("[^1] and\n\n[^1]: a note", "[^1] and [^1]: a note"),
        ("# a { #b .c }", "# a"),
        ("a {b} and { 1, 2 }", "a {b} and { 1, 2 }"),
        ('<details markdown="1"><summary>a</summary>', "a"),
        ("a <b and\n\nc> d", "a <b and c> d"),
        ("a <https://b.c/1> https://b.c/2, d", "a d"),
        ("a&nbsp;b &lt; c", "a b c"),
        ("<!--! skip: a -->\n```python\n1\n```\n", "a"),
        ("---\ntitle: a\ndescription: >\n  b\n  c\ntags:\n  - d\n---\ne", "a > b c e"),
    ],
)
def test_what_is_read(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text", ["a\n`b` **c** 1\r\n<!-- d\n-->", "---\ntitle: \x0c a\n---\n\u2028 `b`", "&nbsp;1"]
)
def test_every_character_keeps_its_place(text: str) -> None:
    prose = prose_of(page_of(text))
    for each in (prose.text, prose.with_code, prose.marked):
        assert len(each) == len(text)
        assert [n for n, c in enumerate(each) if c == "\n"] == [
            n for n, c in enumerate(text) if c == "\n"
        ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# a\n## b { #c }", [(1, None), (2, "c")]),
        ("## `a` { .b #c } ##", [(2, "c")]),
        ("## a {b} c", [(2, None)]),
        ("a\n=\n\nb { #c }\n---\n", [(1, None), (2, "c")]),
        ("a\nb\n---\n", []),
        ("a\n\n---\n", []),
        (" # a", []),
        ("    # a\n> # b", [(1, None), (1, None)]),
        ("```\n# a\n```\n<!--\n# b\n-->", []),
    ],
)
def test_headings(text: str, expected: list[tuple[int, str | None]]) -> None:
    found = prose_of(page_of(text)).headings
    assert [(heading.level, heading.ident) for heading in found] == expected


def test_sections_are_what_stands_between_headings() -> None:
    text = "a\n# b\nc\n## d\n"
    parts = [text[start:end] for start, end in sections(prose_of(page_of(text)))]
    assert parts == ["a\n", "# b\nc\n", "## d\n"]


@pytest.mark.parametrize(
    "unit",
    ["`", "`a", "` ``", "*", "_a", "$", "$a ", "<", "<a ", "<!--", "[", "![", "](", "][", "{", "{#",
     "#", "# a\n", "a\n-\n", "|", "|a", "\n|-", "1 ", "1,", "1.", "-1", "&", "a=", "@1", "  ",
     "\\", "\t#", "> ", "0.5<!--~ a -->", "\u00a0", "1/", "!!! a\n", "<!--= x\n", "(", "«"],
)  # fmt: skip
def test_the_time_grows_with_the_text_and_not_with_its_square(unit: str) -> None:
    short, long = (seconds_for((unit * size)[:size]) for size in (8_000, 32_000))
    assert long < 10 * short + 0.5


def seconds_for(text: str) -> float:
    page, twin = page_of(text), page_of(text + " ", "es")
    started = time.process_time()
    digest_of(page)
    for problem, _ in zip(claim_problems(page, SETTINGS, [], []), range(5), strict=False):
        assert problem.line
    list(compare_twins(page, twin, str))
    return time.process_time() - started
