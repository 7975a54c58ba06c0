"""Check pages end to end: which are judged, and what a verdict says."""

from __future__ import annotations

from pathlib import Path

import pytest

from lesson_checker.checks import Check, Verdict, check_pages, find_pages
from lesson_checker.run import Runner
from lesson_checker.settings import Settings

GOOD = "```python\nprint(1)\n```\n\n```text\n1\n```\n"
STALE = "```python\nprint(1)\n```\n\n```text\n2\n```\n"
BROKEN = "```python\nprint(1)\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    for name, text in {"a.md": GOOD, "b.md": STALE, "c.md": BROKEN, "d.md": "# Words\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Settings(tmp_path)


def test_each_page_has_a_verdict_in_the_order_of_the_paths(settings: Settings) -> None:
    report = check_pages(settings)
    assert [verdict.page.name for verdict in report.verdicts] == ["a.md", "b.md", "c.md", "d.md"]
    assert [verdict.verified for verdict in report.verdicts] == [1, 0, 0, 0]
    assert [problem.code for problem in report.problems] == ["output-differs", "fence-unclosed"]
    assert report.verified == 1


def test_the_versions_are_those_that_the_pages_ran_on(settings: Settings) -> None:
    import platform

    assert check_pages(settings).versions["Python"] == platform.python_version()


def test_progress_is_told_page_by_page(settings: Settings) -> None:
    seen: list[Verdict] = []
    check_pages(settings, progress=seen.append)
    assert sorted(verdict.page.name for verdict in seen) == ["a.md", "b.md", "c.md", "d.md"]


def test_a_verdict_waits_for_its_own_page_alone(settings: Settings) -> None:
    endless = settings.root / "e.md"
    endless.write_text(f"```python\nimport time\ntime.sleep(600)\n```\n{GOOD}", encoding="utf-8")
    names = ("d.md", "c.md", "a.md", "b.md", "e.md")
    with Check(settings, [settings.root / name for name in names]) as check:
        codes = []
        for name in names[:4]:
            verdict = check.verdict(settings.root / name)
            assert verdict is not None
            codes.append([problem.code for problem in verdict.problems])
        assert check.verdict(settings.root / "f.md") is None
        assert endless not in check._verdicts
    assert codes == [[], ["fence-unclosed"], [], ["output-differs"]]


def test_a_report_is_of_all_pages_whoever_has_asked_before(settings: Settings) -> None:
    paths = [settings.root / name for name in ("b.md", "a.md")]
    with Check(settings, paths) as check:
        check.verdict(paths[0])
        report = check.report()
    assert [verdict.page.path for verdict in report.verdicts] == paths[::-1]


def test_a_runner_that_is_lent_goes_on(settings: Settings) -> None:
    with Runner(settings) as runner:
        check_pages(settings, runner=runner)
        server = runner._server
        check_pages(settings, runner=runner)
        assert server is not None
        assert runner._server is server


def test_a_page_that_can_not_be_read_is_not_run_and_not_rewritten(settings: Settings) -> None:
    (verdict,) = check_pages(settings, [settings.root / "c.md"]).verdicts
    assert verdict.run is None
    assert verdict.updated_text == BROKEN


def test_a_stale_page_knows_its_true_text(settings: Settings) -> None:
    (verdict,) = check_pages(settings, [settings.root / "b.md"]).verdicts
    assert verdict.updated_text == GOOD


def test_problems_are_grouped_by_the_block_that_they_are_about(settings: Settings) -> None:
    text = "It is 0.5.\n\n" + STALE + "\nNo 0.7 here.\n"
    (settings.root / "b.md").write_text(text, encoding="utf-8")
    (verdict,) = check_pages(settings, [settings.root / "b.md"]).verdicts
    groups = [
        (example and example.code.line, [problem.code for problem in problems])
        for example, problems in verdict.by_block()
    ]
    assert groups == [(None, ["claim-unbacked"]), (3, ["output-differs", "claim-unbacked"])]


def test_a_folder_means_its_pages_and_a_page_counts_once(settings: Settings) -> None:
    root = settings.root
    assert find_pages(settings, [root, root / "a.md"]) == find_pages(settings)


@pytest.mark.parametrize(
    ("name", "message"), [("x.md", "x.md does not exist"), ("a.txt", "a.txt is no Markdown file")]
)
def test_a_path_that_is_no_page_is_an_error(settings: Settings, name: str, message: str) -> None:
    (settings.root / "a.txt").touch()
    with pytest.raises(ValueError, match=message):
        check_pages(settings, [settings.root / name])


def test_numbers_that_differ_because_an_output_is_stale_are_told_once(tmp_path: Path) -> None:
    for lang, text in (("es", GOOD), ("en", STALE)):
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "a.md").write_text(text, encoding="utf-8")
    (verdict,) = check_pages(Settings(tmp_path), [tmp_path / "en" / "a.md"]).verdicts
    errors = [each.code for each in verdict.problems if each.severity == "error"]
    assert errors == ["output-differs"]


def test_what_a_page_prints_is_not_judged_before_it_runs_to_its_end(tmp_path: Path) -> None:
    text = "```python\n1 / 0\n```\n\nIt is 0.5.\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert [each.code for each in check_pages(Settings(tmp_path)).problems] == ["raised"]


def test_the_page_that_has_to_follow_is_named_when_only_the_other_is_checked(
    tmp_path: Path,
) -> None:
    for lang in ("es", "en"):
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "a.md").write_text("# A\n", encoding="utf-8")
    problems = check_pages(Settings(tmp_path), [tmp_path / "es" / "a.md"]).problems
    assert [each.path.parent.name for each in problems] == ["es", "en"]
