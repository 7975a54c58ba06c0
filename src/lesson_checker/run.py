"""Run pages, each in a process of its own, and yield what their blocks did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

from lesson_checker.claims import bound_by_block
from lesson_checker.jobs import Batch, BlockJob, PageJob, PageRun
from lesson_checker.page import Example, Page
from lesson_checker.settings import Settings

# what would make a page's output depend on who starts the checker
_DROPPED = ("PYTHONWARNINGS", "PYTHONINSPECT", "PYTHONSTARTUP", "PYTHONOPTIMIZE", "PYTHONDEBUG")
# one thread each: a process with threads can't be forked safely, and sums come out the same
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Runner:
    """The run of a number of pages.

    Attributes:
        versions: The version of Python, and of the distributions that the settings name, that the
            pages ran on. Filled in before the first page is done.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.versions: dict[str, str] = {}

    def run(self, pages: Sequence[Page]) -> Iterator[tuple[Page, PageRun]]:
        """Run ``pages`` and yield each with what it did, in the order in which they end.

        Raises:
            RuntimeError: The process that starts the pages has died.
        """
        batch: Batch = {
            "preload": list(self.settings.preload),
            "versions": list(self.settings.versions),
            "jobs": self.settings.jobs,
            "pages": [self._job(page) for page in pages],
        }
        with tempfile.TemporaryFile("w+", encoding="utf-8") as jobs:
            json.dump(batch, jobs)
            jobs.seek(0)
            with subprocess.Popen(
                [sys.executable, "-m", "lesson_checker.server"],
                stdin=jobs,
                stdout=subprocess.PIPE,
                env=_environment(),
                encoding="utf-8",
            ) as server:
                try:
                    yield from self._results(pages, server)
                finally:
                    server.terminate()

    def _results(
        self, pages: Sequence[Page], server: subprocess.Popen[str]
    ) -> Iterator[tuple[Page, PageRun]]:
        assert server.stdout is not None  # noqa: S101 - it is a pipe, see above
        done = 0
        for line in server.stdout:
            message = json.loads(line)
            if "versions" in message:
                self.versions = message["versions"]
            else:
                done += 1
                yield pages[message["number"]], message
        if done < len(pages):
            raise RuntimeError(f"the process that runs the pages died: exit status {server.wait()}")

    def _job(self, page: Page) -> PageJob:
        return {
            "page": page.name,
            "blocks": _blocks(page),
            "timeout": self.settings.timeout,
            "memory": self.settings.memory,
        }


def _blocks(page: Page) -> list[BlockJob]:
    running = [example for example in page.examples if example.runs]
    return [
        _block(example, [each.expression for each in bound])
        for example, bound in zip(running, bound_by_block(page), strict=True)
    ]


def _block(example: Example, bound: list[str]) -> BlockJob:
    return {
        "source": example.code.body,
        "line": example.code.line + 1,
        "pycon": example.code.language == "pycon",
        "raises": example.raises is not None,
        "plot": example.plot is not None,
        "bound": bound,
    }


def _environment() -> dict[str, str]:
    """Return the environment of the pages: that of the caller, without what changes outputs."""
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    fixed = dict.fromkeys(_THREADS, "1")
    # a page whose output depends on the order of a set would differ from run to run
    return {"PYTHONHASHSEED": "0"} | kept | fixed | {"PYTHONUTF8": "1"}
