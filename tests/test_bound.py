"""Words that are bound to expressions: which block they are evaluated after."""

from __future__ import annotations

from pathlib import Path

import pytest

from lesson_checker.bound import bound_by_block
from lesson_checker.page import parse_page
from lesson_checker.settings import Settings

CODE = "```python\nx = 1\n```\n"


def expressions(text: str) -> list[list[str]]:
    page = parse_page(text, Path("/pages/page.md"), Settings(root=Path("/pages")))
    return [[bound.expression for bound in group] for group in bound_by_block(page)]


@pytest.mark.parametrize("comment", ["<!--= x -->", "<!-- = x -->", "<!--\n= x\n-->"])
def test_an_expression_belongs_to_the_block_above_it(comment: str) -> None:
    assert expressions(f"{CODE}\nAs 1{comment} says.\n\n{CODE}") == [["x"], []]


def test_a_page_that_binds_nothing_has_a_group_for_each_block_all_the_same() -> None:
    assert expressions(f"{CODE}\nAs 1<!--~ said --> says.\n\n{CODE}") == [[], []]


def test_above_the_first_block_there_is_nothing_to_evaluate_with() -> None:
    assert expressions(f"As 1<!--= x --> says.\n\n{CODE}") == [[]]
