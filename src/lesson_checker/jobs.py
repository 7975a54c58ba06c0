"""What the checker, its server and a page's process tell each other."""

from __future__ import annotations

from typing import NamedTuple, TypedDict


class BlockJob(TypedDict):
    """A block to run."""

    source: str
    line: int  # of the first line of code, counted from 1
    pycon: bool  # a console session, with doctest's semantics
    raises: str | None  # the exception that the page announces; it goes on after it
    plot: bool  # the block leaves a figure open
    bound: list[str]  # expressions to evaluate after it


class PageJob(TypedDict):
    """A page to run."""

    page: str  # the name that tracebacks show
    script: str  # the blocks, each statement on the line that it has on the page
    blocks: list[BlockJob]


class Setup(TypedDict):
    """What a server has to know before the first page."""

    preload: list[str]
    preload_plots: list[str]  # loaded before the first page that draws
    versions: list[str]
    jobs: int
    timeout: float
    memory: int  # MiB
    fork: bool  # start pages by forking; else by a new interpreter each


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


Key = float | str | tuple[float, float]
"""A place on an axis: a number, a name, or a range whose end belongs to the next one."""


class Series(TypedDict):
    """What one line, or one set of bars, shows."""

    label: str  # empty if it has none
    points: list[tuple[Key, float]]


class Panel(TypedDict):
    """What one pair of axes shows."""

    x: str  # what the keys are
    y: str  # what the values are
    series: list[Series]
    marks: list[tuple[str, float]]  # lines straight across, such as a mean


class Plot(TypedDict):
    """A picture that a block drew, and what it shows."""

    svg: str
    title: str  # empty if it has none
    panels: list[Panel]


class Mark(TypedDict):
    """What a page's process writes down at the end of a block."""

    error: Raised | None
    rewritten: str | None  # a console session as it really went
    bound: list[Value]
    plots: list[Plot]
    out: int  # how many bytes the page has printed up to here
    err: int


class Remains(NamedTuple):
    """What is left of a page's process."""

    number: int  # of the page
    exit_code: int
    cut: str  # why it was told to end: "timeout", "output-too-long", or empty
    out: bytes
    err: bytes
    report: bytes  # a mark for each block that ended, and the stack if Python died


class Outcome(TypedDict):
    """What one block did."""

    stdout: str
    stderr: str
    error: Raised | None
    rewritten: str | None
    bound: list[Value]
    plots: list[Plot]  # what a block that announces a plot has left open


class Death(TypedDict):
    """How a page's process ended before its last block."""

    code: str  # "timeout", "crashed" or "output-too-long"
    message: str
    line: int
    stderr: str  # what it said last


class PageRun(TypedDict):
    """What one page did; there are fewer outcomes than blocks if it stopped on the way."""

    outcomes: list[Outcome]
    death: Death | None
