"""The tables: what was caught, and the burden of the authors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from drift.measurement import Count
from drift.places import comments
from drift.planting import Kind, Pair, Side


def burden(side: Side) -> tuple[int, int, int]:
    """Return how many words a page has, and how many bindings and excuses."""
    words = len(re.findall(r"[^\W\d_]+", side.prose.with_code))
    return words, len(comments(side, "bound")), len(comments(side, "excused"))


def table_of(counts: dict[Kind, Count]) -> str:
    """Return the table of what was caught, kind by kind, faults first."""
    faults = {kind: count for kind, count in counts.items() if kind.expected == "error"}
    edits = {kind: count for kind, count in counts.items() if kind.expected != "error"}
    lines = [f"{'fault':<62}{'planted':>8}{'caught':>8}{'by warning':>12}{'missed':>8}"]
    for kind, each in faults.items():
        name = f"{kind.group}: {kind.name}"
        lines.append(
            f"{name:<62}{each.planted:>8}{each.caught:>8}{each.by_warning:>12}{len(each.wrong):>8}"
        )
    lines.append(_total(f"{len(faults)} kinds of fault", faults.values(), faults=True))
    lines += ["", f"{'ordinary edit':<62}{'made':>8}{'':>20}{'alarms':>8}"]
    for kind, each in edits.items():
        due = " (the warning only)" if kind.expected == "warning" else ""
        lines.append(f"{kind.name + due:<62}{each.planted:>8}{'':>20}{len(each.wrong):>8}")
    lines.append(_total(f"{len(edits)} kinds of edit", edits.values(), faults=False))
    return "\n".join(lines)


def _total(name: str, counts: Iterable[Count], *, faults: bool) -> str:
    rows = [(each.planted, each.caught, each.by_warning, len(each.wrong)) for each in counts]
    planted, caught, warned, wrong = (sum(row[column] for row in rows) for column in range(4))
    middle = f"{caught:>8}{warned:>12}" if faults else f"{'':>20}"
    return f"{name:<62}{planted:>8}{middle}{wrong:>8}"


def burden_of(pairs: Sequence[Pair]) -> str:
    """Return the table of bindings and excuses."""
    lines = [f"{'page':<48}{'words':>8}{'bound':>8}{'excused':>9}{'per 100 words':>15}"]
    total = [0, 0, 0]
    for pair in pairs:
        row = burden(pair.mine)
        total = [sum(each) for each in zip(total, row, strict=True)]
        lines.append(_burden(pair.mine.page.name, *row))
    return "\n".join([*lines, _burden("all", *total)])


def _burden(name: str, words: int, bound: int, excused: int) -> str:
    share = 100 * (bound + excused) / max(1, words)
    return f"{name:<48}{words:>8}{bound:>8}{excused:>9}{share:>15.2f}"
