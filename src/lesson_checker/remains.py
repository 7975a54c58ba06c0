"""Read from what is left of a page's process what its blocks did, and how it ended."""

from __future__ import annotations

import json
import re
import signal

from lesson_checker.jobs import Death, Mark, Outcome, PageRun, Remains
from lesson_checker.page import Example, Page
from lesson_checker.process import LARGEST_OUTPUT


def page_run(page: Page, timeout: float, remains: Remains) -> PageRun:
    """Return what a page did that had to end within so many seconds."""
    examples = [example for example in page.examples if example.runs]
    all_marks, last_words = _reported(remains.report)
    marks = [mark for mark in all_marks if max(mark["out"], mark["err"]) <= LARGEST_OUTPUT]
    outcomes: list[Outcome] = []
    out = err = 0
    for mark in marks:
        outcomes.append(
            {
                "stdout": _text(remains.out[out : mark["out"]]),
                "stderr": _text(remains.err[err : mark["err"]]),
                "error": mark["error"],
                "rewritten": mark["rewritten"],
                "bound": mark["bound"],
                "plots": mark["plots"],
            }
        )
        out, err = mark["out"], mark["err"]
    death = None
    if len(marks) < len(examples) and not _stopped(marks, examples):
        death = _death(page.name, timeout, remains, last_words, examples[len(marks)])
        death["stderr"] = _text(remains.err[err : err + 4096])
        error = all_marks[len(marks)]["error"] if len(marks) < len(all_marks) else None
        if error and error["line"]:  # it came to its end by the limit on the size of files
            death["line"] = error["line"]
    return {"outcomes": outcomes, "death": death}


def _reported(report: bytes) -> tuple[list[Mark], str]:
    """Return the marks of the blocks that ended, and what was written of the stack."""
    lines = _text(report).split("\n")
    marks = [json.loads(line) for line in lines if line.startswith("{")]
    return marks, "\n".join(line for line in lines if not line.startswith("{"))


def _stopped(marks: list[Mark], examples: list[Example]) -> bool:
    """Say whether the page ended where it had to, after an exception."""
    return bool(marks) and bool(marks[-1]["error"] and not examples[len(marks) - 1].raises)


def _death(page: str, timeout: float, remains: Remains, last_words: str, example: Example) -> Death:
    """Return how a page ended in a block that did not come to its end."""
    lines = _lines_in(last_words, page)
    # where the page's code was when it called what did it, and where that was
    line, inner = (lines[-1], lines[0]) if lines else (example.code.line + 1,) * 2
    fatal = re.search(r"Fatal Python error: (.+)", last_words)
    too_long = max(len(remains.out), len(remains.err)) > LARGEST_OUTPUT
    code = "output-too-long" if too_long else remains.cut or "crashed"
    if code == "timeout":
        message = f"still running after {timeout:g} s"
    elif code == "output-too-long":
        message = f"the page printed more than {LARGEST_OUTPUT // 1024} KiB"
    elif fatal:
        message = f"Python died: {fatal[1]}"
    elif remains.exit_code < 0:
        message = f"the process was killed by {signal.Signals(-remains.exit_code).name}"
    else:
        message = f"the process ended itself with exit status {remains.exit_code}"
    if inner != line:
        message += f", in line {inner}"
    return {"code": code, "message": message, "line": line, "stderr": ""}


def _lines_in(stack: str, page: str) -> list[int]:
    """Return the lines of the page in a stack that faulthandler wrote, the innermost first.

    Of the main thread, or of another one if the main thread only waits for it.
    """
    threads = re.split(r"(?m)^(?=Current thread|Thread|Stack)", stack)
    threads.sort(key=lambda thread: not thread.startswith("Current"))
    pattern = re.compile(rf'(?m)^  File "{re.escape(page)}", line (\d+)')
    found = ([int(line) for line in pattern.findall(thread)] for thread in threads)
    return next(filter(None, found), [])


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", errors="backslashreplace")
