"""One build of the site, in all languages: what was checked, and what has been made of it."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from pathlib import Path

from lesson_checker import Page, Problem, Settings, Verdict, load_settings
from lesson_checker.checks import Check, find_pages
from lesson_checker.prose import prose_of
from lesson_checker.report import format_text
from lesson_site.audit import audit
from lesson_site.editions import Edition
from lesson_site.gate import Gate, refuse
from lesson_site.record import Proof, record


@dataclass
class Build:
    """What the editions of one build share.

    Attributes:
        check: Of every page; it goes on while the site is built.
        editions: The editions, the default one first.
        root_url: Where the site stands.
        gate: What publishes the site; None in a preview, which refuses nothing.
        problems: What the checker can't know, such as a formula that can't be converted.
        shown: By its path below the site, each HTML file that shows a page: the file of the page,
            and its address, relative to the root of the site.
        exempt: The HTML files whose blocks are checked elsewhere.
    """

    check: Check
    editions: list[Edition]
    root_url: str
    gate: Gate | None
    problems: list[Problem] = field(default_factory=list)
    shown: dict[str, tuple[Path, str]] = field(default_factory=dict)
    exempt: set[str] = field(default_factory=set)

    @classmethod
    def begin(
        cls, folder: Path, site: Path, listed: list[Edition], root_url: str, *, preview: bool
    ) -> Build:
        """Begin to check every page, and, unless this is a preview, open a gate before ``site``."""
        gc.disable()  # hardly anything of a build is garbage, and looking for it takes long
        settings = load_settings(folder)
        languages: list[str | None] = [edition.lang for edition in listed]
        languages += [*{*settings.languages, None} - {*languages}]
        # in the order in which they are asked for
        paths = sorted(
            find_pages(settings), key=lambda path: languages.index(settings.language_of(path))
        )
        gate = None if preview else Gate(site)
        return cls(Check(settings, paths), listed, root_url, gate)

    @property
    def settings(self) -> Settings:
        """The settings of the checker."""
        return self.check.settings

    def halt(self) -> None:
        """End the build if a page of the editions that have been read has an error.

        Raises:
            PluginError: There is one. What is wrong with any other page is told as well.
        """
        verdicts = [self.check.verdict(path) for path, _ in self.shown.values()]
        problems = [problem for verdict in verdicts if verdict for problem in verdict.problems]
        if self.gate and any(problem.severity == "error" for problem in problems):
            refuse(self.check.report().problems, self.settings)

    def finish(self, site: Path) -> None:
        """Write what was verified, look at all of the HTML in ``site``, and publish it.

        Raises:
            PluginError: The site shows something that no run has proven. The old site stays.
        """
        report = self.check.report()
        verdicts = {verdict.page.path: verdict for verdict in report.verdicts}
        proofs = [
            Proof(verdicts[path].page, verdicts[path].verified, url)
            for path, url in self.shown.values()
        ]
        content = record(proofs, report.versions)
        (site / "verification.json").write_text(content, encoding="utf-8")
        if self.gate:
            pages = {name: verdicts[path].page for name, (path, _) in self.shown.items()}
            # a formula or a plot that failed is shown as a block that no run has proven
            known = {problem.path for problem in self.problems}
            found = [each for each in audit(site, pages, self.exempt) if each.path not in known]
            refuse([*report.problems, *self.problems, *found], self.settings)
            self.gate.publish()
        self.close()

    def close(self) -> None:
        """Leave nothing behind, of pages that still run or of a site that is not published."""
        self.check.__exit__()
        if self.gate:
            self.gate.close()
        gc.enable()

    def page(self, path: str | None) -> Page | None:
        """Return the page at ``path`` as the checker has read it, None if it is no page."""
        return self.check.pages.get(Path(path)) if path else None

    def verdict(self, path: str | None) -> Verdict | None:
        """Return what the checker says about the page at ``path``, None if it is no page."""
        return self.check.verdict(Path(path)) if path else None

    def errors_on(self, page: Page) -> str:
        """Return what to show on a page in a preview: its errors, and those of no page at all."""
        others = {*self.check.pages} - {page.path}
        return format_text(
            [
                problem
                for problem in (*self.check.report().problems, *self.problems)
                if problem.severity == "error" and problem.path not in others
            ],
            self.settings,
        )

    def note_plot(self, page: Page, line: int, why: str) -> None:
        """Make a problem of a plot that a page can't show."""
        self.problems.append(Problem(page.path, line, "plot-invalid", why))

    def note_explorer(self, page: Page | None, tag: str, why: str) -> None:
        """Make a problem of an explorer that asks for something that is not there."""
        lines = page.text.split("\n") if page else []
        line = next((number for number, text in enumerate(lines, 1) if text.rstrip() == tag), 1)
        path = page.path if page else self.settings.root
        self.problems.append(Problem(path, line, "explorer-invalid", why))

    def note_formula(self, page: Page | None, tex: str, why: str) -> None:
        """Make a problem of a formula that can't be converted."""
        formulas = prose_of(page).formulas if page else ()
        starts = [formula.start for formula in formulas if formula.text.strip() == tex]
        self.problems.append(
            Problem(
                page.path if page else self.settings.root,
                page.line_at(starts[0]) if page and starts else 1,
                "formula-invalid",
                f"the formula {' '.join(tex.split())} can't be converted: {why}",
                remedy="correct the LaTeX; if it is correct, write it with commands that MathML "
                "has a counterpart for",
            )
        )
