"""What of a code block must be the same in both languages."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from lesson_checker.numerals import canonical
from lesson_checker.page import Block

_COMMENT = re.compile(r"(?m)(?<!\S)#.*$")
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)")


def essence(code: Block) -> str:
    """Return what must be the same in both languages: all but comments, docstrings and words.

    In a string with letters the words are free; its digits, and the expressions of an f-string
    with their formats, count in any order. A string without letters counts as it is. Of a console
    session, what is typed counts like that, and of what is printed the numbers do. Code that does
    not parse counts to the letter but for its comments.
    """
    if code.language == "pycon":
        return _session(code.body)
    return _essence(code.body)


def without_comments(text: str) -> str:
    """Return the lines of a text in which ``#`` starts a comment, without those comments."""
    lines = (line.rstrip() for line in _COMMENT.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


@lru_cache(maxsize=1024)
def _essence(source: str) -> str:
    try:
        return ast.dump(_Words().visit(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return without_comments(source)


def _session(body: str) -> str:
    lines = body.split("\n")
    typed = [line.lstrip()[4:] for line in lines if _PROMPT.match(line.lstrip())]
    printed = [line for line in lines if not _PROMPT.match(line.lstrip())]
    return f"{_essence(chr(10).join(typed))} prints {canonical(chr(10).join(printed))}"


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
            ast.dump(self.visit_FormattedValue(part))
            for part in node.values
            if isinstance(part, ast.FormattedValue)
        ]
        words = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return ast.Constant(repr((sorted(parts), _wordless(words))))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        node.value = self.visit(node.value)
        return node  # the letters of a format are no words


def _wordless(text: str) -> str:
    if any(character.isalpha() for character in text):
        return f"words with {canonical(text)}"
    return text
