"""Ordinary, true pages: no false alarm on any of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import CASES

from lesson_checker.checks import Verdict, check_pages
from lesson_checker.settings import Settings

FOLDER = CASES / "true"
PAGES = sorted(FOLDER.glob("*.md"))


@pytest.fixture(scope="module")
def verdicts() -> dict[Path, Verdict]:
    report = check_pages(Settings(root=FOLDER, memory=256))
    return {verdict.page.path: verdict for verdict in report.verdicts}


def test_there_are_at_least_forty() -> None:
    assert len(PAGES) >= 40


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_true_page_has_no_problem(path: Path, verdicts: dict[Path, Verdict]) -> None:
    assert verdicts[path].problems == ()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_block_of_a_true_page_is_verified(path: Path, verdicts: dict[Path, Verdict]) -> None:
    verdict = verdicts[path]
    assert verdict.proven == tuple(each for each in verdict.page.examples if each.runs)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_an_update_leaves_a_true_page_as_it_is(path: Path, verdicts: dict[Path, Verdict]) -> None:
    assert verdicts[path].updated_text == path.read_bytes().decode("utf-8")
