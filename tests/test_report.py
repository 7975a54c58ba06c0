"""Messages: the text of every problem, and the formats for other programs.

The golden texts are in cases/messages: CODE.txt says what the check of CODE.md (or, for a pair, of
CODE/en/page.md) prints. After a change, `GOLDEN=renew python -m pytest tests/test_report.py` writes
them anew: read the difference before you commit it.
"""

from __future__ import annotations

import ast
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from pages import CASES, without_carets

import lesson_checker
from lesson_checker.checks import Report, check_pages
from lesson_checker.problems import Problem
from lesson_checker.report import diff, format_github, format_json, format_text, summary
from lesson_checker.settings import Settings

FOLDER = CASES / "messages"
SETTINGS = Settings(root=FOLDER, timeout=1)
GOLDEN = sorted(path.stem for path in FOLDER.iterdir() if path.suffix != ".txt")
_CODE = re.compile(
    r"(claim|code|comment|did|fence|label|output|page|plot|twin)(-[a-z]+)+|raised|crashed"
)


def pages_of(code: str) -> Path:
    pair = FOLDER / code / "en" / "page.md"
    return pair if pair.exists() else FOLDER / f"{code}.md"


@pytest.fixture(scope="module")
def report() -> Report:
    return check_pages(SETTINGS, [pages_of(code) for code in GOLDEN])


@pytest.mark.parametrize("code", GOLDEN)
def test_the_text_of_a_problem_is_the_golden_one(code: str, report: Report) -> None:
    (verdict,) = (each for each in report.verdicts if each.page.path == pages_of(code))
    problems = [each for each in verdict.problems if each.code == code]
    # which page changed last depends on the clone
    text = re.sub(r" \(\S+ changed last\)", "", format_text(problems, SETTINGS) + "\n")
    text = without_carets(text)
    golden = FOLDER / f"{code}.txt"
    if os.environ.get("GOLDEN") == "renew":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", GOLDEN)
def test_a_problem_says_where_it_is_and_how_to_mend_it(code: str) -> None:
    for text in re.split(r"(?m)^(?=\S)", (FOLDER / f"{code}.txt").read_text(encoding="utf-8"))[1:]:
        place, severity = r"[\w/-]+\.md:\d+", "(warning: )?"
        assert re.match(f"{place}: {severity}{code}: .*\n(.*\n)*  to mend it: .*\n$", text)


def test_every_code_has_a_golden_text() -> None:
    sources = Path(lesson_checker.__file__).parent.glob("*.py")
    codes = {
        node.value
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if _CODE.fullmatch(node.value)
    }
    assert {*codes, "timeout"} == set(GOLDEN)


# ------------------------------------------------------------------------------------- diffs


def lines_of(expected: str, actual: str) -> list[str]:
    """Return a diff without its header and its place."""
    return diff(expected, actual).split("\n")[3:]


def test_a_diff_has_the_names_of_both_sides() -> None:
    assert diff("a", "b", old="page.md", new="page.md (run)").split("\n") == [
        "--- page.md",
        "+++ page.md (run)",
        "@@ -1 +1 @@",
        "-a",
        "+b",
    ]


def test_a_diff_of_equal_texts_is_empty() -> None:
    assert diff("a", "a") == ""


def test_a_diff_with_nothing_on_one_side_shows_the_other() -> None:
    assert (lines_of("", "a\n\nb"), lines_of("a", "")) == (["+a", "+", "+b"], ["-a"])


def test_blanks_between_words_are_left_alone_where_words_differ() -> None:
    assert lines_of("a b", "a c") == ["-a b", "+a c"]


@pytest.mark.parametrize(
    ("expected", "actual", "shown"),
    [
        ("a b", "a  b", ["-a·b", "+a··b", "(page: nothing there; run: U+0020 SPACE)"]),
        ("a", "a ", ["-a", "+a·", "(page: nothing there; run: U+0020 SPACE)"]),
        (
            "a b",
            "a\u00a0b",
            ["-a·b", "+a⍽b", "(page: U+0020 SPACE; run: U+00A0 NO-BREAK SPACE)"],
        ),
        ("a b", "a\tb", ["-a·b", "+a→b", "(page: U+0020 SPACE; run: U+0009 a control character)"]),
        (
            "é",
            "e\u0301",
            [
                "-é",
                "+e\u0301",
                "(page: U+00E9 LATIN SMALL LETTER E WITH ACUTE; "
                "run: U+0065 LATIN SMALL LETTER E, U+0301 COMBINING ACUTE ACCENT)",
            ],
        ),
        ("a", "\u200ba", ["-a", "+␣a", "(page: nothing there; run: U+200B ZERO WIDTH SPACE)"]),
        (
            "a",
            "a" + " " * 9,
            ["-a", "+a·········", "(page: nothing there; run: " + "U+0020 SPACE, " * 2
             + "U+0020 SPACE …)"],
        ),
    ],
    ids=["blanks", "at the end", "no-break", "tab", "accent", "zero width", "many"],
)  # fmt: skip
def test_what_looks_the_same_is_marked_and_named(
    expected: str, actual: str, shown: list[str]
) -> None:
    assert lines_of(expected, actual) == shown


