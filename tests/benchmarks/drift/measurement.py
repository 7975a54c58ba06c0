"""What the check says of each thing that is planted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from drift.kinds import KINDS
from drift.planting import SETTINGS, Change, Kind, Pair, Plan, Side, changed
from lesson_checker import checks
from lesson_checker.jobs import PageRun
from lesson_checker.page import Page, parse_page
from lesson_checker.problems import Problem
from lesson_checker.run import Runner
from lesson_checker.settings import Settings
from lesson_checker.twins import behind, confirmed_text

ROOT = Path(__file__).resolve().parents[3]
PLACES = 3  # of a page, for a fault that means another run
SECONDS = 2.0  # that a page may run that never ends


@dataclass
class Count:
    """What came of one kind."""

    planted: int = 0
    caught: int = 0
    by_warning: int = 0
    wrong: list[str] = field(default_factory=list)


def confirmed(paths: Sequence[Path], settings: Settings) -> list[Page]:
    """Return a page and its twin as they are once both have been confirmed."""
    pages = [parse_page(path.read_bytes().decode("utf-8"), path, settings) for path in paths]
    for _ in range(2):  # the line itself is no part of the text that it is about
        pages = [
            parse_page(confirmed_text(page, twin), page.path, settings)
            for page, twin in zip(pages, reversed(pages), strict=True)
        ]
    return pages


def found(page: Page, twin: Page, run: PageRun | None, settings: Settings) -> list[Problem]:
    """Return the problems of a page and of its twin, as far as the page can have caused them."""
    known = {page.path: page, twin.path: twin}
    problems = checks._verdict(page, run, settings, known).problems
    return [*problems, *filter(None, [behind(twin, page)])]


def tell(kind: Kind, side: Side, changes: Sequence[Change]) -> str:
    place = f"{side.page.name}:{side.page.line_at(changes[0][0])}"
    start, end, new = changes[0]
    return f"{kind.group}, {kind.name}: {place}: {side.text[start:end]!r} -> {new!r}"[:300]


def measure(
    pairs: Sequence[Pair],
    settings: Settings,
    kinds: Sequence[Kind],
    *,
    places: int = PLACES,
    sample: bool = False,
) -> dict[Kind, Count]:
    """Plant the kinds in the pairs, and return what came of each.

    Args:
        pairs: Which pages to plant them in.
        settings: Of the project.
        kinds: Which kinds.
        places: How many places of a page to plant a kind in at most, all if it is 0.
        sample: Whether that holds for the kinds too that are planted everywhere.
    """
    counts: dict[Kind, Count] = {kind: Count() for kind in kinds}
    waiting: list[tuple[Kind, Pair, Plan, Page, Page]] = []
    for pair in pairs:
        SETTINGS[pair.mine.page.path] = settings
        for kind in kinds:
            plans = list(kind.plant(pair))
            most = 0 if kind.everywhere and not sample else places
            if most and len(plans) > most:
                plans = [plans[number * len(plans) // most] for number in range(most)]
            for plan in plans:
                page = parse_page(changed(pair.mine.text, plan[0]), pair.mine.page.path, settings)
                twin = pair.twin.page
                if plan[1]:
                    twin = parse_page(changed(pair.twin.text, plan[1]), twin.path, settings)
                if kind.reruns and page.readable:
                    waiting.append((kind, pair, plan, page, twin))
                else:
                    run = pair.mine.run if page.readable else None
                    note(counts[kind], kind, pair, plan, found(page, twin, run, settings))
    for hangs in (False, True):
        limits = replace(settings, timeout=SECONDS) if hangs else settings
        numbered = {id(entry[3]): entry for entry in waiting if entry[0].hangs is hangs}
        if not numbered:
            continue
        for page, run in Runner(limits).run([entry[3] for entry in numbered.values()]):
            kind, pair, plan, _, twin = numbered[id(page)]
            if kind.updates:
                verdict = checks._verdict(page, run, settings, {page.path: page, twin.path: twin})
                page = parse_page(verdict.updated_text, page.path, settings)
            note(counts[kind], kind, pair, plan, found(page, twin, run, settings))
    return counts


def kinds_named(words: str) -> list[Kind]:
    """Return the kinds whose name holds some words, all for none."""
    return [kind for kind in KINDS if words in f"{kind.group}: {kind.name}"]


def measure_one(pair: Pair, settings: Settings, only: str, places: int) -> list[Count]:
    """Return what came of each kind in one pair, in a process that can't return the kinds."""
    return list(measure([pair], settings, kinds_named(only), places=places).values())


def merged(kinds: Sequence[Kind], results: Iterable[Sequence[Count]]) -> dict[Kind, Count]:
    """Return the sums of what came of each kind."""
    counts = {kind: Count() for kind in kinds}
    for result in results:
        for kind, one in zip(kinds, result, strict=True):
            sum_ = counts[kind]
            sum_.planted += one.planted
            sum_.caught += one.caught
            sum_.by_warning += one.by_warning
            sum_.wrong += one.wrong
    return counts


def note(count: Count, kind: Kind, pair: Pair, plan: Plan, problems: Sequence[Problem]) -> None:
    """Count what a check said."""
    severities = {problem.severity for problem in problems}
    count.planted += 1
    if kind.expected == "error":
        count.caught += bool(problems)
        count.by_warning += severities == {"warning"}
        right = bool(problems)
    else:
        right = severities == ({"warning"} if kind.expected == "warning" else set())
    if not right:
        codes = (
            ", ".join(sorted({f"{each.code}: {each.message}" for each in problems})) or "nothing"
        )
        count.wrong.append(f"{tell(kind, pair.mine, plan[0])}: {codes}")


def pairs_of(paths: Sequence[Path], settings: Settings) -> tuple[list[Pair], list[str]]:
    """Return each page with its twin, and the complaints about those that can't be measured."""
    pairs = []
    complaints = []
    for path in paths:
        for twin_path in settings.twins_of(path).values():
            if not twin_path.exists():
                complaints.append(
                    f"{settings.relative(path)}: there is no {twin_path.name} beside it"
                )
                continue
            pages = confirmed([path, twin_path], settings)
            runs = {
                page.path: run
                for page, run in Runner(settings).run([p for p in pages if p.readable])
            }
            problems = found(pages[0], pages[1], runs.get(path), settings)
            if problems:
                complaints.append(
                    f"{pages[0].name} has {len(problems)} problems of its own: check it first"
                )
            else:
                pairs.append(Pair(*(Side(page, runs.get(page.path)) for page in pages)))
    return pairs, complaints
