"""The process of one page, seen from the server: start it, watch it, say how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from lesson_checker import child
from lesson_checker.jobs import Death, Mark, Outcome, PageJob, PageRun

_GRACE = 1.0  # seconds that a page has to write down where it hangs, before it is killed
_LARGEST_OUTPUT = 1024 * 1024


class Process:
    """The process of one page, and the files that it writes to."""

    def __init__(self, job: PageJob, folder: Path) -> None:
        self.job = job
        self.folder = folder
        folder.mkdir()
        # without names: nobody else finds them, and nothing is left of them
        self.out, self.err, self.report = (_nameless(folder) for _ in range(3))
        self.deadline = time.monotonic() + job["timeout"]
        self.cut = ""  # why it was told to end
        self.pid = 0
        os.environ["TMPDIR"] = str(folder)  # the page inherits it

    def become(self) -> None:
        """Be the page, in a forked process; never returns."""
        os.dup2(self.out, 1)
        os.dup2(self.err, 2)
        os.close(self.out)
        os.close(self.err)
        child.be_the_page(self.job, str(self.folder), self.report)

    def spawn(self) -> None:
        """Start the page in an interpreter of its own, which reads the job from its input."""
        job = _nameless(self.folder)
        os.write(job, json.dumps(self.job).encode())
        os.lseek(job, 0, os.SEEK_SET)
        descriptors = (job, self.out, self.err, self.report)
        start = "import sys; del sys.path[0]; from lesson_checker.child import main; main()"
        self.pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", start, str(self.folder)],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, old, new) for new, old in enumerate(descriptors)],
        )
        os.close(job)

    def watch(self) -> None:
        """Tell the page to end if it has run for too long or has printed too much."""
        if time.monotonic() > self.deadline:
            if self.cut:
                kill_group(self.pid)
            else:
                self.end("timeout")
        elif not self.cut and self.printed > _LARGEST_OUTPUT:
            self.end("output-too-long")

    def end(self, cut: str) -> None:
        """Tell the page to write its stack down and to die; ``cut`` is the code of why."""
        self.cut = cut
        self.deadline = time.monotonic() + _GRACE
        os.kill(self.pid, signal.SIGABRT)  # faulthandler writes the stack down, then it dies

    @property
    def printed(self) -> int:
        """How many bytes the page has printed, to whichever of the two it printed more."""
        return max(os.fstat(each).st_size for each in (self.out, self.err))

    def result(self, exit_code: int) -> PageRun:
        """Return what the page did, now that its process has ended; clean up after it."""
        kill_group(self.pid)  # what the page left running
        all_marks, last_words = self.reported()
        marks = [mark for mark in all_marks if max(mark["out"], mark["err"]) <= _LARGEST_OUTPUT]
        too_long = self.printed > _LARGEST_OUTPUT
        outcomes: list[Outcome] = []
        out = err = 0
        for mark in marks:
            outcomes.append(
                {
                    "stdout": _text(self.out, out, mark["out"]),
                    "stderr": _text(self.err, err, mark["err"]),
                    "error": mark["error"],
                    "rewritten": mark["rewritten"],
                    "bound": mark["bound"],
                    "plots": mark["plots"],
                }
            )
            out, err = mark["out"], mark["err"]
        death = None
        if len(marks) < len(self.job["blocks"]) and not self.stopped(marks):
            cut = "output-too-long" if too_long else self.cut
            death = self.death(cut, exit_code, last_words, len(marks))
            error = all_marks[len(marks)]["error"] if len(marks) < len(all_marks) else None
            if error and error["line"]:  # it came to its end by the limit on the size of files
                death["line"] = error["line"]
            death["stderr"] = _text(self.err, err, min(err + 4096, os.fstat(self.err).st_size))
        for each in (self.out, self.err, self.report):
            os.close(each)
        remove(self.folder)
        return {"number": self.job["number"], "outcomes": outcomes, "death": death}

    def reported(self) -> tuple[list[Mark], str]:
        """Return the marks of the blocks that ended, and what was written of the stack."""
        text = _text(self.report, 0, os.fstat(self.report).st_size)
        lines = text.split("\n")
        marks = [json.loads(line) for line in lines if line.startswith("{")]
        return marks, "\n".join(line for line in lines if not line.startswith("{"))

    def stopped(self, marks: list[Mark]) -> bool:
        """Say whether the page ended where it had to, after an exception."""
        return bool(marks) and bool(
            marks[-1]["error"] and not self.job["blocks"][len(marks) - 1]["raises"]
        )

    def death(self, cut: str, exit_code: int, last_words: str, block: int) -> Death:
        """Return how the page ended in a block that did not come to its end."""
        import re

        here = self.job["blocks"][block]["line"]
        lines = _lines_in(last_words, self.job["page"])
        # where the page's code was when it called what did it, and where that was
        line, inner = (lines[-1], lines[0]) if lines else (here, here)
        fatal = re.search(r"Fatal Python error: (.+)", last_words)
        if cut == "timeout":
            message = f"still running after {self.job['timeout']:g} s"
        elif cut:
            message = f"the page printed more than {_LARGEST_OUTPUT // 1024} KiB"
        elif fatal:
            message = f"Python died: {fatal[1]}"
        elif exit_code < 0:
            message = f"the process was killed by {signal.Signals(-exit_code).name}"
        else:
            message = f"the process ended itself with exit status {exit_code}"
        if inner != line:
            message += f", in line {inner}"
        return {"code": cut or "crashed", "message": message, "line": line, "stderr": ""}


def _lines_in(stack: str, page: str) -> list[int]:
    """Return the lines of the page in a stack that faulthandler wrote, the innermost first.

    Of the main thread, or of another one if the main thread only waits for it.
    """
    import re

    threads = re.split(r"(?m)^(?=Current thread|Thread|Stack)", stack)
    threads.sort(key=lambda thread: not thread.startswith("Current"))
    pattern = re.compile(rf'(?m)^  File "{re.escape(page)}", line (\d+)')
    found = ([int(line) for line in pattern.findall(thread)] for thread in threads)
    return next(filter(None, found), [])


def _nameless(folder: Path) -> int:
    """Return a new file without a name, to write to and to read."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("lesson")
    path = folder / "file"
    opened = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    path.unlink()
    return opened


def _text(descriptor: int, start: int, end: int) -> str:
    return os.pread(descriptor, end - start, start).decode("utf-8", errors="backslashreplace")


def kill_group(pid: int) -> None:
    """Kill a page and what it has started, but for what has left its group."""
    for kill in (os.killpg, os.kill):  # at its very start it has no group of its own yet
        try:  # noqa: SIM105 - contextlib would touch memory that the pages share
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def remove(folder: Path) -> None:
    """Remove a folder of ours, whatever a page has made of it."""
    try:  # without pathlib, which takes longer than all of the rest
        os.rmdir(f"{folder}/work")  # noqa: PTH106 - as a rule a page has left nothing in it
        for name in os.listdir(folder):  # noqa: PTH208
            os.unlink(f"{folder}/{name}")  # noqa: PTH108
        os.rmdir(folder)  # noqa: PTH106
    except OSError:
        import shutil

        def unlock(_: Any, name: str, __: Any) -> None:
            with contextlib.suppress(OSError):
                Path(name).parent.chmod(0o700)
                Path(name).chmod(0o700)

        shutil.rmtree(folder, onerror=unlock)
        shutil.rmtree(folder, ignore_errors=True)
