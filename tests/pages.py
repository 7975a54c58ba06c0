"""Pages for the tests of the checker: write one, run it, check it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from lesson_checker.checks import Report, Verdict, check_pages, judge
from lesson_checker.page import parse_page, read_page
from lesson_checker.problems import Problem
from lesson_checker.run import Runner
from lesson_checker.settings import Settings

CASES = Path(__file__).parent / "cases"


def without_carets(text: str) -> str:
    """Return tracebacks without the marks below their lines, which not every Python makes."""
    return re.sub(r"\n *[~^]+(?=\n)", "", text)


def blocks(*codes: str) -> str:
    """Return a page of these python blocks, none of which shows an output."""
    return "\n".join(f"```python\n{dedent(code).strip()}\n```\n" for code in codes)


def page(folder: Path, text: str, name: str = "page.md") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return path


def judged(text: str, runner: Runner) -> Verdict:
    """Return the verdict on a page with that text."""
    parsed = parse_page(text, runner.settings.root / "page.md", runner.settings)
    (verdict,) = judge([parsed], runner.settings, runner)
    return verdict


def ran(*codes: str, runner: Runner) -> Verdict:
    """Return the verdict on a page of these python blocks."""
    return judged(blocks(*codes), runner)


def printed(verdict: Verdict) -> list[str]:
    """Return what each block of a page printed."""
    assert verdict.run is not None
    return [outcome["stdout"] for outcome in verdict.run["outcomes"]]


def found(verdict: Verdict) -> list[tuple[int, str]]:
    """Return line and code of each problem."""
    return [(problem.line, problem.code) for problem in verdict.problems]


def only(verdict: Verdict) -> Problem:
    (problem,) = verdict.problems
    return problem


def checked(folder: Path, **settings: object) -> Report:
    """Check the pages of a folder with the given settings."""
    return check_pages(Settings(root=folder, **settings))  # type: ignore[arg-type]


def reread(path: Path, runner: Runner) -> Verdict:
    (verdict,) = judge([read_page(path, runner.settings)], runner.settings, runner)
    return verdict


def processes_in(folder: Path) -> Iterator[int]:
    """Yield the processes whose temporary files belong below a folder."""
    mine = f"TMPDIR={folder}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) != os.getpid() and mine in (process / "environ").read_bytes():
                yield int(process.name)
        except OSError:
            continue


needs_proc = sys.platform == "linux"
