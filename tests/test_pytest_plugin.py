"""The pytest plugin: one item per page, one subtest per block."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import blocks, page

pytest_plugins = ["pytester"]

TRUE = "```python\nprint(1)\n```\n\n```text\n1\n```\n"
STALE = TRUE.replace("text\n1", "text\n2")
PLUGIN = ("-p", "lesson_checker.pytest_plugin")


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """The pages of a project whose settings name one folder."""
    pytester.makepyprojecttoml(
        """
        [tool.lesson-checker]
        folders = ["docs"]
        exclude = ["STYLE.md"]

        [tool.pytest.ini_options]
        verbosity_subtests = 1
        """
    )
    folder = pytester.path / "docs"
    folder.mkdir()
    return folder


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # parallel workers need a process to start from; all else is faster in this one
    start = pytester.runpytest_subprocess if "-n" in arguments else pytester.runpytest_inprocess
    return start(*PLUGIN, "-W", "error", *arguments)


def test_there_is_one_item_for_each_page_and_one_subtest_for_each_block(
    pytester: pytest.Pytester, folder: Path
) -> None:
    page(folder, TRUE + "\n" + TRUE, "a.md")
    page(folder, TRUE, "b.md")
    run(pytester).stdout.fnmatch_lines(["*2 passed, 3 subtests passed in*"])


def test_the_run_says_how_much_it_has_verified(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, TRUE + "\n" + TRUE, "a.md")
    page(folder, TRUE, "b.md")
    run(pytester).stdout.fnmatch_lines(["2 lesson pages checked, 3 blocks verified"])


def test_a_wrong_block_fails_with_the_text_of_its_problem(
    pytester: pytest.Pytester, folder: Path
) -> None:
    page(folder, TRUE + "\n" + STALE)
    result = run(pytester)
    result.stdout.fnmatch_lines(
        [
            "block 2 of docs/page.md",
            "docs/page.md:14: output-differs: the block in line 9 prints something else*",
            "*-2",
            "*+1",
            "  to mend it: lesson-checker update docs/page.md",
            "SUBFAILED*block 2*docs/page.md::lesson*",
            "*2 failed, 1 subtests passed*",
        ]
    )
    assert result.ret == 1
    assert "pytest_plugin.py" not in result.stdout.str()


def test_a_page_without_blocks_is_an_item_that_passes(
    pytester: pytest.Pytester, folder: Path
) -> None:
    page(folder, "# Only words\n")
    run(pytester).assert_outcomes(passed=1)


def test_a_problem_of_no_block_fails_the_page(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, "What to expect:\n\n" + TRUE)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["docs/page.md:1: label-alone:*"])


def test_a_warning_fails_nothing(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, TRUE, "en/page.md")
    page(folder, TRUE, "es/page.md")
    run(pytester).assert_outcomes(passed=2)


def test_blocks_that_are_not_run_are_skipped_and_say_why(
    pytester: pytest.Pytester, folder: Path
) -> None:
    page(folder, "<!--! skip: too slow -->\n" + blocks("wait()", "1 / 0", "print(1)"))
    result = run(pytester, "-rs")
    result.stdout.fnmatch_lines(
        ["*the page says: too slow*", "*not run: something before it has to be mended first*"]
    )
    result.stdout.fnmatch_lines(["*2 failed, 2 skipped*"])


def test_pages_that_are_not_configured_are_not_collected(
    pytester: pytest.Pytester, folder: Path
) -> None:
    page(folder, TRUE)
    page(folder, STALE, "STYLE.md")
    page(pytester.path, STALE, "README.md")
    run(pytester).assert_outcomes(passed=1)


def test_a_page_can_be_given_by_its_path(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, TRUE, "a.md")
    page(folder, STALE, "b.md")
    run(pytester, "docs/a.md").assert_outcomes(passed=1)


def test_a_page_can_be_chosen_by_its_name(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, TRUE, "alpha.md")
    page(folder, STALE, "beta.md")
    run(pytester, "-k", "alpha").assert_outcomes(passed=1, deselected=1)


def test_pages_run_beside_ordinary_tests(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, TRUE)
    pytester.makepyfile("def test_one(): pass")
    run(pytester).assert_outcomes(passed=2)


def test_a_session_that_stops_early_ends_cleanly(pytester: pytest.Pytester, folder: Path) -> None:
    page(folder, STALE, "a.md")
    page(folder, blocks("import time\ntime.sleep(60)"), "b.md")
    run(pytester, "-x").stdout.fnmatch_lines(["*stopping after 2 failures*"])


def test_pages_run_in_parallel_workers(pytester: pytest.Pytester, folder: Path) -> None:
    for number in range(4):
        page(folder, TRUE + "\n" + TRUE, f"page{number}.md")
    result = run(pytester, "-n", "2")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["4 lesson pages checked, 8 blocks verified"])


def test_update_lessons_mends_and_then_checks(pytester: pytest.Pytester, folder: Path) -> None:
    path = page(folder, STALE, "a.md")
    page(folder, TRUE, "b.md")
    run(pytester, "--update-lessons").assert_outcomes(passed=2)
    assert path.read_text("utf-8") == TRUE


def test_update_lessons_leaves_pages_that_were_not_chosen(
    pytester: pytest.Pytester, folder: Path
) -> None:
    page(folder, TRUE, "a.md")
    other = page(folder, STALE, "b.md")
    run(pytester, "--update-lessons", "docs/a.md").assert_outcomes(passed=1)
    assert other.read_text("utf-8") == STALE


def test_update_lessons_is_refused_in_parallel(pytester: pytest.Pytester, folder: Path) -> None:
    path = page(folder, STALE)
    result = run(pytester, "--update-lessons", "-n", "2")
    result.stderr.fnmatch_lines(["*--update-lessons writes files: run it without -n*"])
    assert (result.ret, path.read_text("utf-8")) == (pytest.ExitCode.USAGE_ERROR, STALE)


def test_wrong_settings_are_a_usage_error(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml("[tool.lesson-checker]\nfolders = 3")
    result = run(pytester)
    result.stderr.fnmatch_lines(["*folders = 3: expected a list of strings*"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR
