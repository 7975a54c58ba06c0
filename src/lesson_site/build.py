"""One build of the site, in all languages: what was checked, and what has been made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lesson_checker import Page, Problem, Report, Settings, Verdict, check_pages, load_settings
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
        settings: Of the checker.
        report: What it found out about every page.
        editions: The editions, the default one first.
        root_url: Where the site stands.
        gate: What publishes the site; None in a preview, which refuses nothing.
        problems: What the checker can't know, such as a formula that can't be converted.
        proofs: The page behind each HTML file, by the file's path below the site.
        exempt: The HTML files whose blocks are checked elsewhere.
    """

    settings: Settings
    report: Report
    editions: list[Edition]
    root_url: str
    gate: Gate | None
    problems: list[Problem] = field(default_factory=list)
    proofs: dict[str, Proof] = field(default_factory=dict)
    exempt: set[str] = field(default_factory=set)

    @classmethod
    def begin(
        cls, folder: Path, site: Path, listed: list[Edition], root_url: str, *, preview: bool
    ) -> Build:
        """Check every page; then, unless this is a preview, open a gate before ``site``.

        Raises:
            PluginError: A page has a problem, and this is not a preview.
        """
        settings = load_settings(folder)
        report = check_pages(settings)
        if not preview:
            refuse(report.problems, settings)
        return cls(settings, report, listed, root_url, None if preview else Gate(site))

    def finish(self, site: Path) -> None:
        """Write what was verified, look at all of the HTML in ``site``, and publish it.

        Raises:
            PluginError: The site shows something that no run has proven. The old site stays.
        """
        proofs = list(self.proofs.values())
        content = record(proofs, self.report.versions)
        (site / "verification.json").write_text(content, encoding="utf-8")
        if self.gate:
            pages = {name: proof.page for name, proof in self.proofs.items()}
            # a formula or a plot that failed is shown as a block that no run has proven
            known = {problem.path for problem in self.problems}
            found = [each for each in audit(site, pages, self.exempt) if each.path not in known]
            refuse([*self.problems, *found], self.settings)
            self.gate.publish()

    def verdict(self, path: str | None) -> Verdict | None:
        """Return what the checker says about the page at ``path``, None if it is no page."""
        return next((v for v in self.report.verdicts if str(v.page.path) == path), None)

    def errors_on(self, page: Page) -> str:
        """Return what to show on a page in a preview: its errors, and those of no page at all."""
        pages = {verdict.page.path for verdict in self.report.verdicts} - {page.path}
        return format_text(
            [
                problem
                for problem in (*self.report.problems, *self.problems)
                if problem.severity == "error" and problem.path not in pages
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
