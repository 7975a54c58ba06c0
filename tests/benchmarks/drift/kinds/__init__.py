"""Every kind of fault and edit, in the order of the table."""

from __future__ import annotations

from importlib import import_module

from drift.planting import KINDS

__all__ = ["KINDS"]

ORDER = ("parsing", "outputs", "code", "numbers", "claims", "structure", "words", "edits")
for module in ORDER:  # to import a module is to register its kinds
    import_module(f"{__name__}.{module}")
