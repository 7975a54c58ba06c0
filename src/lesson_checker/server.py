"""Start one process per page, from a process that has the common imports loaded already.

Reads one batch of pages as JSON from standard input and writes a line per page that is done, in
the order in which they end. It has a single thread, so forking it is safe.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.metadata
import json
import os
import platform
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NoReturn

from lesson_checker import child
from lesson_checker.jobs import Batch, Death, PageJob, PageRun

# forking is what makes a page cheap; macOS libraries do not all survive it
_FORK = sys.platform == "linux"
_GRACE = 2.0  # seconds that a page has to write down where it hangs, before it is killed
_POLL = 0.5


def main() -> None:
    """Serve the one batch that stands on standard input."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the pages end too
    batch: Batch = json.load(sys.stdin)
    for name in batch["preload"]:
        with contextlib.suppress(Exception):  # the page that needs it will say so, with a line
            importlib.import_module(name)
    _say({"versions": _versions(batch["versions"])})
    gc.freeze()  # the pages share what is loaded now instead of copying it
    _Server(batch).run()


class _Server:
    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.waiting = list(reversed(list(enumerate(batch["pages"]))))
        self.running: dict[int, _Child] = {}
        self.parent = os.getppid()
        self.selector = selectors.DefaultSelector()
        # a child that ends wakes up the selector
        self.woken, waker = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.selector.register(self.woken, selectors.EVENT_READ)

    def run(self) -> None:
        try:
            while self.waiting or self.running:
                while self.waiting and len(self.running) < self.batch["jobs"]:
                    self.start(*self.waiting.pop())
                self.wait()
        finally:
            for each in self.running.values():
                each.kill()

    def start(self, number: int, job: PageJob) -> None:
        started = _Child(number, job)
        self.running[started.pid] = started
        self.selector.register(started.reader, selectors.EVENT_READ, started)

    def wait(self) -> None:
        for key, _ in self.selector.select(_POLL):
            if key.data is None:
                os.read(self.woken, 4096)
            elif not key.data.read():
                self.selector.unregister(key.fd)
        for pid, each in list(self.running.items()):
            if time.monotonic() > each.deadline:
                each.kill()
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self.running[pid]
                if each.reader in {key.fd for key in self.selector.get_map().values()}:
                    self.selector.unregister(each.reader)
                _say(each.result(status))
        if os.getppid() != self.parent:
            sys.exit("the checker is gone")


class _Child:
    """The process of one page."""

    def __init__(self, number: int, job: PageJob) -> None:
        self.number = number
        self.job = job
        self.folder = Path(tempfile.mkdtemp(prefix="lesson-"))
        self.reader, writer = os.pipe()
        self.data = b""
        self.deadline = time.monotonic() + job["timeout"] + _GRACE
        self.killed = False
        if _FORK:
            self.pid = os.fork()
            if not self.pid:
                os.close(self.reader)
                _be_the_page(job, self.folder, writer)
        else:
            self.pid = self.spawn(writer)
        os.close(writer)
        os.set_blocking(self.reader, False)

    def spawn(self, writer: int) -> int:
        file = self.folder / "job.json"
        file.write_text(json.dumps(self.job), encoding="utf-8")
        arguments = [sys.executable, "-m", "lesson_checker.server", str(file), str(writer)]
        return subprocess.Popen(arguments, pass_fds=[writer]).pid  # noqa: S603

    def read(self) -> bool:
        """Take in what the page reported; False at its end."""
        try:
            while chunk := os.read(self.reader, 65536):
                self.data += chunk
        except BlockingIOError:
            return True
        return False

    def kill(self) -> None:
        self.killed = True
        _kill_group(self.pid)

    def result(self, status: int) -> PageRun:
        """Return what the page did, now that its process has ended; clean up after it."""
        _kill_group(self.pid)  # what the page left running
        self.read()
        os.close(self.reader)
        *lines, _ = self.data.split(b"\n")
        outcomes = [json.loads(line) for line in lines]
        stopped = bool(outcomes) and _stops(outcomes[-1], self.job, len(outcomes) - 1)
        death = None
        if len(outcomes) < len(self.job["blocks"]) and not stopped:
            death = self.death(os.waitstatus_to_exitcode(status), len(outcomes))
        shutil.rmtree(self.folder, ignore_errors=True)
        return {"number": self.number, "outcomes": outcomes, "death": death}

    def death(self, exit_code: int, block: int) -> Death:
        try:
            last_words = (self.folder / "dead").read_text(encoding="utf-8", errors="replace")
        except OSError:
            last_words = ""
        name = re.escape(self.job["page"])
        place = re.search(rf'File "{name}", line (\d+)', last_words)
        line = int(place[1]) if place else self.job["blocks"][block]["line"]
        if self.killed or last_words.startswith("Timeout"):
            seconds = f"{self.job['timeout']:g}"
            return {"code": "timeout", "message": f"still running after {seconds} s", "line": line}
        fatal = re.search(r"Fatal Python error: (.+)", last_words)
        if fatal:
            message = f"Python died: {fatal[1]}"
        elif exit_code < 0:
            message = f"the process was killed by {signal.Signals(-exit_code).name}"
        else:
            message = f"the process ended itself with exit status {exit_code}"
        return {"code": "crashed", "message": message, "line": line}


def _stops(outcome: dict[str, Any], job: PageJob, block: int) -> bool:
    return outcome["error"] is not None and not job["blocks"][block]["raises"]


def _be_the_page(job: PageJob, folder: Path, writer: int) -> NoReturn:
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        child.run(job, folder, writer)
    except BaseException as error:
        os.write(2, f"lesson-checker: {error!r}\n".encode())
    finally:
        os._exit(70)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _versions(names: list[str]) -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def _say(message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        job_file = Path(sys.argv[1])
        _be_the_page(json.loads(job_file.read_text("utf-8")), job_file.parent, int(sys.argv[2]))
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(130)  # whoever asked is gone, and so are the pages
