"""Notebooks hold what their pages hold, and do what their outputs say when they are run again."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from pages import judged
from site_project import Project

from lesson_checker import Page, Verdict, check_pages, load_settings, parse_page
from lesson_checker.prose import prose_of
from lesson_checker.run import Runner
from lesson_checker.settings import Settings
from lesson_site.notebooks import full_address, notebook

ROOT = Path(__file__).parent.parent
COURSE = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("lessons", "reference")
    for path in ROOT.glob(f"docs/*/{folder}/*.md")
)
WORDS = {"skipped": "Not run:", "notebook_note": "From [here]({url})."}
SITE = "https://example.org/"
WHEEL = f"{SITE}small_course-1.0-py3-none-any.whl"
Cells = list[dict[str, Any]]


def written(verdict: Verdict, wheel: str | None = None) -> str:
    return notebook(verdict, link=lambda target: SITE + target, words=WORDS, wheel=wheel)


def cells(text: str, kind: str | None = None) -> Cells:
    found: Cells = nbformat.reads(text, as_version=4).cells
    return [cell for cell in found if kind in (None, cell["cell_type"])]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Runner(Settings(root=tmp_path_factory.mktemp("pages"))) as runner:
        yield runner


def prose(text: str, runner: Runner) -> list[str]:
    """Return the pieces of prose of a page, without what is added before the set-up cell."""
    return [cell["source"] for cell in cells(written(judged(text, runner)), "markdown")[1:]]


def code(text: str, runner: Runner) -> Cells:
    """Return the code cells of a page, without the one that sets it up."""
    return cells(written(judged(text, runner)), "code")[1:]


def printed(outputs: Cells) -> str:
    """Return what outputs say as the page shows it."""
    streams = "".join(each["text"] for each in outputs if each.get("name") == "stdout")
    errors = [each["ename"] + f": {each['evalue']}" for each in outputs if "ename" in each]
    lines = streams.rstrip("\n").split("\n") if streams else []
    return "\n".join(line.rstrip() for line in [*lines, *errors])


# ------------------------------------------------------------------------------- one page


def test_the_title_is_followed_by_where_it_is_from_and_by_the_set_up(runner: Runner) -> None:
    title, set_up, rest = cells(written(judged("# A { #a }\n\nWords.\n", runner), WHEEL))
    assert title["source"] == f"# A\n\nFrom [here]({SITE})."
    assert set_up["source"].splitlines()[0] == (
        f'%pip install --quiet "small-course[plots] @ {WHEEL}"'
    )
    assert rest["source"] == "Words."


def test_without_a_package_nothing_is_installed(runner: Runner) -> None:
    (set_up,) = cells(written(judged("# A\n", runner)), "code")
    assert "pip" not in set_up["source"]


def test_a_page_without_a_title_begins_with_where_it_is_from(runner: Runner) -> None:
    sources = [cell["source"] for cell in cells(written(judged("Words.\n", runner)), "markdown")]
    assert sources == [f"From [here]({SITE}).", "Words."]


def test_a_block_is_a_cell_whose_output_needs_no_label(runner: Runner) -> None:
    text = "Before.\n\n```python\nprint(5)\n```\n\nWhat to expect:\n\n```text\n5\n```\n\nAfter.\n"
    (cell,) = code(text, runner)
    assert (cell["source"], printed(cell["outputs"])) == ("print(5)", "5")
    assert prose(text, runner) == ["Before.", "After."]


def test_an_exception_that_is_announced_does_not_stop_the_notebook(runner: Runner) -> None:
    block = "<!--! raises: KeyError -->\n```python\nprint(1)\n{}['a']\n```\n"
    text = f"{block}\n```text\n1\nKeyError: 'a'\n```\n"
    (cell,) = code(text, runner)
    assert cell["metadata"]["tags"] == ["raises-exception"]
    assert [each["output_type"] for each in cell["outputs"]] == ["stream", "error"]
    assert printed(cell["outputs"]) == "1\nKeyError: 'a'"


def test_a_plot_is_a_picture_with_its_alternative(runner: Runner) -> None:
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 2])"
    text = f"<!--! plot: A line. -->\n```python\n{source}\n```\n"
    (cell,) = code(text, runner)
    (output,) = cell["outputs"]
    assert output["data"]["text/plain"] == "A line."
    assert '<svg style="background: ' in output["data"]["image/svg+xml"]


def test_the_value_of_the_last_expression_is_not_shown_as_on_the_page(runner: Runner) -> None:
    (cell,) = code("```python\nnumbers = {'ñ': 1}\nnumbers.pop('ñ')  # gone\n```\n", runner)
    assert cell["source"].splitlines()[-1] == "numbers.pop('ñ');  # gone"


def test_a_console_session_is_a_cell_for_each_statement(runner: Runner) -> None:
    error = "Traceback (most recent call last):\n  ...\nZeroDivisionError: division by zero"
    session = f">>> def f():\n...     return 5\n>>> f()\n5\n>>> 1 / 0\n{error}"
    text = f"```pycon\n{session}\n```\n"
    found = code(text, runner)
    assert [(cell["source"], printed(cell["outputs"])) for cell in found] == [
        ("def f():\n    return 5", ""),
        ("f()", "5"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ]


def test_a_skipped_block_is_shown_with_its_reason_and_not_run(runner: Runner) -> None:
    text = "<!--! skip: it needs a key -->\n```python\nf()\n```\n"
    assert code(text, runner) == []
    assert prose(text, runner) == ["**Not run:** it needs a key\n\n```python\nf()\n```"]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("3.3<!--= f'{x}' --> points<!--~ said so -->", "3.3 points"),
        ("## Formula { #formula .wide }", "## Formula"),
        ("[Start](a.md){ .md-button }", f"[Start]({SITE}a.md)"),
        ("![It](a.svg 'Title') and `](b)`", f"![It]({SITE}a.svg 'Title') and `](b)`"),
        ("[it][here]\n\n[here]: a.md#b", f"[it][here]\n\n[here]: {SITE}a.md#b"),
        ("$\\sum_{k=1}$ costs $5, `$`", "$\\sum_{k=1}$ costs \\$5, `$`"),
        ("$$\n\\frac{a}{b}\n$$", "$$\n\\frac{a}{b}\n$$"),
        ("```\n{ #a } <!-- b --> $5\n```", "```\n{ #a } <!-- b --> $5\n```"),
        (
            '!!! note "Bets"\n\n    One.\n\n    Two.\n\nThree.',
            "> **Bets**\n>\n>\n> One.\n>\n> Two.\n\nThree.",
        ),
        ("!!! tip\n    ```\n    a\n\n    b\n    ```", "> **Tip**\n>\n> ```\n> a\n>\n> b\n> ```"),
        ('<div class="wide" markdown="1">\n\nWords.\n\n</div>', "Words."),
        ('Words.\n\n<div data-explorer="recall" data-k="5"></div>', "Words."),
        ("One.\r\n\r\nTwo.\r\n", "One.\n\nTwo."),
    ],
)
def test_what_only_the_site_understands_is_written_otherwise(
    markdown: str, expected: str, runner: Runner
) -> None:
    assert prose(markdown, runner) == [expected]


def test_a_list_goes_on_after_a_block_at_the_margin(runner: Runner) -> None:
    text = "- One:\n\n    ```python\n    k = 5\n    ```\n\n    and so on.\n\nAfter.\n"
    assert prose(text, runner) == ["- One:", "and so on.\n\nAfter."]


def test_a_quotation_goes_on_after_a_block(runner: Runner) -> None:
    text = '!!! note "A"\n\n    One:\n\n    ```python\n    k = 5\n    ```\n\n    Two.\n'
    assert [piece.splitlines()[-1] for piece in prose(text, runner)] == ["> One:", "> Two."]
    assert code(text, runner)[0]["source"] == "k = 5"


SOLUTION = '## Exercise\n\n<details markdown="1"><summary>Solution</summary>\n\n{}\n\n</details>\n'


@pytest.mark.parametrize(("after", "folds"), [("", True), ("## Next\n", True), ("Words.\n", False)])
def test_a_solution_folds_if_nothing_else_would_fold_with_it(
    after: str, folds: bool, runner: Runner
) -> None:
    text = SOLUTION.format("```python\nk = 5\n```") + "\n" + after
    found = cells(written(judged(text, runner)))
    heading = next(cell for cell in found if cell["source"] == "### Solution")
    assert heading["metadata"].get("jp-MarkdownHeadingCollapsed", False) is folds


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("", "https://example.org/en/lessons/b/"),
        ("#top", "https://example.org/en/lessons/b/#top"),
        ("../a.md#top", "https://example.org/en/a/#top"),
        ("../a.whl", "https://example.org/en/a.whl"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("https://example.com/#a", "https://example.com/#a"),
    ],
)
def test_a_link_leads_to_the_same_place_from_outside_of_the_site(target: str, address: str) -> None:
    site = "https://example.org/en/"
    addresses = {"a.md": f"{site}a/", "a.whl": f"{site}a.whl", "lessons/b.md": f"{site}lessons/b/"}
    assert full_address(target, "lessons/b.md", addresses) == address


# ---------------------------------------------------------------------------- on the site


def test_the_site_offers_the_notebook_of_a_page_in_each_language(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "course")
    for config in ("mkdocs.yml", "docs/mkdocs.en.yml"):
        project.change(
            project.folder / config, "wheel: false", "wheel: false\n    notebooks: [lesson.md]"
        )
    run = project.build("--quiet")
    assert run.returncode == 0, run.stderr
    for folder, title in (("", "# Lección"), ("en/", "# Lesson")):
        first, _, *rest = cells(project.html(f"{folder}lesson.ipynb"))
        assert first["source"].startswith(title)
        assert f"](https://example.org/course/{folder}lesson/)" in first["source"]
        assert printed(rest[-1]["outputs"]) == "0.8333333333333334"
        assert 'href="../lesson.ipynb" download>' in project.html(f"{folder}lesson/index.html")
        assert ".ipynb" not in project.html(f"{folder}index.html")


# --------------------------------------------------------------------------- the real pages


@cache
def verdicts() -> dict[str, Verdict]:
    report = check_pages(load_settings(ROOT), [ROOT / path for path in COURSE])
    return {verdict.page.name: verdict for verdict in report.verdicts}


def blocks(page: Page) -> list[tuple[str, str]]:
    return [
        (each.code.body, each.output.body if each.output else "")
        for each in page.examples
        if each.runs
    ]


def words(page: Page) -> list[str]:
    text = prose_of(page).text
    return re.findall(r"\w+", text.replace(page.label.rstrip(":"), ""))


@pytest.mark.parametrize("path", COURSE)
def test_a_notebook_is_valid_and_the_same_each_time(path: str) -> None:
    text = written(verdicts()[path], WHEEL)
    nbformat.validate(json.loads(text))
    assert written(verdicts()[path], WHEEL) == text


@pytest.mark.parametrize("path", COURSE)
def test_a_notebook_holds_every_block_and_output_of_its_page_in_order(path: str) -> None:
    found = cells(written(verdicts()[path]), "code")[1:]
    # a semicolon keeps a value from being shown
    assert [(each["source"].replace(";", ""), printed(each["outputs"])) for each in found] == [
        (source.replace(";", ""), output) for source, output in blocks(verdicts()[path].page)
    ]


@pytest.mark.parametrize("path", COURSE)
def test_a_notebook_holds_every_word_and_formula_of_its_page(path: str) -> None:
    page, settings = verdicts()[path].page, load_settings(ROOT)
    pieces = [each["source"] for each in cells(written(verdicts()[path]), "markdown")]
    text = "\n\n".join(pieces)
    for added in (WORDS["notebook_note"].format(url=SITE), f"**{WORDS['skipped']}** "):
        text = text.replace(added, "")
    reread = parse_page(text, page.path, settings)
    # the front matter is for the site, and the alternative of a plot stands with its picture
    source = re.sub(r"(?s)\A---\n.*?\n---\n|<!--! (?:plot|raises):.*?-->", "", page.text)
    body = parse_page(source, page.path, settings)
    assert words(reread) == words(body)
    assert [each.text for each in prose_of(reread).formulas] == [
        each.text for each in prose_of(body).formulas
    ]


@pytest.mark.parametrize("path", COURSE)
def test_nothing_in_a_notebook_leads_nowhere_or_is_left_for_the_site(path: str) -> None:
    pieces = [each["source"] for each in cells(written(verdicts()[path]), "markdown")]
    outside = re.sub(
        r"(?ms)^(?:> )?```.*?^(?:> )?```|`[^`\n]*`|\$\$?[^$]*\$", "", "\n\n".join(pieces)
    )
    assert (
        re.findall(r"\]\((?!https://)|<!--|\{ ?[#:.]|</?(?:div|details|summary)|^!!!", outside)
        == []
    )


# -------------------------------------------------------------------------- run once more


RUN = "from nbclient.cli import main; main()"  # that is `jupyter execute`


def run_again(files: list[Path]) -> None:
    """Run notebooks in their places, nowhere near the reader's own files and settings."""
    names = ("TMPDIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")
    here = {name: str(files[0].parents[1] / name.lower()) for name in names}
    Path(here["TMPDIR"]).mkdir(exist_ok=True)
    subprocess.run(
        [sys.executable, "-c", RUN, "--inplace", "--timeout=60", *files],
        env={**os.environ, **here},
        check=True,
    )


