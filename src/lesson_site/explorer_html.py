"""The ranking explorer as HTML.

All of it is there, for the query and the k that the page asks for, so that it can be read without
a script. The script follows what readers choose: it fills in what it finds here, and the words
that it says are here too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from lesson_site.explorer import (
    DECIMALS,
    LAST_K,
    METRICS,
    TOKEN,
    Explorer,
    Ranking,
    Result,
    Word,
)
from lesson_site.explorer_tag import Opening

Words = Mapping[str, str]
"""All that the explorer says, in the language of the page."""

SPOKEN = ("found", "missed", "nowhere", "beyond", "inside", "outside", "measured", "factor", "rest")
"""The words that the script needs too."""

_STEP, _TOP, _HEIGHT = 30, 22, 90  # of the plot


def explorer_html(
    shown: Explorer, start: Opening, words: Words, ident: str, corpus: str | None = None
) -> str:
    """Return an explorer as it is before anybody has touched it.

    Args:
        shown: What there is to explore.
        start: What it shows first.
        words: What it says.
        ident: What the names in it begin with: they must be unique on the page.
        corpus: Where the page of the corpus is, if there is one.
    """
    ranking = shown.rankings[start.query]
    spoken = json.dumps({name: words[name] for name in SPOKEN}, ensure_ascii=False)
    choices = "".join(
        _choice(each, number, start, words, ident, shown.max_k)
        for number, each in enumerate(shown.rankings)
    )
    # the circles once more, beside k: the queries are far above when the list is being read
    strip = "".join(
        _state(each, number, start, shown.max_k) for number, each in enumerate(shown.rankings)
    )
    rows = [_row(shown, ranking, rank, start, words, corpus) for rank in range(1, LAST_K + 1)]
    # where the window ends that production has, on a track from the first k to the last
    limit = (shown.max_k - 0.5) / (LAST_K - 1)
    says = escape(sentence(ranking, start.k, shown.max_k, words))
    rest = escape(words["rest"].format(n=ranking.found - len(ranking.results)))
    # no div: what the search is to leave out ends for it at the first closing tag of that name
    return (
        f'<section class="explorer explorer--{start.metric}" role="group" '
        f'aria-label="{escape(words["title"])}" data-search-exclude data-query="{start.query}" '
        f'data-corpus="{escape(corpus or "")}" data-words="{escape(spoken)}">'
        '<div class="explorer__grid">'
        f'<fieldset class="explorer__queries"><legend>{escape(words["queries"])}'
        '<span class="explorer__legend" aria-hidden="true">'
        '<span class="explorer__state" data-state="inside"></span>'
        f"{escape(words['inside'])}</span></legend>{choices}</fieldset>"
        f'<div class="explorer__panel">{_plot(shown, start.k, words)}'
        f'<div class="explorer__controls" style="--limit:{limit:.0%}"><label class="explorer__k">'
        f'<span class="explorer__name">k<span aria-hidden="true"> = '
        f'<span class="explorer__at">{start.k}</span></span></span>'
        f'<input type="range" min="1" max="{LAST_K}" value="{start.k}" autocomplete="off"></label>'
        f'<span class="explorer__strip" aria-hidden="true">{strip}</span>'
        f"{_figures(shown, ranking, start.k, words)}</div></div>"
        f'<div class="explorer__ranking"><p class="explorer__says">{says}</p>'
        f'<ol class="explorer__list" role="list">{"".join(rows[: shown.max_k])}</ol>'
        f'<p class="explorer__limit">{escape(words["limit"].format(max=shown.max_k))}</p>'
        f'<ol class="explorer__list" role="list" start="{shown.max_k + 1}">'
        f"{''.join(rows[shown.max_k :])}</ol>"
        f'<p class="explorer__rest">{rest}</p></div></div>{_tables(shown, words)}'
        '<p class="visually-hidden" role="status"></p></section>'
    )


def sentence(ranking: Ranking, k: int, max_k: int, words: Words) -> str:
    """Return what there is to say about a query at k."""
    if ranking.rank is None:
        return words["nowhere"].format(k=k)
    where = words["found" if ranking.rank <= k else "missed"].format(k=k, rank=ranking.rank)
    return where + (words["beyond"] if k > max_k else "")


def marked(text: str, words: Iterable[Word]) -> str:
    """Return a text as HTML with the words of a query marked, the heavier the stronger."""
    weights = {word.word: min(3, 1 + int(word.idf)) for word in words}
    return "".join(
        f'<mark data-weight="{weights[part.lower()]}">{part}</mark>'
        if part.lower() in weights
        else escape(part, quote=False)
        for part in TOKEN.split(text)
    )


def _choice(
    ranking: Ranking, number: int, start: Opening, words: Words, ident: str, max_k: int
) -> str:
    checked = " checked" if number == start.query else ""
    said = f'<span class="visually-hidden">{escape(words[_where(ranking, start.k)])}</span>'
    return (
        f'<label class="explorer__query"><input type="radio" name="{ident}-query" '
        f'value="{number}"{checked} autocomplete="off">'
        f'<span lang="en">{escape(ranking.query)}</span> '
        f"{_state(ranking, number, start, max_k, said)}</label>"
    )


def _state(ranking: Ranking, number: int, start: Opening, max_k: int, said: str = "") -> str:
    """Return the circle of a query: it is filled if the expected document is in the window."""
    marks = {"is-beyond": (ranking.rank or 0) > max_k, "is-chosen": number == start.query}
    classes = " ".join(["explorer__state", *(name for name, holds in marks.items() if holds)])
    return f'<span class="{classes}" data-state="{_where(ranking, start.k)}">{said}</span>'


def _where(ranking: Ranking, k: int) -> str:
    return "inside" if ranking.rank is not None and ranking.rank <= k else "outside"


# ------------------------------------------------------------------------------------- the list


def _row(
    shown: Explorer, ranking: Ranking, rank: int, start: Opening, words: Words, corpus: str | None
) -> str:
    """Return one place of the list; one that stays empty is there for other queries to fill."""
    empty = rank > len(ranking.results)
    result = Result(0, 0.0, 1.0, (), ()) if empty else ranking.results[rank - 1]
    best = ranking.results[0].score if ranking.results else 1.0
    chunk = shown.chunks[result.chunk]
    marks = {
        "is-right": chunk.doc_id == ranking.expected,
        "is-inside": rank <= start.k,
        "is-last": rank == start.k,
        "is-beyond": rank > shown.max_k,
    }
    classes = " ".join(["explorer__row", *(name for name, holds in marks.items() if holds)])
    pieces = "".join(f'<i style="flex:{adds:.2g}"></i>' for adds in result.adds if adds)
    href = f' href="{escape(corpus)}#{chunk.anchor}"' if corpus else ""
    return (
        f'<li class="{classes}"{" hidden" if empty else ""}><p class="explorer__head">'
        f'<span class="explorer__rank"><span class="visually-hidden">{escape(words["rank"])} '
        f'</span>{rank}</span><strong class="explorer__heading" lang="en">'
        f"{marked(chunk.heading, ranking.words)}</strong> "
        f'<a class="explorer__document"{href}><code>{escape(chunk.doc_id)}</code></a> '
        f'<span class="explorer__right">{escape(words["right"])}</span></p>'
        f'<p class="explorer__text" lang="en">{marked(chunk.text, ranking.words)}</p>'
        f'<details class="explorer__score"{" open" if rank == start.opened else ""}>'
        f'<summary><span class="explorer__bar" style="--width:{result.score / best:.1%}">{pieces}'
        f'</span><span class="visually-hidden">{escape(words["open"])}: </span>'
        f'<span class="explorer__number">{_shown(result.score)}</span></summary>'
        f"{_contributions(ranking.words, result, words)}</details></li>"
    )


def _contributions(asked: Sequence[Word], result: Result, words: Words) -> str:
    """Return what each word adds to a score, and why."""
    titles = ("word", "chunks", "weight", "times", "adds")
    head = "".join(f'<th scope="col">{escape(words[title])}</th>' for title in titles)
    most = max(result.adds, default=0) or 1
    rows = "".join(
        f'<tr class="{"" if adds else "is-nil"}"><th scope="row">{word.word}'
        f"{f' <small>×{word.count}</small>' if word.count > 1 else ''}</th>"
        f"<td>{word.chunks}</td><td>{_shown(word.idf)}{' ε' if word.floor else ''}</td>"
        f'<td>{times}</td><td style="--width:{adds / most:.0%}">{_shown(adds)}</td></tr>'
        for word, times, adds in zip(asked, result.times, result.adds, strict=False)
    )
    factor = words["factor"].format(factor=_shown(result.factor))
    return (
        f'<table class="explorer__words"><thead><tr>{head}</tr></thead><tbody lang="en">{rows}'
        f'</tbody><tfoot><tr><th scope="row" colspan="4">{escape(words["total"])}</th>'
        f'<td>{_shown(result.score)}</td></tr></tfoot></table><p class="explorer__factor">'
        f"<span>{escape(factor)}</span> {escape(words['legend'])}</p>"
    )


# --------------------------------------------------------------------------------- the numbers


def _figures(shown: Explorer, ranking: Ranking, k: int, words: Words) -> str:
    """Return the two metrics at k: of the query, and their means."""
    every = shown.rankings
    fractions = {
        "recall": (
            f"{ranking.recall[k - 1]:.0f}/1",
            f"{sum(each.recall[k - 1] for each in every):.0f}/{len(every)}",
        ),
        "precision": (
            f"{ranking.hits[k - 1]}/{k}",
            f"{sum(each.hits[k - 1] for each in every)}/{k * len(every)}",
        ),
    }
    rows = "".join(
        f'<tr class="explorer__{metric}"><th scope="row"><i class="explorer__key"></i>{metric}@'
        f'<span class="explorer__at">{k}</span></th>'
        f'<td><b class="explorer__own">{_shown(ranking.metric(metric)[k - 1])}</b> '
        f"<small>{fractions[metric][0]}</small></td>"
        f'<td><b class="explorer__mean">{_shown(shown.metric(metric)[k - 1])}</b> '
        f"<small>{fractions[metric][1]}</small></td></tr>"
        for metric in METRICS
    )
    return (
        '<table class="explorer__figures"><thead><tr><td></td>'
        f'<th scope="col">{escape(words["own"])}</th>'
        f'<th scope="col">{_mean(shown, words)}</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _tables(shown: Explorer, words: Words) -> str:
    """Return all the numbers that k moves, for readers who would rather read than move."""
    ks = "".join(f'<th scope="col">{k}</th>' for k in range(1, LAST_K + 1))
    tables = ""
    for metric in METRICS:
        rows = "".join(
            f'<tr><th scope="row" lang="en">{escape(ranking.query)}</th>'
            f"<td>{ranking.rank or '–'}</td>{_cells(ranking.metric(metric))}</tr>"
            for ranking in shown.rankings
        )
        caption = escape(words["table_of"].format(metric=metric))
        tables += (
            f'<div class="explorer__scroll" tabindex="0" role="group" aria-label="{caption}">'
            f'<table class="explorer__numbers"><caption>{caption}</caption><thead><tr>'
            f'<th scope="col">{escape(words["query"])}</th>'
            f'<th scope="col">{escape(words["rank"])}</th>{ks}</tr></thead><tbody>{rows}'
            f'<tr><th scope="row">{_mean(shown, words)}</th><td></td>'
            f"{_cells(shown.metric(metric))}</tr></tbody></table></div>"
        )
    return (
        f'<details class="explorer__table"><summary>{escape(words["table"])}</summary>{tables}'
        "</details>"
    )


def _cells(values: Sequence[float]) -> str:
    return "".join(f"<td>{_shown(value)}</td>" for value in values)


def _mean(shown: Explorer, words: Words) -> str:
    return escape(words["mean"].format(n=len(shown.rankings)))


def _shown(number: float) -> str:
    return f"{number:.{DECIMALS}f}"


# ------------------------------------------------------------------------------------ the plot


def _plot(shown: Explorer, k: int, words: Words) -> str:
    """Return the curves of both means, with a dot on each where k is."""
    width, bottom = _STEP * LAST_K, _TOP + _HEIGHT
    curves = {metric: list(_points(shown.metric(metric))) for metric in METRICS}
    lines = "".join(
        f'<g class="explorer__{metric}"><path d="{_path(metric, points)}"/>'
        # these stay; the script reads from them where the dot has to go
        + "".join(f'<circle class="explorer__place" {_at(point)} r="2"/>' for point in points)
        + f'<circle class="explorer__dot" {_at(points[k - 1])} r="6"/>'
        f'<text x="{width}" y="{points[-1][1] - 8:g}" text-anchor="end">{metric}@k</text></g>'
        for metric, points in reversed(curves.items())
    )
    ticks = "".join(
        f'<text x="{_STEP * (tick - 0.5):g}" y="{bottom + 14}" text-anchor="middle">{tick}</text>'
        for tick in range(1, LAST_K + 1)
    )
    label = escape(words["curve"].format(n=len(shown.rankings), last=LAST_K))
    return (
        f'<svg class="explorer__plot" viewBox="0 0 {width} {bottom + 18}" role="img" '
        f'aria-label="{label}"><rect class="explorer__window" y="{_TOP - 12}" '
        f'width="{_STEP * shown.max_k}" height="{_HEIGHT + 12}"/>'
        f'<text class="explorer__production" x="6" y="{_TOP + 2}">'
        f"{escape(words['production'])}</text>"
        f'<path class="explorer__axis" d="M0 {bottom}H{width}"/>{lines}{ticks}</svg>'
    )


def _points(values: Iterable[float]) -> Iterable[tuple[float, float]]:
    for position, value in enumerate(values):
        yield _STEP * (position + 0.5), round(_TOP + _HEIGHT * (1 - value), 1)


def _at(point: tuple[float, float]) -> str:
    return f'cx="{point[0]:g}" cy="{point[1]:g}"'


def _path(metric: str, points: Sequence[tuple[float, float]]) -> str:
    """Return a curve: the one of recall is a flight of stairs, as in the lessons."""
    if metric == "recall":
        steps = "".join(f"V{y:g}H{x + _STEP / 2:g}" for x, y in points)
        return f"M0 {points[0][1]:g}{steps}"
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
