import ast
import doctest
import inspect
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import retrieval_lessons

MODULES = sorted(module.name for module in pkgutil.iter_modules(retrieval_lessons.__path__))


def test_the_public_names_are_those_of_the_lessons() -> None:
    assert retrieval_lessons.__all__ == [
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


@pytest.mark.parametrize("name", retrieval_lessons.__all__)
def test_each_public_name_is_there_and_listed(name: str) -> None:
    assert hasattr(retrieval_lessons, name)
    assert name in dir(retrieval_lessons)


def test_each_public_class_and_function_is_documented() -> None:
    public = [getattr(retrieval_lessons, name) for name in retrieval_lessons.__all__]
    documentable = [thing for thing in public if callable(thing)]
    assert len(documentable) == 20
    assert [thing for thing in documentable if not inspect.getdoc(thing)] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'retrieval_lessons' has no attribute 'recal_at_k'"):
        _ = retrieval_lessons.recal_at_k


def loaded_after(statement: str) -> set[str]:
    """Which of the slow packages a fresh interpreter has loaded after a statement."""
    code = f"import sys\n{statement}\nprint(*({{'numpy', 'rank_bm25'}} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import retrieval_lessons",
        "from retrieval_lessons import EVAL_SET, explain, load_chunks; load_chunks()",
    ],
)
def test_numpy_and_rank_bm25_are_not_loaded_before_they_are_needed(statement: str) -> None:
    assert loaded_after(statement) == set()


def test_numpy_and_rank_bm25_are_loaded_by_the_first_name_that_needs_them() -> None:
    statement = "import retrieval_lessons; retrieval_lessons.build_index"
    assert loaded_after(statement) == {"numpy", "rank_bm25"}


@pytest.mark.parametrize("name", ["metrics", "significance"])
def test_metrics_and_significance_need_numpy_alone(name: str) -> None:
    assert loaded_after(f"import retrieval_lessons; retrieval_lessons.{name}") == {"numpy"}


@pytest.mark.parametrize(
    "before",
    ["", "import retrieval_lessons.explain", "from retrieval_lessons.explain import HEADER"],
)
def test_explain_is_the_function_however_the_package_was_imported(before: str) -> None:
    code = f"{before}\nfrom retrieval_lessons import explain\nprint(callable(explain))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"


def test_only_the_index_imports_rank_bm25() -> None:
    folder = Path(retrieval_lessons.__file__).parent
    importers = [
        path.stem
        for path in sorted(folder.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and node.module == "rank_bm25")
        or (isinstance(node, ast.Import) and "rank_bm25" in [name.name for name in node.names])
    ]
    assert importers == ["index"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    assert doctest.testmod(import_module(f"retrieval_lessons.{name}")).failed == 0


def test_there_are_examples_in_the_docstrings() -> None:
    silent = [
        name
        for name in MODULES
        if not doctest.testmod(import_module(f"retrieval_lessons.{name}")).attempted
    ]
    assert silent == []
