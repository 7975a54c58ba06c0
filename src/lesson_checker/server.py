"""Start one process per page, from a process that has the common imports loaded already.

Takes its setup from the folder of the run, reads the names of files full of jobs from standard
input, a line each, and writes what is left of each page that is done, in the order in which they
end. When standard input ends, whoever asked is done or gone: nothing is left running, and no file.
It has a single thread, so forking it is safe. It imports next to nothing: see ``process``.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import gc
import marshal
import os
import select
import sys
import time

from lesson_checker import child
from lesson_checker.process import Process, kill_group, remove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from lesson_checker.jobs import Setup

_POLL = 0.1  # seconds between two looks at how long a page has run and how much it has printed
_MARKER = "TMPDIR"


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the pages end too
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is for who asked, and ends the input
    server = _Server(sys.argv[1])
    try:
        server.prepare()
        server.serve()
    except BrokenPipeError:
        pass  # nobody wants to know any more
    finally:
        server.stop()
    os._exit(0)  # there is nothing to tidy up that is not gone already


class _Server:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.setup: Setup = marshal.loads(_content(f"{folder}/setup"))  # noqa: S302 - see child
        self.results = os.dup(1)
        self.rest = b""  # the beginning of a line that is still to come
        self.asked = True  # whether somebody may still want something
        self.jobs: list[tuple[str, str, bytes]] = []
        self.running: dict[int, Process] = {}
        self.looked = 0.0
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
        versions = _versions(self.setup["versions"])
        self.say("\t".join(versions).encode() + b"\n")

    def load(self, names: list[str]) -> None:
        gc.disable()  # hardly anything of a module is garbage, and looking for it takes long
        for name in names:
            try:  # noqa: SIM105 - see process
                __import__(name)
            except Exception:  # noqa: S110 - the page that needs it will say so, with a line
                pass
        gc.enable()
        gc.collect()
        gc.freeze()  # the pages share what is loaded now instead of copying it

    def serve(self) -> None:
        while self.asked:
            while self.jobs and len(self.running) < self.setup["jobs"]:
                self.start(*self.jobs.pop(0))
            self.wait()

    def start(self, number: str, plots: str, job: bytes) -> None:
        setup = self.setup
        if plots == "plots" and self.setup["fork"] and setup["preload_plots"]:
            self.load(setup["preload_plots"])
            setup["preload_plots"] = []
        process = Process(number, f"{self.folder}/{number}", setup["timeout"])
        if setup["fork"]:
            process.pid = os.fork()
            if not process.pid:
                self.become(process, job)  # unmeasured: this function was called before the fork
        else:
            process.spawn(job, setup["memory"])
        self.running[process.pid] = process

    def become(self, process: Process, job: bytes) -> None:
        """Be that page, in a forked process; nothing of the server or of other pages is left."""
        signal.set_wakeup_fd(-1)
        for each in (self.results, self.woken, self.waker):
            os.close(each)
        for other in self.running.values():
            other.close()
        process.become(job, self.setup["memory"])

    def wait(self) -> None:
        for descriptor, _ in self.poll.poll(1000 * _POLL if self.running else None):
            if descriptor:
                os.read(self.woken, 4096)
            else:
                self.listen()
        for pid in list(self.running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                process = self.running.pop(pid)
                self.say(process.remains(os.waitstatus_to_exitcode(status)))
        now = time.monotonic()
        if now > self.looked + _POLL:
            self.looked = now
            for process in self.running.values():
                process.watch(now)

    def listen(self) -> None:
        data = os.read(0, 65536)
        self.asked = bool(data)
        *names, self.rest = (self.rest + data).split(b"\n")
        for name in names:
            self.jobs += _jobs_in(_content(name.decode()))

    def say(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.results, data) :]

    def stop(self) -> None:
        for pid in self.running:
            kill_group(pid)
        clean_up(self.folder)


def _content(file: str) -> bytes:
    with open(file, "rb") as opened:  # noqa: PTH123 - see process
        return opened.read()


def _jobs_in(content: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield the number of each page, whether it draws, and the job for its process."""
    start = 0
    while start < len(content):
        end = content.index(b"\n", start) + 1
        number, plots, size = content[start:end].decode().split()
        start = end + int(size)
        yield number, plots, content[end:start]


def clean_up(folder: str) -> None:
    """Remove the folder of a run, and end what its pages have started and left behind.

    Every process that a page starts inherits where temporary files belong, which is in there.
    """
    mine = f"{_MARKER}={folder}".encode()
    # until none has had the chance to start another one meanwhile; but not for ever
    all(_end_what_is_left(mine) for _ in range(100))
    remove(folder)


def _end_what_is_left(mine: bytes) -> bool:
    found = False
    # there is no such folder on macOS
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208
        try:
            if int(name) != os.getpid() and mine in _content(f"/proc/{name}/environ"):
                os.kill(int(name), signal.SIGKILL)
                found = True
        except (OSError, ValueError):  # it is no process, or somebody else's, or gone
            continue
    return found


def _versions(names: list[str]) -> list[str]:
    """Return names and versions in turn."""
    found = ["Python", sys.version.split()[0]]
    if names:
        import importlib.metadata

        for name in names:
            try:
                found += [name, importlib.metadata.version(name)]
            except importlib.metadata.PackageNotFoundError:
                continue
    return found
