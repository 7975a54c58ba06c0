"""What a page's process takes over from the server that forks it, and what it does not."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from pages import blocks, found, only, printed, ran

from lesson_checker.checks import judge
from lesson_checker.page import parse_page
from lesson_checker.run import Runner
from lesson_checker.settings import Settings


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Runner(Settings(root=tmp_path_factory.mktemp("pages"))) as runner:
        yield runner


def test_what_a_stream_of_the_page_holds_back_belongs_to_the_block_that_printed_it(
    runner: Runner,
) -> None:
    replace = "import sys\nsys.stdout = open(1, 'w', closefd=False)\nprint('first')"
    verdict = ran(replace, "print('second')", runner=runner)
    assert printed(verdict) == ["first\n", "second\n"]


def test_a_page_may_put_anything_in_the_place_of_a_stream(runner: Runner) -> None:
    verdict = ran(
        "import sys\nsys.stdout = None\nprint('lost')",
        "sys.stdout = sys.__stdout__\nprint('found')",
        runner=runner,
    )
    assert printed(verdict) == ["", "found\n"]


def test_what_the_checker_can_not_do_for_a_page_is_told(runner: Runner) -> None:
    path = runner.settings.root / f"{'x' * 300}.md"
    page = parse_page(blocks("print(1)"), path, runner.settings)
    (verdict,) = judge([page], runner.settings, runner)
    assert found(verdict) == [(2, "crashed")]
    assert only(verdict).message == "the process ended itself with exit status 70"
    assert only(verdict).actual.startswith("lesson-checker: OSError(")


@pytest.mark.parametrize("end", ["os._exit(0)", "os.abort()"])
def test_how_a_process_that_the_page_forked_ends_says_nothing_about_the_page(
    end: str, runner: Runner
) -> None:
    code = f"import os\nif not os.fork():\n    {end}\nos.wait()\nos.kill(os.getpid(), 9)"
    verdict = ran(code, runner=runner)
    assert found(verdict) == [(2, "crashed")]
    assert only(verdict).message == "the process was killed by SIGKILL"


def test_signals_do_in_a_page_what_they_do_in_a_script(runner: Runner) -> None:
    ask = """
        import signal
        for name in ("SIGCHLD", "SIGINT", "SIGTERM"):
            handler = signal.getsignal(getattr(signal, name))
            print(getattr(handler, "name", handler is signal.default_int_handler))
    """
    assert printed(ran(ask, runner=runner)) == ["SIG_DFL\nTrue\nSIG_DFL\n"]


@pytest.mark.skipif(
    any(name.startswith("COVERAGE_") for name in os.environ), reason="what measures has threads"
)
def test_a_page_without_threads_finds_threading_as_a_script_does(runner: Runner) -> None:
    ask = "import sys\nprint('threading' in sys.modules)"
    start = "import threading\nprint(threading.current_thread() is threading.main_thread())"
    verdict = ran(ask, start, runner=runner)
    assert printed(verdict) == ["False\n", "True\n"]


def test_streams_are_named_and_encoded_like_those_of_a_script(runner: Runner) -> None:
    ask = (
        "import sys\nfor s in (sys.stdout, sys.stderr): print(s.name, s.encoding, s.errors, s.mode)"
    )
    verdict = ran(ask, runner=runner)
    assert printed(verdict) == [
        "<stdout> utf-8 strict w\n<stderr> utf-8 backslashreplace w\n",
    ]
    assert [code for _, code in found(verdict)] == ["output-missing"]
