"""Run one page in the process that this is: what a script would print is what is reported.

Only the standard library is imported, and as little of it as will do: a page pays for it.
"""

from __future__ import annotations
import __future__

import contextlib
import faulthandler
import io
import json
import linecache
import os
import resource
import sys
import threading
import traceback
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, BinaryIO

from lesson_checker.jobs import BlockJob, PageJob

_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag
_MIB = 1024 * 1024
_LARGEST_OUTPUT = _MIB
_LARGEST_FILE = 64 * _MIB


def run(job: PageJob, folder: Path, report: int) -> None:
    """Run the blocks of a page one after the other; never returns.

    For each block that ends, one line of JSON goes to the file descriptor ``report``. Whoever
    started this process counts them: the first block without a line is where the process died.

    Args:
        job: What to run.
        folder: An empty folder of this page's own; the caller removes it.
        report: Where to write.
    """
    pid = os.getpid()
    work = folder / "work"
    work.mkdir()
    script = folder / f"{Path(job['page']).stem}.py"
    _become_a_script(job, script, work)
    streams = [_capture(folder / name, number) for number, name in ((1, "out"), (2, "err"))]
    _limit(job, folder)
    module = sys.modules["__main__"]
    flags = 0
    last = len(job["blocks"]) - 1
    for number, block in enumerate(job["blocks"]):
        outcome: dict[str, Any] = {"error": None, "rewritten": None, "bound": []}
        try:
            if block["pycon"]:
                from lesson_checker.console import run_console

                outcome["rewritten"] = run_console(block, module, flags, job["page"])
            else:
                # the blank lines give every traceback, warning and syntax error its true line
                padded = "\n" * (block["line"] - 1) + block["source"] + "\n"
                code = compile(padded, job["page"], "exec", flags, dont_inherit=True)
                flags |= code.co_flags & _FUTURE
                exec(code, module.__dict__)  # noqa: S102 - running pages is the purpose
        except BaseException as error:
            outcome["error"] = _describe(error, job["page"])
        if os.getpid() != pid:
            os._exit(0)  # a process that the page forked: the page goes on in its parent
        stop = outcome["error"] is not None and not block["raises"]
        if stop or number == last:
            _finish()
        outcome["stdout"], outcome["stderr"] = (_printed(stream) for stream in streams)
        if not stop:
            outcome["bound"] = [_evaluate(each, module, flags) for each in block["bound"]]
            for stream in streams:
                _printed(stream)  # what the expressions printed belongs to no block
        os.write(report, json.dumps(outcome).encode() + b"\n")
        if stop:
            break
    os._exit(0)


def _evaluate(expression: str, module: ModuleType, flags: int) -> dict[str, str | None]:
    """Return the value that words of the page are bound to, as the reader is to see it."""
    try:
        code = compile(expression, "<comment>", "eval", flags, dont_inherit=True)
        return {"value": str(eval(code, module.__dict__)), "error": None}  # noqa: S307 - as above
    except BaseException as error:
        return {"value": None, "error": f"{type(error).__name__}: {error}"}


def _become_a_script(job: PageJob, script: Path, work: Path) -> None:
    """Make this process look as if Python had been started on the page's code."""
    source = script_of(job["blocks"])
    script.write_text(source, encoding="utf-8")
    linecache.cache[job["page"]] = (len(source), None, source.splitlines(True), job["page"])
    module = ModuleType("__main__")
    module.__dict__.update(__file__=str(script), __builtins__=__builtins__)
    sys.modules["__main__"] = module
    sys.argv = [str(script)]
    sys.path[0] = str(work)
    os.chdir(work)


def script_of(blocks: list[BlockJob]) -> str:
    """Return the blocks as one script, each statement on the line that it has on the page."""
    lines: list[str] = []
    for block in blocks:
        if not block["pycon"]:
            lines += [""] * (block["line"] - 1 - len(lines))
            lines += block["source"].split("\n")
    return "\n".join(lines) + "\n"


def _capture(path: Path, number: int) -> BinaryIO:
    """Send what goes to a file descriptor, from whatever process, to a file; return a reader."""
    stream = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    os.dup2(stream, number)
    os.close(stream)
    # written through at once, so that it keeps its place among what child processes print
    text = io.TextIOWrapper(
        open(number, "wb", buffering=0, closefd=False),  # noqa: SIM115 - it stays open
        encoding="utf-8",
        errors="strict" if number == 1 else "backslashreplace",
        write_through=True,
    )
    if number == 1:
        sys.stdout = sys.__stdout__ = text  # type: ignore[misc]
    else:
        sys.stderr = sys.__stderr__ = text  # type: ignore[misc]
    return path.open("rb")


def _printed(stream: BinaryIO) -> str:
    """Return what was printed since the last call."""
    for each in (sys.stdout, sys.__stdout__, sys.stderr, sys.__stderr__):
        with contextlib.suppress(Exception):  # the page may have put anything there
            each.flush()  # type: ignore[union-attr]
    data = stream.read(_LARGEST_OUTPUT)
    rest = len(stream.read())
    text = data.decode("utf-8", errors="backslashreplace")
    return text + f"\n[{rest} more bytes]\n" if rest else text


def _limit(job: PageJob, folder: Path) -> None:
    """Bound time and memory, and have the line written down if they run out or Python dies."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    if sys.platform == "linux":  # elsewhere the kernel takes no notice of it
        resource.setrlimit(resource.RLIMIT_AS, (job["memory"] * _MIB,) * 2)
    last_words = (folder / "dead").open("w", encoding="utf-8")
    faulthandler.enable(last_words)
    faulthandler.dump_traceback_later(job["timeout"], file=last_words, exit=True)
    _keep.append(last_words)


_keep: list[Any] = []  # the file must stay open for as long as the process lives


def _finish() -> None:
    """Wait for what a script would wait for at its end: threads, then exit functions."""
    import atexit

    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()


def _describe(error: BaseException, page: str) -> dict[str, Any]:
    """Return what a problem says about an exception, without the frames of the checker."""
    frame: TracebackType | None = error.__traceback__
    while frame and frame.tb_frame.f_code.co_filename != page:
        frame = frame.tb_next
    line = frame.tb_lineno if frame else None
    if line is None and isinstance(error, SyntaxError):
        line = error.lineno
    only = traceback.format_exception_only(type(error), error)
    return {
        "names": [name for kind in type(error).__mro__ for name in _names(kind)],
        # notes follow it, the place of a syntax error goes before it
        "last_line": next((text for text in only if not text.startswith(" ")), "").rstrip("\n"),
        "traceback": "".join(traceback.format_exception(type(error), error, frame)),
        "line": line,
    }


def _names(kind: type) -> tuple[str, str]:
    return kind.__qualname__, f"{kind.__module__}.{kind.__qualname__}"
