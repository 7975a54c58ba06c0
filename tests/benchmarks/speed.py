"""What a check of many pages costs beside other tools that run the code in Markdown.

    python tests/benchmarks/speed.py          # 50, 200 and 800 pages: a few minutes
    python tests/benchmarks/speed.py 50 200   # only these

A page has ten blocks that print a line each. Every tool gets the same pages in its own dialect, and
has to find a fault that is planted in one of them before it is measured. The *floor* is one Python
process that finds the blocks with a regular expression, runs them and compares. The others are
pinned below, and installed into an environment of their own in build/speed the first time.

They run in turns. A ratio is the median of the ratios of each turn, by the clock. The check uses
two cores and the others one, so a busy machine costs it more than them: "others" says how many
cores were busy with something else meanwhile (on Linux), and only a ratio measured near zero is
worth quoting. CPU is that of all processes of a tool together. Memory is that of all its processes
at its peak, what they share counted once (on Linux; elsewhere that of its largest process).

lesson-checker runs each page in a process of its own; all others run all pages in one process. What
that costs, and what of it could not be spared, ``layers.py`` measures.

The exit status is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "speed"
RIVALS = [
    "mdoctest==0.9.0",
    "pytest-codeblocks==0.18.0",
    "pytest-examples==0.0.18",
    "sybil==10.1.0",
    f"pytest=={version('pytest')}",
]
OURS = sys.executable
THEIRS = str(BUILD / "env" / "bin" / "python")
SIZES = (50, 200, 800)
BLOCKS = 10
LOOK = 0.05  # seconds between two looks at the memory

Dialect = Callable[[str, str], str]
"""A block of code and what it prints, as a tool wants to have them."""


def fenced(code: str, printed: str) -> str:
    return f"```python\n{code}\n```\n\n```text\n{printed}\n```\n"


def announced(code: str, printed: str) -> str:
    comment = "<!--pytest-codeblocks:expected-output-->"
    return f"```python\n{code}\n```\n\n{comment}\n\n```text\n{printed}\n```\n"


def typed(code: str, printed: str) -> str:
    prompts = "".join(f">>> {line}\n" for line in code.split("\n"))
    return f"```pycon\n{prompts}{printed}\n\n```\n"  # without a blank line ``` is output, too


def commented(code: str, printed: str) -> str:
    return f"```python\n{code}\n#> {printed}\n```\n"


def page(number: int, dialect: Dialect, *, fault: bool = False) -> str:
    """Return a page; with a fault, the last of its blocks does not print what it shows."""
    parts = [f"# Page {number}\n"]
    for block in range(BLOCKS):
        wrong = fault and block == BLOCKS - 1
        code = f'total = {number} + {block}\nprint("the total is", total)'
        parts.append(f"Add one number to the other.\n\n{dialect(code, _printed(number, block))}")
        parts[-1] = parts[-1].replace("the total is ", "THE TOTAL IS ") if wrong else parts[-1]
    return "\n".join(parts)


def _printed(number: int, block: int) -> str:
    return f"the total is {number + block}"


# ------------------------------------------------------------------------------------ the tools

FLOOR = """
import contextlib, io, re, sys
from pathlib import Path

PAIR = re.compile(r"```python\\n(.*?)\\n```\\n\\n```text\\n(.*?)\\n```", re.DOTALL)
for path in sorted(Path("docs").glob("*.md")):
    names = {"__name__": "__main__"}
    for code, expected in PAIR.findall(path.read_text(encoding="utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(path), "exec"), names)
        if printed.getvalue().rstrip() != expected:
            sys.exit(f"{path}: {code}")
"""
PAIRING = """
import contextlib, io
from sybil import Region, Sybil
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

blocks = FencedCodeBlockLexer("python|text", mapping={"language": "language", "source": "source"})


def pairs(document):
    code = None
    for block in blocks(document):
        if block.lexemes["language"] == "python":
            code = block
        elif code:
            parsed = code.lexemes["source"], block.lexemes["source"]
            yield Region(code.start, block.end, parsed, evaluate)
            code = None


def evaluate(example):
    code, expected = example.parsed
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, example.path, "exec"), example.namespace)
    if printed.getvalue() != expected:
        return f"expected {expected!r}, printed {printed.getvalue()!r}"


pytest_collect_file = Sybil(parsers=[pairs], patterns=["*.md"]).pytest()
"""
EXAMPLES = """
import pytest
from pytest_examples import CodeExample, EvalExample, find_examples


@pytest.mark.parametrize("example", find_examples("docs"), ids=str)
def test_page(example: CodeExample, eval_example: EvalExample) -> None:
    eval_example.run_print_check(example)
"""
SUBTESTS = """
import pytest


