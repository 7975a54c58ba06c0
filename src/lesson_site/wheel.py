"""The package that the lessons import, as a file that readers can install."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory


@cache
def build_wheel(root: Path) -> tuple[str, bytes]:
    """Return the file name and the content of the wheel of the project at ``root``.

    The build backend is called directly, with what is installed already: the network is not
    needed. The same sources give the same bytes. It is built once per process.

    Raises:
        RuntimeError: The backend failed; its last words are in the message.
    """
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        run = subprocess.run(  # noqa: S603 - nothing in it comes from outside
            command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False
        )
        if run.returncode:
            raise RuntimeError(f"the wheel can't be built:\n{run.stderr.strip()}")
        (wheel,) = Path(folder).glob("*.whl")
        return wheel.name, wheel.read_bytes()
