"""What a build of the site costs, checks and API pages included, beside one of the theme alone.

    python tests/benchmarks/build.py       # five turns: a minute or two

Ours runs every page, which is most of what it costs; it asks for the verdict on a page when it gets
to it, so that pages run while others are rendered.

The plain build has the same pages, the theme, its search and the extensions that the pages are
written in; it runs no code, checks nothing, and has neither API pages nor plots nor notebooks. Both
languages are built, as two sites. The builds take turns, and the ratio is the median of those of
each turn. Ours uses two cores while it checks, so a busy machine costs it more: the ratio of the
CPU times, which is given too, hardly depends on that.

The exit status is 1 if a build costs more than twice as much.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[2]
TURNS = 5
TARGET = 2.0
LANGUAGES = ("es", "en")

PLAIN = {
    "site_url": "https://example.org/",
    "exclude_docs": "STYLE.md\nTEMPLATE.md",
    "plugins": ["search"],
    "markdown_extensions": [
        "admonition",
        "attr_list",
        "md_in_html",
        "tables",
        {"toc": {"permalink": True}},
        {"pymdownx.arithmatex": {"generic": True}},
        "pymdownx.highlight",
        "pymdownx.superfences",
    ],
}


def plain(folder: Path, lang: str) -> list[str]:
    """Write the plain configuration of a language, and return how to build it."""
    templates = folder / "theme"
    templates.mkdir(exist_ok=True)
    # the home page asks for a template of ours; here it is the theme's own
    (templates / "home.html").write_text('{% extends "main.html" %}', encoding="utf-8")
    theme = {
        "name": "material",
        "custom_dir": str(templates),
        "language": lang,
        "font": False,
    }
    config = {
        **PLAIN,
        "site_name": lang,
        "docs_dir": str(ROOT / "docs" / lang),
        "site_dir": str(folder / lang),
        "theme": theme,
    }
    file = folder / f"{lang}.yml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    return [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(file)]


class Cost(NamedTuple):
    """What some commands cost, one after the other, in seconds."""

    clock: float
    cpu: float


def cost(*commands: list[str]) -> Cost:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": "https://example.org/"}
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.perf_counter() - start, cpu)


def main() -> int:
    ratios = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        theirs = [plain(folder, lang) for lang in LANGUAGES]
        ours = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", f"{name}/ours"]
        cost(*theirs, ours)  # what is read once is in memory from here on
        for turn in range(1, TURNS + 1):
            plainly, proven = cost(*theirs), cost(ours)
            ratios.append(Cost(proven.clock / plainly.clock, proven.cpu / plainly.cpu))
            print(
                f"turn {turn}: plain {plainly.clock:.2f} s ({plainly.cpu:.2f} s of CPU), "
                f"ours {proven.clock:.2f} s ({proven.cpu:.2f} s of CPU)"
            )
    ratio, cpu = (median(each) for each in zip(*ratios, strict=True))
    print(f"by the clock a build costs {ratio:.2f} x a plain one (target: at most {TARGET:g} x)")
    print(f"by the CPU it costs {cpu:.2f} x")
    return int(ratio > TARGET)


if __name__ == "__main__":
    sys.exit(main())