@pytest.mark.parametrize("page", range({pages}))
def test_page(page, subtests):
    for number in range({blocks}):
        with subtests.test(f"block {{number}}", line=number):
            pass
"""


@dataclass(frozen=True)
class Tool:
    """A tool, and how it is called.

    Attributes:
        name: What the table calls it.
        command: The command, in the folder of the pages' folder ``docs``.
        dialect: How its pages are written; None if it reads none.
        files: What else it needs beside the pages, by their names.
        largest: The most pages that it is measured with; beyond, it takes too long.
    """

    name: str
    command: Sequence[str]
    dialect: Dialect | None = fenced
    files: tuple[tuple[str, str], ...] = ()
    largest: int = max(SIZES)


def pytest_with(python: str, *arguments: str) -> list[str]:
    return [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]


CHECK = [OURS, "-m", "lesson_checker", "check"]
IMPORT = Tool("import rank_bm25", [OURS, "-c", "import rank_bm25"], None)
ONE = Tool("check, one page", [*CHECK, "docs/page0000.md"])
SETTINGS = '[tool.lesson-checker]\nfolders = ["docs"]\n[tool.pytest.ini_options]\n'
TOOLS = [
    Tool("floor", [OURS, "floor.py"], files=(("floor.py", FLOOR),)),
    Tool("check", CHECK),
    Tool("pytest, our plugin", pytest_with(OURS, "-p", "lesson_checker.pytest_plugin", "docs")),
    Tool(
        "empty subtests",
        pytest_with(OURS, "test_empty.py"),
        None,
        (("test_empty.py", SUBTESTS),),
    ),
    Tool("sybil", pytest_with(THEIRS, "docs"), files=(("conftest.py", PAIRING),)),
    Tool(
        "pytest-codeblocks",
        pytest_with(THEIRS, "-p", "pytest_codeblocks.plugin", "--codeblocks", "docs"),
        announced,
    ),
    Tool("doctest's glob", pytest_with(THEIRS, "--doctest-glob=*.md", "docs"), typed),
    Tool("mdoctest", [THEIRS, "-m", "mdoctest", "-q", "docs"], typed),
    Tool(
        "pytest-examples",
        pytest_with(THEIRS, "-p", "pytest_examples", "test_pages.py"),
        commented,
        (("test_pages.py", EXAMPLES),),
        largest=50,
    ),
    ONE,
    IMPORT,
]


def install() -> None:
    """Make the environment of the others, unless it is there already."""
    done = BUILD / "env" / "installed.txt"
    pins = "\n".join(RIVALS)
    if done.is_file() and done.read_text(encoding="utf-8") == pins:
        return
    subprocess.run([OURS, "-m", "venv", "--clear", BUILD / "env"], check=True)
    pip = [THEIRS, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, *RIVALS], check=True)
    done.write_text(pins, encoding="utf-8")


def plant(tool: Tool, pages: int, *, fault: bool = False) -> Path:
    """Write the pages for a tool, and return their folder; a fault is planted in the first one."""
    folder = BUILD / "trees" / f"{pages}{'-fault' * fault}" / tool.name.replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "docs").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    for name, content in tool.files:
        text = content.format(pages=pages, blocks=BLOCKS) if content is SUBTESTS else content
        (folder / name).write_text(text, encoding="utf-8")
    for number in range(pages if tool.dialect else 0):
        assert tool.dialect is not None
        text = page(number, tool.dialect, fault=fault and number == 0)
        (folder / "docs" / f"page{number:04}.md").write_text(text, encoding="utf-8")
    return folder


# -------------------------------------------------------------------------------- the measuring


@dataclass(frozen=True)
class Cost:
    """What a run cost: seconds by the clock and of CPU, MiB; and how many cores others used."""

    wall: float
    cpu: float
    memory: float
    others: float = 0.0


def run(tool: Tool, folder: Path, *, expected: int = 0) -> Cost:
    """Run a tool; its exit status has to be the expected one (1 means: any but 0)."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment = kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    log = folder / "log"
    with log.open("wb") as output:
        start, busy = time.perf_counter(), _busy()
        process = subprocess.Popen(
            tool.command, cwd=folder, env=environment, stdout=output, stderr=output
        )
        watch = _Memory(process.pid)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    watch.ended.set()
    watch.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if min(process.returncode, 1) != expected:
        said = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise SystemExit(f"{tool.name}: exit status {process.returncode} in {folder}\n{said}")
    largest = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(wall, cpu, max(largest, watch.peak), max(0.0, _busy() - busy - cpu) / wall)


def _busy() -> float:
    """Return how many seconds the cores have worked since they were started, if that is known."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").split("\n")[0]
    except OSError:  # this is no Linux
        return 0.0
    user, nice, system, _, _, *interrupts = map(int, first.split()[1:8])
    return sum((user, nice, system, *interrupts)) / os.sysconf("SC_CLK_TCK")


class _Memory(threading.Thread):
    """Looks at the memory of a process and of all that it has started, again and again."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = 0.0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(LOOK):
            self.peak = max(self.peak, sum(map(_share, _tree(self.pid))))


