"""Each lesson as a Jupyter notebook: its prose, its code, and the outputs of its run."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from doctest import DocTestParser
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import urljoin, urlsplit

import nbformat

from lesson_checker import Example, Verdict
from lesson_checker.compare import normal, outcomes
from lesson_checker.jobs import Outcome
from lesson_site.portable import Text, portable

Cell = dict[str, Any]
"""A cell of a notebook, or one of its outputs, in version 4.5 of the format."""

_PAPER = "#fcfbf7"  # as in site.css; a picture without ground can't be read on a dark one
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(
    verdict: Verdict,
    *,
    link: Callable[[str], str],
    words: Mapping[str, str],
    wheel: str | None = None,
) -> str:
    """Return the page of ``verdict`` as a notebook, the same for the same page.

    After the title comes a cell that says where the notebook is from, and one that sets it up:
    it installs the course's package, and goes to an empty folder, as the run of a page does.

    Args:
        verdict: What the checker says about the page; it must have been run.
        link: Returns the full address of what a link or picture of the page leads to, and for
            ``""`` that of the page itself.
        words: What the site says in the page's language.
        wheel: The address of the package to install, None if there is none.
    """
    ran = dict(outcomes(verdict.page, verdict.run)) if verdict.run else {}
    title, *parts = portable(verdict.page, link=link, skipped=words["skipped"])
    note = Text(words["notebook_note"].replace("{url}", link("")))
    if not (isinstance(title, Text) and title.markdown.startswith("# ")):
        parts.insert(0, title)
        title = Text("")
    assert isinstance(title, Text)  # noqa: S101 - tells mypy, can't fail
    cells: list[Cell] = [
        _prose(Text(f"{title.markdown}\n\n{note.markdown}".strip())),
        _set_up(wheel),
    ]
    for part in parts:
        cells += [_prose(part)] if isinstance(part, Text) else _code(part, ran.get(part))
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    code = (each for each in cells if each["cell_type"] == "code")
    for number, cell in enumerate(code, start=1):
        cell["execution_count"] = number
    made = {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    nbformat.validate(made)
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def full_address(target: str, source: str, addresses: Mapping[str, str]) -> str:
    """Return where a link leads from outside of the site.

    Args:
        target: The link as it is written; ``""`` is the page itself.
        source: The page's path in the folder of its edition.
        addresses: The full address of each file of the edition, by its path.

    >>> addresses = {"a.md": "https://example.org/a/", "more/b.md": "https://example.org/more/b/"}
    >>> full_address("../a.md#top", "more/b.md", addresses)
    'https://example.org/a/#top'
    """
    if urlsplit(target).scheme:
        return target
    path, sign, anchor = target.partition("#")
    file = normpath(join(dirname(source), path)) if path else source
    return addresses.get(file, urljoin(addresses[source], path)) + sign + anchor


def _prose(text: Text) -> Cell:
    # JupyterLab hides what stands below such a heading until somebody unfolds it
    metadata = {"jp-MarkdownHeadingCollapsed": True} if text.folds else {}
    return {"cell_type": "markdown", "metadata": metadata, "source": _lines(text.markdown)}


def _set_up(wheel: str | None) -> Cell:
    source = "import os\nimport tempfile\n\nos.chdir(tempfile.mkdtemp())"
    if wheel:
        name = wheel.rpartition("/")[2].partition("-")[0].replace("_", "-")
        source = f'%pip install --quiet "{name}[plots] @ {wheel}"\n\n{source}'
    return _cell(source, [], tags=["setup"])


def _code(example: Example, outcome: Outcome | None) -> Iterator[Cell]:
    if example.code.language == "pycon":
        yield from _session(example.code.body)
        return
    outputs = []
    if outcome:
        outputs += _printed(normal(outcome["stdout"]))
        if outcome["error"]:
            outputs.append(_error(outcome["error"]["last_line"]))
        for plot in outcome["plots"]:
            svg = plot["svg"].replace("<svg ", f'<svg style="background: {_PAPER}" ', 1)
            data = {"image/svg+xml": _lines(svg), "text/plain": _lines(example.plot or "")}
            outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    # notebooks stop at an exception that no tag announces
    tags = ["raises-exception"] if example.raises else []
    yield _cell(_silent(example.code.body), outputs, tags)


def _session(body: str) -> Iterator[Cell]:
    """Yield a cell for each statement of a console session, which shows values unasked."""
    for each in DocTestParser().get_examples(body):
        source = each.source.rstrip("\n")
        if each.exc_msg:
            yield _cell(source, [_error(each.exc_msg.rstrip("\n"))], ["raises-exception"])
        else:
            yield _cell(source, _printed(each.want))


def _cell(source: str, outputs: list[Cell], tags: Sequence[str] = ()) -> Cell:
    metadata = {"tags": list(tags)} if tags else {}
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": _lines(source),
        "outputs": outputs,
    }


def _printed(text: str) -> list[Cell]:
    lines = _lines(text.rstrip("\n") + "\n")
    return [{"output_type": "stream", "name": "stdout", "text": lines}] if text.strip("\n") else []


def _error(last_line: str) -> Cell:
    name, _, value = last_line.partition(": ")
    return {
        "output_type": "error",
        "ename": name.rpartition(".")[2],
        "evalue": value,
        "traceback": last_line.split("\n"),
    }


def _lines(text: str) -> list[str]:
    """Return a text as the format has it: as a list of lines, which version control likes."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _silent(source: str) -> str:
    r"""Keep a notebook from showing the value of the last expression, as a page doesn't.

    >>> _silent("k = 5\nnumbers.append(k)  # five")
    'k = 5\nnumbers.append(k);  # five'
    >>> _silent("print(5)")
    'print(5)'
    """
    try:
        statements = ast.parse(source).body
    except SyntaxError:  # which may be what the page is about
        return source
    last = statements[-1] if statements else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return source
    call = last.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print":
        return source
    lines = source.split("\n")
    line = lines[last.end_lineno - 1].encode()
    before, after = line[: last.end_col_offset], line[last.end_col_offset :]
    if not after.lstrip().startswith(b";"):
        lines[last.end_lineno - 1] = (before + b";" + after).decode()
    return "\n".join(lines)
