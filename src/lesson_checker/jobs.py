"""What the checker, its server and the page's process tell each other, as JSON."""

from __future__ import annotations

from typing import TypedDict


class BlockJob(TypedDict):
    """A block to run."""

    source: str
    line: int  # of the first line of code, counted from 1
    pycon: bool  # a console session, with doctest's semantics
    raises: bool  # the page goes on after an exception
    plot: bool  # the block leaves a figure open
    bound: list[str]  # expressions to evaluate after it


class PageJob(TypedDict):
    """A page to run."""

    page: str  # the name that tracebacks show
    blocks: list[BlockJob]
    timeout: float
    memory: int  # MiB


class Batch(TypedDict):
    """All that one server is asked to do."""

    preload: list[str]
    versions: list[str]
    jobs: int
    pages: list[PageJob]


class Raised(TypedDict):
    """How a block ended with an exception."""

    names: list[str]  # of its class and their bases, short and with the module
    last_line: str
    traceback: str
    line: int | None


class Value(TypedDict):
    """What became of an expression that words of the page are bound to."""

    value: str | None
    error: str | None


class Outcome(TypedDict):
    """What one block did."""

    stdout: str
    stderr: str
    error: Raised | None
    rewritten: str | None  # a console session as it really went
    bound: list[Value]


class Death(TypedDict):
    """How a page's process ended before its last block."""

    code: str  # "timeout" or "crashed"
    message: str
    line: int | None


class PageRun(TypedDict):
    """What one page did; there are fewer outcomes than blocks if it stopped on the way."""

    number: int
    outcomes: list[Outcome]
    death: Death | None
