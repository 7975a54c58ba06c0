"""Check pages: parse, run, compare, and hold each against its twin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from lesson_checker.claims import Bound, bound_values, claim_problems
from lesson_checker.compare import compare, outcomes, shown, updated_text, verified
from lesson_checker.jobs import PageRun, Value
from lesson_checker.page import Example, Page, read_page
from lesson_checker.parity import compare_twins, twin_missing
from lesson_checker.problems import Problem
from lesson_checker.run import Runner
from lesson_checker.settings import Settings, absolute
from lesson_checker.twins import behind, changed_last

_STOPPED = {"raised", "timeout", "crashed"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found out about one page.

    Attributes:
        page: The page.
        run: What its blocks did; None if it was not run.
        problems: What is wrong with it, in the order of its lines.
        proven: The examples that did exactly what the page shows.
    """

    page: Page
    run: PageRun | None
    problems: tuple[Problem, ...]
    proven: tuple[Example, ...]

    @property
    def verified(self) -> int:
        """How many code blocks did exactly what the page shows."""
        return len(self.proven)

    def by_block(self) -> list[tuple[Example | None, list[Problem]]]:
        """Return each code block with its problems; first, with None, those of no block."""
        groups: list[tuple[Example | None, list[Problem]]] = [(None, [])]
        groups += [(example, []) for example in self.page.examples]
        for problem in self.problems:
            before = [each for each in groups[1:] if each[0] and each[0].code.line <= problem.line]
            (before[-1] if before else groups[0])[1].append(problem)
        return groups

    @property
    def updated_text(self) -> str:
        """The page's text with its real outputs."""
        if self.run is None or not self.page.readable:
            return self.page.text
        return updated_text(self.page, self.run)


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found out about a number of pages.

    Attributes:
        verdicts: One for each page, in the order of their paths.
        versions: The versions that the pages ran on, Python's first.
    """

    verdicts: tuple[Verdict, ...]
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def problems(self) -> list[Problem]:
        """The problems of all pages."""
        return [problem for verdict in self.verdicts for problem in verdict.problems]

    @property
    def verified(self) -> int:
        """How many code blocks did exactly what their pages show."""
        return sum(verdict.verified for verdict in self.verdicts)


class Check:
    """A check under way: pages run while somebody does something else, and asks for verdicts.

    Attributes:
        settings: Of the project that the pages belong to.
        pages: The pages, by their paths, in the order in which they run.
    """

    def __init__(
        self, settings: Settings, paths: Sequence[Path], runner: Runner | None = None
    ) -> None:
        """Begin to run the pages at ``paths``, in this order, by a new runner if there is none."""
        self.settings = settings
        self.pages: dict[Path, Page] = {}
        self._verdicts: dict[Path, Verdict] = {}
        self._runner = runner or Runner(settings).__enter__()
        self._borrowed = runner is not None
        self._coming = judge(self._read(paths), settings, self._runner)

    def __enter__(self) -> Check:
        return self

    def __exit__(self, *error: object) -> None:
        """End what is still running."""
        if not self._borrowed:
            self._runner.__exit__()

    def __iter__(self) -> Iterator[Verdict]:
        """Yield the verdicts that nobody has asked for yet, in the order in which the pages end."""
        for verdict in self._coming:
            yield self._take(verdict)

    def verdict(self, path: Path) -> Verdict | None:
        """Return the verdict on a page, once it has ended; None if it is none of these pages."""
        while path in self.pages and path not in self._verdicts:
            self._take(next(self._coming))
        return self._verdicts.get(path)

    @property
    def versions(self) -> dict[str, str]:
        """The versions that the pages run on; empty until one of them has ended."""
        return self._runner.versions

    def report(self) -> Report:
        """Return what was found out about all of the pages, once they have ended."""
        for _ in self:
            pass
        return Report(tuple(self._verdicts[path] for path in sorted(self.pages)), self.versions)

    def _take(self, verdict: Verdict) -> Verdict:
        self._verdicts[verdict.page.path] = verdict
        return verdict

    def _read(self, paths: Sequence[Path]) -> Iterator[Page]:
        for path in paths:
            self.pages[path] = read_page(path, self.settings)
            yield self.pages[path]


def check_pages(
    settings: Settings,
    paths: Sequence[Path] | None = None,
    *,
    progress: Callable[[Verdict], None] | None = None,
    runner: Runner | None = None,
) -> Report:
    """Check the pages at ``paths``, all pages of the settings if it is None.

    Args:
        settings: Of the project that the pages belong to.
        paths: Files or folders. The twin of a page is read too, but not run.
        progress: Called with each verdict as soon as there is one.
        runner: What runs the pages, for those who check more than once; else a new one does.

    Raises:
        ValueError: A path does not exist.
    """
    with Check(settings, find_pages(settings, paths), runner) as check:
        for verdict in check:
            if progress:
                progress(verdict)
        return check.report()


def find_pages(settings: Settings, paths: Sequence[Path] | None = None) -> list[Path]:
    """Return the pages at ``paths``, sorted and each once.

    Raises:
        ValueError: A path does not exist, or a file is no Markdown.
    """
    if paths is None:
        paths = [settings.root / folder for folder in settings.folders]
    found: set[Path] = set()
    for path in map(absolute, paths):
        if path.is_dir():
            found.update(settings.pages(path))
        elif path.suffix == ".md" and path.exists():
            found.add(path)
        else:
            what = "is no Markdown file (.md)" if path.exists() else "does not exist"
            raise ValueError(f"{settings.relative(path)} {what}")
    return sorted(found)


def judge(pages: Iterable[Page], settings: Settings, runner: Runner) -> Iterator[Verdict]:
    """Have ``pages`` run, and return an iterator over the verdicts as they end."""
    known: dict[Path, Page] = {}
    not_run: list[Page] = []

    def runnable() -> Iterator[Page]:
        for page in pages:
            known[page.path] = page
            if page.runs:
                yield page
            else:
                not_run.append(page)

    runner.submit(runnable())
    # those that need no run first: whoever asks for one of them has nothing to wait for
    still = (_verdict(page, None, settings, known) for page in not_run)
    return chain(still, (_verdict(page, run, settings, known) for page, run in runner.results()))


def _evidence(page: Page, run: PageRun | None) -> tuple[list[str], list[tuple[Bound, Value]]]:
    """Return the outputs of a page, real where it has run, and the values of bound words."""
    written = {each.code.line: each.output.body for each in page.examples if each.output}
    if run is None:
        return list(written.values()), []
    real = {each.code.line: shown(each, outcome) for each, outcome in outcomes(page, run)}
    return list((written | real).values()), list(bound_values(page, run))


def _without_echoes(problems: list[Problem]) -> list[Problem]:
    """Leave out what another problem has caused.

    Where an output is stale its numbers are not the twin's either, and of a page that stopped on
    the way nobody knows yet what it prints.
    """
    codes = {problem.code for problem in problems}
    stale = {problem.line for problem in problems if problem.code == "output-differs"}
    return [
        problem
        for problem in problems
        if not (problem.code == "claim-unbacked" and codes & _STOPPED)
        and not (problem.code == "twin-numbers" and problem.actual and _covers(problem, stale))
    ]


def _covers(problem: Problem, lines: set[int]) -> bool:
    """Say whether one of ``lines`` is in the block that begins where the problem is."""
    last = problem.line + problem.expected.count("\n") + 1
    return any(problem.line < line <= last for line in lines)


def _verdict(
    page: Page, run: PageRun | None, settings: Settings, known: dict[Path, Page]
) -> Verdict:
    problems = list(page.problems)
    proven: list[Example] = []
    if run is not None:
        problems += compare(page, run)
        proven = verified(page, run)
    if page.readable:
        problems += claim_problems(page, settings, *_evidence(page, run))
    for lang, path in settings.twins_of(page.path).items():
        if not path.exists():
            problems.append(twin_missing(page, lang, settings.relative(path).as_posix()))
            continue
        twin = known.get(path) or read_page(path, settings)
        problems += compare_twins(page, twin, partial(changed_last, page, twin, settings.root))
        problems += filter(None, [behind(page, twin)])
        if path not in known:  # nobody else will say that the twin has yet to follow
            problems += filter(None, [behind(twin, page)])
    problems = _without_echoes(problems)
    problems.sort(key=lambda problem: problem.line)
    return Verdict(page, run, tuple(problems), tuple(proven))
