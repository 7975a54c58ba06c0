"""Keep Markdown lessons true: run every block, compare every output, hold both languages equal."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers take it; the process of each page is spared typing
if TYPE_CHECKING:
    from typing import Any

    from lesson_checker.checks import Report, Verdict, check_pages
    from lesson_checker.page import Block, Example, Page, parse_page, read_page
    from lesson_checker.problems import Problem
    from lesson_checker.settings import Language, Settings, load_settings

__all__ = [
    "Block",
    "Example",
    "Language",
    "Page",
    "Problem",
    "Report",
    "Settings",
    "Verdict",
    "check_pages",
    "load_settings",
    "parse_page",
    "read_page",
]
_HOMES = {"Report": "checks", "Verdict": "checks", "check_pages": "checks", "Problem": "problems"}
_HOMES |= dict.fromkeys(("Language", "Settings", "load_settings"), "settings")


def __getattr__(name: str) -> Any:
    # loaded when asked for: the process that every page is forked from needs none of it
    import importlib

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"lesson_checker.{_HOMES.get(name, 'page')}"), name)
