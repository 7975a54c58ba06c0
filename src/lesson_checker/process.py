"""The process of one page, seen from the server: start it, watch it, gather what is left of it.

The server touches memory that all pages share, and every such touch is a page of memory to copy.
So this module does little, imports next to nothing, and uses no path objects, no JSON and no
context managers.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import os
import sys
import time

from lesson_checker import child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LARGEST_OUTPUT = 1024 * 1024  # bytes that a page may print
_GRACE = 1.0  # seconds that a page has to write down where it hangs, before it is killed


class Process:
    """The process of one page, and the files that it writes to.

    Attributes:
        number: Of the page.
        folder: Where the page's script, its working directory and its temporary files are.
        out: The file that takes what the page prints; ``err`` and ``report`` are such files too.
        deadline: When it has to have ended.
        cut: Why it was told to end: "timeout", "output-too-long", or empty.
        pid: The number of the process, once it has been started.
    """

    def __init__(self, number: str, folder: str, timeout: float) -> None:
        self.number = number
        self.folder = folder
        os.mkdir(folder)  # noqa: PTH102
        # without names: nobody else finds them, and nothing is left of them
        self.out = _nameless(folder)
        self.err = _nameless(folder)
        self.report = _nameless(folder)
        self.deadline = time.monotonic() + timeout
        self.cut = ""
        self.pid = 0

    def become(self, job: bytes, memory: int) -> None:
        """Be the page, in a forked process; never returns."""
        os.dup2(self.out, 1)
        os.dup2(self.err, 2)
        os.close(self.out)
        os.close(self.err)
        child.be_the_page(job, self.folder, self.report, memory)

    def spawn(self, job: bytes, memory: int) -> None:
        """Start the page in an interpreter of its own, which reads the job from its input."""
        file = _nameless(self.folder)
        os.write(file, job)
        os.lseek(file, 0, os.SEEK_SET)
        descriptors = (file, self.out, self.err, self.report)
        start = "import sys; del sys.path[0]; from lesson_checker.child import main; main()"
        self.pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", start, self.folder, str(memory)],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, old, new) for new, old in enumerate(descriptors)],
        )
        os.close(file)

    def watch(self, now: float) -> None:
        """Tell the page to end if it has run for too long or has printed too much."""
        if now > self.deadline:
            if self.cut:
                kill_group(self.pid)
            else:
                self.end("timeout", now)
        elif not self.cut and self.printed > LARGEST_OUTPUT:
            self.end("output-too-long", now)

    def end(self, cut: str, now: float) -> None:
        """Tell the page to write its stack down and to die; ``cut`` is the code of why."""
        self.cut = cut
        self.deadline = now + _GRACE
        os.kill(self.pid, signal.SIGABRT)  # faulthandler writes the stack down, then it dies

    @property
    def printed(self) -> int:
        """How many bytes the page has printed, to whichever of the two it printed more."""
        return max(os.fstat(self.out).st_size, os.fstat(self.err).st_size)

    def remains(self, exit_code: int) -> bytes:
        """Return what is left of the page, now that its process has ended; clean up after it.

        That is a line of numbers, the sizes of the files among them, and the files as they are.
        """
        _kill(os.killpg, self.pid)  # what the page left running; its own number may be another's
        out = _content(self.out, LARGEST_OUTPUT + 1)
        err = _content(self.err, LARGEST_OUTPUT + 1)
        report = _content(self.report)
        remove(self.folder)
        sizes = f"{len(out)} {len(err)} {len(report)}"
        head = f"{self.number} {exit_code} {self.cut or '-'} {sizes}\n"
        return head.encode() + out + err + report

    def close(self) -> None:
        """Let go of the files, in a process that has nothing to do with this one."""
        for each in (self.out, self.err, self.report):
            os.close(each)


def _nameless(folder: str) -> int:
    """Return a new file without a name, to write to and to read."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("lesson")
    path = f"{folder}/file"
    opened = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    os.unlink(path)  # noqa: PTH108
    return opened


def _content(descriptor: int, most: int = sys.maxsize) -> bytes:
    """Return the (first) bytes of a file, and close it."""
    content = os.pread(descriptor, min(most, os.fstat(descriptor).st_size), 0)
    os.close(descriptor)
    return content


def kill_group(pid: int) -> None:
    """Kill a page that still runs, and what it has started, but for what has left its group."""
    _kill(os.killpg, pid)
    _kill(os.kill, pid)  # at its very start it has no group of its own yet


def _kill(kill: Callable[[int, int], None], pid: int) -> None:
    try:  # noqa: SIM105 - see above
        kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def remove(folder: str) -> None:
    """Remove a folder of ours, whatever a page has made of it."""
    try:
        os.rmdir(f"{folder}/work")  # noqa: PTH106 - as a rule a page has left nothing in it
        for name in os.listdir(folder):  # noqa: PTH208
            os.unlink(f"{folder}/{name}")  # noqa: PTH108
        os.rmdir(folder)  # noqa: PTH106
    except OSError:
        import contextlib
        import shutil
        from pathlib import Path

        def unlock(_: Any, name: str, __: Any) -> None:
            with contextlib.suppress(OSError):
                Path(name).parent.chmod(0o700)
                Path(name).chmod(0o700)

        shutil.rmtree(folder, onerror=unlock)
        shutil.rmtree(folder, ignore_errors=True)
