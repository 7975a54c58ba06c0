"""When a page was last brought in line with its twin: the ``twin:`` line of its front matter."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

from lesson_checker.fences import end_of_front_matter
from lesson_checker.page import Page
from lesson_checker.problems import Problem
from lesson_checker.prose import prose_of

_TWIN = re.compile(r"(?m)^twin:[ \t]*[\"']?(?P<digest>[\w-]*)[\"']?[ \t]*\r?$")


def digest_of(page: Page) -> str:
    """Return a fingerprint of a page's prose.

    Numbers are masked, since they are compared one by one; how the lines are broken, and what is in
    blocks and comments, makes no difference.
    """
    words = re.sub(r"\d+(?:[.,]\d+)*", "0", prose_of(page).with_code).split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:12]


def recorded_digest(page: Page) -> tuple[str | None, int]:
    """Return the digest that the front matter holds, and the line that it is or belongs in."""
    lines = page.text.split("\n")
    until = end_of_front_matter(lines)
    match = _TWIN.search("\n".join(lines[:until]))
    if match is None:
        return None, 1
    return match["digest"], page.text.count("\n", 0, match.start()) + 1


def behind(page: Page, twin: Page) -> Problem | None:
    """Return a warning if the twin's prose has changed since ``page`` was in line with it."""
    recorded, line = recorded_digest(page)
    if recorded == digest_of(twin):
        return None
    message = (
        f"the text of {twin.name} has changed since this page was last brought in line with it"
        if recorded
        else f"nobody has confirmed yet that this page says the same as {twin.name}"
    )
    return Problem(
        page.path,
        line,
        "twin-behind",
        message,
        remedy=f"read both, then: lesson-checker confirm {page.name}",
        severity="warning",
    )


def confirmed_text(page: Page, twin: Page) -> str:
    """Return the page's text with the digest of its twin as it is now in its front matter."""
    line_end = "\r\n" if "\r\n" in page.text else "\n"
    entry = f"twin: {digest_of(twin)}"
    lines = page.text.split("\n")
    until = end_of_front_matter(lines)
    if not until:
        mark = "\ufeff" if page.text.startswith("\ufeff") else ""
        front = line_end.join(["---", entry, "---", "", ""])
        return mark + front + page.text.removeprefix("\ufeff")
    match = _TWIN.search("\n".join(lines[:until]))
    if match:
        end = match.end() - match[0].endswith("\r")
        return page.text[: match.start()] + entry + page.text[end:]
    ending = "\r" if lines[until - 1].endswith("\r") else ""
    return "\n".join([*lines[: until - 1], entry + ending, *lines[until - 1 :]])


def changed_last(page: Page, twin: Page, root: Path) -> str:
    """Return the name of the page that changed last, as git knows it; empty if it can't tell."""
    times = [_last_change(each.path, root) for each in (page, twin)]
    if None in times or times[0] == times[1]:
        return ""
    return page.name if (times[0] or 0) > (times[1] or 0) else twin.name


def _last_change(path: Path, root: Path) -> float | None:
    """Return when a file last changed: now on disk if it is not committed, else its commit."""
    try:
        changed = _git(root, "status", "--porcelain", "--", str(path))
        if changed.strip():
            return path.stat().st_mtime
        return float(_git(root, "log", "-1", "--format=%ct", "--", str(path)))
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(  # noqa: S603 - fixed arguments, no shell
        command, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
