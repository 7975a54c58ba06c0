"""One finding about a page: where, what is wrong, what was expected, how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding.

    Attributes:
        path: The page that has to be mended.
        line: The line of the page, counted from 1.
        code: What kind of finding, such as ``output-differs``; the docs explain each.
        message: What is wrong, in one sentence.
        expected: What the page says, if that can be shown.
        actual: What the run printed (or the twin says), if that can be shown.
        remedy: How to mend it; often a command.
        severity: An error fails a check; a warning only fails a strict one.
    """

    path: Path
    line: int
    code: str
    message: str
    expected: str = ""
    actual: str = ""
    remedy: str = ""
    severity: Severity = "error"
