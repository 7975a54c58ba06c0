"""Run a console session (a ``pycon`` block) with doctest's semantics in the page's module.

Parsing and comparing are doctest's own. Running is not, so that every example is compiled on the
line that it has on the page, and a wrong output is remembered instead of reported.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import sys
import traceback
from typing import Any

from lesson_checker.jobs import BlockJob


class Session:
    """A session; ``rewritten`` is its text with what was really printed, once it has run.

    What doctest takes as equal (an ellipsis that a directive allows, say) stays as written, so
    a true session is rewritten to itself.
    """

    def __init__(self, block: BlockJob, page: str) -> None:
        self.text = block["source"] + "\n"
        self.first_line = block["line"]
        self.page = page
        self.examples = doctest.DocTestParser().get_examples(self.text, page)
        self.rewritten = block["source"]

    def source_lines(self) -> dict[int, str]:
        """Return the lines of code without their prompts, by their numbers on the page."""
        return {
            self.first_line + example.lineno + place: line
            for example in self.examples
            for place, line in enumerate(example.source.splitlines(True))
        }

    def run(self, names: dict[str, Any], flags: int, future: int) -> int:
        """Run all examples; return ``flags`` with the ``future`` statements that they made.

        Raises:
            BaseException: What an example raised and the session does not show.
        """
        wanted = {}
        for number, example in enumerate(self.examples):
            options = sum(flag for flag, on in example.options.items() if on)
            if options & doctest.SKIP:
                continue
            padding = "\n" * (self.first_line + example.lineno - 1)
            with _Console() as console:
                try:
                    code = compile(padding + example.source, self.page, "single", flags, True)
                    flags |= code.co_flags & future
                    exec(code, names)  # noqa: S102 - running pages is the purpose
                except BaseException as error:
                    want = _after(error, example, options)
                    if want is None:
                        raise
                else:
                    want = _printed(console.output.getvalue(), example, options)
            if want != example.want:
                wanted[number] = want
        if wanted:
            self.rewritten = self._with(wanted)
        return flags

    def _with(self, wanted: dict[int, str]) -> str:
        lines = self.text.split("\n")
        for number in sorted(wanted, reverse=True):
            example = self.examples[number]
            start = example.lineno + example.source.count("\n")
            new = wanted[number].split("\n")[:-1]
            lines[start : start + example.want.count("\n")] = [
                (" " * example.indent + line) if line else "" for line in new
            ]
        text = "\n".join(lines)
        # an output that begins with a prompt would be code in the session
        again = doctest.DocTestParser().get_examples(text)
        if [each.source for each in again] != [each.source for each in self.examples]:
            raise ValueError("a console session can't show an output that looks like a prompt")
        return text.removesuffix("\n")


class _Console:
    """Take in what is printed, and show the value of an expression as the console does."""

    def __enter__(self) -> _Console:
        self.output = io.StringIO()
        self.redirection = contextlib.redirect_stdout(self.output)
        self.redirection.__enter__()
        self.hook, sys.displayhook = sys.displayhook, sys.__displayhook__
        return self

    def __exit__(self, *error: Any) -> None:
        sys.displayhook = self.hook
        self.redirection.__exit__(*error)


def _printed(got: str, example: doctest.Example, options: int) -> str:
    """Return what the session has to show for ``got``: what it shows if that is equal enough."""
    if got and not got.endswith("\n"):
        got += "\n"
    if doctest.OutputChecker().check_output(example.want, got, options):
        return example.want
    return "".join((line or "<BLANKLINE>") + "\n" for line in got.split("\n")[:-1])


def _after(error: BaseException, example: doctest.Example, options: int) -> str | None:
    """Return what the session has to show after ``error``, None if it shows no such exception."""
    if example.exc_msg is None:
        return None
    lines = traceback.format_exception_only(error)
    while lines[0].startswith(" "):  # the place of a syntax error
        lines.pop(0)
    message = "".join(lines)
    if doctest.OutputChecker().check_output(example.exc_msg, message, options):
        return example.want
    if _kind(message) != _kind(example.exc_msg):
        return None
    if options & doctest.IGNORE_EXCEPTION_DETAIL:
        return example.want
    return example.want.removesuffix(example.exc_msg) + message


def _kind(message: str) -> str:
    return message.split("\n", 1)[0].split(":", 1)[0].rsplit(".", 1)[-1]
