"""Run pages, each in a process of its own, and yield what their blocks did."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from lesson_checker.claims import bound_by_block
from lesson_checker.jobs import BlockJob, PageJob, PageRun, Setup
from lesson_checker.page import Example, Page
from lesson_checker.settings import Settings

# forking is what makes a page cheap; macOS libraries do not all survive it
_FORK = sys.platform == "linux"
_START = "import sys; del sys.path[0]; from lesson_checker.server import main; main()"
# what would make a page's output depend on who starts the checker
_DROPPED = {
    *("PYTHONWARNINGS", "PYTHONINSPECT", "PYTHONSTARTUP", "PYTHONOPTIMIZE", "PYTHONDEBUG"),
    *("PYTHONDEVMODE", "PYTHONVERBOSE", "PYTHONIOENCODING", "PYTHON_COLORS", "FORCE_COLOR"),
    *("COLUMNS", "LINES"),
}
# one thread each: a process with threads can't be forked safely, and sums come out the same
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_BATCH = 16  # pages that are handed to the server at a time
_PATIENCE = 5.0  # seconds for the server to clean up


class Runner:
    """Runs pages; inside a ``with``, the process that starts them lives as long as that.

    Attributes:
        versions: The version of Python, and of the distributions that the settings name, that the
            pages ran on. Filled in before the first page is done.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.versions: dict[str, str] = {}
        self._server: _Server | None = None

    def __enter__(self) -> Runner:
        self._server = _Server(self.settings)
        return self

    def __exit__(self, *error: object) -> None:
        if self._server:
            self._server.close()
            self._server = None

    def run(self, pages: Iterable[Page]) -> Iterator[tuple[Page, PageRun]]:
        """Run ``pages`` and yield each with what it did, in the order in which they end.

        All pages are taken in before the first result is given out; the first of them run while
        the last are still being read.

        Raises:
            RuntimeError: The process that starts the pages has died.
        """
        if self._server is None:
            with self:
                yield from self.run(pages)
            return
        waiting: dict[int, Page] = {}
        source = iter(pages)
        while batch := list(islice(source, _BATCH)):
            waiting |= self._server.submit(batch)
        while waiting:
            message = self._server.read()
            if "versions" in message:
                self.versions = message["versions"]
            elif message["number"] in waiting:  # else of a run that nobody waits for any more
                yield waiting.pop(message["number"]), message


class _Server:
    """The process that starts the pages, and the folder of this run."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.submitted = 0
        self.folder = Path(tempfile.mkdtemp(prefix="lesson-checker-")).resolve()
        setup: Setup = {
            "folder": str(self.folder),
            "preload": list(settings.preload),
            "preload_plots": list(settings.preload_plots),
            "versions": list(settings.versions),
            "jobs": settings.jobs,
            "fork": _FORK,
        }
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(self.folder),
            # what kills the checker and its group must leave somebody to end the pages
            start_new_session=True,
        )
        self.send(json.dumps(setup))

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin is not None  # noqa: S101 - see above
        assert self.process.stdout is not None  # noqa: S101
        return self.process.stdin, self.process.stdout

    def submit(self, pages: Sequence[Page]) -> dict[int, Page]:
        """Have the server run ``pages``; return them by their numbers."""
        numbered = {self.submitted + number: page for number, page in enumerate(pages)}
        # by way of a file: a pipe that is full both ways would be a deadlock
        jobs = self.folder / f"jobs-{self.submitted}"
        self.submitted += len(pages)
        with jobs.open("w", encoding="utf-8") as file:
            for number, page in numbered.items():
                file.write(json.dumps(_job(number, page, self.settings)) + "\n")
        self.send(str(jobs))
        return numbered

    def send(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # the next reading says what has happened
            self.pipes[0].write(line.encode() + b"\n")
            self.pipes[0].flush()

    def read(self) -> Any:
        line = self.pipes[1].readline()
        if not line:
            status = self.process.wait()
            raise RuntimeError(f"the process that runs the pages died: exit status {status}")
        return json.loads(line)

    def close(self) -> None:
        """End the server and everything that it has started."""
        for pipe in self.pipes:
            with contextlib.suppress(BrokenPipeError):  # it is gone already
                pipe.close()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.folder.exists():  # it could not clean up itself
            from lesson_checker.server import clean_up

            clean_up(self.folder)


def _job(number: int, page: Page, settings: Settings) -> PageJob:
    running = [example for example in page.examples if example.runs]
    return {
        "number": number,
        "page": page.name,
        "blocks": [
            _block(example, [each.expression for each in bound])
            for example, bound in zip(running, bound_by_block(page), strict=True)
        ],
        "timeout": settings.timeout,
        "memory": settings.memory,
    }


def _block(example: Example, bound: list[str]) -> BlockJob:
    return {
        "source": example.code.body,
        "line": example.code.line + 1,
        "pycon": example.code.language == "pycon",
        "raises": example.raises,
        "plot": example.plot is not None,
        "bound": bound,
    }


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of the pages: that of the caller, without what changes outputs."""
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    fixed = dict.fromkeys(_THREADS, "1")
    # a page whose output depends on the order of a set would differ from run to run
    fixed |= {"PYTHONUTF8": "1", "TMPDIR": str(folder), "MPLBACKEND": "svg"}
    first = {"PYTHONHASHSEED": "0", "MPLCONFIGDIR": str(_matplotlib_folder(folder))}
    return first | kept | fixed


def _matplotlib_folder(folder: Path) -> Path:
    """Return where Matplotlib keeps its list of fonts, which takes it long to make.

    Not where it has its settings: the colours that somebody likes are no part of a page.
    """
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    lasting = Path(caches, "lesson-checker", "matplotlib")
    with contextlib.suppress(OSError):
        lasting.mkdir(parents=True, exist_ok=True)
        if lasting.is_absolute() and os.access(lasting, os.W_OK):
            return lasting
    return folder  # of this run alone
