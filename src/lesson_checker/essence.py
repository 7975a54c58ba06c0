"""What of a code block must be the same in both languages."""

from __future__ import annotations

import ast
import re

from lesson_checker.page import Block

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_COMMENT = re.compile(r"(?m)(?:^|[ \t])[ \t]*#.*$")


def essence(code: Block) -> str:
    """Return what must be the same in both languages: all but comments, docstrings and words.

    In a string with letters the words are free; its digits, and the expressions of an f-string
    with their formats, count in any order. A string without letters counts as it is. Code that
    does not parse counts to the letter but for its comments, and so do console sessions.
    """
    try:
        tree = ast.parse(code.body)
    except (SyntaxError, ValueError):
        return without_comments(code.body)
    return ast.dump(_Words().visit(tree))


def without_comments(text: str) -> str:
    """Return the lines of a text in which ``#`` starts a comment, without those comments."""
    return "\n".join(line for line in _COMMENT.sub("", text).split("\n") if line.strip())


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
            ast.dump(self.generic_visit(part))
            for part in node.values
            if isinstance(part, ast.FormattedValue)
        ]
        words = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return ast.Constant(repr((sorted(parts), _wordless(words))))


def _wordless(text: str) -> str:
    if any(character.isalpha() for character in text):
        return f"words with {sorted(_NUMBER.findall(text))}"
    return text
