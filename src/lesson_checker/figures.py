"""Take the pictures that a page has drawn: each as SVG, with the data that it shows.

Matplotlib is never imported here. A page that draws has loaded it; no other page has to wait.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from itertools import pairwise
from math import isclose, isfinite
from typing import Any

from lesson_checker.jobs import Key, Panel, Plot, Series

# the same picture is the same text, wherever and whenever it is drawn
_SAME = {"svg.fonttype": "none", "svg.hashsalt": "lesson"}
_UNDATED = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_NAMING = ("FixedFormatter", "FuncFormatter", "StrCategoryFormatter")


def take_plots() -> list[Plot]:
    """Return every figure that pyplot has open, in the order of their numbers, and close them."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    try:
        with pyplot.rc_context(_SAME):
            return [_taken(pyplot.figure(number)) for number in pyplot.get_fignums()]
    finally:
        pyplot.close("all")


def _taken(figure: Any) -> Plot:
    file = io.BytesIO()
    figure.savefig(file, format="svg", transparent=True, metadata=_UNDATED)
    titles = [figure.get_suptitle()]
    titles += [axes.get_title(place) for axes in figure.axes for place in ("left", "center")]
    return {
        "svg": file.getvalue().decode("utf-8"),
        "title": next(filter(None, titles), ""),
        # only after it was drawn do the axes know what their ticks are called
        "panels": [panel for axes in figure.axes if (panel := _panel(axes))["series"]],
    }


def _panel(axes: Any) -> Panel:
    """Return what one pair of axes shows; what bears a label hides what bears none."""
    bars = [each for each in axes.containers if hasattr(each, "orientation")]
    lines = [line for line in axes.lines if line.get_transform() == axes.transData]
    dots = [each for each in axes.collections if type(each).__name__ == "PathCollection"]
    x, y = axes.get_xlabel(), axes.get_ylabel()
    if bars and all(each.orientation == "horizontal" for each in bars):
        x, y = y, x
    series = [_series(each, _bar_points(each, axes)) for each in bars]
    series += [_series(each, _points(each.get_xydata(), axes)) for each in lines]
    series += [_series(each, _points(each.get_offsets(), axes)) for each in dots]
    return {
        "x": x,
        "y": y,
        "series": [each for each in series if each["label"]] or series,
        "marks": [
            (_label(line), _place(line))
            for line in axes.lines
            if line not in lines and _label(line)
        ],
    }


def _series(artist: Any, points: Iterator[tuple[Key, float]]) -> Series:
    known = [(key, value) for key, value in points if isfinite(value)]
    return {"label": _label(artist), "points": known}


def _label(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") else label  # matplotlib's own names begin with it


def _points(pairs: Any, axes: Any) -> Iterator[tuple[Key, float]]:
    names = _names(axes.xaxis)
    for x, y in pairs:
        yield names.get(float(x), float(x)), float(y)


def _bar_points(bars: Any, axes: Any) -> Iterator[tuple[Key, float]]:
    """Yield each bar's place and length; bars that touch each other stand for ranges."""
    across = bars.orientation == "horizontal"
    names = _names(axes.yaxis if across else axes.xaxis)
    spans = []
    for bar in bars.patches:
        start, size = (bar.get_y(), bar.get_height()) if across else (bar.get_x(), bar.get_width())
        spans.append((float(start), float(start + size)))
    touching = len(spans) > 1 and all(isclose(a[1], b[0]) for a, b in pairwise(spans))
    for bar, (low, high) in zip(bars.patches, spans, strict=True):
        middle = round((low + high) / 2, 9)
        key: Key = (low, high) if touching and not names else names.get(middle, middle)
        yield key, float(bar.get_width() if across else bar.get_height())


def _names(axis: Any) -> dict[float, str]:
    """Return what the places on an axis are called, if they have names and not numbers."""
    if type(axis.get_major_formatter()).__name__ not in _NAMING:
        return {}
    texts = [label.get_text() for label in axis.get_ticklabels()]
    return dict(zip(map(float, axis.get_ticklocs()), texts, strict=False))


def _place(line: Any) -> float:
    """Return where a line stands that goes straight across the axes."""
    x, y = line.get_xdata(orig=False), line.get_ydata(orig=False)
    return float(x[0] if len(set(x)) == 1 else y[0])
