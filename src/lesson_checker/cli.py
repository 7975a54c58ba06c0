"""The command ``lesson-checker``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from lesson_checker.checks import Report, check_pages
from lesson_checker.files import replace_text
from lesson_checker.report import FORMATS, diff, format_text, summary
from lesson_checker.settings import Settings, load_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if all is well, 1 with problems, 2 for bad usage."""
    options = _parser().parse_args(arguments)
    paths = [Path(path) for path in options.paths] or None
    try:
        settings = load_settings(_start(paths))
        if options.command == "check":
            return _check(settings, paths, options.format)
        return _update(settings, paths, dry_run=options.dry_run)
    except ValueError as error:
        print(f"lesson-checker: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _check(settings: Settings, paths: list[Path] | None, form: str) -> int:
    report = check_pages(settings, paths)
    problems = report.problems
    if problems or form == "json":
        print(FORMATS[form](problems, settings))
    if form != "json":
        print(summary(report))
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _update(settings: Settings, paths: list[Path] | None, *, dry_run: bool) -> int:
    before = check_pages(settings, paths)
    stale = [each for each in before.verdicts if each.updated_text != each.page.text]
    for verdict in stale:
        page = verdict.page
        if dry_run:
            print(diff(page.text, verdict.updated_text, old=page.name, new=f"{page.name} (run)"))
        else:
            replace_text(page.path, page.text, verdict.updated_text)
            print(f"updated {page.name}")
    # what is left can't be mended by a rewrite
    after = check_pages(settings, paths) if stale and not dry_run else before
    return _say_what_is_left(after, settings, dry_run=dry_run)


def _say_what_is_left(report: Report, settings: Settings, *, dry_run: bool) -> int:
    mendable = ("output-differs", "output-missing") if dry_run else ()
    problems = [each for each in report.problems if each.code not in mendable]
    if problems:
        print(format_text(problems, settings))
    print(summary(report))
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _start(paths: list[Path] | None) -> Path:
    """Return where to look for the settings: at the pages, or here."""
    if paths is None:
        return Path.cwd()
    first = paths[0]
    return first if first.exists() else Path.cwd()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lesson-checker",
        description="Say whether everything that Markdown pages print is true.",
        epilog="Exit status: 0 nothing to complain of, 1 problems, 2 bad usage.",
    )
    parser.add_argument("--version", action="version", version=version("retrieval-lessons"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="run the pages and compare what they print")
    check.add_argument("--format", choices=sorted(FORMATS), default="text")
    update = commands.add_parser("update", help="rewrite the outputs that are no longer true")
    update.add_argument(
        "--dry-run", action="store_true", help="show what would change and write nothing"
    )
    for command in (check, update):
        command.add_argument(
            "paths",
            nargs="*",
            metavar="PATH",
            help="pages or folders; all pages of the project if there is none",
        )
    return parser
