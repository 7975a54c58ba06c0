"""The command ``lesson-checker``."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lesson_checker.checks import Report, Verdict, check_pages, find_pages
from lesson_checker.files import replace_text
from lesson_checker.gone import gone
from lesson_checker.new import create, plan
from lesson_checker.page import parse_page, read_page
from lesson_checker.report import FORMATS, diff, format_text, summary
from lesson_checker.run import Runner
from lesson_checker.settings import Settings, load_settings
from lesson_checker.twins import confirmed_text

_MENDABLE = ("output-differs", "output-missing", "claim-differs")
_PATIENCE = 1.0  # seconds without a word


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if all is well, 1 with problems, 2 for bad usage."""
    options = _parser().parse_args(arguments)
    gc.disable()  # hardly anything of a run is garbage, and looking for it takes long
    paths = [Path(path) for path in options.paths] or None
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # whatever the terminal can't show
    try:
        settings = _settings(paths)
        if options.command == "check":
            return _check(settings, paths, options.format, strict=options.strict)
        if options.command == "confirm":
            return _confirm(settings, paths)
        if options.command == "new":
            return _new(settings, options.number, options.slug, dict(options.title))
        return _update(settings, paths, dry_run=options.dry_run)
    except (ValueError, RuntimeError) as error:
        print(f"lesson-checker: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read has seen enough; don't fail once more at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        gc.enable()


def _check(settings: Settings, paths: list[Path] | None, form: str, *, strict: bool) -> int:
    report = _checked(settings, paths)
    problems = report.problems
    if problems or form == "json":
        print(FORMATS[form](problems, settings))
    if form != "json":
        print(summary(report))
    return 1 if any(strict or problem.severity == "error" for problem in problems) else 0


def _update(settings: Settings, paths: list[Path] | None, *, dry_run: bool) -> int:
    with Runner(settings) as runner:
        return _updated(settings, paths, runner, dry_run=dry_run)


def _updated(settings: Settings, paths: list[Path] | None, runner: Runner, *, dry_run: bool) -> int:
    before = _checked(settings, paths, runner)
    stale = [each for each in before.verdicts if each.updated_text != each.page.text]
    refused = False
    for verdict in stale:
        page = verdict.page
        if dry_run:
            print(diff(page.text, verdict.updated_text, old=page.name, new=f"{page.name} (run)"))
            continue
        try:
            replace_text(page.path, page.text, verdict.updated_text)
            print(f"updated {page.name}")
        except (ValueError, OSError) as error:
            print(f"lesson-checker: {error}", file=sys.stderr)
            refused = True
    # what is left can't be mended by a rewrite
    after = _checked(settings, paths, runner) if stale and not dry_run else before
    if dry_run:
        after = _as_if_updated(after)
    left = after.problems
    if left:
        print(format_text(left, settings))
    for verdict in stale:
        _hint(verdict, settings)
    print(summary(after))
    return 1 if refused or any(each.severity == "error" for each in left) else 0


def _hint(verdict: Verdict, settings: Settings) -> None:
    """Name the sentences that may be about an output as it was; only a reader can tell."""
    page = verdict.page
    for each in gone(page, parse_page(verdict.updated_text, page.path, settings), settings):
        print(
            f"{page.name}:{each.line}: hint: {each.number} is gone from the output of line "
            f"{each.output}; this line still says it"
        )


def _as_if_updated(report: Report) -> Report:
    """Return the report without the problems that an update mends."""
    return replace(
        report,
        verdicts=tuple(
            replace(
                verdict,
                problems=tuple(each for each in verdict.problems if each.code not in _MENDABLE),
            )
            for verdict in report.verdicts
        ),
    )


def _confirm(settings: Settings, paths: list[Path] | None) -> int:
    for path in find_pages(settings, paths):
        for twin_path in settings.twins_of(path).values():
            if not twin_path.exists():
                raise ValueError(f"{settings.relative(path)} has no twin to be in line with")
            page, twin = read_page(path, settings), read_page(twin_path, settings)
            text = confirmed_text(page, twin)
            if text != page.text:
                replace_text(page.path, page.text, text)
                print(f"confirmed {page.name}")
            else:
                print(f"{page.name} was confirmed already")
    return 0


def _new(settings: Settings, number: str, slug: str, titles: dict[str, str]) -> int:
    report = create(plan(number, slug, titles, settings), settings)
    for verdict in report.verdicts:
        print(f"created {verdict.page.name}")
    print(summary(report))
    return 0


def _title(argument: str) -> tuple[str, str]:
    language, sign, title = argument.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{argument!r}: expected LANGUAGE=TITLE")
    return language, title


def _checked(settings: Settings, paths: list[Path] | None, runner: Runner | None = None) -> Report:
    if not sys.stderr.isatty():
        return check_pages(settings, paths, runner=runner)
    with _Progress(len(find_pages(settings, paths))) as progress:
        return check_pages(settings, paths, progress=progress.step, runner=runner)


class _Progress:
    """A line on the terminal that says how far a long run has come, and is gone at its end."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.done = 0
        self.shown = False
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.show, daemon=True)

    def __enter__(self) -> _Progress:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.set()
        self.thread.join()
        if self.shown:
            self.write("")

    def step(self, _: object) -> None:
        self.done += 1

    def show(self) -> None:
        wait = _PATIENCE
        while not self.ended.wait(wait):
            self.write(f"{self.done} of {self.pages} pages")
            self.shown = True
            wait = 0.1

    def write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _settings(paths: list[Path] | None) -> Settings:
    """Return the settings of the pages' project; without one, the folder we are in is its root."""
    here = Path.cwd()
    if paths and paths[0].exists():
        found = load_settings(paths[0])
        if (found.root / "pyproject.toml").is_file() or not found.root.is_relative_to(here):
            return found
    return load_settings(here)


class _Version(argparse.Action):
    """Print the version; reading it takes longer than all other imports."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(version("retrieval-lessons"))
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lesson-checker",
        description="Say whether everything that Markdown pages print is true.",
        epilog="Exit status: 0 nothing to complain of, 1 problems, 2 bad usage.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="run the pages and compare what they print")
    check.add_argument("--format", choices=sorted(FORMATS), default="text")
    check.add_argument("--strict", action="store_true", help="fail on warnings too")
    update = commands.add_parser("update", help="rewrite the outputs that are no longer true")
    update.add_argument(
        "--dry-run", action="store_true", help="show what would change and write nothing"
    )
    confirm = commands.add_parser(
        "confirm", help="write down that a page says the same as its twin, once you have read both"
    )
    confirm.add_argument("paths", nargs="+", metavar="PATH", help="pages or folders")
    new = commands.add_parser(
        "new", help="begin a lesson: a page in each language, from a template"
    )
    new.add_argument("number", metavar="NUMBER", help="of the lesson, such as 08")
    new.add_argument("slug", metavar="SLUG", help="its name in addresses, such as query-logs")
    new.add_argument(
        "--title",
        action="append",
        default=[],
        type=_title,
        metavar="LANGUAGE=TITLE",
        help="its title in a language; without it the slug makes one",
    )
    new.set_defaults(paths=[])
    for command in (check, update):
        command.add_argument(
            "paths",
            nargs="*",
            metavar="PATH",
            help="pages or folders; all pages of the project if there is none",
        )
    return parser