def _tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended, or this is no Linux
        return
    for child in children:
        yield from _tree(int(child))


def _share(pid: int) -> float:
    """Return the MiB of a process; what it shares with others counts in part for each."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").split("\n")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def in_turns(tools: Sequence[Tool], pages: int, turns: int) -> dict[str, list[Cost]]:
    """Return what each tool cost in each turn."""
    folders = {tool.name: plant(tool, pages) for tool in tools}
    costs: dict[str, list[Cost]] = {tool.name: [] for tool in tools}
    for turn in range(turns):
        for tool in tools if turn % 2 else reversed(tools):
            costs[tool.name].append(run(tool, folders[tool.name]))
    return costs


def prove(tools: Sequence[Tool]) -> None:
    """Let every tool find a fault: what compares nothing is not worth measuring."""
    for tool in tools:
        if tool.dialect:
            run(tool, plant(tool, 2, fault=True), expected=1)


def ratio(costs: Mapping[str, list[Cost]], name: str, *others: str) -> float:
    """Return how many times as long a tool takes as some others together, by the clock."""
    rest = zip(*(costs[other] for other in others), strict=True)
    together = (sum(each.wall for each in turn) for turn in rest)
    return float(median(a.wall / b for a, b in zip(costs[name], together, strict=True)))


# ---------------------------------------------------------------------------------- the tables


def table(costs: Mapping[str, list[Cost]], pages: int) -> str:
    """Return the table of one size."""
    head = f"{f'{pages} pages':<22}{'wall s':>9}{'CPU s':>9}{'others':>9}{'MiB':>7}"
    lines = [f"{head}{'x floor':>10}{'x check':>10}"]
    for name, each in costs.items():
        wall, cpu = median(cost.wall for cost in each), median(cost.cpu for cost in each)
        others = median(cost.others for cost in each)
        memory = max(cost.memory for cost in each)
        lines.append(
            f"{name:<22}{wall:>9.2f}{cpu:>9.2f}{others:>9.1f}{memory:>7.0f}"
            f"{ratio(costs, name, 'floor'):>10.2f}{ratio(costs, name, 'check'):>10.2f}"
        )
    return "\n".join(lines)


def targets(costs: Mapping[str, list[Cost]]) -> list[tuple[str, float, float]]:
    """Return what the ratios have to be: the words for it, what it is, and the most allowed."""
    return [
        ("check / floor", ratio(costs, "check", "floor"), 12),
        ("check / sybil", ratio(costs, "check", "sybil"), 1 / 2),
        ("check / pytest-codeblocks", ratio(costs, "check", "pytest-codeblocks"), 1 / 2),
        (
            "pytest, our plugin / (check + empty subtests)",
            ratio(costs, "pytest, our plugin", "check", "empty subtests"),
            1.2,
        ),
        ("check, one page / import", ratio(costs, ONE.name, IMPORT.name), 2),
    ]


def growth(by_size: Mapping[int, Mapping[str, list[Cost]]]) -> list[tuple[str, float, float]]:
    """Return how much more a page costs in the largest tree than in one of middling size."""
    *_, middle, most = sorted(by_size)
    more, less = by_size[most]["check"], by_size[middle]["check"]
    per_page = (median(c.cpu for c in more) / most) / (median(c.cpu for c in less) / middle)
    memory = max(c.memory for c in more) / max(c.memory for c in less)
    return [
        (f"check: CPU of a page, {most} pages / {middle}", per_page, 1.2),
        (f"check: memory, {most} pages / {middle}", memory, 2),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables and return the exit status."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=int, help="how many (default: 50 200 800)")
    parser.add_argument("--turns", type=int, help="default: 5 up to 50 pages, then 3")
    options = parser.parse_args(arguments)
    install()
    prove(TOOLS)
    by_size = {}
    for pages in sorted(options.pages or SIZES):
        turns = options.turns or (5 if pages <= 50 else 3)
        tools = [tool for tool in TOOLS if pages <= tool.largest]
        by_size[pages] = costs = in_turns(tools, pages, turns)
        print(table(costs, pages), end="\n\n", flush=True)
    checked = targets(costs) + (growth(by_size) if len(by_size) > 1 else [])
    print(f"{f'{pages} pages':<50}{'is':>8}{'at most':>9}")
    for words, actual, most in checked:
        print(f"{words:<50}{actual:>8.2f}{most:>9.2f}{'  MISSED' if actual > most else ''}")
    return 1 if any(actual > most for _, actual, most in checked) else 0


if __name__ == "__main__":
    sys.exit(main())
