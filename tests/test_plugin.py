"""The gate and the two editions, through the command that people use."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from site_project import Project, environment, snapshot


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "course")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.create(tmp_path_factory.mktemp("built"))
    run = project.build()
    assert run.returncode == 0, run.stderr
    return project


# ------------------------------------------------------------------------------------- the gate


def wrong_digit(project: Project) -> None:
    project.change(project.page("lesson", "es"), "0.8333333333333334", "0.8333333333333335")


def page_in_one_language(project: Project) -> None:
    project.page("lesson", "en").unlink()


def block_by_template(project: Project) -> None:
    file = project.folder / "docs/theme/site/partials/content.html"
    file.write_text(file.read_text(encoding="utf-8") + "<pre>print(7)</pre>", encoding="utf-8")


def block_by_raw_html(project: Project) -> None:
    for lang in ("es", "en"):
        page = project.page("lesson", lang)
        project.change(page, "$\\frac{a}{b}$", "<b></b><pre>print(7)</pre>")


def block_hidden_by_html(project: Project) -> None:
    for lang in ("es", "en"):
        page = project.page("lesson", lang)
        project.change(page, "```python", "<div hidden markdown>\n\n```python")
        page.write_text(page.read_text(encoding="utf-8") + "\n</div>\n", encoding="utf-8")


def formula_without_meaning(project: Project) -> None:
    for lang in ("es", "en"):
        project.change(project.page("lesson", lang), "\\frac{a}{b}", "\\nosuch{a}{b}")


def formula_left_as_tex(project: Project) -> None:
    for lang in ("es", "en"):
        page = project.page("lesson", lang)
        project.change(page, "```python", "<div>$\\frac{c}{d}$</div>\n\n```python")


def broken_link(project: Project) -> None:
    for lang in ("es", "en"):
        project.change(project.page("index", lang), "(lesson.md)", "(lessons.md)")


FAULTS: list[tuple[Callable[[Project], None], str]] = [
    (wrong_digit, r"docs/es/lesson\.md:\d+: output-differs"),
    (page_in_one_language, r"docs/e[sn]/lesson\.md:1: twin-missing"),
    (block_by_template, r"docs/en/index\.md:1: site-unverified"),
    (block_by_raw_html, r"docs/es/lesson\.md:3: code-hidden"),
    (block_hidden_by_html, r"docs/es/lesson\.md:\d+: site-missing"),
    (formula_without_meaning, r"docs/es/lesson\.md:3: formula-invalid"),
    (formula_left_as_tex, r"docs/es/lesson\.md:5: formula-invalid"),
    (broken_link, r".*'lessons\.md'"),
]
QUIET = [pytest.param(*fault, ("--quiet",), id=f"{fault[0].__name__}-quiet") for fault in FAULTS]
# one of each stage (the check, the audit, a warning of MkDocs) in the other ways to build
OTHERWISE = [
    pytest.param(plant, message, options, id=f"{plant.__name__}-{options}")
    for plant, message in FAULTS
    if plant in (wrong_digit, block_by_template, broken_link)
    for options in ((), ("--strict",))
]


@pytest.mark.parametrize(("plant", "message", "options"), QUIET + OTHERWISE)
def test_a_site_with_a_fault_is_refused_by_name_and_the_earlier_site_stays(
    project: Project, plant: Callable[[Project], None], message: str, options: tuple[str, ...]
) -> None:
    project.site.mkdir()
    (project.site / "index.html").write_text("earlier", encoding="utf-8")
    before = snapshot(project.site)
    plant(project)

    run = project.build(*options)

    assert (run.returncode, snapshot(project.site)) == (1, before)
    assert re.search(f"^{message}", run.stderr, flags=re.MULTILINE)
    assert "nothing is published" in run.stderr


def test_what_is_wrong_in_all_editions_is_told_at_once(project: Project) -> None:
    for lang in ("es", "en"):
        project.change(project.page("lesson", lang), "```text\n0.83", "```text\n0.93")
    stderr = project.build("--quiet").stderr
    places = re.findall(r"^docs/(..)/lesson\.md:\d+: output-differs", stderr, flags=re.MULTILINE)
    assert sorted(places) == ["en", "es"]
    assert "Error reading page" not in stderr


def test_a_wrong_digit_is_shown_with_its_diff(project: Project) -> None:
    wrong_digit(project)
    stderr = project.build("--quiet").stderr
    assert "-0.8333333333333335\n" in stderr
    assert "+0.8333333333333334\n" in stderr


def test_a_refused_build_leaves_nothing_beside_the_site(project: Project) -> None:
    block_by_raw_html(project)
    before = sorted(file.name for file in project.folder.iterdir())
    project.build()
    assert sorted(file.name for file in project.folder.iterdir()) == before


def test_a_build_replaces_the_earlier_site_as_a_whole(project: Project) -> None:
    project.site.mkdir()
    (project.site / "gone.html").write_text("earlier", encoding="utf-8")
    assert project.build("--quiet").returncode == 0
    assert not (project.site / "gone.html").exists()
    assert (project.site / "en/lesson/index.html").exists()


def test_a_clean_build_says_nothing_when_it_is_asked_to_be_quiet(project: Project) -> None:
    run = project.build("--quiet", "--strict")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_one_edition_is_not_published_without_the_other(project: Project) -> None:
    run = project.build(config="docs/mkdocs.en.yml")
    assert (run.returncode, project.site.exists()) == (1, False)
    assert "`mkdocs build` with mkdocs.yml builds all of them" in run.stderr


# --------------------------------------------------------------------------------- the editions


def links(html: str, pattern: str) -> list[str]:
    return re.findall(pattern, html)


@pytest.mark.parametrize(("name", "lang"), [("lesson/index.html", "es"), ("en/index.html", "en")])
def test_a_page_says_which_language_it_is_in(built: Project, name: str, lang: str) -> None:
    assert f'<html lang="{lang}"' in built.html(name)


@pytest.mark.parametrize("name", ["lesson/index.html", "en/lesson/index.html"])
def test_a_page_names_its_twins_for_search_engines(built: Project, name: str) -> None:
    found = links(built.html(name), r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"')
    assert found == [
        ("es", "https://example.org/course/lesson/"),
        ("en", "https://example.org/course/en/lesson/"),
        ("x-default", "https://example.org/course/lesson/"),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("index.html", [("./", "es"), ("./en/", "en")]),
        ("en/index.html", [("./../", "es"), ("./../en/", "en")]),
        ("lesson/index.html", [("../lesson/", "es"), ("../en/lesson/", "en")]),
        ("en/lesson/index.html", [("../../lesson/", "es"), ("../../en/lesson/", "en")]),
        ("404.html", [("/course/", "es"), ("/course/en/", "en")]),
        ("en/404.html", [("/course/en/../", "es"), ("/course/en/../en/", "en")]),
    ],
)
def test_the_switcher_links_to_the_same_page(
    built: Project, name: str, expected: list[tuple[str, str]]
) -> None:
    switcher = built.html(name).split('<nav class="editions"')[1].split("</nav>")[0]
    assert links(switcher, r'href="([^"]+)" hreflang="(\w+)"') == expected


@pytest.mark.parametrize("folder", ["", "en/"])
def test_the_sitemap_of_each_edition_names_the_twins(built: Project, folder: str) -> None:
    sitemap = built.html(f"{folder}sitemap.xml")
    found = links(sitemap, r'<loc>(.*)</loc>|hreflang="(.*)" href="(.*)"')
    assert found[4:] == [
        (f"https://example.org/course/{folder}lesson/", "", ""),
        ("", "es", "https://example.org/course/lesson/"),
        ("", "en", "https://example.org/course/en/lesson/"),
        ("", "x-default", "https://example.org/course/lesson/"),
    ]


@pytest.mark.parametrize("name", ["404.html", "en/404.html"])
def test_the_error_page_speaks_both_languages(built: Project, name: str) -> None:
    html = built.html(name)
    assert '<div lang="es">' in html
    assert '<div lang="en">' in html


@pytest.mark.parametrize(("folder", "word"), [("", "Lección"), ("en/", "Lesson")])
def test_the_search_of_an_edition_knows_its_own_pages_only(
    built: Project, folder: str, word: str
) -> None:
    index = json.loads(built.html(f"{folder}search/search_index.json"))
    assert [entry["title"] for entry in index["docs"] if entry["location"] == "lesson/"] == [word]


# ------------------------------------------------------------------------------- what is proven


def test_a_lesson_is_stamped_with_its_blocks_and_the_python_that_ran_them(built: Project) -> None:
    stamp = built.html("lesson/index.html").split('class="stamp"')[1].split("</p>")[0]
    assert "1 bloque verificado" in stamp
    assert f"Python {'.'.join(map(str, sys.version_info[:3]))}" in stamp


def test_a_page_without_code_has_no_stamp(built: Project) -> None:
    assert 'class="stamp"' not in built.html("en/index.html")


def test_the_label_is_the_title_of_its_verified_output(built: Project) -> None:
    html = built.html("en/lesson/index.html")
    assert 'What to expect <span class="mark">verified</span></span><pre>' in html
    assert "<p>What to expect:</p>" not in html


def test_formulas_are_mathml(built: Project) -> None:
    assert "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in built.html("lesson/index.html")


def test_the_record_names_every_page_and_its_blocks(built: Project) -> None:
    content = json.loads(built.html("verification.json"))
    assert [(page["path"], page["verified"]) for page in content["pages"]] == [
        ("docs/en/index.md", 0),
        ("docs/en/lesson.md", 1),
        ("docs/es/index.md", 0),
        ("docs/es/lesson.md", 1),
    ]
    assert [block["kind"] for block in content["pages"][1]["blocks"]] == ["code", "output"]


@pytest.mark.parametrize(("folder", "source"), [("", "es"), ("en/", "en")])
def test_a_page_links_to_its_source_and_to_a_report(
    built: Project, folder: str, source: str
) -> None:
    html = built.html(f"{folder}lesson/index.html")
    repository = "https://github.com/retrieval-lessons/retrieval-lessons"
    assert f'href="{repository}/edit/main/docs/{source}/lesson.md"' in html
    report = html.split(f'href="{repository}/issues/new?')[1].split('"')[0]
    assert f"course/{folder}lesson/" in report


# ------------------------------------------------------------------------------------ a preview


@pytest.fixture
def preview(project: Project) -> Iterator[Callable[[str], str]]:
    """Serve a project that is already broken; yields what gets a page."""
    wrong_digit(project)
    formula_without_meaning(project)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "mkdocs", "serve", "--quiet", "--dev-addr", address]
    with subprocess.Popen(
        command, cwd=project.folder, env=environment(), stderr=subprocess.PIPE, text=True
    ) as server:

        def get(path: str) -> str:
            with urlopen(f"http://{address}/course/{path}", timeout=10) as answer:
                return str(answer.read().decode("utf-8"))

        def is_up() -> bool:
            try:
                return bool(get(""))
            except URLError:
                return False

        try:
            until(is_up)
            yield get
        finally:
            server.send_signal(signal.SIGINT)  # which makes it remove its temporary folder
            server.communicate()


def until(condition: Callable[[], bool]) -> None:
    for _ in range(300):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("nothing happened within 30 seconds")


def test_a_preview_shows_problems_on_their_page_and_follows_both_languages(
    project: Project, preview: Callable[[str], str]
) -> None:
    broken = preview("lesson/")
    assert '<div class="problems" role="alert">' in broken
    assert "-0.8333333333333335" in broken
    assert "formula-invalid" in broken
    assert '<span class="mark">' not in broken
    assert 'class="problems"' not in preview("")

    project.change(project.page("lesson", "es"), "0.8333333333333335", "0.8333333333333334")
    for lang in ("es", "en"):
        project.change(project.page("lesson", lang), "\\nosuch{a}{b}", "\\frac{a}{b}")
    until(lambda: 'class="problems"' not in preview("lesson/"))
    assert '<span class="mark">verificado</span>' in preview("lesson/")
    assert '<span class="mark">verified</span>' in preview("en/lesson/")

    project.change(project.page("lesson", "en"), "0.8333333333333334", "0.8333333333333336")
    until(lambda: "-0.8333333333333336" in preview("en/lesson/"))
