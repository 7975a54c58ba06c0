"""Write a page so that nothing is ever lost."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_text(path: Path, old: str, new: str) -> None:
    """Put ``new`` in the place of ``old``, the whole content of the file at ``path``, at once.

    Whoever reads the file meanwhile finds one or the other. A link stays a link, and the file
    keeps its permissions.

    Raises:
        ValueError: The file is no longer what it was when it was read.
    """
    target = path.resolve()
    if target.read_bytes() != old.encode("utf-8"):
        raise ValueError(f"{path} was changed by somebody else meanwhile; nothing was written")
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(target.stat().st_mode & 0o7777)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
