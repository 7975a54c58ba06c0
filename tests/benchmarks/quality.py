"""What Lighthouse says about every page on a phone, and what each page weighs.

    python tests/benchmarks/quality.py            # every page, three times: twenty minutes
    python tests/benchmarks/quality.py / start/   # only these

Builds the site, serves it compressed as its host does, and looks at each page as a phone on a slow
network would. Every number is the median of three. The scores for accessibility, best practices and
SEO have to be 100, performance at least 95, and CLS (how far things move while a page loads) below
0.01. What a page weighs is all that crosses the wire at a first visit; a lesson has 150 KiB.

Performance depends on the machine, which should do nothing else meanwhile: the last line tells how
fast Lighthouse found it. Needs Node.js 18.16 or newer with npm, and Chromium. Lighthouse is pinned
below and installed into build/quality the first time.

The exit status is 1 if a target is missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/browser"))

from chromium import CHROMIUM, FLAGS, MISSING  # noqa: E402 - only found from here on
from course import PAGES, build  # noqa: E402
from serving import serve  # noqa: E402

BUILD = ROOT / "build" / "quality"
LIGHTHOUSE = "12.8.2"  # the last that runs on Node.js 18 to 20
ROUNDS = 3
CATEGORIES = {"accessibility": 100, "best-practices": 100, "seo": 100, "performance": 95}
MAX_SHIFT = 0.01
MAX_KIB = 150  # of a lesson
TRIES = 3  # a browser does not always start


@dataclass(frozen=True)
class Look:
    """What Lighthouse says about a page, once.

    Attributes:
        scores: By category, out of 100.
        shift: Cumulative Layout Shift.
        kib: What came over the wire.
        speed: The benchmark of the machine.
        failed: The names of the audits that cost points, but for those about time.
    """

    scores: dict[str, float]
    shift: float
    kib: float
    speed: float
    failed: frozenset[str]

    @classmethod
    def of(cls, report: dict[str, Any]) -> Look:
        audits, categories = report["audits"], report["categories"]
        failed = {
            each["id"]
            for name in set(CATEGORIES) - {"performance"}
            for each in categories[name]["auditRefs"]
            if each["weight"] and (audits[each["id"]]["score"] or 0) < 1
            if audits[each["id"]]["scoreDisplayMode"] not in ("notApplicable", "manual")
        }
        return cls(
            {name: 100 * (categories[name]["score"] or 0) for name in CATEGORIES},
            audits["cumulative-layout-shift"]["numericValue"],
            audits["total-byte-weight"]["numericValue"] / 1024,
            report["environment"]["benchmarkIndex"],
            frozenset(failed),
        )


@dataclass(frozen=True)
class Row:
    """The medians of a page, and what it missed."""

    path: str
    looks: list[Look]

    @property
    def scores(self) -> dict[str, float]:
        return {name: median(each.scores[name] for each in self.looks) for name in CATEGORIES}

    @property
    def shift(self) -> float:
        return median(each.shift for each in self.looks)

    @property
    def kib(self) -> float:
        return median(each.kib for each in self.looks)

    def missed(self) -> Iterator[str]:
        for name, least in CATEGORIES.items():
            if self.scores[name] < least:
                yield f"{name} {self.scores[name]:.0f}, at least {least}"
        if self.shift >= MAX_SHIFT:
            yield f"CLS {self.shift:.3f}, below {MAX_SHIFT}"
        if "lessons/" in self.path and self.kib > MAX_KIB:
            yield f"{self.kib:.1f} KiB, at most {MAX_KIB}"
        yield from sorted(set().union(*(each.failed for each in self.looks)))

    def __str__(self) -> str:
        scores = "".join(f"{score:>15.0f}" for score in self.scores.values())
        return f"{self.path or '(home)':<36}{scores}{self.shift:>8.3f}{self.kib:>8.1f}"


def install() -> Path:
    """Return the program of Lighthouse, installed with npm if it isn't yet."""
    package = BUILD / "node_modules/lighthouse"
    manifest = package / "package.json"
    if not manifest.is_file() or json.loads(manifest.read_bytes())["version"] != LIGHTHOUSE:
        command = ["npm", "install", "--prefix", str(BUILD), "--no-save", "--no-audit", "--no-fund"]
        subprocess.run([*command, "--loglevel=error", f"lighthouse@{LIGHTHOUSE}"], check=True)
    return package / "cli/index.js"


def look(program: Path, address: str) -> Look:
    """Have Lighthouse look at a page as a phone, which is what it does unless told otherwise."""
    flags = ["--quiet", "--output=json", f"--only-categories={','.join(CATEGORIES)}"]
    browser = f"--chrome-flags=--headless=new {' '.join(FLAGS)}"
    for attempt in range(1, TRIES + 1):
        run = subprocess.run(
            ["node", str(program), address, *flags, browser],
            env={**os.environ, "CHROME_PATH": str(CHROMIUM)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        report = json.loads(run.stdout) if run.returncode == 0 else {"runtimeError": run.stderr}
        if not report.get("runtimeError"):
            return Look.of(report)
        print(f"{address}, attempt {attempt}: {report['runtimeError']}", file=sys.stderr)
    raise SystemExit("Lighthouse can't look at the page")


def main(paths: list[str]) -> int:
    if unknown := sorted(set(paths) - set(PAGES)):
        raise SystemExit(f"no such page: {', '.join(unknown)}; there are: {', '.join(PAGES)}")
    if CHROMIUM is None:
        raise SystemExit(MISSING)
    program = install()
    site = BUILD / "site"
    looks: dict[str, list[Look]] = {path: [] for path in paths or PAGES}
    with serve(site) as url:
        if build(site, url):
            raise SystemExit("there is no site to look at")
        for number in range(1, ROUNDS + 1):  # one after the other, so that no page has bad luck
            for path, found in looks.items():
                print(f"\rround {number} of {ROUNDS}: {path:<60}", end="", file=sys.stderr)
                found.append(look(program, url + path))
    print(file=sys.stderr)
    rows = [Row(path, found) for path, found in looks.items()]
    print(f"{'page':<36}" + "".join(f"{name:>15}" for name in CATEGORIES) + f"{'CLS':>8}{'KiB':>8}")
    for row in rows:
        print(row)
    speeds = [each.speed for row in rows for each in row.looks]
    print(f"Lighthouse {LIGHTHOUSE}; benchmark index of this machine: {median(speeds):.0f}")
    missed = [f"{row.path or '(home)'}: {what}" for row in rows for what in row.missed()]
    for line in missed:
        print(f"MISSED {line}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main([path.lstrip("/") for path in sys.argv[1:]]))
