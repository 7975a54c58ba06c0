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

# what is shown is a text and not a difference
_TEXTS = ("raised", "timeout", "crashed", "output-too-long")
_BLANKS = {" ": "·", "\t": "→", "\u00a0": "⍽", "\u202f": "⍽", "\u200b": "␣", "\ufeff": "␣"}
# a terminal must not obey what a page printed
_CONTROLS = {chr(code): chr(0x2400 + code) for code in range(32) if code not in (9, 10)}
_MARKS = str.maketrans(_BLANKS | _CONTROLS)
_SAFE = str.maketrans(_CONTROLS)
_NOTES = 3


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
    errors = sum(problem.severity == "error" for problem in report.problems)
    warnings = len(report.problems) - errors
    counts = [
        _counted(len(report.verdicts), "page"),
        f"{_counted(report.verified, 'block')} verified",
        _counted(errors, "problem"),
    ]
    return ", ".join([*counts, _counted(warnings, "warning")] if warnings else counts)


def diff(expected: str, actual: str, *, old: str = "page", new: str = "run") -> str:
    """Return a unified diff.

    Where two lines look the same, their blanks are marked and the characters that differ are
    named below; elsewhere blanks are marked at the end of a line.
    """
    header: list[str] = []
    lines: list[str] = []
    changed: list[str] = []
    notes: list[str] = []
    for line in _unified(expected, actual, old, new):
        if len(header) < 2:
            header.append(line)
        elif line[0] in "-+":
            changed.append(line)
        else:
            lines += _marked(changed, notes, old, new)
            lines.append(line.translate(_SAFE))
            changed = []
    lines += _marked(changed, notes, old, new)
    unique = list(dict.fromkeys(notes))
    return "\n".join([*header, *lines, *unique[:_NOTES]])


def _unified(expected: str, actual: str, old: str, new: str) -> list[str]:
    before, after = (text.split("\n") if text else [] for text in (expected, actual))
    return list(difflib.unified_diff(before, after, old, new, lineterm=""))


def _marked(changed: list[str], notes: list[str], old: str, new: str) -> list[str]:
    """Return changed lines with marks where they are needed, and add to the notes."""
    removed = [line[1:] for line in changed if line[0] == "-"]
    added = [line[1:] for line in changed if line[0] == "+"]
    for place, (one, other) in enumerate(zip(removed, added, strict=False)):
        if _visible(one) == _visible(other):
            notes.append(_difference(one, other, old, new))
            removed[place], added[place] = one.translate(_MARKS), other.translate(_MARKS)
    return [f"-{_ended(line)}" for line in removed] + [f"+{_ended(line)}" for line in added]


def _ended(line: str) -> str:
    """Return a line with marks for the blanks at its end."""
    text = line.rstrip()
    return text.translate(_SAFE) + line[len(text) :].translate(_MARKS)


def _visible(text: str) -> str:
    """Return what is left of ``text`` for the eye: no white space, accents in one form."""
    return "".join(
        character
        for character in unicodedata.normalize("NFC", text)
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc")
    )


def _difference(one: str, other: str, old: str, new: str) -> str:
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    _, i, j, k, m = next(code for code in matcher.get_opcodes() if code[0] != "equal")
    return f"({old}: {_named(one[i:j])}; {new}: {_named(other[k:m])})"


def _named(characters: str) -> str:
    if not characters:
        return "nothing there"
    names = [
        f"U+{ord(each):04X} {unicodedata.name(each, 'a control character')}"
        for each in characters[:_NOTES]
    ]
    return ", ".join(names) + (" …" if len(characters) > _NOTES else "")


def _text(problem: Problem, settings: Settings) -> str:
    kind = "" if problem.severity == "error" else f"{problem.severity}: "
    place = f"{settings.relative(problem.path).as_posix()}:{problem.line}"
    return f"{place}: {kind}{problem.code}: {_body(problem)}"


def _body(problem: Problem) -> str:
    parts = [problem.message.translate(_SAFE)]
    if problem.code in _TEXTS:
        if problem.actual:
            parts.append(_indented(problem.actual.rstrip("\n").translate(_SAFE)))
    elif problem.expected or problem.actual:
        # where the other text comes from: the twin, the built site, or else the run
        new = problem.code.split("-")[0] if problem.code.startswith(("twin-", "site-")) else "run"
        parts.append(_indented(diff(problem.expected, problem.actual, new=new)))
    if problem.remedy:
        parts.append(f"  to mend it: {problem.remedy}")
    return "\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip(" ") for line in text.split("\n"))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
