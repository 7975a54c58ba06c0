"""Start one process per page, from a process that has the common imports loaded already.

Reads its setup and then the names of files full of jobs from standard input, a line each, and
writes a line per page that is done, in the order in which they end. When standard input ends,
whoever asked is done or gone: nothing is left running, and no file. It has a single thread, so
forking it is safe.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lesson_checker import child
from lesson_checker.jobs import PageJob, Setup
from lesson_checker.process import Process, kill_group, remove

_POLL = 0.25  # seconds between two looks at how much a page has printed
_MARKER = "TMPDIR"


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the pages end too
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is for who asked, and ends the input
    server = _Server()
    try:
        server.prepare()
        server.serve()
    except BrokenPipeError:
        pass  # nobody wants to know any more
    finally:
        server.stop()
    os._exit(0)  # there is nothing to tidy up that is not gone already


class _Server:
    def __init__(self) -> None:
        self.results = os.dup(1)
        self.lines = _Lines(0)
        self.setup: Setup = json.loads(self.lines.first())
        self.jobs: list[Iterator[str]] = []
        self.running: dict[int, Process] = {}
        # a page that ends wakes up the poll
        self.woken, self.waker = os.pipe()
        for each in (self.woken, self.waker):
            os.set_blocking(each, False)
        signal.set_wakeup_fd(self.waker)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poll = select.poll()
        self.poll.register(0, select.POLLIN)
        self.poll.register(self.woken, select.POLLIN)

    def prepare(self) -> None:
        child.open_streams()
        self.load(self.setup["preload"])
        self.say({"versions": _versions(self.setup["versions"])})

    def load(self, names: list[str]) -> None:
        gc.disable()  # hardly anything of a module is garbage, and looking for it takes long
        for name in names:
            with contextlib.suppress(Exception):  # the page that needs it will say so, with a line
                importlib.import_module(name)
        gc.enable()
        gc.collect()
        gc.freeze()  # the pages share what is loaded now instead of copying it

    def serve(self) -> None:
        while self.lines.open:
            while len(self.running) < self.setup["jobs"] and (job := self.next_job()):
                self.start(job)
            self.wait()

    def next_job(self) -> PageJob | None:
        while self.jobs:
            if line := next(self.jobs[0], None):
                job: PageJob = json.loads(line)
                return job
            del self.jobs[0]
        return None

    def start(self, job: PageJob) -> None:
        plots = self.setup["preload_plots"]
        if plots and self.setup["fork"] and any(block["plot"] for block in job["blocks"]):
            self.load(plots)
            plots.clear()
        process = Process(job, Path(self.setup["folder"], str(job["number"])))
        if self.setup["fork"]:
            process.pid = os.fork()
            if not process.pid:
                signal.set_wakeup_fd(-1)
                for each in (self.results, self.woken, self.waker):
                    os.close(each)
                process.become()
        else:
            process.spawn()
        self.running[process.pid] = process

    def wait(self) -> None:
        timeout = None
        if self.running:
            until = min(process.deadline for process in self.running.values())
            timeout = 1000 * max(0, min(_POLL, until - time.monotonic()))
        for descriptor, _ in self.poll.poll(timeout):
            if descriptor:
                os.read(self.woken, 4096)
            else:
                self.jobs += [_jobs_in(Path(name)) for name in self.lines.read()]
        for pid, process in list(self.running.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self.running[pid]
                self.say(process.result(os.waitstatus_to_exitcode(status)))
            else:
                process.watch()

    def say(self, message: Any) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self.results, data) :]

    def stop(self) -> None:
        for pid in self.running:
            kill_group(pid)
        clean_up(Path(self.setup["folder"]))


class _Lines:
    """Lines from a file descriptor, as they come."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.rest = b""
        self.open = True

    def first(self) -> str:
        line = b""
        while not line.endswith(b"\n"):  # a byte at a time, to leave the next line to the poll
            byte = os.read(self.descriptor, 1)
            if not byte:
                sys.exit("nothing to do")
            line += byte
        return line.decode()

    def read(self) -> list[str]:
        data = os.read(self.descriptor, 65536)
        self.open = bool(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [line.decode() for line in lines]


def _jobs_in(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8") as lines:
        yield from lines


def clean_up(folder: Path) -> None:
    """Remove the folder of a run, and end what its pages have started and left behind.

    Every process that a page starts inherits where temporary files belong, which is in there.
    """
    for _ in range(100):  # until none has had the chance to start another one meanwhile
        if not _end_what_is_left(f"{_MARKER}={folder}".encode()):
            break
    remove(folder)


def _end_what_is_left(mine: bytes) -> bool:
    found = False
    for process in Path("/proc").glob("[0-9]*"):  # there is no such folder on macOS
        with contextlib.suppress(OSError):
            pid = int(process.name)
            if pid != os.getpid() and mine in (process / "environ").read_bytes():
                os.kill(pid, signal.SIGKILL)
                found = True
    return found


def _versions(names: list[str]) -> dict[str, str]:
    found = {"Python": sys.version.split()[0]}
    if names:
        import importlib.metadata

        for name in names:
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                found[name] = importlib.metadata.version(name)
    return found
