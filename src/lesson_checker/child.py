"""Run one page in the process that this is: what a script would print is what is reported.

Only the standard library is imported, and as little of it as will do: each page pays for it, in
memory that has to be copied.
"""

from __future__ import annotations
import __future__

# what the module signal is made of; its enumerations would cost each page a fifth of a millisecond
import _signal as signal  # type: ignore[import-not-found]
import atexit
import builtins
import faulthandler
import gc
import io
import linecache
import marshal
import os
import resource
import sys
from os import dup, fstat, getpid, write
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, NoReturn, TextIO

    from lesson_checker.jobs import BlockJob, Mark, PageJob, Raised, Value

_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag
_MIB = 1024 * 1024
_LARGEST_FILE = 64 * _MIB
_LONGEST_TRACEBACK = 20_000
_streams: list[TextIO] = []


def main() -> NoReturn:
    """Be a page that was started as a process of its own: the job stands on standard input."""
    job = os.read(0, fstat(0).st_size)
    open_streams()
    be_the_page(job, sys.argv[1], 3, int(sys.argv[2]))


def be_the_page(job: bytes, folder: str, report: int, memory: int) -> NoReturn:
    """Run the page and end this process.

    Args:
        job: What to run, as ``marshal`` writes it. Standard output and error are files already.
        folder: For the script, its working directory and temporary files; the caller removes it.
        report: A file to which a mark is written for each block that ends, and the stack if
            Python dies. The first block without a mark is where the process ended.
        memory: The most that the page may use, in MiB.
    """
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _run(
            marshal.loads(job),  # noqa: S302 - the same Python, in the checker, has written it
            folder,
            report,
            _Memory(memory),
        )
    except BaseException as error:
        write(2, f"lesson-checker: {error!r}\n".encode())
    finally:
        os._exit(70)


def _run(job: PageJob, folder: str, report: int, memory: _Memory) -> None:
    script = [_become_a_script(job, folder)]  # a list, so that the end can let go of it
    out, err = dup(1), dup(2)  # the page may do to its own as it likes
    leave = _watch_the_end(report)
    pid = getpid()
    flags = 0
    last = len(job["blocks"]) - 1
    for number, block in enumerate(job["blocks"]):
        mark: Mark = {
            "error": None,
            "rewritten": None,
            "bound": [],
            "plots": [],
            "out": 0,
            "err": 0,
        }
        try:
            with memory:
                flags = _run_block(block, job["page"], script[0], flags, mark)
        except BaseException as error:
            if getpid() != pid:
                leave(_end_like_a_script(error))  # unmeasured: in a process that the page forked
            mark["error"] = _describe(error, job["page"], script[0], block["raises"])
        if getpid() != pid:  # a process that the page forked: the page goes on in its parent
            leave(_end_like_a_script(None))  # unmeasured: likewise
        stop = mark["error"] is not None and not block["raises"]
        if not stop:
            mark["bound"] = [_evaluate(each, script[0], flags) for each in block["bound"]]
        if stop or number == last:
            with memory:
                _finish(script)
        _flush()
        mark["out"], mark["err"] = fstat(out).st_size, fstat(err).st_size
        write(report, _line(mark).encode())
        if stop:
            break  # unmeasured: the measuring has ended with the exit functions
    leave(0)  # unmeasured: likewise


def _line(mark: Mark) -> str:
    """Return a mark as a line; the usual one is written by hand, which spares the encoder."""
    if mark["error"] or mark["rewritten"] is not None or mark["bound"] or mark["plots"]:
        import json

        return json.dumps(mark) + "\n"
    nothing = '"error": null, "rewritten": null, "bound": [], "plots": []'
    return f'{{{nothing}, "out": {mark["out"]}, "err": {mark["err"]}}}\n'


def _run_block(block: BlockJob, page: str, names: dict[str, Any], flags: int, mark: Mark) -> int:
    """Run a block; return the flags of the future statements up to here, for the next one."""
    if block["pycon"]:
        from lesson_checker.console import Session

        session = Session(block, page)
        for number, line in session.source_lines().items():
            linecache.cache[page][2][number - 1] = line  # type: ignore[misc]
        flags = session.run(names, flags, _FUTURE)
        mark["rewritten"] = session.rewritten
    else:
        # the blank lines give every traceback, warning and syntax error its true line
        padded = "\n" * (block["line"] - 1) + block["source"] + "\n"
        code = compile(padded, page, "exec", flags, dont_inherit=True)
        flags |= code.co_flags & _FUTURE
        exec(code, names)  # noqa: S102 - running pages is the purpose
    if block["plot"]:
        from lesson_checker.figures import take_plots

        mark["plots"] = take_plots()
    return flags


def _evaluate(expression: str, names: dict[str, Any], flags: int) -> Value:
    """Return the value that words of the page are bound to, as the reader is to see it."""
    import contextlib

    nowhere = io.StringIO()  # what an expression prints belongs to no block
    try:
        code = compile(expression, "<comment>", "eval", flags, dont_inherit=True)
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            return {"value": str(eval(code, names)), "error": None}  # noqa: S307 - as above
    except BaseException as error:
        return {"value": None, "error": f"{type(error).__name__}: {error}"}


# ------------------------------------------------------------------------------- like a script


