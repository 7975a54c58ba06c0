"""Show the plots of a page: each as an SVG in the colours of the site, and its data as a table.

What Matplotlib wrote is taken apart and written anew with what a picture needs and nothing else:
no script, no style, no address. Its text is set in the reader's font.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from math import floor, log10
from typing import NamedTuple
from xml.etree import ElementTree

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from lesson_checker import Verdict
from lesson_checker.compare import outcomes
from lesson_checker.jobs import Key, Panel, Plot
from lesson_checker.page import Example, Page

# the palette by day, as in site.css, and what Matplotlib takes if nobody says anything
COLOURS = {
    "#fcfbf7": "var(--paper)",
    "#f4f1e9": "var(--sheet)",
    "#e2ddd0": "var(--rule)",
    "#1f2428": "var(--ink)",
    "#575e63": "var(--ink-soft)",
    "#0b5f55": "var(--petrol)",
    "#e0eeea": "var(--petrol-tint)",
    "#984806": "var(--amber)",
    "#fbe9d3": "var(--amber-tint)",
    "#a3202a": "var(--red)",
    "#000000": "var(--ink)",
    "#ffffff": "var(--paper)",
}
_KEPT = {
    *("d", "x", "y", "width", "height", "x1", "y1", "x2", "y2", "transform", "viewBox"),
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "opacity"),
    *("stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"),
    *("font-size", "font-style", "font-weight", "text-anchor", "patternUnits", "patternTransform"),
}
_SHAPES = {"a", "clipPath", "defs", "g", "path", "pattern", "rect", "text", "tspan", "use"}
_UNWRAPPED = {"a"}
_UNSEEN = {"metadata", "style", "title"}
_PLACE = {"d", "x", "y", "id", "href", "transform"}
_NOTHING = {  # what holds if nothing is said
    "stroke-dashoffset": "0",
    "stroke-linecap": "butt",
    "stroke-linejoin": "round",
    "stroke-width": "1",
    "text-anchor": "start",
}
_NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
_REFERENCE = re.compile(r"#([\w-]+)")
_FONT = re.compile(r"(?P<before>.*?)(?P<size>[\d.]+)px")
_FIGURE = re.compile(r'(?m)(?<=^)(?P<before>[ >]*)(?P<html><figure class="plot".*</figure>)$')
_BETWEEN_FENCES_AND_COMMENTS = 23


def pictures(
    verdict: Verdict, *, data: str, refuse: Callable[[Page, int, str], None]
) -> dict[Example, str]:
    """Return the HTML of each plot that the run of a page has drawn, in one line.

    Args:
        verdict: What the checker says about the page.
        data: The words above the data of a plot.
        refuse: Told of each plot that a page can't show, and why.
    """
    if verdict.run is None:
        return {}
    shown: dict[Example, str] = {}
    for example, outcome in outcomes(verdict.page, verdict.run):
        if example.plot and outcome["plots"]:
            ident = f"plot-{len(shown) + 1}"
            try:
                shown[example] = picture(outcome["plots"][0], example.plot, ident, data=data)
            except ValueError as error:
                refuse(verdict.page, example.code.line, str(error))
    return shown


def picture(plot: Plot, alternative: str, ident: str, *, data: str) -> str:
    """Return one plot as HTML, in one line."""
    tables = "".join(map(_table, plot["panels"]))
    folded = f"<details><summary>{escape(data)}</summary>{tables}</details>" if tables else ""
    shown = svg(plot["svg"], plot["title"], alternative, ident)
    html = f'<figure class="plot" data-search-exclude>{shown}{folded}</figure>'
    return re.sub(r"\s+", " ", html)


class Pictures(Extension):
    """Keep other extensions from reading the pictures."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown calls it so
        """Register the step."""
        md.preprocessors.register(_Stash(md), "lesson-pictures", _BETWEEN_FENCES_AND_COMMENTS)


