"""Writing: a page is never lost, half written or overwritten unseen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lesson_checker import files
from lesson_checker.files import replace_text
from lesson_checker.settings import Settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_bytes("ñ\r\nold\n".encode())
    return path


def test_the_new_text_takes_the_place_of_the_old_one(path: Path) -> None:
    replace_text(path, "ñ\r\nold\n", "ñ\r\nnew\n")
    assert path.read_bytes() == "ñ\r\nnew\n".encode()


def test_nothing_else_is_left_in_the_folder(path: Path) -> None:
    replace_text(path, "ñ\r\nold\n", "new")
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_the_permissions_stay(mode: int, path: Path) -> None:
    path.chmod(mode)
    replace_text(path, "ñ\r\nold\n", "new")
    assert path.stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a file away")
def test_the_owner_stays(path: Path) -> None:
    os.chown(path, 1234, 4321)
    replace_text(path, "ñ\r\nold\n", "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


def test_a_file_of_somebody_else_is_written_as_ones_own(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chown", refuse)
    replace_text(path, "ñ\r\nold\n", "new")
    assert path.read_bytes() == b"new"


def test_a_link_stays_a_link(path: Path) -> None:
    link = path.parent / "folder" / "link.md"
    link.parent.mkdir()
    link.symlink_to("../page.md")
    replace_text(link, "ñ\r\nold\n", "new")
    assert (link.is_symlink(), path.read_bytes()) == (True, b"new")


def test_a_file_that_changed_meanwhile_is_left_alone(path: Path) -> None:
    with pytest.raises(ValueError, match=r"page\.md was changed by somebody else meanwhile"):
        replace_text(path, "something else", "new")
    assert path.read_bytes() == "ñ\r\nold\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_is_gone_is_an_error_and_leaves_nothing(path: Path) -> None:
    path.unlink()
    with pytest.raises(FileNotFoundError):
        replace_text(path, "ñ\r\nold\n", "new")
    assert list(path.parent.iterdir()) == []


# the calls of replace_text that change something outside of this process
STEPS = ("tempfile.mkstemp", "os.fdopen", "os.fsync", "os.chown", "Path.chmod", "Path.replace")
KILLED = """
import os, signal, sys, tempfile
from pathlib import Path
from lesson_checker.files import replace_text

owner, name = sys.argv[2].split(".")
owner = {"os": os, "tempfile": tempfile, "Path": Path}[owner]
step = getattr(owner, name)

def killed(*arguments, **options):
    if sys.argv[3] == "after":
        step(*arguments, **options)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(owner, name, killed)
replace_text(Path(sys.argv[1]), "ñ\\r\\nold\\n", "new")
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_point_no_page_is_lost_or_half_written(
    step: str, when: str, path: Path
) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, path, step, when], check=False)
    assert killed.returncode == -signal.SIGKILL
    expected = b"new" if (step, when) == ("Path.replace", "after") else "ñ\r\nold\n".encode()
    assert path.read_bytes() == expected
    # what may be left is no page
    assert Settings(root=path.parent).pages() == [path]


def test_the_whole_text_is_on_the_disk_before_it_takes_the_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []
    monkeypatch.setattr(files.os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    replace_text(path, "ñ\r\nold\n", "new")
    assert synced == [len("new")]


def test_an_interruption_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_text(path, "ñ\r\nold\n", "new")
    assert list(path.parent.iterdir()) == [path]
