"""Templates, compiled once and not at every build."""

from __future__ import annotations

from jinja2 import FileSystemBytecodeCache


def compiled_templates() -> FileSystemBytecodeCache | None:
    """Return where compiled templates are kept, None if this machine has no place for them.

    A template that has changed since is compiled anew: its source is part of the name.
    """
    try:
        return FileSystemBytecodeCache()
    except RuntimeError:  # the folder for temporary files is nobody's own
        return None
