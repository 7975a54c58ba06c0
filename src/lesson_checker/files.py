"""Write a page so that nothing is ever lost."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def replace_text(path: Path, old: str, new: str) -> None:
    """Put ``new`` in the place of ``old``, the whole content of the file at ``path``, at once.

    Whoever reads the file meanwhile finds one or the other, even if this process is killed: then
    a hidden file may be left beside it, which no Markdown tool takes for a page. A link stays a
    link, and the file keeps its permissions and its owner.

    Raises:
        ValueError: The file is no longer what it was when it was read.
        OSError: The file can't be written.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        before = target.stat()
        with contextlib.suppress(PermissionError):  # somebody else's file, in a common folder
            os.chown(name, before.st_uid, before.st_gid)
        Path(name).chmod(before.st_mode & 0o7777)
        if target.read_bytes() != old.encode("utf-8"):
            raise ValueError(f"{path} was changed by somebody else meanwhile; it was left alone")
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