def test_blanks_at_the_end_of_a_line_are_marked_wherever_they_are() -> None:
    assert lines_of("a \nb", "c\nd") == ["-a·", "-b", "+c", "+d"]


def test_lines_are_marked_one_by_one() -> None:
    assert lines_of("x y\na b", "x z\na\u00a0b")[:4] == ["-x y", "-a·b", "+x z", "+a⍽b"]


def test_the_same_difference_is_named_once_and_three_at_most() -> None:
    notes = lines_of("a\tb\nc\td\ne f\nh\ni", "a b\nc d\ne\u00a0f\nh\u200b\ni\ufeff")[10:]
    assert notes == [
        "(page: U+0009 a control character; run: U+0020 SPACE)",
        "(page: U+0020 SPACE; run: U+00A0 NO-BREAK SPACE)",
        "(page: nothing there; run: U+200B ZERO WIDTH SPACE)",
    ]


def test_a_terminal_never_gets_to_obey_what_a_page_printed() -> None:
    shown = format_text(
        [
            Problem(FOLDER / "a.md", 1, "raised", "\x1b[31m", actual="\x1b]0;title\x07"),
            Problem(FOLDER / "a.md", 1, "output-differs", "m", "same\n\x1b[1ma", "same\nb\x07"),
            Problem(FOLDER / "a.md", 1, "output-differs", "m", "\x1b\na", "\x1b\nb"),
        ],
        SETTINGS,
    )
    assert [code for code in shown if ord(code) < 32 and code != "\n"] == []


# ----------------------------------------------------------------------- for other programs


def test_json_holds_every_field_of_every_problem() -> None:
    problem = Problem(FOLDER / "a.md", 3, "raised", "¿qué?", "e", "a", "mend", "warning")
    assert json.loads(format_json([problem], SETTINGS)) == [
        {
            "path": "a.md",
            "line": 3,
            "code": "raised",
            "message": "¿qué?",
            "expected": "e",
            "actual": "a",
            "remedy": "mend",
            "severity": "warning",
        }
    ]


def test_github_gets_one_line_for_each_problem_whatever_is_in_it() -> None:
    problems = [
        Problem(FOLDER / "a,b:c.md", 3, "raised", "100%\nand more", remedy="mend"),
        Problem(FOLDER / "d.md", 4, "twin-behind", "w", severity="warning"),
    ]
    assert format_github(problems, SETTINGS).split("\n") == [
        "::error file=a%2Cb%3Ac.md,line=3,title=raised::100%25%0Aand more%0A  to mend it: mend",
        "::warning file=d.md,line=4,title=twin-behind::w",
    ]


def test_the_summary_counts_warnings_apart(report: Report) -> None:
    first = report.verdicts[0]
    warning = Problem(first.page.path, 1, "twin-behind", "w", severity="warning")
    told = summary(Report((replace(first, problems=(warning,)),)))
    assert told.endswith(" 0 problems, 1 warning")


@pytest.mark.parametrize(
    ("code", "other"),
    [("twin-code", "twin"), ("site-unverified", "site"), ("output-differs", "run")],
)
def test_a_diff_says_where_the_other_text_comes_from(code: str, other: str) -> None:
    problem = Problem(Path("/project/a.md"), 1, code, "m", expected="a", actual="b")
    assert f"    +++ {other}\n" in format_text([problem], SETTINGS)


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (["output-missing"], "1 page, 0 blocks verified, 1 problem"),
        (["output-missing", "output-differs"], "2 pages, 0 blocks verified, 3 problems"),
    ],
)
def test_the_summary_counts(pages: list[str], expected: str, report: Report) -> None:
    chosen = tuple(each for each in report.verdicts if each.page.path.stem in pages)
    assert summary(Report(chosen)) == expected