def _become_a_script(job: PageJob, folder: str) -> dict[str, Any]:
    """Make this process look as if Python had been started on the page's code."""
    os.environ["TMPDIR"] = folder
    page = job["page"]
    script = f"{folder}/{page.rpartition('/')[2].removesuffix('.md')}.py"
    work = f"{folder}/work"
    # multiprocessing may start it again
    file = os.open(script, os.O_CREAT | os.O_WRONLY, 0o666)
    write(file, job["script"].encode())
    os.close(file)
    lines = [line + "\n" for line in job["script"].split("\n")]
    linecache.cache[page] = (1, None, lines, page)
    os.mkdir(work)  # noqa: PTH102
    os.chdir(work)
    if "tempfile" in sys.modules:
        sys.modules["tempfile"].tempdir = None  # type: ignore[attr-defined]
    sys.path.insert(0, work)
    sys.argv = [script]
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__dict__.update(__file__=script, __builtins__=builtins)
    return module.__dict__


def open_streams() -> None:
    """Open the standard streams of a page; a server does it once for all that it forks."""
    sys.stdout = sys.__stdout__ = _stream(1, "<stdout>", "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "<stderr>", "backslashreplace")  # type: ignore[misc]
    _streams[:] = sys.stdout, sys.stderr


def _stream(number: int, name: str, errors: str) -> io.TextIOWrapper:
    raw = io.FileIO(number, "wb", closefd=False)
    raw.name = name
    # written through at once, so that it keeps its place among what child processes print
    text = io.TextIOWrapper(raw, "utf-8", errors, write_through=True)
    text.mode = "w"  # type: ignore[misc]
    return text


def _flush() -> None:
    for each, ours in zip((sys.stdout, sys.stderr), _streams, strict=True):
        if each is not ours:  # ours hold nothing back
            try:  # noqa: SIM105 - see above
                each.flush()
            except Exception:  # noqa: S110 - the page may have put anything there
                pass


def _finish(script: list[dict[str, Any]]) -> None:
    """Do what Python does at the end of a script: threads, exit functions, finalizers."""
    # as Python asks, too
    if threading := sys.modules.get("threading"):  # half measured: what measures has loaded it
        threading._shutdown()
    atexit._run_exitfuncs()
    sys.modules["__main__"] = ModuleType("__main__")  # unmeasured: the measuring has ended there
    script.clear()  # unmeasured: likewise; the last reference to what the page has named
    gc.collect()  # unmeasured: likewise


def _end_like_a_script(error: BaseException | None) -> int:
    """Finish a forked process of the page; return its exit status."""
    import traceback

    status = 0 if error is None else 1
    if isinstance(error, SystemExit):
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    elif error is not None:
        traceback.print_exception(error)
    _finish([])
    _flush()  # unmeasured: the measuring has ended with the exit functions
    return status & 0xFF  # unmeasured: likewise


# ------------------------------------------------------------------------------ how it may end


def _watch_the_end(report: int) -> Any:
    """Have the stack written down if Python dies or is ended; return what ends it silently."""
    leave = os._exit

    def _exit(status: int) -> None:
        faulthandler.dump_traceback(report, all_threads=False)
        leave(status)

    def forget() -> None:  # what becomes of the page's own child processes is its business
        faulthandler.disable()
        os._exit = leave

    os._exit = _exit  # type: ignore[assignment]
    faulthandler.enable(report)  # the server sends SIGABRT when the time is up
    os.register_at_fork(after_in_child=forget)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    return leave


class _Memory:
    """Bounds the memory of what runs inside of it; what reports a MemoryError needs some too."""

    def __init__(self, mebibytes: int) -> None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        self.free = (hard, hard)
        # elsewhere the kernel takes no notice of it
        self.bound = (mebibytes * _MIB, hard) if sys.platform == "linux" else self.free

    def __enter__(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, self.bound)

    def __exit__(self, *error: object) -> None:
        resource.setrlimit(resource.RLIMIT_AS, self.free)


def _describe(
    error: BaseException, page: str, names: dict[str, Any], announced: str | None
) -> Raised:
    """Return what a problem says about an exception, without the frames of the checker."""
    import traceback

    frame: TracebackType | None = error.__traceback__
    while frame and frame.tb_frame.f_code.co_filename != page:
        frame = frame.tb_next
    line = frame.tb_lineno if frame else None
    if line is None and isinstance(error, SyntaxError):
        line = error.lineno
    only = traceback.format_exception_only(type(error), error)
    known = [name for kind in type(error).__mro__ for name in _names(kind)]
    if announced and isinstance(error, _classes(announced, names)):
        known.append(announced)
    return {
        "names": known,
        # notes follow it, the place of a syntax error goes before it
        "last_line": next((text for text in only if not text.startswith(" ")), "").rstrip("\n"),
        "traceback": "".join(traceback.format_exception(type(error), error, frame))[
            -_LONGEST_TRACEBACK:
        ],
        "line": line,
    }


def _names(kind: type) -> tuple[str, str]:
    return kind.__qualname__, f"{kind.__module__}.{kind.__qualname__}"


def _classes(dotted: str, names: dict[str, Any]) -> tuple[type, ...]:
    """Return the class that the page, or Python, knows under a name such as ``json.Error``."""
    first, *rest = dotted.split(".")
    found = names.get(first, sys.modules.get(first))
    for name in rest:
        found = getattr(found, name, None)
    return (found,) if isinstance(found, type) else ()