@pytest.fixture(scope="module")
def rerun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Run the notebook of each page, the package being installed already."""
    folder = tmp_path_factory.mktemp("rerun") / "notebooks"
    folder.mkdir()
    files = {path: folder / f"{path.replace('/', '-')}.ipynb" for path in COURSE}
    for path, file in files.items():
        text = written(verdicts()[path], WHEEL)
        (pip,) = re.findall(r'"%pip .*,$', text, flags=re.MULTILINE)
        file.write_text(text.replace(pip, ""), encoding="utf-8")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run_again, (list(files.values())[n::2] for n in (0, 1))))
    return files


def code_of(file: Path) -> Cells:
    return cells(file.read_text(encoding="utf-8"), "code")


def test_notebooks_leave_no_file_beside_them(rerun: dict[str, Path]) -> None:
    folder = next(iter(rerun.values())).parent
    assert sorted(folder.iterdir()) == sorted(rerun.values())


@pytest.mark.parametrize("path", COURSE)
def test_a_notebook_prints_the_same_when_it_is_run_again(path: str, rerun: dict[str, Path]) -> None:
    before = cells(written(verdicts()[path], WHEEL), "code")
    assert [(each["source"], printed(each["outputs"])) for each in code_of(rerun[path])[1:]] == [
        (each["source"], printed(each["outputs"])) for each in before[1:]
    ]


@pytest.mark.parametrize("path", COURSE)
def test_a_notebook_shows_its_pictures_and_no_other_values(
    path: str, rerun: dict[str, Path]
) -> None:
    def shown(found: Cells) -> list[list[str]]:
        kinds = [[each["output_type"] for each in cell["outputs"]] for cell in found]
        return [[kind for kind in each if kind not in ("stream", "error")] for each in kinds]

    assert shown(code_of(rerun[path])) == shown(cells(written(verdicts()[path], WHEEL), "code"))
