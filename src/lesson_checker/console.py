"""Run a console session (a ``pycon`` block) with doctest's semantics in the page's module."""

from __future__ import annotations

import doctest
from types import ModuleType, TracebackType
from typing import Any

from lesson_checker.jobs import BlockJob


class _Recorder(doctest.DocTestRunner):
    """Remember what each example really printed where doctest is not content with the page."""

    # ruff: noqa: ARG002 - doctest says what its hooks are given

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.got: dict[int, str] = {}

    def report_failure(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        self.got[example.lineno] = got

    def report_unexpected_exception(
        self,
        out: Any,
        test: doctest.DocTest,
        example: doctest.Example,
        exc_info: tuple[type[BaseException], BaseException, TracebackType],
    ) -> None:
        raise exc_info[1]


def run_console(block: BlockJob, module: ModuleType, flags: int, page: str) -> str:
    """Run the session and return it with what was really printed.

    What doctest takes as equal (an ellipsis that its directives allow, say) stays as written, so
    the result equals ``block["source"]`` exactly if the session is true.
    """
    source = block["source"] + "\n"
    parser = doctest.DocTestParser()
    test = parser.get_doctest(source, {}, page, page, block["line"] - 1)
    test.globs = module.__dict__
    recorder = _Recorder()
    recorder.run(test, compileflags=flags, clear_globs=False)
    lines = source.split("\n")
    for example in reversed(test.examples):
        if example.lineno in recorder.got:
            start = example.lineno + example.source.count("\n")
            got = recorder.got[example.lineno].splitlines()
            lines[start : start + example.want.count("\n")] = [
                " " * example.indent + (line or "<BLANKLINE>") for line in got
            ]
    return "\n".join(lines).removesuffix("\n")
