"""The command: exit codes, what is written where, and nothing more than that."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from pages import blocks, page

from lesson_checker import cli
from lesson_checker.cli import main
from lesson_checker.files import replace_text

TRUE = "```python\nprint(1)\n```\n\n```text\n1\n```\n"
STALE = TRUE.replace("text\n1", "text\n2")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", "lesson_checker", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        **options,
    )


# ------------------------------------------------------------------------------------- check


def test_true_pages_exit_with_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page(folder, TRUE)
    assert (main(["check"]), capsys.readouterr()) == (
        0,
        ("1 page, 1 block verified, 0 problems\n", ""),
    )


def test_problems_exit_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page(folder, STALE)
    assert main(["check"]) == 1
    assert capsys.readouterr().out.split("\n")[-2] == "1 page, 0 blocks verified, 1 problem"


def test_warnings_exit_with_1_only_if_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, "# A\n", "en/page.md")
    page(folder, "# A\n", "es/page.md")
    assert (main(["check"]), main(["check", "--strict"])) == (0, 1)
    assert "warning: twin-behind" in capsys.readouterr().out


def test_a_page_that_was_confirmed_is_no_longer_behind(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, "# A\n", "en/page.md")
    page(folder, "# A\n", "es/page.md")
    assert (main(["confirm", "en", "es"]), main(["confirm", "en"])) == (0, 0)
    assert capsys.readouterr().out == (
        "confirmed en/page.md\nconfirmed es/page.md\nen/page.md was confirmed already\n"
    )
    assert main(["check", "--strict"]) == 0


def test_a_page_without_a_twin_cannot_be_confirmed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, "# A\n", "en/page.md")
    (folder / "es").mkdir()
    assert main(["confirm", "en"]) == 2
    assert capsys.readouterr().err == (
        "lesson-checker: en/page.md has no twin to be in line with\n"
    )


def test_json_is_one_array_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, TRUE)
    assert main(["check", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    page(folder, STALE, "stale.md")
    assert main(["check", "--format", "json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)
    assert (problem["path"], problem["line"], problem["code"]) == ("stale.md", 6, "output-differs")


def test_github_gets_a_line_for_each_problem_and_the_summary(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, STALE)
    assert main(["check", "--format", "github"]) == 1
    first, *rest = capsys.readouterr().out.split("\n")
    assert first.startswith("::error file=page.md,line=6,title=output-differs::the block in line 1")
    assert rest == ["1 page, 0 blocks verified, 1 problem", ""]


# ------------------------------------------------------------------------------------- usage


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["chek"], "invalid choice: 'chek'"),
        (["check", "--format", "xml"], "invalid choice: 'xml'"),
        (["confirm"], "the following arguments are required: PATH"),
    ],
)
def test_bad_usage_exits_with_2_and_says_why(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert (ended.value.code, sentence in capsys.readouterr().err) == (2, True)


def test_a_path_that_is_not_there_exits_with_2_and_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "nowhere.md"]) == 2
    assert capsys.readouterr().err == "lesson-checker: nowhere.md does not exist\n"


def test_an_unknown_setting_exits_with_2_and_says_which(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pyproject.toml").write_text("[tool.lesson-checker]\ntimeuot = 3\n", "utf-8")
    assert main(["check"]) == 2
    assert "timeuot: no such setting" in capsys.readouterr().err


def test_the_settings_are_those_of_the_pages(folder: Path) -> None:
    page(folder / "project", TRUE)
    (folder / "project" / "pyproject.toml").write_text("[tool.lesson-checker]\nx = 3\n", "utf-8")
    assert main(["check", "project/page.md"]) == 2
    (folder / "project" / "pyproject.toml").write_text("[tool.lesson-checker]\n", "utf-8")
    assert main(["check", "project/page.md"]) == 0


def test_without_settings_the_twin_is_found_from_the_folder_we_are_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, TRUE, "en/page.md")
    (folder / "es").mkdir()
    assert main(["check", "en/page.md"]) == 1
    assert capsys.readouterr().out.startswith("en/page.md:1: twin-missing")


def test_output_may_go_to_any_stream(folder: Path) -> None:
    page(folder, TRUE)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        main(["check"])
    assert out.getvalue() == "1 page, 1 block verified, 0 problems\n"


def test_a_server_that_dies_exits_with_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, TRUE)
    monkeypatch.setattr("lesson_checker.run._START", "raise SystemExit(9)")
    assert main(["check"]) == 2
    assert capsys.readouterr().err == (
        "lesson-checker: the process that runs the pages died: exit status 9\n"
    )


def test_the_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, version("retrieval-lessons") + "\n")


def test_the_module_is_the_command(folder: Path) -> None:
    page(folder, STALE)
    run = command("check")
    assert (run.returncode, run.stdout.split("\n")[-2]) == (
        1,
        "1 page, 0 blocks verified, 1 problem",
    )


def test_a_reader_that_has_seen_enough_is_no_error(folder: Path) -> None:
    for number in range(3):
        page(folder, blocks("print('x' * 1000)"), f"page{number}.md")
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [sys.executable, "-m", "lesson_checker", "check"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (1, b"")


def test_what_the_terminal_cannot_show_is_escaped(folder: Path) -> None:
    page(folder, STALE.replace("2", "ñ"))
    run = command("check", env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (run.returncode, "-\\xf1" in run.stdout) == (1, True)


# ------------------------------------------------------------------------------------- update


def test_an_update_writes_what_is_stale_and_names_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = page(folder, STALE, "stale.md")
    true = page(folder, TRUE, "true.md")
    before = true.stat()
    assert main(["update"]) == 0
    assert (stale.read_text("utf-8"), true.stat()) == (TRUE, before)
    assert capsys.readouterr().out == "updated stale.md\n2 pages, 2 blocks verified, 0 problems\n"


def test_an_update_reports_what_it_cannot_mend(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = page(folder, STALE + "\n" + blocks("1 / 0"))
    page(folder, STALE, "stale.md")
    assert main(["update"]) == 1
    assert path.read_text("utf-8") == STALE + "\n" + blocks("1 / 0")
    out = capsys.readouterr().out
    assert ("updated stale.md\n" in out, "page.md:10: raised" in out) == (True, True)


def test_an_update_that_does_not_last_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, blocks("import time\nprint(time.monotonic_ns())"))
    assert main(["update"]) == 1
    assert "output-differs" in capsys.readouterr().out


def test_a_dry_run_shows_the_difference_and_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = page(folder, STALE)
    assert main(["update", "--dry-run"]) == 0
    assert path.read_text("utf-8") == STALE
    assert capsys.readouterr().out == (
        "--- page.md\n+++ page.md (run)\n@@ -3,6 +3,6 @@\n ```\n \n ```text\n-2\n+1\n ```\n \n"
        "1 page, 0 blocks verified, 0 problems\n"
    )


def test_a_dry_run_exits_with_1_if_something_would_be_left(folder: Path) -> None:
    page(folder, STALE + "\n" + blocks("1 / 0"))
    assert main(["update", "--dry-run"]) == 1


def test_a_page_that_changed_meanwhile_is_refused_and_the_others_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = page(folder, STALE, "a.md")
    stale = page(folder, STALE, "b.md")

    def meanwhile(path: Path, old: str, new: str) -> None:
        if path == changed:
            path.write_text(TRUE, "utf-8")
        replace_text(path, old, new)

    monkeypatch.setattr(cli, "replace_text", meanwhile)
    assert main(["update"]) == 1
    assert (changed.read_text("utf-8"), stale.read_text("utf-8")) == (TRUE, TRUE)
    assert "a.md was changed by somebody else meanwhile" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page(folder, STALE)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "page.md")

    monkeypatch.setattr(cli, "replace_text", refuse)
    assert main(["update"]) == 1
    assert capsys.readouterr().err == ("lesson-checker: [Errno 13] Permission denied: 'page.md'\n")


# ------------------------------------------------------------------------------------- progress


def on_a_terminal(*arguments: str) -> bytes:
    """Return what the command writes to a terminal that its standard error is."""
    terminal, other = pty.openpty()
    checker = subprocess.Popen(
        [sys.executable, "-m", "lesson_checker", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=other,
    )
    os.close(other)
    written = b""
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        written += data
    os.close(terminal)
    checker.wait()
    return written


SLOW = blocks("import time\ntime.sleep(1.3)")


def test_a_long_run_says_on_a_terminal_how_far_it_is_and_leaves_no_trace(folder: Path) -> None:
    page(folder, SLOW)
    first, *_, last = on_a_terminal("check").split(b"\r\x1b[K")[1:]
    assert (first, last) == (b"0 of 1 pages", b"")


def test_a_short_run_says_nothing_on_a_terminal(folder: Path) -> None:
    page(folder, TRUE)
    assert on_a_terminal("check") == b""


def test_a_long_run_says_nothing_in_a_pipe(folder: Path) -> None:
    page(folder, SLOW)
    run = command("check")
    assert (run.stdout, run.stderr) == ("1 page, 1 block verified, 0 problems\n", "")
