"""Running: what goes wrong on a page costs one problem, and nothing is left behind.

What runs as it should is on the pages of cases/true. coverage.ini says how to measure what both
reach in the checker's processes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pages import blocks, found, judged, needs_proc, only, page, printed, processes_in, ran

from lesson_checker import process, run
from lesson_checker.checks import check_pages
from lesson_checker.page import parse_page, read_page
from lesson_checker.run import Runner
from lesson_checker.settings import Settings

linux = pytest.mark.skipif(not needs_proc, reason="looks at /proc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def runner(folder: Path) -> Iterator[Runner]:
    with Runner(Settings(root=folder, memory=128)) as runner:
        yield runner


@pytest.fixture(scope="module")
def hasty(folder: Path) -> Iterator[Runner]:
    with Runner(Settings(root=folder, timeout=0.5)) as runner:
        yield runner


# ------------------------------------------------------------------- what is wrong, and where


def test_an_exception_is_a_problem_on_its_line(runner: Runner) -> None:
    verdict = ran("x = 1\n\n1 / 0", "print('not run')", runner=runner)
    assert found(verdict) == [(4, "raised")]


def test_nothing_below_an_exception_is_run(runner: Runner) -> None:
    assert printed(ran("1 / 0", "print('not run')", runner=runner)) == [""]


def test_an_exception_in_a_function_is_a_problem_of_the_block_that_calls_it(
    runner: Runner,
) -> None:
    verdict = ran("def f():\n    1 / 0", "\n\nf()", runner=runner)
    assert found(verdict) == [(7, "raised")]


def test_a_traceback_shows_the_lines_of_the_page_and_no_frame_of_the_checker(
    runner: Runner,
) -> None:
    verdict = ran("def f():\n    return 1 / 0", "f()", runner=runner)
    assert re.sub(r"(?m)^[ ~^]+\n", "", only(verdict).actual) == (  # Pythons point differently
        "Traceback (most recent call last):\n"
        '  File "page.md", line 7, in <module>\n'
        "    f()\n"
        '  File "page.md", line 3, in f\n'
        "    return 1 / 0\n"
        "ZeroDivisionError: division by zero\n"
    )


def test_the_cause_of_an_exception_shows_no_frame_of_the_checker(runner: Runner) -> None:
    verdict = ran("try:\n    1 / 0\nexcept ValueError:\n    pass", runner=runner)
    assert "lesson_checker" not in only(verdict).actual
    verdict = ran("try:\n    {}[1]\nexcept KeyError as e:\n    raise OSError from e", runner=runner)
    assert "lesson_checker" not in only(verdict).actual


def test_standard_error_is_shown_with_an_exception(runner: Runner) -> None:
    verdict = ran("import sys\nprint('a hint', file=sys.stderr)\n1 / 0", runner=runner)
    assert only(verdict).actual.endswith("ZeroDivisionError: division by zero\na hint\n")


def test_standard_error_is_shown_with_a_wrong_output(runner: Runner) -> None:
    text = blocks("import sys\nprint('a hint', file=sys.stderr)\nprint(1)") + "\n```text\n2\n```\n"
    assert only(judged(text, runner)).message == (
        "the block in line 1 prints something else than the page shows; on stderr it said:\n"
        "    a hint"
    )


def test_a_syntax_error_is_a_problem_on_its_line(runner: Runner) -> None:
    assert found(ran("x = 1\ny = (", runner=runner)) == [(3, "raised")]


def test_an_exception_that_is_announced_but_is_another_one_is_a_problem(runner: Runner) -> None:
    verdict = judged("<!--! raises: KeyError -->\n" + blocks("1 / 0"), runner)
    assert found(verdict) == [(3, "raised")]
    assert only(verdict).remedy == (
        "mend the code, or write <!--! raises: ZeroDivisionError --> above it"
    )


@pytest.mark.parametrize("name", ["no.such", "os.path", "os.nothing", "json.decoder.KeyError"])
def test_an_announced_name_that_is_no_such_class_matches_nothing(name: str, runner: Runner) -> None:
    verdict = judged(f"<!--! raises: {name} -->\n" + blocks("import os\n{}[1]"), runner)
    assert found(verdict) == [(4, "raised")]


def test_an_exception_that_is_announced_and_does_not_come_is_a_problem(runner: Runner) -> None:
    verdict = judged("<!--! raises: KeyError -->\n" + blocks("1"), runner)
    assert found(verdict) == [(2, "did-not-raise")]


def test_sys_exit_is_a_problem_on_its_line(runner: Runner) -> None:
    verdict = ran("import sys\nsys.exit(3)", "print()", runner=runner)
    assert (found(verdict), only(verdict).message) == (
        [(3, "raised")],
        "the code raised SystemExit: 3",
    )


def test_reading_standard_input_is_a_problem_on_its_line(runner: Runner) -> None:
    verdict = ran("\nname = input()", runner=runner)
    assert found(verdict) == [(2, "raised")]
    assert "EOFError" in only(verdict).message


def test_the_end_of_a_script_that_comes_too_early_is_still_an_end(runner: Runner) -> None:
    verdict = ran("import atexit\natexit.register(print, 'bye')\n1 / 0", runner=runner)
    assert printed(verdict) == ["bye\n"]


DEATHS = {
    "os._exit": ("import os\nos._exit(3)", 3, "the process ended itself with exit status 3"),
    "os._exit in a function": (
        "import os\ndef leave():\n    os._exit(0)\n\nleave()",
        6,
        "the process ended itself with exit status 0, in line 4",
    ),
    "abort": ("import os\nos.abort()", 3, "Python died: Aborted"),
    "segmentation fault": (
        "import ctypes\nctypes.string_at(0)",
        3,
        "Python died: Segmentation fault",
    ),
    "killed": (
        "import os\nos.kill(os.getpid(), 9)",
        2,
        "the process was killed by SIGKILL",
    ),
}


@pytest.mark.parametrize(("code", "line", "message"), DEATHS.values(), ids=DEATHS)
def test_a_page_that_dies_has_one_problem(
    code: str, line: int, message: str, runner: Runner
) -> None:
    verdict = ran(code, "print('not run')", runner=runner)
    assert found(verdict) == [(line, "crashed")]
    assert only(verdict).message == message


@linux
def test_a_page_that_closes_what_the_checker_needs_has_one_problem(runner: Runner) -> None:
    code = """
        import os
        for number in map(int, os.listdir("/proc/self/fd")):
            path = f"/proc/self/fd/{number}"
            if number > 2 and os.path.exists(path) and "lesson" in os.readlink(path):
                os.close(number)
        print(1)
    """
    verdict = ran(code, runner=runner)
    assert found(verdict) == [(2, "crashed")]
    assert only(verdict).actual == "lesson-checker: OSError(9, 'Bad file descriptor')\n"


def test_what_a_page_said_before_it_died_is_shown(runner: Runner) -> None:
    code = "import os, sys\nprint('oh', file=sys.stderr)\nos.abort()"
    assert only(ran(code, runner=runner)).actual == "oh\n"


HANGS = {
    "a loop": ("x = 0\nwhile True:\n    x += 1", (3, 4)),
    "a sleep": ("import time\ntime.sleep(60)", (3,)),
    "a lock": ("import threading\nthreading.Event().wait()", (3,)),
    "a loop in C that keeps the interpreter's lock": (
        "import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')",
        (3,),
    ),
    "a loop that catches everything": (
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass",
        (4, 5),
    ),
    "a child process": ("import subprocess\nsubprocess.run(['sleep', '60'])", (3,)),
    "an exit function": ("import atexit, time\natexit.register(lambda: time.sleep(60))", (3,)),
    "a thread that is never done": (
        "import threading, time\nthreading.Thread(target=lambda: time.sleep(60)).start()",
        (3,),
    ),
}


@pytest.mark.parametrize(("code", "lines"), HANGS.values(), ids=HANGS)
def test_a_page_that_hangs_has_one_problem_on_its_line(
    code: str, lines: tuple[int, ...], hasty: Runner
) -> None:
    problem = only(ran(code, runner=hasty))
    assert (problem.code, problem.message) == ("timeout", "still running after 0.5 s")
    assert problem.line in lines


def test_a_page_that_hangs_and_takes_no_signal_is_killed(hasty: Runner) -> None:
    code = """
        import signal
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        while True:
            pass
    """
    assert found(ran(code, runner=hasty)) == [(2, "timeout")]


def test_a_hang_in_a_function_names_the_line_where_it_hangs(hasty: Runner) -> None:
    verdict = ran("import time\ndef wait():\n    time.sleep(60)", "wait()", runner=hasty)
    assert (only(verdict).line, only(verdict).message) == (
        8,
        "still running after 0.5 s, in line 4",
    )


def test_too_much_memory_is_a_problem_on_its_line(runner: Runner) -> None:
    verdict = ran("hoard = []\nwhile True:\n    hoard.append(bytearray(2**20))", runner=runner)
    assert (found(verdict), only(verdict).message) == (
        [(4, "raised")],
        "the code raised MemoryError",
    )


def test_printing_without_end_is_one_problem_on_its_line(runner: Runner) -> None:
    verdict = ran("while True:\n    print('x' * 1000)", runner=runner)
    assert (found(verdict), only(verdict).message) == (
        [(3, "output-too-long")],
        "the page printed more than 1024 KiB",
    )


def test_a_page_that_has_printed_too_much_is_not_waited_for(runner: Runner) -> None:
    start = time.monotonic()
    verdict = ran("import time\nprint('x' * 2**21)\ntime.sleep(60)", runner=runner)
    assert found(verdict) == [(4, "output-too-long")]
    assert time.monotonic() - start < runner.settings.timeout / 2


def test_a_block_that_prints_too_much_and_ends_is_a_problem_too(runner: Runner) -> None:
    verdict = ran("print('fine')", "print('x' * 2**20)", "print('more')", runner=runner)
    assert found(verdict) == [(1, "output-missing"), (6, "output-too-long")]


def test_too_much_on_standard_error_is_a_problem(runner: Runner) -> None:
    verdict = ran("import sys\nprint('x' * 2**21, file=sys.stderr)", runner=runner)
    assert found(verdict) == [(2, "output-too-long")]


def test_a_file_that_grows_without_end_is_a_problem(runner: Runner) -> None:
    code = "with open('f', 'wb') as f:\n    while True:\n        f.write(bytes(2**20))"
    assert found(ran(code, runner=runner)) == [(4, "raised")]


def test_the_other_pages_are_still_judged(tmp_path: Path) -> None:
    page(tmp_path, blocks("import os\nos._exit(1)"), "a.md")
    page(tmp_path, blocks("while True: pass"), "b.md")
    page(tmp_path, blocks("1 / 0"), "c.md")
    page(tmp_path, blocks("print(2)") + "\n```text\n2\n```\n", "d.md")
    report = check_pages(Settings(root=tmp_path, timeout=0.5, jobs=2))
    assert [found(verdict) for verdict in report.verdicts] == [
        [(3, "crashed")],
        [(2, "timeout")],
        [(2, "raised")],
        [],
    ]


# ------------------------------------------------------------------- one page and the next


def test_what_a_page_does_to_itself_does_not_reach_the_next_page(runner: Runner) -> None:
    ran(
        """
        import builtins, json, os, random, sys, warnings
        os.chdir("/")
        os.environ["LESSON"] = "x"
        os.umask(0)
        random.seed(1)
        warnings.simplefilter("error")
        sys.path.append("nowhere")
        sys.setrecursionlimit(99)
        json.dumps = builtins.len = None
        left = open("/dev/null")
        """,
        runner=runner,
    )
    verdict = ran(
        """
        import builtins, json, os, sys
        print(os.listdir(), os.environ.get("LESSON"), "nowhere" in sys.path, "left" in globals())
        print(json.dumps is None, len([]), sys.getrecursionlimit(), os.umask(0) == 0)
        """,
        runner=runner,
    )
    assert printed(verdict) == ["[] None False False\nFalse 0 1000 False\n"]


@linux
def test_a_page_finds_no_file_of_another_page_or_of_the_checker_open(tmp_path: Path) -> None:
    code = "import os, time\ntime.sleep(0.2)\nprint(len(os.listdir('/proc/self/fd')))"
    for name in ("a.md", "b.md", "c.md"):
        page(tmp_path, blocks(code), name)
    report = check_pages(Settings(root=tmp_path, jobs=3))
    # its three streams, what is none, the report, two for what was printed, and the list itself
    assert [printed(verdict) for verdict in report.verdicts] == [["8\n"]] * 3


def test_a_page_sees_the_environment_without_what_would_change_its_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTHONOPTIMIZE", "PYTHONWARNINGS", "COLUMNS", "KEPT"):
        monkeypatch.setenv(name, "1")
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    code = """
        import os, sys
        names = ("PYTHONOPTIMIZE", "PYTHONWARNINGS", "COLUMNS", "KEPT", "PYTHONHASHSEED")
        print([os.environ.get(name) for name in names], sys.flags.utf8_mode)
    """
    assert printed(ran(code, runner=Runner(Settings(root=folder)))) == [
        "[None, None, None, '1', '0'] 1\n"
    ]


def test_the_hash_seed_of_the_caller_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    verdict = ran("import os\nprint(os.environ['PYTHONHASHSEED'])", runner=Runner(Settings(folder)))
    assert printed(verdict) == ["7\n"]


def test_a_module_beside_the_caller_shadows_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("1 / 0", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    verdict = ran("import json\nprint(json.dumps(1))", runner=Runner(Settings(root=folder)))
    assert printed(verdict) == ["1\n"]


def test_preloaded_modules_are_there_and_one_that_is_missing_is_no_problem(folder: Path) -> None:
    settings = Settings(root=folder, preload=("no_such_module", "fractions"))
    verdict = ran("import sys\nprint('fractions' in sys.modules)", runner=Runner(settings))
    assert printed(verdict) == ["True\n"]


def test_temporary_files_belong_to_the_page_whatever_is_preloaded(folder: Path) -> None:
    runner = Runner(Settings(root=folder, preload=("tempfile",)))
    code = "import os, tempfile\nprint(tempfile.gettempdir() == os.path.dirname(os.getcwd()))"
    assert printed(ran(code, runner=runner)) == ["True\n"]


def test_the_versions_are_those_that_the_pages_ran_on(folder: Path) -> None:
    runner = Runner(Settings(root=folder, versions=("pytest", "no-such-distribution")))
    ran("x = 1", runner=runner)
    assert runner.versions == {
        "Python": ".".join(map(str, sys.version_info[:3])),
        "pytest": pytest.__version__,
    }


def test_a_run_that_is_given_up_does_not_disturb_the_next_one(folder: Path) -> None:
    with Runner(Settings(root=folder, jobs=1)) as runner:
        first = judged(blocks("print(1)"), runner).page
        coming = runner.run([first, first])
        next(coming)
        assert printed(ran("print(2)", runner=runner)) == ["2\n"]


@linux
def test_pages_go_on_while_nobody_reads_what_they_have_printed(folder: Path) -> None:
    there = folder / "there"
    texts = "print('x' * 300_000)", f"open({str(there)!r}, 'w').close()"
    pages = [parse_page(blocks(text), folder / "page.md", Settings(folder)) for text in texts]
    with Runner(Settings(root=folder, jobs=1)) as runner:
        runner.submit(pages)
        until = time.monotonic() + 10
        while not there.exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert there.exists()
        assert len(list(runner.results())) == 2


# ------------------------------------------------------------------- where the files are


def a_place_in_memory(monkeypatch: pytest.MonkeyPatch, *, free: int, flags: int = 0) -> str | None:
    """Return where the files of a run go if the system's folder in memory is like that."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(os, "access", lambda *_: True)
    system = SimpleNamespace(f_bavail=free, f_frsize=1024, f_flag=flags)
    monkeypatch.setattr(os, "statvfs", lambda _: system)
    return run._in_memory()


