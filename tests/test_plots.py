"""The pictures of the lessons: they show the values that they are given, in more than colour."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

from lesson_checker.figures import take_plots
from lesson_site.pictures import COLOURS
from retrieval_lessons.plots import plot_curves, plot_histogram, plot_moves, plot_stacked_bars

mpl.use("svg")


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    plt.close("all")


def histogram(values: list[float], width: int = 3) -> Figure:
    return plot_histogram(
        values, width=width, title="Lengths", xlabel="tokens", ylabel="chunks", mean="mean"
    )


def curves(number: int = 2, **options: object) -> Figure:
    names = ("recall", "precision", "F1")[:number]
    values = {name: [0.1 * place, 0.2, 0.3] for place, name in enumerate(names, start=1)}
    return plot_curves(
        range(1, 4),
        values,
        title="Curves",
        ylabel="mean",
        window=(2, "read"),
        **options,  # type: ignore[arg-type]
    )


def stacks() -> Figure:
    return plot_stacked_bars(
        {"refund": [4, 3, 0], "t": [0, 0, 0], "if": [1, 0.01, 0.9]},
        names=["first", "second", "third"],
        title="Scores",
        xlabel="score",
        ylabel="rank",
        gap="short by",
    )


def moves() -> Figure:
    return plot_moves(
        {"as it was": [1, 6], "stems": [1, 6], "windows": [3, 4]},
        queries=["wifi", "refund"],
        marked=("refund", "trap"),
        title="Moves",
        xlabel="rank",
        ylabel="change",
        window=(5, "read"),
    )


PICTURES = {
    "histogram": lambda: histogram([1, 5, 9]),
    "curves": curves,
    "stacks": stacks,
    "moves": moves,
}


def axes_of(figure: Figure) -> Axes:
    (axes,) = figure.axes
    return axes


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in axes_of(figure).texts]


def bars(figure: Figure) -> list[tuple[float, float]]:
    patches = axes_of(figure).patches
    return [
        (round(bar.get_x(), 9), round(bar.get_width(), 9))
        for bar in patches
        if isinstance(bar, Rectangle)
    ]


# ------------------------------------------------------------------------------ all of them


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_left_open_and_returned(name: str) -> None:
    figure = PICTURES[name]()
    assert plt.figure(*plt.get_fignums()) is figure


@pytest.mark.parametrize("name", PICTURES)
def test_every_colour_is_one_that_follows_the_page(name: str) -> None:
    figure = PICTURES[name]()
    colours = {
        to_hex(getattr(artist, get)())
        for artist in figure.findobj(lambda each: each.get_visible())
        for get in ("get_color", "get_facecolor", "get_edgecolor")
        if isinstance(getattr(artist, get, lambda: None)(), str | tuple)
    }
    assert colours <= set(COLOURS)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_wide_as_a_phone_can_show_legibly(name: str) -> None:
    figure = PICTURES[name]()
    sizes = {text.get_size() for text in axes_of(figure).texts}
    assert figure.get_figwidth() * 72 == pytest.approx(400)
    assert min(sizes) >= 11


@pytest.mark.parametrize("name", PICTURES)
def test_titles_and_labels_are_the_ones_of_the_page(name: str) -> None:
    PICTURES[name]()
    (plot,) = take_plots()
    (panel,) = plot["panels"]
    assert {
        "histogram": ("Lengths", "tokens", "chunks"),
        "curves": ("Curves", "k", "mean"),
        "stacks": ("Scores", "rank", "score"),
        "moves": ("Moves", "change", "rank"),
    }[name] == (plot["title"], panel["x"], panel["y"])


# -------------------------------------------------------------------------------- histogram


def test_a_value_on_an_edge_belongs_to_the_range_above_it() -> None:
    histogram([3, 5, 6])
    ((points,),) = ([s["points"] for s in p["panels"][0]["series"]] for p in take_plots())
    assert points == [((3.0, 6.0), 2.0), ((6.0, 9.0), 1.0)]


def test_the_axis_of_a_histogram_begins_at_zero() -> None:
    assert axes_of(histogram([37, 54])).get_xlim() == (0, 60)


def test_the_mean_is_marked_and_written() -> None:
    assert "mean: 4.5" in texts(histogram([4, 5]))
    (plot,) = take_plots()
    assert plot["panels"][0]["marks"] == [("mean", 4.5)]


@pytest.mark.parametrize("values", [[], [3, -1]])
def test_a_histogram_needs_values_from_zero_on(values: list[float]) -> None:
    with pytest.raises(ValueError, match="one or more numbers from 0 on"):
        histogram(values)


def test_a_histogram_needs_a_width() -> None:
    with pytest.raises(ValueError, match="width must be positive, got 0"):
        histogram([1], width=0)


# ----------------------------------------------------------------------------------- curves


def test_curves_differ_in_dashes_and_in_markers() -> None:
    lines = axes_of(curves(3)).lines
    assert len({line.get_linestyle() for line in lines}) == 3
    assert len({line.get_marker() for line in lines}) == 3


def test_curves_are_named_where_they_end_and_one_alone_is_not() -> None:
    assert [name for name in texts(curves(2)) if name in ("recall", "precision")] == [
        "recall",
        "precision",
    ]
    assert "recall" not in texts(curves(1))


def test_the_window_reaches_half_a_step_beyond_its_last_rank() -> None:
    assert bars(curves()) == [(0.5, 2.0)]
    assert "read" in texts(curves())


def test_the_values_at_the_window_are_written_where_there_is_room() -> None:
    assert texts(curves(1)).count("0.2000") == 1
    assert texts(curves(2)).count("0.2000") == 2
    assert texts(curves(3)).count("0.2000") == 0


def test_a_curve_is_a_line_and_one_with_entries_is_stairs() -> None:
    assert axes_of(curves()).lines[0].get_drawstyle() == "default"
    stairs = curves(1, entries={1: ["pricing", "room"], 3: ["no-show"], 2: []})
    assert axes_of(stairs).lines[0].get_drawstyle() == "steps-mid"
    assert {"pricing,\nroom", "no-show"} <= set(texts(stairs))


def test_a_curve_needs_a_value_for_each_k() -> None:
    with pytest.raises(ValueError, match="2 values, one per k: \\['recall'\\]"):
        plot_curves([1, 2], {"recall": [1]}, title="", ylabel="", window=(1, ""))


def test_there_has_to_be_a_curve() -> None:
    with pytest.raises(ValueError, match="curves must each have"):
        plot_curves([1, 2], {}, title="", ylabel="", window=(1, ""))


def test_the_window_has_to_be_one_of_the_ks() -> None:
    with pytest.raises(ValueError, match="window must be one of ks, \\[1, 2\\], got 5"):
        plot_curves([1, 2], {"recall": [1, 1]}, title="", ylabel="", window=(5, ""))


# ------------------------------------------------------------------------------------ stacks


def test_each_part_begins_where_the_one_before_it_ends() -> None:
    assert bars(stacks()) == [(0, 4), (0, 3), (4, 1), (3, 0.01), (0, 0.9)]


def test_a_part_without_any_value_is_left_out() -> None:
    stacks()
    (plot,) = take_plots()
    assert [series["label"] for series in plot["panels"][0]["series"]] == ["refund", "if"]


def test_a_part_too_small_for_its_name_goes_without_it() -> None:
    assert texts(stacks()).count("if") == 2
    assert texts(stacks()).count("refund") == 2


def test_totals_and_what_the_last_lacks_are_written() -> None:
    assert {"5.0000", "3.0100", "0.9000", "short by 2.1100"} <= set(texts(stacks()))


def test_the_last_bar_is_darker_than_the_others() -> None:
    *others, last = axes_of(stacks()).patches
    assert sum(last.get_facecolor()[:3]) < 1.5 < min(sum(bar.get_facecolor()[:3]) for bar in others)


@pytest.mark.parametrize(
    ("parts", "names"), [({"a": [1]}, ["x"]), ({"a": [1, 2], "b": [1]}, ["x", "y"]), ({}, [])]
)
def test_stacks_need_two_bars_and_a_value_for_each(
    parts: dict[str, list[float]], names: list[str]
) -> None:
    with pytest.raises(ValueError, match="two or more bars"):
        plot_stacked_bars(parts, names=names, title="", xlabel="", ylabel="", gap="")


# ------------------------------------------------------------------------------------- moves


def places(figure: Figure) -> list[list[tuple[float, float]]]:
    """The points of each colour: those that stay, those that move, those of the marked query."""
    data = [line.get_xydata() for line in axes_of(figure).lines]
    return [[(float(x), round(float(y), 9)) for x, y in each] for each in data]


def test_each_rank_is_a_point_and_its_query_keeps_its_height_in_each_row() -> None:
    assert places(moves()) == [
        [(1, 0.12), (1, 1.12)],
        [(3, 2.12)],
        [(6, 0.41), (6, 1.41), (4, 2.41)],
    ]


def arrows(figure: Figure) -> list[tuple[object, object]]:
    notes = [text for text in axes_of(figure).texts if isinstance(text, Annotation)]
    return [(note.xyann[0], note.xy[0]) for note in notes if note.arrow_patch]


def test_only_what_moves_has_an_arrow_from_where_it_was_before() -> None:
    assert arrows(moves()) == [(1, 3), (6, 4)]


def test_the_marked_query_differs_in_shape_and_is_named_once() -> None:
    figure = moves()
    assert [line.get_marker() for line in axes_of(figure).lines] == ["o", "o", "s"]
    assert texts(figure).count("trap") == 1


def test_the_data_of_moves_are_the_ranks_of_each_query_by_change() -> None:
    moves()
    (plot,) = take_plots()
    assert [(each["label"], each["points"]) for each in plot["panels"][0]["series"]] == [
        ("wifi", [("as it was", 1.0), ("stems", 1.0), ("windows", 3.0)]),
        ("refund", [("as it was", 6.0), ("stems", 6.0), ("windows", 4.0)]),
    ]


@pytest.mark.parametrize(
    ("ranks", "marked", "message"),
    [
        ({"before": [1]}, "a", "two or more rows of 1 ranks"),
        ({"before": [1], "after": [1, 2]}, "a", "two or more rows of 1 ranks.*after"),
        ({"before": [1], "after": [0]}, "a", "ranks from 1 on: \\['after'\\]"),
        ({"before": [1], "after": [1]}, "b", "marked must be one of \\['a'\\], got 'b'"),
    ],
)
def test_moves_need_a_rank_for_each_query_and_one_to_look_at(
    ranks: dict[str, list[int]], marked: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        plot_moves(
            ranks,
            queries=["a"],
            marked=(marked, ""),
            title="",
            xlabel="",
            ylabel="",
            window=(5, ""),
        )
