"""Hold a page against its twin: what must not depend on the language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest

from lesson_checker.page import Block, Example, Page
from lesson_checker.problems import Problem

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def compare_twins(page: Page, twin: Page | None, lang: str, name: str) -> Iterator[Problem]:
    """Yield how ``page`` and its twin contradict each other, as problems of ``page``.

    Args:
        page: The page.
        twin: The same page in the other language, None if there is none.
        lang: The code of the other language.
        name: The path of the twin, as messages show it.
    """
    if twin is None:
        yield Problem(
            page.path,
            1,
            "twin-missing",
            f"the page is missing in the other language ({lang})",
            remedy=f"write {name}, or delete this page too",
        )
        return
    if not (page.readable and twin.readable):
        return  # what could not be read can't be compared; that is a problem already
    for mine, other in zip_longest(page.examples, twin.examples):
        problem = _compare_examples(page, mine, other, name)
        if problem:
            yield problem
            if mine is None or other is None or problem.code == "twin-code":
                return  # from here on the blocks don't belong together


def _compare_examples(
    page: Page, mine: Example | None, other: Example | None, name: str
) -> Problem | None:
    if mine is None or other is None:
        where = "has more" if mine is None else "has fewer"
        line = page.examples[-1].code.line if mine is None and page.examples else 1
        rest = other.code if mine is None and other else mine.code if mine else None
        return Problem(
            page.path,
            mine.code.line if mine else line,
            "twin-code",
            f"{name} {where} code blocks than this page",
            actual=rest.body if rest and mine is None else "",
            remedy="give both pages the same blocks in the same order",
        )
    if _settings_of(mine) != _settings_of(other):
        return Problem(
            page.path,
            mine.code.line,
            "twin-code",
            f"the comment above this block differs from that in {name}, line {other.code.line}",
            expected=_settings_of(mine),
            actual=_settings_of(other),
            remedy="skip, raise and draw the same blocks on both pages",
        )
    if essence(mine.code) != essence(other.code):
        return Problem(
            page.path,
            mine.code.line,
            "twin-code",
            f"the code differs from that of its twin in {name}, line {other.code.line}",
            expected=mine.code.body,
            actual=other.code.body,
            remedy="only comments, docstrings and the words in string literals may differ",
        )
    mine_numbers, other_numbers = (_numbers(example.output) for example in (mine, other))
    if mine_numbers != other_numbers:
        block = mine.output or mine.code
        return Problem(
            page.path,
            block.line,
            "twin-numbers",
            f"the numbers differ from those of the output in {name}, "
            f"line {(other.output or other.code).line}",
            expected=" ".join(mine_numbers),
            actual=" ".join(other_numbers),
            remedy="bring both pages up to date with `lesson-checker update`",
        )
    return None


def _settings_of(example: Example) -> str:
    return (
        f"skip: {example.skip is not None}, raises: {example.raises}, "
        f"plot: {example.plot is not None}, pycon: {example.code.language == 'pycon'}"
    )


def _numbers(output: Block | None) -> list[str]:
    return _NUMBER.findall(output.body) if output else []


def essence(code: Block) -> str:
    """Return what must be the same in both languages: all but comments, docstrings and words.

    In a string with letters the words are free; its digits, and the expressions of an f-string
    with their formats, count in any order. A string without letters counts as it is. Code that
    does not parse, and console sessions, count to the letter.
    """
    try:
        tree = ast.parse(code.body)
    except (SyntaxError, ValueError):
        return code.body
    return ast.dump(_Words().visit(tree))


class _Words(ast.NodeTransformer):
    """Replace the words of string literals, and drop docstrings."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None  # a docstring, or a string that does nothing
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            return ast.Constant(_wordless(node.value))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        # another language may need another order
        parts = [
            ast.dump(self.generic_visit(part) if isinstance(part, ast.FormattedValue) else part)
            for part in node.values
            if not isinstance(part, ast.Constant)
        ]
        words = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return ast.Constant(repr((sorted(parts), _wordless(words))))


def _wordless(text: str) -> str:
    if any(character.isalpha() for character in text):
        return f"words with {sorted(_NUMBER.findall(text))}"
    return text
