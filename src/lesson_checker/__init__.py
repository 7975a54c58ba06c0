"""Keep Markdown lessons true: run every block, compare every output, hold both languages equal."""

from __future__ import annotations

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
