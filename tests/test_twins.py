"""When a page was last brought in line with its twin."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from lesson_checker.checks import check_pages
from lesson_checker.page import Page, parse_page, read_page
from lesson_checker.settings import Settings
from lesson_checker.twins import (
    behind,
    changed_last,
    confirmed_text,
    digest_of,
    recorded_digest,
)

SETTINGS = Settings(Path("/project"))


def page_of(text: str, lang: str = "en") -> Page:
    return parse_page(text, Path(f"/project/docs/{lang}/a.md"), SETTINGS)


@pytest.mark.parametrize(
    "other",
    [
        "# One\n\nA sentence in\ntwo lines, 3 of 5.\n",
        "# One\n\nA sentence in two lines, 4 of 6.\n",
        "# One\n\nA *sentence* in **two lines**, 3 of 5.\n",
        "# One\n\nA sentence in two lines, 3 of 5. <!-- plain -->\n",
        "# One\n\nA sentence in two lines, 3<!--~ why --> of 5.\n",
        "---\ntags: a\n---\n\n# One\n\nA sentence in two\n\nlines, 3 of 5.\n",
    ],
)
def test_lines_numbers_emphasis_and_comments_do_not_count_as_text(other: str) -> None:
    assert digest_of(page_of(other)) == digest_of(
        page_of("# One\n\nA sentence in two lines, 3 of 5.\n")
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A sentence.", "Another sentence."),
        ("From 3 to 5.", "From 5 to 3."),
        ("It is 1.667.", "It is 1667."),
        ("Version 0.2.2", "Version 0.2"),
        ("From 0.2.2 to 0.2.3", "From 0.2.3 to 0.2.2"),
        ("$a$ and $b$", "$b$ and $a$"),
        ("[a](b.md) [a](c.md)", "[a](c.md) [a](b.md)"),
        ("It is 5 %.", "It is 5."),
        ("- a\n- b", "- a b"),
        ("- a\n- b", "1. a\n2. b"),
        ("- a\n\n    b", "- a\n\nb"),
        ("> a", "a"),
        ("---\ntitle: a\n---\n", "---\ntitle: b\n---\n"),
        ("```\na -> b\n```\n", "```\na -> c\n```\n"),
        ("a\n\n```python\n1\n```\n\nb", "a\n\nb\n\n```python\n1\n```\n"),
    ],
)
def test_words_and_the_order_of_all_else_count_as_text(one: str, other: str) -> None:
    assert digest_of(page_of(one)) != digest_of(page_of(other))


def test_other_bound_words_change_nothing() -> None:
    one, other = (f"It is 3, or **{words}**<!--= x -->." for words in ("2 of 4", "many"))
    assert digest_of(page_of(one)) == digest_of(page_of(other))


def test_a_page_is_behind_once_its_twin_was_reworded() -> None:
    twin = page_of("Una frase.", "es")
    page = page_of(f"---\ntitle: a\ntwin: {digest_of(twin)}\n---\n\nA sentence.\n")
    assert behind(page, twin) is None
    warning = behind(page, page_of("Otra frase.", "es"))
    assert warning is not None
    assert (warning.code, warning.line, warning.severity) == ("twin-behind", 3, "warning")


def test_a_page_that_nobody_confirmed_is_behind() -> None:
    warning = behind(page_of("A sentence."), page_of("Una frase.", "es"))
    assert warning is not None
    assert warning.line == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A.\n", "---\ntwin: {}\n---\n\nA.\n"),
        ("---\ntitle: a\n---\nA.\n", "---\ntitle: a\ntwin: {}\n---\nA.\n"),
        ("---\ntwin: old\ntitle: a\n---\nA.\n", "---\ntwin: {}\ntitle: a\n---\nA.\n"),
        ("---\r\ntwin: old\r\n---\r\nA.\r\n", "---\r\ntwin: {}\r\n---\r\nA.\r\n"),
        ("---\r\ntitle: a\r\n---\r\nA.\r\n", "---\r\ntitle: a\r\ntwin: {}\r\n---\r\nA.\r\n"),
        ("\ufeffA.\n", "\ufeff---\ntwin: {}\n---\n\nA.\n"),
        ("A.\r\n", "---\r\ntwin: {}\r\n---\r\n\r\nA.\r\n"),
    ],
)
def test_confirming_changes_the_one_line(text: str, expected: str) -> None:
    twin = page_of("Una frase.", "es")
    confirmed = confirmed_text(page_of(text), twin)
    assert confirmed == expected.format(digest_of(twin))
    assert recorded_digest(page_of(confirmed))[0] == digest_of(twin)


def test_confirming_twice_changes_nothing() -> None:
    twin = page_of("Una frase.", "es")
    once = confirmed_text(page_of("A.\n"), twin)
    assert confirmed_text(page_of(once), twin) == once


def git(folder: Path, *arguments: str, when: int = 0) -> None:
    dated = {"GIT_AUTHOR_DATE": f"@{when} +0000", "GIT_COMMITTER_DATE": f"@{when} +0000"}
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, env=os.environ | dated)


def test_git_tells_which_side_changed_last(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    paths = {lang: tmp_path / lang / "a.md" for lang in ("es", "en")}
    git(tmp_path, "init", "-q")
    for when, (lang, path) in enumerate(paths.items(), 1):
        path.parent.mkdir()
        path.write_text(f"# {lang}\n", encoding="utf-8")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", lang, when=when)
    es, en = (read_page(path, settings) for path in paths.values())
    assert changed_last(es, en, tmp_path) == "en/a.md"
    paths["es"].write_text("# changed\n", encoding="utf-8")
    assert changed_last(es, en, tmp_path) == "es/a.md"


def test_without_git_nobody_changed_last(tmp_path: Path) -> None:
    page = parse_page("# a", tmp_path / "en" / "a.md", Settings(tmp_path))
    assert changed_last(page, page, tmp_path) == ""


def test_a_check_reads_the_twin_but_does_not_run_it(tmp_path: Path) -> None:
    for lang, number in (("es", 1), ("en", 2)):
        (tmp_path / lang).mkdir()
        text = f"```python\nopen({str(tmp_path / lang)!r} + '/ran', 'w')\nx = {number}\n```\n"
        (tmp_path / lang / "a.md").write_text(text, encoding="utf-8")
    report = check_pages(Settings(tmp_path), [tmp_path / "es" / "a.md"])
    assert [problem.code for problem in report.problems] == [
        "twin-code",
        "twin-behind",  # of the page
        "twin-behind",  # of its twin, which is not among those that are checked
    ]
    assert (tmp_path / "es" / "ran").exists()
    assert not (tmp_path / "en" / "ran").exists()


def test_a_page_without_its_twin_is_a_problem(tmp_path: Path) -> None:
    for lang in ("es", "en"):
        (tmp_path / lang).mkdir()
    (tmp_path / "es" / "a.md").write_text("# Uno\n", encoding="utf-8")
    (problem,) = check_pages(Settings(tmp_path)).problems
    assert (problem.code, problem.line) == ("twin-missing", 1)
    assert problem.remedy == "write en/a.md, or delete this page too"
