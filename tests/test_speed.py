"""The benchmark of the checker beside other tools: our side of it, so that it keeps working."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

import layers
import speed

OURS = [tool for tool in speed.TOOLS if tool.command[0] == speed.OURS]


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "BUILD", tmp_path)


@pytest.mark.parametrize("tool", OURS, ids=lambda tool: tool.name)
def test_our_tools_pass_on_true_pages_and_cost_something(tool: speed.Tool) -> None:
    cost = speed.run(tool, speed.plant(tool, 2))
    assert min(cost.wall, cost.cpu, cost.memory) > 0


@pytest.mark.parametrize("tool", OURS, ids=lambda tool: tool.name)
def test_our_tools_find_the_fault_that_is_planted(tool: speed.Tool) -> None:
    speed.prove([tool])


def test_a_tool_that_finds_no_fault_ends_the_benchmark() -> None:
    blind = speed.Tool("blind", [speed.OURS, "-c", "pass"])
    with pytest.raises(SystemExit, match="blind: exit status 0"):
        speed.prove([blind])


@pytest.mark.parametrize(
    "dialect",
    [speed.fenced, speed.announced, speed.typed, speed.commented],
    ids=lambda d: d.__name__,
)
def test_a_page_has_its_ten_blocks_in_every_dialect_and_a_fault_changes_one_output(
    dialect: speed.Dialect,
) -> None:
    true, false = speed.page(7, dialect), speed.page(7, dialect, fault=True)
    assert true.count("total = 7 + ") == speed.BLOCKS
    assert [line for line in true.split("\n") if line not in false.split("\n")] == [
        line for line in true.split("\n") if line.endswith("the total is 16")
    ]


def test_a_ratio_is_the_median_of_the_ratios_of_each_turn() -> None:
    costs = {
        "a": [speed.Cost(wall, 0, 0) for wall in (6.0, 2.0, 30.0)],
        "b": [speed.Cost(wall, 0, 0) for wall in (1.0, 1.0, 2.0)],
        "c": [speed.Cost(wall, 0, 0) for wall in (1.0, 1.0, 3.0)],
    }
    assert speed.ratio(costs, "a", "b") == 6.0
    assert speed.ratio(costs, "a", "b", "c") == 3.0


def test_every_layer_of_a_check_costs_something_and_they_are_told_in_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(layers, "RUNS", 1)
    monkeypatch.setattr(layers, "TIMES", 10)
    layers.main(["20"])
    head, *rows = capsys.readouterr().out.strip().split("\n")
    cost = {row[:32].strip(): float(row[32:].split()[0]) for row in rows}
    assert head.startswith("for each of 20 pages")
    assert all(cost.values())
    assert cost["check, in all"] == pytest.approx(
        cost["checker"] + cost["server"] + cost["pages"], abs=0.02
    )