def test_the_files_of_a_run_are_in_memory_if_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    assert a_place_in_memory(monkeypatch, free=1024**2) == "/dev/shm"  # noqa: S108


def test_a_small_folder_in_memory_is_not_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert a_place_in_memory(monkeypatch, free=1024**2 - 1) is None


@linux
def test_a_page_may_start_what_it_has_written(monkeypatch: pytest.MonkeyPatch) -> None:
    noexec = os.ST_NOEXEC | os.ST_NOSUID
    assert a_place_in_memory(monkeypatch, free=1024**3, flags=noexec) is None


def test_a_system_without_a_folder_in_memory_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert run._in_memory() is None


def test_whoever_says_where_temporary_files_belong_is_heard(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    verdict = ran("import os\nprint(os.getcwd())", runner=Runner(Settings(root=folder)))
    assert Path(printed(verdict)[0].strip()).is_relative_to(tmp_path)


# ------------------------------------------------------------------- without forking


@pytest.fixture(scope="module")
def spawning(folder: Path) -> Iterator[Runner]:
    runner = Runner(Settings(root=folder, timeout=2, memory=256))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "_FORK", False)
        runner.__enter__()  # only while it starts: the tests of a worker come in any order
    yield runner
    runner.__exit__()


def test_a_page_runs_the_same_in_an_interpreter_of_its_own(spawning: Runner) -> None:
    code = """
        import os, pickle, subprocess, sys

        class Note: ...

        print(type(pickle.loads(pickle.dumps(Note()))), __name__, os.listdir())
        subprocess.run(["echo", "in order"])
        print(repr(sys.stdin.read()), len(sys.argv), sys.argv[0] == __file__)
    """
    assert printed(ran(code, "print(Note.__module__)", runner=spawning)) == [
        "<class '__main__.Note'> __main__ []\nin order\n'' 1 True\n",
        "__main__\n",
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("\n1 / 0", (2, "raised")),
        ("import os\nos._exit(3)", (3, "crashed")),
        ("import os\nos.abort()", (3, "crashed")),
        ("import time\ntime.sleep(60)", (3, "timeout")),
        ("while True: print('x' * 9999)", (2, "output-too-long")),
    ],
    ids=["exception", "exit", "abort", "hang", "printing"],
)
def test_an_interpreter_of_its_own_tells_the_same_problems(
    code: str, expected: tuple[int, str], spawning: Runner
) -> None:
    assert found(ran(code, runner=spawning)) == [expected]


