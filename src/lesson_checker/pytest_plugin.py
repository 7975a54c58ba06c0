"""The pytest plugin: one item per page, one subtest per block.

Load it with ``-p lesson_checker.pytest_plugin``. It collects the pages of the settings, runs them
all in one go when the first result is needed, and fails with the text of each problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from lesson_checker.checks import Verdict, check_pages, judge
from lesson_checker.files import replace_text
from lesson_checker.page import read_page
from lesson_checker.report import format_text
from lesson_checker.run import Runner
from lesson_checker.settings import Settings, load_settings

_NAME = "lesson"
_PROPERTY = "verified blocks"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-lessons``."""
    group = parser.getgroup("lessons", "lesson pages")
    group.addoption(
        "--update-lessons",
        action="store_true",
        help="rewrite the outputs that are no longer true, then check the pages",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings; refuse to write from several processes at once."""
    try:
        settings = load_settings(config.rootpath)
        pages = set(settings.pages())
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    update = config.getoption("update_lessons")
    if update and (config.getoption("numprocesses", None) or hasattr(config, "workerinput")):
        raise pytest.UsageError("--update-lessons writes files: run it without -n")
    config.pluginmanager.register(_Lessons(settings, pages, update=update), "lessons")


class _Lessons:
    """The pages of one test session."""

    def __init__(self, settings: Settings, pages: set[Path], *, update: bool) -> None:
        self.settings = settings
        self.pages = pages
        self.update = update
        self.selected: list[Path] = []
        self.verdicts: dict[Path, Verdict] = {}
        self.runner: Runner | None = None
        self.coming: Iterator[Verdict] | None = None
        self.checked = self.verified = 0

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        if file_path in self.pages:
            return _PageFile.from_parent(parent, path=file_path, lessons=self)
        return None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        # a parallel worker does not know yet which pages will be its own
        if not hasattr(session.config, "workerinput"):
            self.selected = [item.path for item in session.items if _is_page(item)]

    def pytest_sessionfinish(self) -> None:
        if self.runner:  # a session that was cut short leaves no page running
            self.runner.__exit__()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and not isinstance(report, pytest.SubtestReport):
            counts = [count for name, count in report.user_properties if name == _PROPERTY]
            self.checked += len(counts)
            self.verified += sum(int(str(count)) for count in counts)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.checked:
            text = f"{self.checked} lesson pages checked, {self.verified} blocks verified"
            terminalreporter.write_line(text)

    def verdict(self, path: Path) -> Verdict:
        """Return the verdict on a page; the first call starts the run of all of them."""
        if path not in self.verdicts and path not in self.selected:
            self._start([path])
        elif self.coming is None:
            if self.update:
                for stale in check_pages(self.settings, self.selected).verdicts:
                    if stale.updated_text != stale.page.text:
                        replace_text(stale.page.path, stale.page.text, stale.updated_text)
            self._start(self.selected)
        while path not in self.verdicts and self.coming:
            verdict = next(self.coming)
            self.verdicts[verdict.page.path] = verdict
        return self.verdicts[path]

    def _start(self, paths: Iterable[Path]) -> None:
        if self.runner is None:
            self.runner = Runner(self.settings).__enter__()
        pages = [read_page(path, self.settings) for path in paths]
        self.coming = judge(pages, self.settings, self.runner)


class _PageFile(pytest.File):
    """A page among the collected files."""

    def __init__(self, *, lessons: _Lessons, **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.lessons = lessons

    def collect(self) -> Iterator[pytest.Function]:
        """Yield the one item of this page."""

        def check(subtests: pytest.Subtests, request: pytest.FixtureRequest) -> None:
            verdict = self.lessons.verdict(self.path)
            request.node.user_properties.append((_PROPERTY, verdict.verified))
            _report(verdict, self.lessons.settings, subtests)

        yield pytest.Function.from_parent(self, name=_NAME, callobj=check)


def _is_page(item: pytest.Item) -> bool:
    return isinstance(item.parent, _PageFile)


def _report(verdict: Verdict, settings: Settings, subtests: pytest.Subtests) -> None:
    stray: list[str] = []
    for number, (example, problems) in enumerate(verdict.by_block()):
        errors = [problem for problem in problems if problem.severity == "error"]
        text = format_text(errors, settings)
        if example is None:
            stray += [text] if text else []
            continue
        with subtests.test(f"block {number}", line=example.code.line):
            if text:
                pytest.fail(f"block {number} of {verdict.page.name}\n{text}", pytrace=False)
            elif example.skip is not None:
                pytest.skip(f"the page says: {example.skip}")
            elif example not in verdict.proven:
                pytest.skip("not run: something before it has to be mended first")
    if stray:
        pytest.fail("\n".join(stray), pytrace=False)
