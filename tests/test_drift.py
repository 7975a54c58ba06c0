"""The benchmark that plants faults: a sample of it on one page, so that it keeps working."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

from drift.kinds import KINDS
from drift.measurement import ROOT, measure, pairs_of
from drift.planting import Kind, Pair, Plan, mine

from lesson_checker.settings import load_settings

PAGE = Path("docs/en/lessons/04-recall-at-k.md")


@pytest.fixture(scope="module", autouse=True)
def without_git() -> Iterator[None]:
    with patch("lesson_checker.checks.changed_last", return_value=""):
        yield


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    settings = load_settings(ROOT)
    pairs, complaints = pairs_of([settings.root / PAGE], settings)
    assert complaints == []
    return pairs


def test_there_are_enough_kinds() -> None:
    faults = [kind for kind in KINDS if kind.expected == "error"]
    assert len(faults) >= 60
    assert len(KINDS) - len(faults) >= 15


def test_each_fifth_kind_that_needs_no_run_is_caught_or_stays_silent(
    pairs: list[Pair],
) -> None:
    kinds = [kind for kind in KINDS if not kind.reruns][::5]
    settings = load_settings(ROOT)
    counts = measure(pairs, settings, kinds, places=1, sample=True)
    assert [place for count in counts.values() for place in count.wrong] == []
    assert sum(count.planted for count in counts.values()) > 15


def test_what_nobody_catches_is_told_as_missed(pairs: list[Pair]) -> None:
    def nothing(_: Pair) -> Iterator[Plan]:
        yield mine((0, 0, ""))

    kind = Kind("words", "nothing at all", nothing)
    counts = measure(pairs, load_settings(ROOT), [kind])
    assert (counts[kind].planted, counts[kind].caught, len(counts[kind].wrong)) == (1, 0, 1)