def test_multiprocessing_works_in_an_interpreter_of_its_own(spawning: Runner) -> None:
    code = """
        import multiprocessing

        def work(number):
            return number + 1

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(work, [1]))
    """
    assert printed(ran(code, runner=spawning)) == ["[2]\n"]


def test_files_without_a_name_need_no_help_of_linux(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    descriptor = process._nameless(folder)
    os.write(descriptor, b"written")
    assert os.pread(descriptor, 99, 0) == b"written"
    assert not (folder / "file").exists()
    os.close(descriptor)


# ------------------------------------------------------------------- nothing is left behind

STAYING = """
    import subprocess, sys, time
    subprocess.Popen(["sleep", "600"])
    subprocess.Popen(["sleep", "600"], start_new_session=True)
"""


def server_of(runner: Runner) -> run._Server:
    """Return the server of a runner, which begins with the first page."""
    path = page(runner.settings.root, blocks("x = 1"))
    runner.submit([read_page(path, runner.settings)])
    assert runner._server is not None
    return runner._server


def test_where_nothing_runs_there_is_no_server(folder: Path) -> None:
    with Runner(Settings(root=folder)) as runner:
        assert judged("A page without code.\n", runner).run is None
        assert runner._server is None


@linux
def test_no_process_and_no_file_is_left_of_a_page(tmp_path: Path) -> None:
    with Runner(Settings(root=tmp_path)) as runner:
        place = server_of(runner).folder
        ran(STAYING, "import os\nos.mkdir('x')\nos.chmod('x', 0)\nos.chmod('.', 0)", runner=runner)
    assert (list(processes_in(place)), place.exists()) == ([], False)


def test_what_a_page_has_locked_is_unlocked_to_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "page"
    (folder / "locked").mkdir(parents=True)
    tried = []

    def rmtree(folder: str, **how: Any) -> None:  # whoever is root meets no lock
        tried.append(folder)
        if "onerror" in how:
            (Path(folder) / "locked").chmod(0)
            Path(folder).chmod(0)
            how["onerror"](os.unlink, str(Path(folder) / "locked"), None)
            how["onerror"](os.unlink, str(Path(folder) / "gone"), None)

    monkeypatch.setattr(shutil, "rmtree", rmtree)
    process.remove(str(folder))
    assert [each.stat().st_mode & 0o777 for each in (folder, folder / "locked")] == [0o700, 0o700]
    assert tried == [str(folder)] * 2


def left_by(folder: Path) -> tuple[list[int], list[Path]]:
    """Return what is there of the runs in a folder, once that has settled."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        left = list(processes_in(folder)), list(folder.glob("lesson-checker-*"))
        if left == ([], []):
            break
        time.sleep(0.05)
    return left


def start_a_hang(tmp_path: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a check of two pages that hang; return when they do."""
    place = tmp_path / "temporary"
    place.mkdir()
    pages = tmp_path / "pages"
    page(pages, blocks(STAYING, "while True: pass"), "a.md")
    page(pages, blocks(STAYING, "time.sleep(600)"), "b.md")
    checker = subprocess.Popen(
        [sys.executable, "-m", "lesson_checker", "check"],
        cwd=pages,
        env=os.environ | {"TMPDIR": str(place)},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + 20
    # the server, two pages, four children of theirs
    while time.monotonic() < until and len(list(processes_in(place / "lesson-checker-"))) < 7:
        time.sleep(0.02)
    return checker, place


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_the_checker_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    checker, place = start_a_hang(tmp_path)
    checker.send_signal(number)
    expected = 130 if number == signal.SIGINT else -number
    assert checker.wait(10) == expected
    assert left_by(place / "lesson-checker-")[0] == []
    assert left_by(place) == ([], [])


@linux
def test_nothing_is_left_when_the_whole_group_of_the_checker_is_killed(tmp_path: Path) -> None:
    checker, place = start_a_hang(tmp_path)
    os.killpg(checker.pid, signal.SIGKILL)
    checker.wait(10)
    assert left_by(place / "lesson-checker-")[0] == []
    assert left_by(place) == ([], [])


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_the_server_is_killed(number: signal.Signals, folder: Path) -> None:
    with Runner(Settings(root=folder)) as runner:
        server = server_of(runner)
        code = (
            f"{STAYING}\n    import os\n    os.kill(os.getppid(), {number:d})\n    time.sleep(60)"
        )
        status = 143 if number == signal.SIGTERM else -9
        with pytest.raises(RuntimeError, match=f"died: exit status {status}"):
            ran(code, runner=runner)
    assert (list(processes_in(server.folder)), server.folder.exists()) == ([], False)


def test_a_server_that_cannot_start_is_an_error(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_START", "raise SystemExit(9)")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(RuntimeError, match="died: exit status 9"):
        ran("x = 1", runner=Runner(Settings(root=folder)))
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_dies_before_it_is_told_anything_leaves_no_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dead(subprocess.Popen[bytes]):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[call-overload]
            self.wait()

    monkeypatch.setattr(run, "_START", "raise SystemExit(9)")
    monkeypatch.setattr(run.subprocess, "Popen", Dead)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(RuntimeError, match="died: exit status 9"):
        ran("x = 1", runner=Runner(Settings(root=folder)))
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_gone_before_the_next_page_is_an_error(folder: Path) -> None:
    with Runner(Settings(root=folder)) as runner:
        server = server_of(runner)
        server.process.kill()
        server.process.wait()
        with pytest.raises(RuntimeError, match="died: exit status -9"):
            ran("x = 1", runner=runner)
    runner.__exit__()  # once more does no harm


def test_a_server_that_dies_in_the_middle_of_a_message_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_START", "print('Python\\t3\\n0 0 - 9 0 0\\nhalf', end='')")
    with pytest.raises(RuntimeError, match="died: exit status 0"):
        ran("x = 1", runner=Runner(Settings(root=folder)))


def test_a_server_that_does_not_end_is_killed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_START", "import time; time.sleep(60)")
    monkeypatch.setattr(run, "_PATIENCE", 0.1)
    with Runner(Settings(root=folder)) as runner:
        server = server_of(runner)
    assert (server.process.returncode, server.folder.exists()) == (-9, False)
