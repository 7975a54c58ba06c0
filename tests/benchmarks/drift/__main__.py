"""Plant every kind of fault in every page, one at a time, and count which are caught.

    python tests/benchmarks/drift              # every page that has a twin: some minutes
    python tests/benchmarks/drift docs/en/lessons/04-recall-at-k.md
    python tests/benchmarks/drift --verbose    # and where each miss and false alarm was planted

A *fault* makes the page untrue, or unlike its twin in what must not depend on the language. It is
caught if the check of the page or of its twin finds a problem that was not there before; "by
warning" counts those that only the notice "this page may be behind its twin" betrays, which is all
that a machine can say about words. An *edit* is what authors do every day. It must stay silent, or
give that warning and nothing else where words have changed: anything more is a false alarm.

Each number of the prose, and each claim, is changed; other kinds in up to three places of a
page, spread evenly (`--places 0` plants them everywhere, for an hour). If the blocks do what they
did, the run of the page is reused. Whatever is chosen is chosen by counting, so two runs print the
same table. The exit status is 1 if a fault is missed, an edit is reported, or a page has problems
of its own.

The last table is the burden of the authors: how many numbers they had to bind or to excuse, for
each hundred words that they wrote.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))  # where this folder is the package drift

from drift.measurement import PLACES, ROOT, kinds_named, measure_one, merged, pairs_of
from drift.table import burden_of, table_of
from lesson_checker import checks
from lesson_checker.settings import load_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables and return the exit status."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="default: every page that has a twin")
    parser.add_argument("--only", default="", help="the kinds whose name holds these words")
    parser.add_argument("--places", type=int, default=PLACES, help="of a page, for most kinds")
    parser.add_argument("--verbose", action="store_true", help="tell where what was missed stands")
    options = parser.parse_args(arguments)
    settings = load_settings(ROOT)
    paths = checks.find_pages(settings, options.pages or None)
    kinds = kinds_named(options.only)
    # who changed last is git's to say, and would be asked for each problem
    with patch("lesson_checker.checks.changed_last", return_value=""):
        pairs, complaints = pairs_of(paths, settings)
        share = partial(measure_one, settings=settings, only=options.only, places=options.places)
        with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
            counts = merged(kinds, pool.map(share, pairs))
    print(table_of(counts), "", burden_of(pairs), *complaints, sep="\n")
    wrong = [place for count in counts.values() for place in count.wrong]
    if options.verbose:
        print("", *wrong, sep="\n")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
