"""The gate: a site is built beside the old one, and takes its place only if nothing is wrong."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from mkdocs.exceptions import PluginError

from lesson_checker import Problem, Settings
from lesson_checker.report import format_text

_LOGGER = logging.getLogger("mkdocs")


def refuse(problems: Sequence[Problem], settings: Settings) -> None:
    """Raise PluginError, which ends the build, if one of the problems is an error."""
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        # not through the logger, which folds long lines and with them the diffs
        click.echo(format_text(errors, settings), err=True)
        files = sorted({settings.relative(problem.path).as_posix() for problem in errors})
        raise PluginError(f"nothing is published, because of {', '.join(files)}")


class Gate:
    """A fresh folder beside ``target``, and a record of the warnings while it is filled.

    MkDocs reports a broken link as a warning, and even in strict mode has written the site by
    then; with ``--quiet`` it does not count warnings at all. So the gate counts for itself.

    Args:
        target: The folder of the site. Nothing is done to it before ``publish``.
    """

    def __init__(self, target: Path) -> None:
        self.target = target.resolve()
        self.target.parent.mkdir(parents=True, exist_ok=True)
        # removed when the process ends, whatever ends it
        self._workshop = TemporaryDirectory(
            prefix=f".{self.target.name}-", dir=self.target.parent, ignore_cleanup_errors=True
        )
        self.folder = Path(self._workshop.name, "new")
        self._warnings = _Warnings()
        self._warnings.listen()

    def publish(self) -> None:
        """Put the new site in the place of the old one.

        Raises:
            PluginError: There were warnings. The old site is as it was.
        """
        if self._warnings.messages:
            listed = "\n".join(f"  - {message}" for message in self._warnings.messages)
            raise PluginError(f"nothing is published: the build gave warnings\n{listed}")
        old = Path(self._workshop.name, "old")
        if self.target.exists():
            self.target.rename(old)
        try:
            self.folder.rename(self.target)
        except OSError:
            if old.exists():
                old.rename(self.target)
            raise
        self.close()

    def close(self) -> None:
        """Remove what was built and not published."""
        self._warnings.stop()
        self._workshop.cleanup()


class _Warnings(logging.Handler):
    """Hear warnings that ``--quiet`` keeps from being printed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())

    def listen(self) -> None:
        # what the logger no longer holds back, the other handlers have to
        changed: list[logging.Logger | logging.Handler] = [_LOGGER, *_LOGGER.handlers]
        self.before = [(each, each.level) for each in changed]
        threshold = _LOGGER.level
        for handler in _LOGGER.handlers:
            handler.setLevel(max(handler.level, threshold))
        _LOGGER.setLevel(min(threshold, logging.WARNING))
        _LOGGER.addHandler(self)

    def stop(self) -> None:
        _LOGGER.removeHandler(self)
        while self.before:
            each, level = self.before.pop()
            each.setLevel(level)
