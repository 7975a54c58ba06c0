"""Damages to a true page: none of them is missed.

The page and its twin stand in cases/damaged. Each damage is one edit of the English page, and the
check of that page has to find at least the expected problem.
"""

from __future__ import annotations

import shutil

import pytest
from pages import CASES

from lesson_checker.checks import Verdict, check_pages
from lesson_checker.settings import Settings

FOLDER = CASES / "damaged"
TEXT = (FOLDER / "en" / "lesson.md").read_text(encoding="utf-8")

# behaviour: (what is there, what stands there after the damage, the problem)
DAMAGES = {
    "a digit of an output is wrong": ("0.1667\nrecall@3", "0.1666\nrecall@3", "output-differs"),
    "a letter of an output is wrong": ("query 1  rank", "query 1  Rank", "output-differs"),
    "a line of an output is missing": ("query 3  rank 2\n", "", "output-differs"),
    "the first line of an output is missing": ("query 1  rank 1\n", "", "output-differs"),
    "the last line of an output is missing": ("6 queries\n```", "```", "output-differs"),
    "a line of an output is there twice": (
        "query 5  rank 4\n",
        "query 5  rank 4\nquery 5  rank 4\n",
        "output-differs",
    ),
    "two lines of an output are swapped": (
        "query 5  rank 4\nquery 6  rank 3\n",
        "query 6  rank 3\nquery 5  rank 4\n",
        "output-differs",
    ),
    "an output is empty": (
        "recall@1 = 0.1667\nrecall@3 = 0.6667\nrecall@6 = 1.0000\n  4/6 at k=3\n",
        "",
        "output-differs",
    ),
    "an output begins with a blank line": ("text\nrecall@1", "text\n\nrecall@1", "output-differs"),
    "an output ends with a blank line": ("at k=3\n```", "at k=3\n\n```", "output-differs"),
    "an output holds a blank line more": ("rank 2\nquery 3", "rank 2\n\nquery 3", "output-differs"),
    "the indentation of a line of output is wrong": ("  4/6 at", " 4/6 at", "output-differs"),
    "two blanks of an output are one": ("query 1  rank", "query 1 rank", "output-differs"),
    "a blank of an output is a tab": ("query 1  rank", "query 1\trank", "output-differs"),
    "a blank of an output does not break": (
        "query 1  rank",
        "query 1 \u00a0rank",
        "output-differs",
    ),
    "a line of output has a blank at its end": ("rank 1\n", "rank 1 \n", "output-differs"),
    "an ellipsis stands for lines of output": (
        "query 3  rank 2\nquery 4  rank 6\n",
        "...\n",
        "output-differs",
    ),
    "an output of an admonition is wrong": ("    3.0\n", "    3.1\n", "output-differs"),
    "an output of an admonition is indented further": ("    3.0\n", "     3.0\n", "output-differs"),
    "what was printed before an exception is missing": (
        "no queries:\nZero",
        "Zero",
        "output-differs",
    ),
    "the message of an exception is wrong": (
        "division by zero",
        "division by nought",
        "output-differs",
    ),
    "the name of an exception in an output is wrong": (
        "\nZeroDivisionError: division",
        "\nDivisionError: division",
        "output-differs",
    ),
    "a result of a console session is wrong": (
        ">>> recall(2)\n0.5",
        ">>> recall(2)\n0.6",
        "output-differs",
    ),
    "a result of a console session is missing": ("\n[6]\n", "\n", "output-differs"),
    "a console session computes something else": (
        ">>> recall(2)",
        ">>> recall(1)",
        "output-differs",
    ),
    "a console session raises": (">>> recall(2)", ">>> recal(2)", "raised"),
    "an output block is missing": (
        "What to expect:\n\n```text\nrecall@1 = 0.1667\nrecall@3 = 0.6667\nrecall@6 = 1.0000\n"
        "  4/6 at k=3\n```\n",
        "",
        "output-missing",
    ),
    "an output block is missing below its label": (
        "```text\nrecall@1 = 0.1667\nrecall@3 = 0.6667\nrecall@6 = 1.0000\n  4/6 at k=3\n```\n",
        "",
        "label-alone",
    ),
    "an output of an admonition is missing": (
        "    ```text\n    3.0\n    ```\n",
        "",
        "output-missing",
    ),
    "a code block is missing": (
        "    ```python\n    print(sum(ranks) / len(ranks))\n    ```\n\n",
        "",
        "output-without-code",
    ),
    "prose stands between code and output": (
        "What to expect:\n\n```text\nrecall@1",
        "And this comes out:\n\n```text\nrecall@1",
        "output-without-code",
    ),
    "the label is in the other language": (
        "What to expect:\n\n```text\nrecall@1",
        "Qué esperar:\n\n```text\nrecall@1",
        "output-without-code",
    ),
    "the label has no blank line below it": (
        "What to expect:\n\n```text\nrecall@1",
        "What to expect:\n```text\nrecall@1",
        "label-alone",
    ),
    "the output stands before its code": (
        "## Recall { #recall }\n",
        "## Recall { #recall }\n\n```text\nrecall\n```\n",
        "output-without-code",
    ),
    "a number in the code is wrong": ("[1, 2, 2, 6, 4, 3]", "[1, 2, 2, 5, 4, 3]", "output-differs"),
    "an operator in the code is wrong": ("query.rank <= k)", "query.rank < k)", "output-differs"),
    "a name in the code is wrong": ("return hits /", "return hit /", "raised"),
    "a line of code is missing": (
        "    hits = sum(1 for query in queries if query.rank <= k)\n",
        "",
        "raised",
    ),
    "the code does not parse": (
        "def recall(k: int) -> float:",
        "def recall(k: int) -> float",
        "raised",
    ),
    "an import is missing": ("from dataclasses import dataclass\n", "", "raised"),
    "a decorator is missing": ("@dataclass\n", "", "raised"),
    "a block that others need is only shown": (
        "```python\nfrom __future__",
        "```console\nfrom __future__",
        "raised",
    ),
    "a block that others need is skipped": (
        "```python\nfrom __future__",
        "<!--! skip: no reason -->\n```python\nfrom __future__",
        "raised",
    ),
    "a block with an output is skipped": (
        "```python\ndef recall",
        "<!--! skip: no reason -->\n```python\ndef recall",
        "output-without-code",
    ),
    "a skipped block is no longer skipped": (
        "<!--! skip: needs a large collection -->\n",
        "",
        "raised",
    ),
    "a skip gives no reason": (
        "<!--! skip: needs a large collection -->",
        "<!--! skip -->",
        "comment-unknown",
    ),
    "a comment for the checker is misspelt": ("<!--! skip:", "<!--! skipp:", "comment-unknown"),
    "a comment for the checker is not right above its block": (
        "collection -->\n",
        "collection -->\n\n",
        "comment-misplaced",
    ),
    "an exception is not announced": ("<!--! raises: ZeroDivisionError -->\n", "", "raised"),
    "another exception is announced": ("raises: ZeroDivisionError", "raises: KeyError", "raised"),
    "an announced exception does not come": ("= 0 / 0", "= 0 / 1", "did-not-raise"),
    "the code prints more": (
        "    rank: int | None\n",
        "    rank: int | None\nprint(1)\n",
        "output-missing",
    ),
    "the code prints nothing": (
        "    print(sum(ranks) / len(ranks))",
        "    sum(ranks) / len(ranks)",
        "output-differs",
    ),
    "the code exits": ("ranks = [", "import sys\nsys.exit()\nranks = [", "raised"),
    "the code ends the process": ("ranks = [", "import os\nos._exit(0)\nranks = [", "crashed"),
    "the code hangs": ("ranks = [", "import time\ntime.sleep(60)\nranks = [", "timeout"),
    "a fence is not closed": (
        "    rank: int | None\n```\n",
        "    rank: int | None\n",
        "fence-unclosed",
    ),
    "an output fence is not closed": ("6 queries\n```\n", "6 queries\n", "fence-unclosed"),
    "a closing fence is too long": ("6 queries\n```\n", "6 queries\n````\n", "fence-not-rendered"),
    "a closing fence is indented": ("6 queries\n```\n", "6 queries\n ```\n", "fence-not-rendered"),
    "a fence has an unknown attribute": (
        "```python\ndef",
        "```python notest\ndef",
        "fence-not-rendered",
    ),
    "a fence has an unquoted attribute": (
        "```python\ndef",
        "```python title=a\ndef",
        "fence-not-rendered",
    ),
    "a block is in an HTML comment": (
        "```python\nsearch_everything()\n```",
        "<!--\n```python\nsearch_everything()\n```\n-->",
        "code-hidden",
    ),
    "a block is in a quote": (
        "```python\nsearch_everything()\n```",
        "> ```python\n> search_everything()\n> ```",
        "fence-not-rendered",
    ),
    "a block is indented without reason": (
        "```python\nsearch_everything()\n```",
        "    ```python\n    search_everything()\n    ```",
        "fence-not-rendered",
    ),
    "code stands in raw HTML": (
        "```python\nsearch_everything()\n```",
        "<pre><code>search_everything()</code></pre>",
        "code-hidden",
    ),
    "an element of HTML does not read Markdown": (
        '<details markdown="1">',
        "<details>",
        "fence-not-rendered",
    ),
    "a decimal in prose is wrong": (
        "the recall is 0.6667",
        "the recall is 0.6767",
        "claim-unbacked",
    ),
    "a fraction in prose is wrong": ("that is 4/6", "that is 5/6", "claim-unbacked"),
    "a number in a table is wrong": ("| 1 | 0.1667 |", "| 1 | 0.1767 |", "claim-unbacked"),
    "a bound number is wrong": ("**67%**", "**66%**", "claim-differs"),
    "a bound expression fails": ("{recall(3):.0%}", "{recal(3):.0%}", "claim-differs"),
    "the code is not that of the twin": (
        "# from the first",
        "k = 0\n# from the first",
        "twin-code",
    ),
    "a number in the prose is not that of the twin": (
        "A short lesson",
        "A short lesson in 6 parts",
        "twin-numbers",
    ),
    "a heading is missing in the twin": (
        "## Recall",
        "## More { #more }\n\n## Recall",
        "twin-structure",
    ),
    "a heading has another id than in the twin": ("{ #ranks }", "{ #the-ranks }", "twin-structure"),
    "a heading has another level than in the twin": ("## Ranks", "### Ranks", "twin-structure"),
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """The verdicts on the true page, under "", and on each damaged one."""
    root = tmp_path_factory.mktemp("damages")
    paths = {}
    for number, (name, (old, new, _)) in enumerate([("", ("", "", "")), *DAMAGES.items()]):
        shutil.copytree(FOLDER, root / f"{number}")
        paths[name] = root / f"{number}" / "en" / "lesson.md"
        paths[name].write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    report = check_pages(Settings(root=root, timeout=3), list(paths.values()))
    found = {verdict.page.path: verdict for verdict in report.verdicts}
    return {name: found[path] for name, path in paths.items()}


def test_there_are_at_least_sixty() -> None:
    assert len(DAMAGES) >= 60


def test_the_page_without_damage_has_no_error(verdicts: dict[str, Verdict]) -> None:
    assert [each for each in verdicts[""].problems if each.severity == "error"] == []


@pytest.mark.parametrize("lang", ["en", "es"])
def test_both_pages_are_true(lang: str) -> None:
    report = check_pages(Settings(root=FOLDER), [FOLDER / lang])
    assert [each for each in report.problems if each.severity == "error"] == []


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_is_an_edit_of_the_page(name: str) -> None:
    old, new, _ = DAMAGES[name]
    assert TEXT.replace(old, new, 1) != TEXT


@pytest.mark.parametrize(
    ("name", "code"), [(name, code) for name, (_, _, code) in DAMAGES.items()], ids=DAMAGES
)
def test_a_damage_is_found(name: str, code: str, verdicts: dict[str, Verdict]) -> None:
    errors = [each.code for each in verdicts[name].problems if each.severity == "error"]
    assert code in errors


@pytest.mark.parametrize("name", DAMAGES)
def test_a_problem_of_a_damage_is_on_a_line_of_the_page(
    name: str, verdicts: dict[str, Verdict]
) -> None:
    lines = verdicts[name].page.text.count("\n") + 1
    assert [each for each in verdicts[name].problems if not 1 <= each.line <= lines] == []
