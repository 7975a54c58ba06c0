"""Where the time of a check goes, layer by layer: what could still be saved, and what could not.

    python tests/benchmarks/layers.py          # 800 pages of ten blocks
    python tests/benchmarks/layers.py 200

Milliseconds of CPU and page faults for each page, of the least costly of five runs. The pages are
those of ``speed.py``, and they import nothing. Four figures say what a process for each page and
its ten blocks cost at the very least, whoever runs them:

- *fork and exit*: a bare interpreter forks, the child ends at once, the parent waits for it;
- *the same, from the server*: with the modules that every page needs loaded, as the server has;
- *ten blocks compiled and run*: again and again in one process, nothing compared;
- *floor*: what ``speed.py`` calls that, without the start of Python.

The others are the check: the *checker* parses, asks and compares, the *server* forks and collects,
the *pages* are the processes that run the blocks, from fork to exit.

A page fault is a page of memory that is copied because the server and a page of the site, which
share it, no longer agree about it; touching an object is enough, as that changes its count of
references. It costs about two thousandths of a millisecond, and there is no Python without.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import speed

RUNS = 5
TIMES = 200  # of a fork, or of ten blocks

USAGE = """
import os
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage


def usage(*whose):
    each = [getrusage(who) for who in whose]
    return sum(u.ru_utime + u.ru_stime for u in each), sum(u.ru_minflt for u in each)


def cost(function, *whose):
    before = usage(*whose)
    function()
    return [now - then for now, then in zip(usage(*whose), before)]
"""
FORKS = """
import gc


def forks():
    for _ in range({times}):
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)


gc.collect()
gc.freeze()
print(cost(forks, RUSAGE_SELF, RUSAGE_CHILDREN))
"""
BLOCKS = """
import contextlib, io


def blocks():
    for _ in range({times}):
        names = {{"__name__": "__main__"}}
        for number in range(10):
            code = f'total = 1 + {{number}}\\nprint("the total is", total)'
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, "page", "exec"), names)


print(cost(blocks, RUSAGE_SELF))
"""
FLOOR = f"""
def floor():
    exec({speed.FLOOR!r})


print(cost(floor, RUSAGE_SELF))
"""
SERVER = """
import sys
from lesson_checker import server

mine = server._Server(sys.argv[1])
try:
    mine.prepare()
    mine.serve()
finally:
    mine.stop()
with open(os.environ["LAYERS"], "w") as file:
    print([usage(RUSAGE_SELF), usage(RUSAGE_CHILDREN)], file=file)
os._exit(0)
"""
CHECK = f"""
import contextlib, json
from lesson_checker import run
from lesson_checker.cli import main

run._START = {USAGE + SERVER!r}
with contextlib.redirect_stdout(None):
    main(["check"])
with open(os.environ["LAYERS"]) as file:
    server, pages = eval(file.read())
print([list(usage(RUSAGE_SELF)), list(server), list(pages)])
"""


class Layer(NamedTuple):
    """What a layer costs for each page: milliseconds of CPU, and page faults."""

    cpu: float
    faults: float


def _run(code: str, folder: Path, pages: int) -> list[Layer]:
    """Run a program that prints one or more pairs of seconds and faults, for so many pages."""
    environment = os.environ | {"LAYERS": str(folder / "layers"), "PYTHONHASHSEED": "0"}
    found = []
    for _ in range(RUNS):
        ran = subprocess.run(
            [sys.executable, "-c", USAGE + code],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        said = json.loads(ran.stdout)
        found.append(said if isinstance(said[0], list) else [said])
    least = min(found, key=lambda each: sum(seconds for seconds, _ in each))
    return [Layer(1000 * seconds / pages, faults / pages) for seconds, faults in least]


def measure(pages: int) -> dict[str, Layer]:
    """Return what each layer costs, by its name."""
    tools = {tool.name: tool for tool in speed.TOOLS}
    here = speed.plant(tools["check"], pages)
    forks = FORKS.format(times=TIMES)
    checker, server, children = _run(CHECK, here, pages)
    return {
        "fork and exit": _run(forks, here, TIMES)[0],
        "the same, from the server": _run(f"import lesson_checker.server\n{forks}", here, TIMES)[0],
        "ten blocks compiled and run": _run(BLOCKS.format(times=TIMES), here, TIMES)[0],
        "floor": _run(FLOOR, speed.plant(tools["floor"], pages), pages)[0],
        "checker": checker,
        "server": server,
        "pages": children,
        "check, in all": Layer(*map(sum, zip(checker, server, children, strict=True))),
    }


def table(layers: Mapping[str, Layer], pages: int) -> str:
    """Return the table."""
    lines = [f"{f'for each of {pages} pages':<32}{'CPU ms':>9}{'faults':>9}"]
    lines += [f"{name:<32}{cpu:>9.2f}{faults:>9.0f}" for name, (cpu, faults) in layers.items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="?", type=int, default=max(speed.SIZES))
    pages = parser.parse_args(arguments).pages
    print(table(measure(pages), pages))


if __name__ == "__main__":
    main()
