"""What is read from the files that a page's process leaves, however it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pages import blocks

from lesson_checker.jobs import PageRun, Remains
from lesson_checker.page import parse_page
from lesson_checker.process import LARGEST_OUTPUT
from lesson_checker.remains import page_run
from lesson_checker.settings import Settings

SETTINGS = Settings(root=Path("/project"))
PAGE = parse_page(blocks("first", "second"), SETTINGS.root / "page.md", SETTINGS)
ERROR = {"names": ["OSError"], "last_line": "OSError", "traceback": "OSError", "line": 7}


def mark(out: int = 0, err: int = 0, **told: Any) -> str:
    nothing = {"error": None, "rewritten": None, "bound": [], "plots": []}
    return json.dumps(nothing | told | {"out": out, "err": err}) + "\n"


def read(*report: str, out: bytes = b"", err: bytes = b"", code: int = 0, cut: str = "") -> PageRun:
    return page_run(PAGE, 2.5, Remains(0, code, cut, out, err, "".join(report).encode()))


def death(*report: str, **remains: Any) -> tuple[str, str, int]:
    dead = read(*report, **remains)["death"]
    assert dead is not None
    return dead["code"], dead["message"], dead["line"]


def test_what_was_printed_is_split_where_the_marks_say() -> None:
    run = read(mark(3, 1), mark(5, 2), out=b"one\xc3\xb1", err=b"ab")
    assert [(each["stdout"], each["stderr"]) for each in run["outcomes"]] == [
        ("one", "a"),
        ("ñ", "b"),
    ]
    assert run["death"] is None


def test_a_page_that_stops_at_an_exception_has_not_died() -> None:
    run = read(mark(error=ERROR))
    assert (len(run["outcomes"]), run["death"]) == (1, None)


def test_a_page_dies_in_the_first_block_without_a_mark() -> None:
    assert death(mark(), code=3) == ("crashed", "the process ended itself with exit status 3", 6)


def test_what_was_said_after_the_last_mark_is_told_with_the_death_but_not_without_end() -> None:
    run = read(mark(0, 2), err=b"ab" + b"c" * 9999)
    assert run["death"] is not None
    assert run["death"]["stderr"] == "c" * 4096


@pytest.mark.parametrize("stream", ["out", "err"])
def test_more_than_the_limit_is_too_much_on_either_stream(stream: str) -> None:
    end = mark(**{stream: LARGEST_OUTPUT + 1})
    too_much = {stream: b"x" * (LARGEST_OUTPUT + 1)}
    message = "the page printed more than 1024 KiB"
    assert death(mark(), end, **too_much) == ("output-too-long", message, 6)


def test_as_much_as_the_limit_is_not_too_much() -> None:
    run = read(mark(), mark(LARGEST_OUTPUT), out=b"x" * LARGEST_OUTPUT)
    assert run["death"] is None


def test_a_page_that_came_to_the_largest_file_before_it_was_ended_has_the_line_of_that() -> None:
    too_much = b"x" * (LARGEST_OUTPUT + 1)
    end = mark(LARGEST_OUTPUT + 1, error=ERROR)
    assert death(mark(), end, out=too_much) == (
        "output-too-long",
        "the page printed more than 1024 KiB",
        7,
    )


def test_a_line_that_is_not_known_is_that_of_the_block() -> None:
    too_much = b"x" * (LARGEST_OUTPUT + 1)
    end = mark(LARGEST_OUTPUT + 1, error=ERROR | {"line": None})
    assert death(mark(), end, out=too_much)[2] == 6


STACK = """Fatal Python error: Aborted

Thread 0x01 (most recent call first):
  File "/lib/threading.py", line 5 in wait
  File "page.md", line 99 in work

Current thread 0x02 (most recent call first):
  File "/lib/time.py", line 3 in sleep
  File "page.md", line 4 in wait
  File "page.md", line 8 in <module>
"""


def test_a_stack_tells_where_the_page_called_what_hangs_and_where_that_is() -> None:
    assert death(STACK, cut="timeout") == ("timeout", "still running after 2.5 s, in line 4", 8)
    assert death(STACK, code=-6) == ("crashed", "Python died: Aborted, in line 4", 8)


def test_a_stack_of_a_main_thread_that_waits_tells_where_the_other_one_is() -> None:
    waiting = STACK.replace('"page.md", line 4', '"a", line 4').replace('"page.md", line 8', '"a"')
    assert death(waiting, code=-6)[2] == 99


def test_a_page_that_was_killed_is_told_by_what() -> None:
    assert death(code=-9) == ("crashed", "the process was killed by SIGKILL", 2)
