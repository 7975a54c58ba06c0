"""The pictures of the lessons, drawn with Matplotlib, which nothing else here imports.

Each function leaves one figure open, as pyplot's own do, and returns it. Titles and labels are
the page's, in its language. What differs in colour differs in shape as well, so that a picture
can be read in grey.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["plot_curves", "plot_histogram", "plot_moves", "plot_stacked_bars"]

# the colours of the site by day; it replaces them by those that the reader has chosen
PAPER, RULE, SOFT, INK = "#fcfbf7", "#e2ddd0", "#575e63", "#1f2428"
PETROL, PETROL_TINT, AMBER = "#0b5f55", "#e0eeea", "#984806"

_WIDTH = 400  # points: what a phone shows without making the letters too small
_STYLE: Any = {  # of a type that only Matplotlib's stubs know
    "axes.axisbelow": True,
    "axes.edgecolor": SOFT,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlepad": 0,
    "figure.facecolor": PAPER,
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "grid.color": RULE,
    "grid.linewidth": 1,
    "hatch.linewidth": 1,
    "text.color": INK,
    "axes.labelcolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}
_LINES: tuple[dict[str, Any], ...] = (
    {"color": PETROL, "marker": "o", "linestyle": "-"},
    {"color": AMBER, "marker": "s", "linestyle": "--"},
    {"color": SOFT, "marker": "^", "linestyle": ":"},
)


def plot_histogram(
    values: Sequence[float],
    *,
    width: int,
    title: str,
    xlabel: str,
    ylabel: str,
    mean: str,
) -> Figure:
    """Draw how often values fall into ranges of the same width, on an axis that begins at 0.

    Args:
        values: What to count, at least one value, none below 0.
        width: The width of a range. The first one begins at a multiple of it.
        title: Of the picture.
        xlabel: What the values are.
        ylabel: What is counted.
        mean: The name of the mean, which a dashed line marks.

    Raises:
        ValueError: If there are no values, or one is negative, or the width is not positive.

    Examples:
        >>> from retrieval_lessons.plots import plot_histogram
        >>> figure = plot_histogram(
        ...     [3, 4, 4, 8], width=2, title="Words", xlabel="letters", ylabel="words", mean="mean"
        ... )
        >>> [float(bar.get_height()) for bar in figure.axes[0].patches]
        [1.0, 2.0, 0.0, 1.0]
    """
    if not len(values) or min(values) < 0:
        raise ValueError(f"values must be one or more numbers from 0 on, got {list(values)}")
    if width <= 0:
        raise ValueError(f"width must be positive, got {width}")
    first, last = int(min(values) // width), int(max(values) // width)
    edges = [width * place for place in range(first, last + 2)]
    average = sum(values) / len(values)
    with plt.rc_context(_STYLE):
        figure, axes = _figure(230, title, xlabel, ylabel)
        axes.hist(values, bins=edges, color=PETROL_TINT, edgecolor=PETROL, linewidth=1.5)
        axes.axvline(average, color=AMBER, linestyle="--", linewidth=2, label=mean)
        _above(axes, average, f"{mean}: {average:.1f}", ha="center", color=AMBER, weight="bold")
        axes.set_xlim(0, edges[-1] + width)
    return figure


def plot_curves(
    ks: Sequence[int],
    curves: Mapping[str, Sequence[float]],
    *,
    title: str,
    ylabel: str,
    window: tuple[int, str],
    entries: Mapping[int, Sequence[str]] | None = None,
) -> Figure:
    """Draw metrics against k, with the window that somebody really reads in the background.

    Args:
        ks: The ks.
        curves: The values of each metric, one per k, by its name. Up to three can be told apart.
        title: Of the picture.
        ylabel: What the values are.
        window: How many results are read, one of ``ks``, and what to call that.
        entries: What makes the curves rise, by the k of the step. With it they are stairs.

    Raises:
        ValueError: If there is no curve, a curve has not one value per k, or the window is none
            of ``ks``.

    Examples:
        >>> from retrieval_lessons.plots import plot_curves
        >>> figure = plot_curves(
        ...     [1, 2], {"recall": [0.5, 1.0]}, title="Recall", ylabel="recall", window=(1, "read")
        ... )
        >>> figure.axes[0].lines[0].get_xydata().tolist()
        [[1.0, 0.5], [2.0, 1.0]]
    """
    ks = list(ks)
    uneven = [name for name, values in curves.items() if len(values) != len(ks)]
    if uneven or not curves:
        raise ValueError(f"curves must each have {len(ks)} values, one per k: {uneven or curves}")
    if window[0] not in ks:
        raise ValueError(f"window must be one of ks, {ks}, got {window[0]}")
    with plt.rc_context(_STYLE):
        figure, axes = _figure(270, title, "k", ylabel, right=64 if len(curves) > 1 else 12)
        top = 1.1 * max(max(values) for values in curves.values())
        axes.set(xlim=(ks[0] - 0.5, ks[-1] + 0.5), ylim=(0, top), xticks=ks)
        axes.axvspan(ks[0] - 0.5, window[0] + 0.5, color=PETROL_TINT, linewidth=0, zorder=0)
        _above(axes, window[0] + 0.5, window[1], ha="right", color=PETROL)
        for (name, values), look in zip(curves.items(), cycle(_LINES)):
            axes.plot(
                ks,
                values,
                label=name,
                drawstyle="steps-mid" if entries else "default",
                linewidth=2.5,
                markersize=7,
                clip_on=False,
                **look,
            )
            if len(curves) > 1:
                _beside(axes, (ks[-1], values[-1]), name, look["color"])
        for k, names in (entries or {}).items():
            for values in curves.values():
                axes.annotate(
                    ",\n".join(names),
                    (k - 0.5, values[ks.index(k)]),
                    (4, -7),
                    textcoords="offset points",
                    va="top",
                    color=SOFT,
                    size=11,
                    linespacing=1.3,
                )
        if len(curves) < 3:  # with more of them there is no room
            _values_at(axes, window[0], [values[ks.index(window[0])] for values in curves.values()])
    return figure


def plot_stacked_bars(
    parts: Mapping[str, Sequence[float]],
    *,
    names: Sequence[str],
    title: str,
    xlabel: str,
    ylabel: str,
    gap: str,
) -> Figure:
    """Draw sums as bars of their parts, from top to bottom; the last is set apart.

    A part without a value is left out, and one too small for its name goes without it.

    Args:
        parts: What each part adds to each bar, by its name.
        names: The bars.
        title: Of the picture.
        xlabel: What the sums are.
        ylabel: What the numbers of the bars are, which count from 1.
        gap: What the last bar lacks to the one before.

    Raises:
        ValueError: If there are fewer than two bars, or a part has not one value per bar.

    Examples:
        >>> from retrieval_lessons.plots import plot_stacked_bars
        >>> figure = plot_stacked_bars(
        ...     {"a": [2, 1], "b": [1, 0]}, names=["x", "y"],
        ...     title="Scores", xlabel="score", ylabel="rank", gap="lacks",
        ... )
        >>> [float(bar.get_width()) for bar in figure.axes[0].patches]
        [2.0, 1.0, 1.0]
    """
    uneven = [part for part, values in parts.items() if len(values) != len(names)]
    if uneven or len(names) < 2:
        raise ValueError(f"parts must each have a value for each of two or more bars: {uneven}")
    totals = [sum(column) for column in zip(*parts.values(), strict=True)]
    last = len(names) - 1
    with plt.rc_context(_STYLE | {"axes.grid": False}):
        figure, axes = _figure(90 + 42 * len(names), title, xlabel, ylabel, right=56)
        unit = max(totals) / 300  # about a point
        lefts = [0.0] * len(names)
        for part, values in parts.items():
            drawn = [bar for bar, value in enumerate(values) if value]
            if not drawn:
                continue
            axes.barh(
                [bar + 1 for bar in drawn],
                [values[bar] for bar in drawn],
                left=[lefts[bar] for bar in drawn],
                height=0.5,
                clip_on=False,
                label=part,
                color=[AMBER if bar == last else PETROL_TINT for bar in drawn],
                edgecolor=[PAPER if bar == last else PETROL for bar in drawn],
                linewidth=1.2,
            )
            for bar in drawn:
                if values[bar] > (7 * len(part) + 2) * unit:
                    axes.text(
                        lefts[bar] + values[bar] / 2,
                        bar + 1,
                        part,
                        ha="center",
                        va="center",
                        color=PAPER if bar == last else INK,
                        size=11,
                    )
                lefts[bar] += values[bar]
        for number, (name, total) in enumerate(zip(names, totals, strict=True), start=1):
            axes.text(0, number - 0.29, name, va="bottom", size=11, color=SOFT)
            axes.text(total + 5 * unit, number, f"{total:.4f}", va="center", size=11)
        axes.vlines(totals[-2], last + 0.25, last + 1.25, color=AMBER, linestyle=":")
        axes.text(
            totals[-2] - 4 * unit,
            last + 0.71,
            f"{gap} {totals[-2] - totals[-1]:.4f}",
            va="bottom",
            ha="right",
            color=AMBER,
            weight="bold",
            size=11,
        )
        axes.set(xlim=(0, max(totals)), ylim=(last + 1.4, 0.35), yticks=range(1, last + 2))
    return figure


def plot_moves(
    ranks: Mapping[str, Sequence[int]],
    *,
    queries: Sequence[str],
    marked: tuple[str, str],
    title: str,
    xlabel: str,
    ylabel: str,
    window: tuple[int, str],
) -> Figure:
    """Draw the ranks of queries before and after each change, with an arrow where one moves.

    Each change has a row, and in each row every query keeps its own height, in the order given from
    top to bottom. What moves to the left has become better.

    Args:
        ranks: The rank of each query, from 1, by the name of the change; first those before any.
        queries: What to call the queries.
        marked: Which of them to look at, and what to call it in the picture. Its points are square.
        title: Of the picture.
        xlabel: What the ranks are of.
        ylabel: What the rows are.
        window: How many ranks are read, and what to call that.

    Raises:
        ValueError: If there is nothing before a change or no change, if a row has not one rank from
            1 on for each query, or if the marked query is none of them.

    Examples:
        >>> from retrieval_lessons.plots import plot_moves
        >>> figure = plot_moves(
        ...     {"before": [1, 6], "stems": [1, 5]}, queries=["wifi", "refund"],
        ...     marked=("refund", "trap"), title="Moves", xlabel="rank", ylabel="change",
        ...     window=(5, "read"),
        ... )
        >>> [line.get_xdata().tolist() for line in figure.axes[0].lines]  # the others, the marked
        [[1, 1], [6, 5]]
    """
    uneven = [name for name, row in ranks.items() if len(row) != len(queries) or min(row) < 1]
    if uneven or len(ranks) < 2:
        raise ValueError(
            f"ranks must have two or more rows of {len(queries)} ranks from 1 on: {uneven or ranks}"
        )
    if marked[0] not in queries:
        raise ValueError(f"marked must be one of {list(queries)}, got {marked[0]!r}")
    before = next(iter(ranks.values()))
    last = max(window[0], *map(max, ranks.values()))
    with plt.rc_context(_STYLE | {"axes.grid.axis": "x"}):
        figure, axes = _figure(90 + 46 * len(ranks), title, xlabel, ylabel)
        axes.axvspan(0.5, window[0] + 0.5, color=PETROL_TINT, linewidth=0, zorder=0)
        _above(axes, window[0] + 0.5, window[1], ha="right", color=PETROL)
        points: dict[str, list[tuple[float, float]]] = {SOFT: [], PETROL: [], AMBER: []}
        for place, query in enumerate(queries):
            is_marked = query == marked[0]
            height = 0.12 + 0.58 * place / len(queries)
            column = [row[place] for row in ranks.values()]
            # nobody sees these bars: they bring names and ranks into the table of the data
            axes.barh(range(len(column)), column, height=0, visible=False, label=query)
            for number, rank in enumerate(column):
                moved = rank != before[place]
                color = AMBER if is_marked else PETROL if moved else SOFT
                if moved:
                    axes.annotate(
                        "",
                        (rank, number + height),
                        (before[place], number + height),
                        arrowprops={"arrowstyle": "->", "color": color, "shrinkA": 0, "shrinkB": 2},
                    )
                points[color].append((rank, number + height))
            if is_marked:
                axes.annotate(
                    marked[1],
                    (column[0], height),
                    (7, 0),
                    textcoords="offset points",
                    va="center",
                    color=AMBER,
                    weight="bold",
                    size=11,
                )
        for color, places in points.items():
            if places:
                xs, ys = zip(*places, strict=True)
                marker = "s" if color == AMBER else "o"
                axes.plot(xs, ys, color=color, marker=marker, markersize=5, linestyle="none")
        axes.set(xlim=(0.5, last + 0.5), ylim=(len(ranks) - 0.2, -0.35), xticks=range(1, last + 1))
        axes.set_yticks(range(len(ranks)), list(ranks), ha="left", va="bottom", color=INK, size=11)
        axes.tick_params(axis="y", pad=-4)
    return figure


def _figure(
    height: int, title: str, xlabel: str, ylabel: str, right: int = 12
) -> tuple[Figure, Axes]:
    """Return a figure of so many points, with one pair of axes and room for what is around it."""
    left, bottom, top = 34, 44, 46
    figure, axes = plt.subplots(figsize=(_WIDTH / 72, height / 72))
    figure.subplots_adjust(left / _WIDTH, bottom / height, 1 - right / _WIDTH, 1 - top / height)
    begin = (4 - left) / (_WIDTH - left - right)  # four points from the edge of the figure
    axes.set_title(title, x=begin, y=1 + 28 / (height - bottom - top))
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel, rotation=0, ha="left")
    axes.yaxis.set_label_coords(begin, 1 + 7 / (height - bottom - top))
    axes.locator_params(axis="y", nbins=5)
    return figure, axes


def _above(axes: Axes, x: float, text: str, **look: Any) -> None:
    """Write a text above the axes, in one line with the label of the vertical one."""
    axes.annotate(
        text, (x, 1), (0, 7), xycoords=("data", "axes fraction"), textcoords="offset points", **look
    )


def _beside(axes: Axes, point: tuple[float, float], text: str, color: str) -> None:
    axes.annotate(
        text,
        point,
        (9, 0),
        textcoords="offset points",
        va="center",
        color=color,
        annotation_clip=False,
    )


def _values_at(axes: Axes, k: int, values: Sequence[float]) -> None:
    """Write the values at k, above the points and to their left; the lowest of many below it."""
    for value in values:
        lowest = len(values) > 1 and value == min(values)
        axes.annotate(
            f"{value:.4f}",
            (k, value),
            (8, -8 if lowest else 8),
            textcoords="offset points",
            ha="right",
            va="top" if lowest else "bottom",
            weight="bold",
            size=11,
        )
