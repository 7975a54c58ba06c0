"""Pictures that pages draw: what is taken of them, and what is said of one that is missing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from pages import found, judged, only, printed

from lesson_checker import run
from lesson_checker.checks import Verdict
from lesson_checker.figures import take_plots
from lesson_checker.jobs import Panel, Plot
from lesson_checker.run import Runner
from lesson_checker.settings import Settings

mpl.use("svg")

PLOT = "<!--! plot: a line -->\n"
LINE = "import matplotlib.pyplot as plt\nplt.plot([1, 2], [0.5, 1.0])"


def block(code: str) -> str:
    return f"```python\n{code}\n```\n\n"


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    names = ("matplotlib.pyplot", "matplotlib.backends.backend_svg")
    settings = Settings(root=tmp_path_factory.mktemp("pages"), preload_plots=names)
    with Runner(settings) as runner:
        yield runner


@pytest.fixture(autouse=True)
def nothing_open() -> Iterator[None]:
    plt.close("all")
    yield
    plt.close("all")


def taken() -> Plot:
    (plot,) = take_plots()
    return plot


def panel() -> Panel:
    (found,) = taken()["panels"]
    return found


def plots(verdict: Verdict) -> list[list[Plot]]:
    assert verdict.run is not None
    return [outcome["plots"] for outcome in verdict.run["outcomes"]]


# ------------------------------------------------------------------------------ on a page


def test_the_figure_that_a_block_leaves_open_is_what_it_shows(runner: Runner) -> None:
    verdict = judged(PLOT + block(LINE), runner)
    ((plot,),) = plots(verdict)
    assert found(verdict) == []
    assert "<svg" in plot["svg"]
    assert plot["panels"][0]["series"] == [{"label": "", "points": [[1.0, 0.5], [2.0, 1.0]]}]


def test_a_block_that_draws_nothing_is_a_problem(runner: Runner) -> None:
    verdict = judged(PLOT + block("x = 1"), runner)
    assert found(verdict) == [(2, "plot-missing")]
    assert "no figure open" in only(verdict).message


def test_a_figure_that_was_closed_is_missing(runner: Runner) -> None:
    verdict = judged(PLOT + block(f"{LINE}\nplt.close()"), runner)
    assert found(verdict) == [(2, "plot-missing")]


def test_two_figures_are_one_too_many(runner: Runner) -> None:
    verdict = judged(PLOT + block(f"{LINE}\nplt.figure()"), runner)
    assert found(verdict) == [(2, "plot-missing")]
    assert "2 figures open instead of one" in only(verdict).message
    assert only(verdict).remedy.startswith("close all but one")


def test_a_block_without_its_figure_is_not_verified(runner: Runner) -> None:
    verdict = judged(PLOT + block("x = 1") + PLOT + block(LINE), runner)
    assert [example.code.line for example in verdict.proven] == [7]


def test_a_figure_is_closed_before_the_next_block(runner: Runner) -> None:
    text = PLOT + block(LINE) + block("print(plt.get_fignums())") + PLOT + block(LINE)
    verdict = judged(text, runner)
    assert printed(verdict)[1] == "[]\n"
    assert [len(each) for each in plots(verdict)] == [1, 0, 1]


def test_a_block_may_go_on_with_the_figure_of_a_block_without_a_comment(runner: Runner) -> None:
    verdict = judged(block(LINE) + PLOT + block("plt.title('Recall')"), runner)
    assert found(verdict) == []
    assert [plot["title"] for plot in plots(verdict)[1]] == ["Recall"]


def test_a_figure_that_cannot_be_drawn_is_an_exception_of_its_block(runner: Runner) -> None:
    verdict = judged(PLOT + block(f"{LINE}\nplt.title('$\\\\frac$')"), runner)
    assert found(verdict) == [(2, "raised")]


def test_the_same_page_draws_the_same_picture(runner: Runner) -> None:
    text = PLOT + block(f"{LINE}\nplt.bar([1, 2], [3, 4], hatch='/')")
    assert plots(judged(text, runner)) == plots(judged(text, runner))


def test_matplotlib_is_loaded_before_a_page_that_draws_and_not_before_another(
    tmp_path: Path,
) -> None:
    loaded = block("import sys\nprint('matplotlib.pyplot' in sys.modules)")
    with Runner(Settings(root=tmp_path, preload_plots=("matplotlib.pyplot",))) as runner:
        assert printed(judged(loaded, runner)) == ["False\n"]
        assert printed(judged(loaded + PLOT + block(LINE), runner))[0] == "True\n"


def test_a_picture_does_not_depend_on_the_settings_of_who_starts_the_checker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    settings = home / ".config/matplotlib/matplotlibrc"
    settings.parent.mkdir(parents=True)
    settings.write_text("lines.linewidth: 77\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MPLBACKEND", "pdf")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("MPLCONFIGDIR", raising=False)
    asked = block("import matplotlib\nprint(matplotlib.rcParams['lines.linewidth'])")
    asked += block("print(matplotlib.get_backend())")
    with Runner(Settings(root=tmp_path)) as runner:
        assert printed(judged(asked, runner)) == ["1.5\n", "svg\n"]
    assert (home / ".cache/lesson-checker/matplotlib").is_dir()


@pytest.mark.parametrize("cache", ["/dev/null/cache", "not/from/the/root"])
def test_where_no_cache_can_be_kept_the_list_of_fonts_lasts_for_one_run(
    cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    assert run._matplotlib_folder(tmp_path) == tmp_path


def test_a_cache_that_may_not_be_written_to_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert run._matplotlib_folder(Path("/run")) == Path("/run")


# --------------------------------------------------------------------------- what is taken


def test_without_pyplot_there_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(run.sys.modules, "matplotlib.pyplot")
    assert take_plots() == []


def test_figures_come_in_the_order_of_their_numbers() -> None:
    for number in (2, 1):
        plt.figure(number)
        plt.title(str(number))
    assert [plot["title"] for plot in take_plots()] == ["1", "2"]
    assert plt.get_fignums() == []


def test_figures_are_closed_even_if_one_cannot_be_drawn() -> None:
    plt.title("$\\frac$")
    with pytest.raises(ValueError, match="frac"):
        take_plots()
    assert plt.get_fignums() == []


def test_the_text_of_a_picture_stays_text_and_no_date_is_in_it() -> None:
    plt.xlabel("tokens")
    svg = taken()["svg"]
    assert ">tokens</text>" in svg
    assert not re.search(r"<dc:date|<dc:creator", svg)


def test_the_title_is_that_of_the_figure_or_else_of_its_axes() -> None:
    plt.title("of the axes", loc="left")
    plt.suptitle("of the figure")
    assert taken()["title"] == "of the figure"
    plt.title("of the axes", loc="left")
    assert taken()["title"] == "of the axes"
    plt.figure()
    assert taken()["title"] == ""


def test_lines_give_their_points_and_their_names() -> None:
    plt.plot([1, 2], [3, 4], label="recall")
    plt.plot([1, 3], [5, 6], label="precision")
    plt.xlabel("k")
    plt.ylabel("share")
    assert panel() == {
        "x": "k",
        "y": "share",
        "series": [
            {"label": "recall", "points": [(1.0, 3.0), (2.0, 4.0)]},
            {"label": "precision", "points": [(1.0, 5.0), (3.0, 6.0)]},
        ],
        "marks": [],
    }


def test_what_bears_a_name_hides_what_bears_none() -> None:
    plt.plot([1, 2], [3, 4], label="recall")
    plt.plot([1, 2], [0, 0])
    assert [series["label"] for series in panel()["series"]] == ["recall"]


def test_a_point_that_is_no_number_is_left_out() -> None:
    plt.plot([1, 2, 3], [1, float("nan"), float("inf")])
    assert panel()["series"][0]["points"] == [(1.0, 1.0)]


def test_dots_give_their_points() -> None:
    plt.scatter([1, 2], [3, 4], label="chunks")
    assert panel()["series"] == [{"label": "chunks", "points": [(1.0, 3.0), (2.0, 4.0)]}]


def test_bars_give_their_names_and_heights() -> None:
    plt.bar(["recall", "precision"], [1, 2])
    assert panel()["series"][0]["points"] == [("recall", 1.0), ("precision", 2.0)]


def test_bars_side_by_side_without_names_give_their_places() -> None:
    plt.bar([1, 2], [5, 6], width=0.5)
    assert panel()["series"][0]["points"] == [(1.0, 5.0), (2.0, 6.0)]


def test_stacked_bars_give_their_own_heights() -> None:
    plt.bar([1, 2], [5, 6], label="i")
    plt.bar([1, 2], [1, 2], bottom=[5, 6], label="get")
    assert panel()["series"][1] == {"label": "get", "points": [(1.0, 1.0), (2.0, 2.0)]}


def test_bars_from_left_to_right_have_their_names_on_the_other_axis() -> None:
    plt.barh(["a", "b"], [1, 2])
    plt.xlabel("score")
    plt.ylabel("rank")
    taken = panel()
    assert (taken["x"], taken["y"]) == ("rank", "score")
    assert taken["series"][0]["points"] == [("a", 1.0), ("b", 2.0)]


def test_the_bars_of_a_histogram_stand_for_ranges() -> None:
    plt.hist([1, 1, 2.5], bins=[1, 2, 3])
    assert panel()["series"][0]["points"] == [((1.0, 2.0), 2.0), ((2.0, 3.0), 1.0)]


def test_a_named_line_across_is_a_mark() -> None:
    plt.plot([1, 2], [3, 4])
    plt.axvline(1.5, label="mean")
    plt.axhline(3.5, label="goal")
    plt.axvline(1.7)
    assert panel()["marks"] == [("mean", 1.5), ("goal", 3.5)]


def test_axes_without_data_have_no_table() -> None:
    plt.subplots(1, 2)[1][0].plot([1], [2])
    assert len(taken()["panels"]) == 1