class _Stash(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        def put_away(match: re.Match[str]) -> str:
            return match["before"] + str(self.md.htmlStash.store(match["html"]))

        return _FIGURE.sub(put_away, "\n".join(lines)).split("\n")


# ------------------------------------------------------------------------------- the picture


def svg(text: str, title: str, alternative: str, ident: str) -> str:
    """Return Matplotlib's SVG as one that stands in a page.

    Args:
        text: The SVG.
        title: Of the picture.
        alternative: What it shows, in words.
        ident: What the ids in it begin with: they must be unique on the page.

    Raises:
        ValueError: There is something in it that a page can't show safely.
    """
    root = ElementTree.fromstring(text)  # noqa: S314 - it comes from our own run
    used = {
        name
        for node in root.iter()
        for attribute, value in node.attrib.items()
        if _local(attribute) != "id"
        for name in _REFERENCE.findall(value)
    }
    names = {name: f"{ident}-{number}" for number, name in enumerate(sorted(used), start=1)}
    body = _written([part for node in root for part in _parts(node, names)])
    sizes = Counter(re.findall(r' font-size="[\d.]+"', body))
    size = max(sizes, key=lambda each: sizes[each], default="")
    body = body.replace(size, "")  # most of the text inherits it
    label = f'<title id="{ident}-title">{escape(title or alternative)}</title>'
    named = f"{ident}-title"
    if title:
        label += f'<desc id="{ident}-desc">{escape(alternative)}</desc>'
        named += f" {ident}-desc"
    return (
        f'<svg viewBox="{escape(root.attrib["viewBox"])}" role="img" aria-labelledby="{named}" '
        f'stroke-linejoin="round"{size}>{label}{body}</svg>'
    )


class _Part(NamedTuple):
    tag: str
    attributes: dict[str, str]
    inside: str

    @property
    def look(self) -> dict[str, str]:
        """What neighbours of the same look can leave to an element around them."""
        alone = self.tag not in ("path", "text", "use") or {"id", "opacity"} & set(self.attributes)
        kept = {} if alone else self.attributes
        return {name: value for name, value in kept.items() if name not in _PLACE}


def _parts(node: ElementTree.Element, names: Mapping[str, str]) -> Iterator[_Part]:
    """Yield what an element comes to: itself, what it holds, or nothing."""
    tag = _local(node.tag)
    if tag in _UNSEEN:
        return
    if tag not in _SHAPES:
        raise ValueError(f"a page can't show its <{tag}>; draw with lines, bars, dots and text")
    inside = [part for child in node for part in _parts(child, names)]
    attributes = {} if tag == "a" else dict(_attributes(node, names))
    if tag in ("a", "g") and not attributes:
        yield from inside
        return
    text = escape((node.text or "").strip(), quote=False) if tag in ("text", "tspan") else ""
    written = text + _written(inside)
    invisible = attributes.get("fill") == "none" and "stroke" not in attributes
    if (tag in ("defs", "g") and not written) or (tag == "path" and invisible):
        return
    yield _Part(tag, attributes, written)


def _written(parts: Iterable[_Part]) -> str:
    text = ""
    for look, group in groupby(parts, key=lambda part: part.look):
        alike = list(group)
        shared = look if len(alike) > 1 else {}
        inside = "".join(
            _tag(tag, {n: v for n, v in attributes.items() if n not in shared}, content)
            for tag, attributes, content in alike
        )
        text += _tag("g", shared, inside) if shared else inside
    return text


def _tag(tag: str, attributes: Mapping[str, str], inside: str) -> str:
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


def _attributes(node: ElementTree.Element, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what is kept of an element's attributes and style."""
    raw = {_local(name): value for name, value in node.attrib.items()}
    for declaration in raw.pop("style", "").split(";"):
        name, _, value = declaration.partition(":")
        raw[name.strip()] = value.strip()
    if font := _FONT.match(raw.get("font", "")):
        raw |= {"font-size": font["size"]}
        raw |= (
            {"font-weight": "bold"} if "bold" in font["before"] or "700" in font["before"] else {}
        )
    if raw.get("transform", "").startswith("rotate(-0 "):
        del raw["transform"]
    for name, value in raw.items():
        if name == "id":
            if value in names:
                yield "id", names[value]
        elif name in ("href", "clip-path") or value.startswith("url("):
            reference = _REFERENCE.fullmatch(value.removeprefix("url(").removesuffix(")"))
            if reference is None:
                raise ValueError(f"a plot on a page can't refer to {value}")
            target = f"#{names[reference[1]]}"
            yield name, target if name == "href" else f"url({target})"
        elif name in _KEPT and _NOTHING.get(name) != value:
            yield name, COLOURS.get(value, _short(name, value))


def _short(name: str, value: str) -> str:
    """Return numbers to a tenth, which is less than anybody sees, and no needless space."""
    value = _NUMBER.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), value)
    value = re.sub(r"\s+", " ", value.removesuffix("px")).strip()
    return re.sub(r"(?<=[A-Za-z]) | (?=[A-Za-z])", "", value) if name == "d" else value


def _local(name: str) -> str:
    return name.rpartition("}")[2]


# ---------------------------------------------------------------------------------- the data


def _table(panel: Panel) -> str:
    """Return the data of one pair of axes as a table: a row per key, a column per series."""
    series = panel["series"]
    keys = list(dict.fromkeys(_key(key) for each in series for key, _ in each["points"]))
    values = [{_key(key): value for key, value in each["points"]} for each in series]
    texts = [_texts(list(column.values())) for column in values]
    columns = [
        dict(zip(column, text, strict=True)) for column, text in zip(values, texts, strict=True)
    ]
    labels = [each["label"] or panel["y"] for each in series]
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in [panel["x"], *labels])
    rows = "".join(
        f'<tr><th scope="row">{escape(key)}</th>'
        + "".join(f"<td>{column.get(key, '')}</td>" for column in columns)
        + "</tr>"
        for key in keys
    )
    marks = "".join(
        f"<p>{escape(label)}: {_texts([value])[0]}</p>" for label, value in panel["marks"]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{marks}"


def _key(key: Key) -> str:
    """Return a place on an axis as text; a range is written without its end, as in intervals."""
    if isinstance(key, str):
        return key
    if isinstance(key, int | float):
        return _plain(key)
    low, high = key
    return f"[{_plain(low)}, {_plain(high)})"


def _plain(number: float) -> str:
    return f"{number:.6g}".replace("-", "\N{MINUS SIGN}")


def _texts(numbers: Sequence[float]) -> list[str]:
    """Return the numbers of a column: whole ones as such, others to the same four decimals.

    Fewer decimals for large numbers, more for small ones.
    """
    size = max(map(abs, numbers), default=0)
    decimals = 4
    if all(number == round(number) for number in numbers):
        decimals = 0
    elif not 0.01 <= size < 1000:
        decimals = max(0, 3 - floor(log10(size)))
    return [f"{number:.{decimals}f}".replace("-", "\N{MINUS SIGN}") for number in numbers]
