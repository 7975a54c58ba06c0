"""Run pages, each in a process of its own, and yield what their blocks did."""

from __future__ import annotations

import contextlib
import fcntl
import marshal
import os
import select
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, NoReturn

from lesson_checker.claims import bound_by_block
from lesson_checker.jobs import BlockJob, PageJob, PageRun, Remains, Setup
from lesson_checker.page import Example, Page
from lesson_checker.remains import page_run
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
_BATCH = 16  # pages that are handed to the server at a time, at most
_ENOUGH = 1024**3  # bytes
_MOST_IN_A_PIPE = 1024**2  # bytes; what Linux allows everybody
_PATIENCE = 5.0  # seconds for the server to clean up


class Runner:
    """Runs pages; inside a ``with``, the process that starts them lives as long as that.

    That process begins with the first page: where nothing runs, there is none.

    Attributes:
        versions: The version of Python, and of the distributions that the settings name, that the
            pages ran on. Filled in before the first page is done.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.versions: dict[str, str] = {}
        self._lasts = False
        self._server: _Server | None = None
        self._waiting: dict[int, Page] = {}
        self._ended: deque[Remains] = deque()

    def __enter__(self) -> Runner:
        self._lasts = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._server:
            self._server.close()
            self._server = None

    def run(self, pages: Iterable[Page]) -> Iterator[tuple[Page, PageRun]]:
        """Run ``pages`` and yield each with what it did, in the order in which they end."""
        self.submit(pages)
        yield from self.results()

    def submit(self, pages: Iterable[Page]) -> None:
        """Have ``pages`` run; the first of them run while the last are still being read.

        Whatever was submitted before and has not been given out is dropped.

        Raises:
            RuntimeError: The process that starts the pages has died.
        """
        self._waiting = {}
        self._ended.clear()
        source = iter(pages)
        # a small batch first, so that the first pages run while the others are still being read
        try:
            while batch := list(islice(source, min(len(self._waiting) + 1, _BATCH))):
                self._server = self._server or _Server(self.settings)
                self._waiting |= self._server.submit(batch)
                self._ended.extend(self._server.heard())
        except BaseException:
            self.__exit__()
            raise

    def results(self) -> Iterator[tuple[Page, PageRun]]:
        """Yield each page that was submitted with what it did, in the order in which they end.

        Raises:
            RuntimeError: The process that starts the pages has died.
        """
        try:
            while self._waiting and self._server:
                remains = self._ended.popleft() if self._ended else self._server.read()
                self.versions = self._server.versions
                page = self._waiting.pop(remains.number, None)
                if page:  # else of a run that nobody waits for any more
                    yield page, page_run(page, self.settings.timeout, remains)
        finally:
            if not self._lasts:
                self.__exit__()


class _Server:
    """The process that starts the pages, and the folder of this run."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.submitted = 0
        self.versions: dict[str, str] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="lesson-checker-", dir=_in_memory())).resolve()
        setup: Setup = {
            "preload": list(settings.preload),
            "preload_plots": list(settings.preload_plots),
            "versions": list(settings.versions),
            "jobs": settings.jobs,
            "timeout": settings.timeout,
            "memory": settings.memory,
            "fork": _FORK,
        }
        (self.folder / "setup").write_bytes(marshal.dumps(setup))  # type: ignore[arg-type]
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", _START, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(self.folder),
            # what kills the checker and its group must leave somebody to end the pages
            start_new_session=True,
        )
        _widen(self.pipes[1])

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
        jobs.write_bytes(b"".join(_job(number, page) for number, page in numbered.items()))
        self.send(str(jobs))
        return numbered

    def send(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # the next reading says what has happened
            self.pipes[0].write(line.encode() + b"\n")
            self.pipes[0].flush()

    def heard(self) -> Iterator[Remains]:
        """Yield what is left of the pages that have ended by now."""
        poll = select.poll()
        poll.register(self.pipes[1], select.POLLIN)
        while poll.poll(0):
            yield self.read()

    def read(self) -> Remains:
        """Return what is left of the next page that ends."""
        if not self.versions:
            words = self.line().decode().rstrip("\n").split("\t")
            self.versions = dict(zip(words[::2], words[1::2], strict=True))
        number, exit_code, cut, *sizes = self.line().decode().split()
        out, err, report = (self.content(int(size)) for size in sizes)
        return Remains(int(number), int(exit_code), cut.strip("-"), out, err, report)

    def line(self) -> bytes:
        line = self.pipes[1].readline()
        return line if line.endswith(b"\n") else self.died()

    def content(self, size: int) -> bytes:
        content = self.pipes[1].read(size)
        return content if len(content) == size else self.died()

    def died(self) -> NoReturn:
        status = self.process.wait()
        raise RuntimeError(f"the process that runs the pages died: exit status {status}")

    def close(self) -> None:
        """End the server and everything that it has started."""
        ours, theirs = self.pipes
        with contextlib.suppress(BrokenPipeError):  # it is gone already
            ours.close()
        until = time.monotonic() + _PATIENCE
        poll = select.poll()
        poll.register(theirs, select.POLLIN)
        # its end is that of its pipe: whoever waits for a process by the clock oversleeps
        while poll.poll(1000 * max(0.0, until - time.monotonic())):
            if not os.read(theirs.fileno(), 65536):
                break
        theirs.close()
        try:
            self.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.folder.exists():  # it could not clean up itself
            from lesson_checker.server import clean_up

            clean_up(str(self.folder))


def _widen(pipe: IO[bytes]) -> None:
    """Let a pipe hold as much as it can: whoever reads it may have something else to do first."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):  # on Linux
        with contextlib.suppress(OSError):  # the machine allows less
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _MOST_IN_A_PIPE)


def _job(number: int, page: Page) -> bytes:
    """Return what the server has to know of a page, in a line, and the job for its process."""
    running = [example for example in page.examples if example.runs]
    blocks = [
        _block(example, [each.expression for each in bound])
        for example, bound in zip(running, bound_by_block(page), strict=True)
    ]
    job: PageJob = {"page": page.name, "script": script(blocks), "blocks": blocks}
    content = marshal.dumps(job)  # type: ignore[arg-type]
    plots = "plots" if any(block["plot"] for block in blocks) else "-"
    return f"{number} {plots} {len(content)}\n".encode() + content


def script(blocks: list[BlockJob]) -> str:
    """Return the blocks as one script, each statement on the line that it has on the page."""
    lines: list[str] = []
    for block in blocks:
        lines += [""] * (block["line"] - 1 - len(lines))
        inside = block["source"].split("\n")
        lines += [""] * len(inside) if block["pycon"] else inside
    return "\n".join(lines)


def _block(example: Example, bound: list[str]) -> BlockJob:
    return {
        "source": example.code.body,
        "line": example.code.line + 1,
        "pycon": example.code.language == "pycon",
        "raises": example.raises,
        "plot": example.plot is not None,
        "bound": bound,
    }


def _in_memory() -> str | None:
    """Return a folder in memory for the many short-lived files, None if there is no good one."""
    memory = "/dev/shm"  # noqa: S108 - the run's own folder in it gets a name that nobody can guess
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK):
        return None
    system = os.statvfs(memory)
    free = system.f_bavail * system.f_frsize
    return memory if free >= _ENOUGH and not system.f_flag & os.ST_NOEXEC else None


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
