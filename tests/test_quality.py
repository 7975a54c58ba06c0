"""What the benchmark of the pages makes of Lighthouse's reports."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

from quality import CATEGORIES, Look, Row

LESSON = "en/lessons/04-recall-at-k/"


def report(
    *, kib: float = 40, shift: float = 0, failed: str = "", **scores: float
) -> dict[str, Any]:
    """Return what Lighthouse says about a page without a fault, but for those that are given."""
    least = {name: score / 100 for name, score in CATEGORIES.items()}
    scored = least | {name.replace("_", "-"): score for name, score in scores.items()}
    return {
        "categories": {
            name: {"score": score, "auditRefs": [{"id": f"an-audit-of-{name}", "weight": 1}]}
            for name, score in scored.items()
        },
        "audits": {
            "cumulative-layout-shift": {"numericValue": shift},
            "total-byte-weight": {"numericValue": 1024 * kib},
            **{
                f"an-audit-of-{name}": {"score": int(name != failed), "scoreDisplayMode": "binary"}
                for name in CATEGORIES
            },
        },
        "environment": {"benchmarkIndex": 1000},
    }


def missed(*reports: dict[str, Any], path: str = LESSON) -> list[str]:
    return list(Row(path, [Look.of(each) for each in reports]).missed())


def test_a_page_that_just_reaches_its_targets_misses_none() -> None:
    assert missed(report(kib=150, shift=0.009)) == []


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"performance": 0.94}, "performance 94, at least 95"),
        ({"accessibility": 0.99}, "accessibility 99, at least 100"),
        ({"best_practices": 0.96}, "best-practices 96, at least 100"),
        ({"seo": 0.92}, "seo 92, at least 100"),
        ({"shift": 0.01}, "CLS 0.010, below 0.01"),
        ({"kib": 150.1}, "150.1 KiB, at most 150"),
        ({"failed": "seo"}, "an-audit-of-seo"),
    ],
)
def test_a_target_that_is_missed_is_named(fault: dict[str, Any], message: str) -> None:
    assert missed(report(**fault)) == [message]


def test_only_lessons_have_a_weight_to_keep() -> None:
    assert missed(report(kib=151), path="en/api/") == []


def test_one_bad_look_of_three_does_not_count() -> None:
    good, bad = report(), report(performance=0.5, shift=0.2, kib=400)
    assert missed(good, bad, good) == []


def test_two_bad_looks_of_three_count() -> None:
    good, bad = report(), report(performance=0.5)
    assert missed(bad, good, bad) == ["performance 50, at least 95"]
