"""What the lessons teach: chunks, a BM25 index, search, the evaluation set, the metrics."""

from importlib import import_module
from typing import TYPE_CHECKING

from retrieval_lessons.chunks import Chunk, load_chunks, tokenize
from retrieval_lessons.eval_set import EVAL_SET, load_eval_set, load_held_out

# Eagerly, or the submodule of the same name would take the function's place in this namespace.
from retrieval_lessons.explain import Explanation, WordContribution, explain
from retrieval_lessons.remedies import STOP_WORDS, SYNONYMS, rechunk

if TYPE_CHECKING:
    from retrieval_lessons import metrics, significance
    from retrieval_lessons.evaluation import (
        curve,
        evaluate_precision,
        evaluate_recall,
        first_relevant_rank,
        precision_at_k,
        recall_at_k,
    )
    from retrieval_lessons.index import MAX_K, Index, build_index, check_k, search, search_docs

__all__ = [
    "EVAL_SET",
    "MAX_K",
    "STOP_WORDS",
    "SYNONYMS",
    "Chunk",
    "Explanation",
    "Index",
    "WordContribution",
    "build_index",
    "check_k",
    "curve",
    "evaluate_precision",
    "evaluate_recall",
    "explain",
    "first_relevant_rank",
    "load_chunks",
    "load_eval_set",
    "load_held_out",
    "metrics",
    "precision_at_k",
    "recall_at_k",
    "rechunk",
    "search",
    "search_docs",
    "significance",
    "tokenize",
]

# These need numpy and rank_bm25, which take longer to load than all the rest: PEP 562.
_LAZY = {
    "index": {"MAX_K", "Index", "build_index", "check_k", "search", "search_docs"},
    "evaluation": {
        "curve",
        "evaluate_precision",
        "evaluate_recall",
        "first_relevant_rank",
        "precision_at_k",
        "recall_at_k",
    },
}


def __getattr__(name: str) -> object:
    if name in {"metrics", "significance"}:
        return import_module(f"retrieval_lessons.{name}")
    for module, names in _LAZY.items():
        if name in names:
            return getattr(import_module(f"retrieval_lessons.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
