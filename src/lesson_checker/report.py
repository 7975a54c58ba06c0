"""Say what a check found: to people, to other programs, and on the lines of a pull request."""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict

from lesson_checker.checks import Report
from lesson_checker.problems import Problem
from lesson_checker.settings import Settings

_INVISIBLE = str.maketrans({" ": "·", "\t": "→", "\u00a0": "⍽", "\u202f": "⍽", "\u200b": "␣"})


def format_text(problems: Sequence[Problem], settings: Settings) -> str:
    """Return the problems for people: place, sentence, diff, and how to mend each."""
    return "\n".join(_text(problem, settings) for problem in problems)


def format_json(problems: Sequence[Problem], settings: Settings) -> str:
    """Return the problems as a JSON array, an object for each."""
    rows = [asdict(each) | {"path": settings.relative(each.path).as_posix()} for each in problems]
    return json.dumps(rows, ensure_ascii=False, indent=2)


def format_github(problems: Sequence[Problem], settings: Settings) -> str:
    """Return the problems as workflow commands, which GitHub shows on the lines of the page."""
    return "\n".join(
        f"::{each.severity} file={_property(settings.relative(each.path).as_posix())},"
        f"line={each.line},title={_property(each.code)}::{_data(_body(each))}"
        for each in problems
    )


FORMATS = {"text": format_text, "json": format_json, "github": format_github}


def summary(report: Report) -> str:
    """Return one line that says what was checked and what came of it."""
    problems = len(report.problems)
    return (
        f"{_counted(len(report.verdicts), 'page')}, "
        f"{_counted(report.verified, 'block')} verified, {_counted(problems, 'problem')}"
    )


def diff(expected: str, actual: str, *, old: str = "page", new: str = "run") -> str:
    """Return a unified diff; invisible characters are shown where they are all that differs."""
    if _visible(expected) == _visible(actual):
        expected, actual = expected.translate(_INVISIBLE), actual.translate(_INVISIBLE)
        if unicodedata.normalize("NFC", expected) == unicodedata.normalize("NFC", actual):
            expected, actual = ascii(expected)[1:-1], ascii(actual)[1:-1]
            expected, actual = (text.replace("\\n", "\n") for text in (expected, actual))
    lines = difflib.unified_diff(
        expected.split("\n") if expected else [],
        actual.split("\n") if actual else [],
        old,
        new,
        lineterm="",
    )
    return "\n".join(lines)


def _text(problem: Problem, settings: Settings) -> str:
    kind = "" if problem.severity == "error" else f"{problem.severity}: "
    place = f"{settings.relative(problem.path).as_posix()}:{problem.line}"
    return f"{place}: {kind}{problem.code}: {_body(problem)}"


def _body(problem: Problem) -> str:
    parts = [problem.message]
    if problem.code == "raised":
        parts.append(_indented(problem.actual.rstrip("\n")))
    elif problem.expected or problem.actual:
        new = "twin" if problem.code.startswith("twin") else "run"
        parts.append(_indented(diff(problem.expected, problem.actual, new=new)))
    if problem.remedy:
        parts.append(f"  to mend it: {problem.remedy}")
    return "\n".join(parts)


def _visible(text: str) -> str:
    """Return what is left of ``text`` for the eye, white space taken away."""
    return "".join(unicodedata.normalize("NFC", text).replace("\u200b", "").split())


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip(" ") for line in text.split("\n"))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
