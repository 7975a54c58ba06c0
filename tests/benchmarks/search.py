"""What the library costs beside what it is made of, and beside what others wrote.

    python tests/benchmarks/search.py             # 57, 10 000 and 100 000 chunks: two minutes
    python tests/benchmarks/search.py 57 10000    # only these

57 chunks are the Reservo corpus; more are made of words as frequent as those of a language (Zipf's
law), the same at every run. Whatever is compared runs in turns, in one process and one thread; time
is that of the processor, and a ratio is the median of the ratios of each turn, so that a busy
machine does not decide. Memory is what Python allocates, in numpy too, at its peak; the chunks
themselves are not counted, and everybody tokenizes alike.

rank_bm25 is asked for the same five results with its own `get_top_n`. Seven values of k are
compared with the highest of them alone. bm25s and pytrec_eval stand here for comparison, without a
target: bm25s fills a sparse matrix before it knows a query, and pytrec_eval is C.

Equal words are one object in an index of ours. On 57 chunks that costs a tenth of a millisecond,
which is why building those has no target; with more it pays, in memory and at each search.

The exit status is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from statistics import fmean, median
from time import process_time

import bm25s
import numpy as np
import pytrec_eval
from rank_bm25 import BM25Okapi

from retrieval_lessons import (
    EVAL_SET,
    Chunk,
    build_index,
    curve,
    load_chunks,
    recall_at_k,
    search,
    tokenize,
)
from retrieval_lessons import metrics as m

EvalSet = list[tuple[str, str]]
Task = Callable[[], object]

SHORTEST = 0.005  # seconds of a turn: quicker tasks are repeated within it
VOCABULARY = 20_000
KS = range(1, 8)
N_QUERIES, DEPTH = 10_000, 100


@dataclass(frozen=True)
class Row:
    """One line of the table: a cost, what it is compared with, and the most that it may be."""

    task: str
    size: str
    costs: Mapping[str, float]
    unit: str
    ratio: float
    target: float | None = None

    @property
    def missed(self) -> bool:
        """Whether the ratio is above the target, if there is one."""
        return self.target is not None and self.ratio > self.target

    def __str__(self) -> str:
        costs = "  ".join(f"{name} {cost:.4g}" for name, cost in self.costs.items())
        target = "" if self.target is None else f"{self.target:.1f}{'  MISSED' * self.missed}"
        return f"{self.task:<16}{self.size:>13}{self.ratio:>8.3f}  {target:<12}{costs} {self.unit}"


HEADER = f"{'task':<16}{'size':>13}{'ratio':>8}  {'at most':<12}costs"


def made_up(n_chunks: int) -> tuple[list[Chunk], EvalSet]:
    """Return a corpus of as many chunks, and queries for it in the same words."""
    draw = random.Random(0)  # noqa: S311
    words = [f"word{number}" for number in range(VOCABULARY)]
    weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def text(n_words: int) -> str:
        return " ".join(draw.choices(words, cum_weights=weights, k=n_words))

    chunks = [Chunk(f"doc{n // 4}", text(4), text(draw.randint(31, 51))) for n in range(n_chunks)]
    return chunks, [(text(8), chunk.doc_id) for chunk in draw.sample(chunks, 3)]


def seconds_in_turns(tasks: Mapping[str, Task], turns: int) -> dict[str, list[float]]:
    """Return how long each task took in each turn; what it returns is freed off the clock."""
    repeats = {}
    for name, task in tasks.items():
        start = process_time()
        task()  # the first call loads and allocates what later ones find
        repeats[name] = max(1, round(SHORTEST / (process_time() - start)))
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for turn in range(turns):
        names = list(tasks)
        for name in names if turn % 2 else reversed(names):
            gc.collect()
            task, total = tasks[name], 0.0
            for _ in range(repeats[name]):
                start = process_time()
                result = task()
                total += process_time() - start
                del result
            seconds[name].append(total / repeats[name])
    return seconds


def timed(
    task: str, size: str, tasks: Mapping[str, Task], turns: int, target: float | None = None
) -> Row:
    """Compare the first task with the second, and show what all of them take."""
    seconds = seconds_in_turns(tasks, turns)
    ours, theirs, *_ = seconds.values()
    ratio = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    costs = {name: 1000 * median(each) for name, each in seconds.items()}
    return Row(task, size, costs, "ms", ratio, target)


def peak_memory(task: Task) -> float:
    """Return how many MiB a task allocates at its peak."""
    gc.collect()
    tracemalloc.start()
    result = task()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return peak / 2**20


def searching(n_chunks: int) -> Iterator[Row]:
    """Measure building, searching and several k on a corpus of as many chunks."""
    reservo = load_chunks()
    chunks, eval_set = (reservo, EVAL_SET) if n_chunks == len(reservo) else made_up(n_chunks)
    size = f"{n_chunks} chunks"
    turns = min(101, max(3, 100_000 // n_chunks))  # the shorter, the more often

    def tokens() -> list[list[str]]:
        return [tokenize(f"{chunk.heading}\n{chunk.text}") for chunk in chunks]

    def by_bm25s() -> bm25s.BM25:
        retriever = bm25s.BM25(k1=1.5, b=0.75, method="atire", idf_method="robertson")
        retriever.index(tokens(), show_progress=False)
        return retriever

    building: dict[str, Task] = {
        "ours": lambda: build_index(chunks),
        "rank_bm25": lambda: BM25Okapi(tokens()),
        "bm25s": by_bm25s,
    }
    yield timed("build_index", size, building, turns, 1.1 if n_chunks > len(reservo) else None)
    memory = {name: peak_memory(build) for name, build in building.items()}
    yield Row("  its memory", size, memory, "MiB", memory["ours"] / memory["rank_bm25"], 1.2)

    index, theirs, retriever = build_index(chunks), BM25Okapi(tokens()), by_bm25s()
    queries = [query for query, _ in eval_set]
    searches: dict[str, Task] = {
        "ours": lambda: [search(query, 5, index) for query in queries],
        "rank_bm25": lambda: [theirs.get_top_n(tokenize(query), chunks, 5) for query in queries],
        "bm25s": lambda: [
            retriever.retrieve([tokenize(query)], corpus=chunks, k=5, show_progress=False)
            for query in queries
        ],
    }
    if searches["ours"]() != searches["rank_bm25"]():
        raise SystemExit("search and rank_bm25 found different chunks: there is nothing to compare")
    yield timed(f"search x {len(queries)}", size, searches, turns, 1.1)
    curves: dict[str, Task] = {
        "seven": lambda: curve(recall_at_k, eval_set, index, KS),
        "one": lambda: curve(recall_at_k, eval_set, index, [max(KS)]),
    }
    yield timed("curve, seven k", size, curves, turns, 1.2)


def measuring() -> Iterator[Row]:
    """Measure five means over many queries."""
    numbers = np.random.default_rng(0)
    y_true = (numbers.random((N_QUERIES, DEPTH)) < 0.05).astype(int)
    y_true[:, 0] = 1  # nothing relevant would be refused
    y_score = numbers.permuted(np.tile(np.arange(DEPTH), (N_QUERIES, 1)), axis=1)
    queries = list(zip(y_true, y_score, strict=True))
    qrels = {
        str(n): {f"d{item}": label for item, label in enumerate(labels)}
        for n, labels in enumerate(y_true.tolist())
    }
    run = {
        str(n): {f"d{item}": float(score) for item, score in enumerate(scores)}
        for n, scores in enumerate(y_score.tolist())
    }
    names = ["recall_10", "P_10", "success_10", "map", "recip_rank"]

    def ours() -> list[float]:
        at_ten = [m.recall_at_k, m.precision_at_k, m.success_at_k]
        means = [m.mean_at_k(metric, queries, 10) for metric in at_ten]
        return [*means, m.mean_average_precision(queries), m.mean_reciprocal_rank(queries)]

    def theirs() -> list[float]:
        measures = {"recall.10", "P.10", "success.10", "map", "recip_rank"}
        values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
        return [fmean(query[name] for query in values.values()) for name in names]

    if not np.allclose(ours(), theirs(), rtol=0, atol=1e-9):
        raise SystemExit("the metrics and pytrec_eval disagree: there is nothing to compare")
    tasks: dict[str, Task] = {"ours": ours, "pytrec_eval": theirs}
    yield timed("five means", f"{N_QUERIES} x {DEPTH}", tasks, turns=3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit status."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("chunks", nargs="*", type=int, help="how many (default: 57 10000 100000)")
    options = parser.parse_args(arguments)
    print(HEADER)
    missed = False
    for row in chain(*map(searching, options.chunks or (57, 10_000, 100_000)), measuring()):
        print(row, flush=True)
        missed |= row.missed
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
