"""A lesson begun by ``lesson-checker new``: what it holds, what is refused, what is left behind."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest
import yaml
from site_project import Project

from lesson_checker import Settings, check_pages, load_settings
from lesson_checker.cli import main
from lesson_checker.new import create, plan

ROOT = Path(__file__).parent.parent
LANGUAGES = ("es", "en")
SLUG = "of-a-test"  # no lesson of the course will ever be called that
TITLES = {"es": "Los registros", "en": "Query logs"}

TEMPLATE = """---
title: "{number} · {title}"
---

# {title} { #{slug} }

```python
sixth = 1 / 6
print(sixth)
```

```text
0.2
```

Then 1.0<!--= f"{2 * sixth:.1f}" -->.
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A project with a template in each language, and one lesson."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.lesson-checker]\nfolders = ["es", "en"]\nexclude = ["TEMPLATE.md"]\n'
        'template = "{language}/TEMPLATE.md"\nnew_page = "{language}/{number}-{slug}.md"\n',
        encoding="utf-8",
    )
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
        (tmp_path / language / "TEMPLATE.md").write_text(TEMPLATE, encoding="utf-8")
        (tmp_path / language / "03-first.md").write_text("# First { #first }\n", encoding="utf-8")
    return load_settings(tmp_path)


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


# ------------------------------------------------------------------------- what is written


def test_a_page_in_each_language_is_written(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "04", "ties", "--title", "es=Los empates", "--title", "en=Ties"]) == 0
    assert capsys.readouterr().out == (
        "created en/04-ties.md\ncreated es/04-ties.md\n2 pages, 2 blocks verified, 0 problems\n"
    )
    text = (settings.root / "es/04-ties.md").read_text(encoding="utf-8")
    assert 'title: "04 · Los empates"' in text
    assert "# Los empates { #ties }" in text


def test_the_outputs_and_bound_words_are_those_of_a_run(settings: Settings) -> None:
    create(plan("04", "ties", {}, settings), settings)
    text = (settings.root / "en/04-ties.md").read_text(encoding="utf-8")
    assert "```text\n0.16666666666666666\n```" in text
    assert "Then 0.3<!--" in text


def test_each_page_is_confirmed_as_the_twin_of_the_other(settings: Settings) -> None:
    create(plan("04", "ties", {}, settings), settings)
    assert main(["check", "--strict", "es/04-ties.md", "en/04-ties.md"]) == 0


def test_without_a_title_the_slug_makes_one(settings: Settings) -> None:
    lesson = plan("04", "query-logs", {"es": "Los registros"}, settings)
    assert lesson.titles == {"es": "Los registros", "en": "Query logs"}


def test_the_number_can_be_written_with_or_without_a_zero(settings: Settings) -> None:
    assert plan("4", "ties", {}, settings).number == "04"
    assert plan("004", "ties", {}, settings).number == "04"
    assert plan("12", "ties", {}, settings).number == "12"


# ------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x", "ties"], "number 'x': expected one from 1 to 99, such as 04"),
        (["0", "ties"], "number '0': expected one from 1 to 99, such as 04"),
        (["3", "ties"], "number 03 is taken by es/03-first.md; the next that is free is 04"),
        (["04", "first"], "slug first is taken by es/03-first.md; choose another"),
        (
            ["04", "Árbol_A"],
            "slug 'Árbol_A': expected small letters without accents, digits and hyphens, "
            "such as arbol-a",
        ),
        (
            ["04", "../up"],
            "slug '../up': expected small letters without accents, digits and hyphens, such as up",
        ),
        (
            ["04", "¿?"],
            "slug '¿?': expected small letters without accents, digits and hyphens, "
            "such as query-logs",
        ),
        (["04", "ties", "--title", "fr=x"], "title in 'fr': the pages are in es or en"),
        (
            ["04", "ties", "--title", "en= "],
            "title ' ': expected words, without any mark-up or quotes",
        ),
        (
            ["04", "ties", "--title", 'en=a "b"'],
            "title 'a \"b\"': expected words, without any mark-up or quotes",
        ),
    ],
)
def test_a_word_that_can_not_be_used_is_refused_with_one_that_can(
    arguments: list[str], message: str, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(settings.root)
    assert main(["new", *arguments]) == 2
    assert capsys.readouterr() == ("", f"lesson-checker: {message}\n")
    assert files(settings.root) == before


def test_a_number_that_one_language_has_taken_is_taken(settings: Settings) -> None:
    (settings.root / "en/04-alone.md").write_text("# Alone\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"number 04 is taken by en/04-alone\.md; .* is 05"):
        plan("04", "ties", {}, settings)


def test_without_a_template_the_message_says_which_settings_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"set template and new_page in \[tool.lesson-checker\]"):
        plan("04", "ties", {}, Settings(tmp_path))


def test_a_template_that_is_gone_is_named(settings: Settings) -> None:
    (settings.root / "en/TEMPLATE.md").unlink()
    with pytest.raises(ValueError, match=r"^en/TEMPLATE\.md: no such file, but .* says so$"):
        create(plan("04", "ties", {}, settings), settings)
    assert files(settings.root) == ["en/03-first.md", "es/03-first.md", "es/TEMPLATE.md"]


def test_a_template_that_is_not_utf_8_is_named(settings: Settings) -> None:
    (settings.root / "en/TEMPLATE.md").write_bytes("café".encode("latin-1"))
    with pytest.raises(ValueError, match=r"^en/TEMPLATE\.md: not UTF-8; save it as UTF-8$"):
        create(plan("04", "ties", {}, settings), settings)


def test_a_page_that_is_named_otherwise_takes_no_number(settings: Settings) -> None:
    (settings.root / "en/four-alone.md").write_text("# Alone\n", encoding="utf-8")
    assert plan("04", "ties", {}, settings).number == "04"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("template", '"TEMPLATE.md"'),
        ("template", '["{language}.md"]'),
        ("new_page", '"{language}/{number}.md"'),
        ("new_page", '"{language}/{number}-{number}-{slug}.md"'),
    ],
)
def test_a_pattern_without_its_parts_is_refused(tmp_path: Path, name: str, value: str) -> None:
    text = f"[tool.lesson-checker]\n{name} = {value}\n"
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"{name} = .*: expected a path that holds once: {{lang"):
        load_settings(tmp_path)


# ---------------------------------------------------------------------------- all or nothing


def test_a_template_whose_page_would_not_be_true_makes_none(settings: Settings) -> None:
    path = settings.root / "en/TEMPLATE.md"
    path.write_text(TEMPLATE.replace("1 / 6", "1 / 0"), encoding="utf-8")
    before = files(settings.root)
    with pytest.raises(ValueError, match=r"(?s)^the template is not in order:.*: raised: the code"):
        create(plan("04", "ties", {}, settings), settings)
    assert files(settings.root) == before


def test_templates_that_contradict_each_other_make_no_page(settings: Settings) -> None:
    path = settings.root / "en/TEMPLATE.md"
    path.write_text(TEMPLATE.replace("#{slug}", "#other"), encoding="utf-8")
    with pytest.raises(ValueError, match="twin-structure"):
        create(plan("04", "ties", {}, settings), settings)


def test_a_file_in_the_way_is_left_alone_and_nothing_is_written(settings: Settings) -> None:
    lesson = plan("04", "ties", {}, settings)
    late = settings.root / "es/04-ties.md"  # somebody writes it meanwhile
    late.write_text("mine", encoding="utf-8")
    before = files(settings.root)
    with pytest.raises(ValueError, match=r"^es/04-ties\.md is there already; it was left alone$"):
        create(lesson, settings)
    assert files(settings.root) == before
    assert late.read_text(encoding="utf-8") == "mine"


def test_who_is_interrupted_finds_nothing_half_done(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Path.open

    def interrupted(path: Path, *arguments: Any, **options: Any) -> Any:
        if path == settings.root / "es/04-ties.md":
            raise KeyboardInterrupt
        return written(path, *arguments, **options)

    before = files(settings.root)
    monkeypatch.setattr(Path, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        create(plan("04", "ties", {}, settings), settings)
    assert files(settings.root) == before


def test_a_page_that_can_not_be_written_takes_the_other_with_it(settings: Settings) -> None:
    where = replace(settings, new_page="{language}/lessons/{number}-{slug}.md")
    (settings.root / "es/lessons").write_text("a file and no folder", encoding="utf-8")
    before = files(settings.root)
    with pytest.raises(ValueError, match=r"^es/lessons/04-ties\.md can't be written: "):
        create(plan("04", "ties", {}, where), where)
    assert files(settings.root) == before


# -------------------------------------------------------------------- the course's own template


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course's pages with a new lesson among them."""
    folder = tmp_path_factory.mktemp("course")
    copytree(ROOT / "docs", folder / "docs")
    copy(ROOT / "pyproject.toml", folder)
    settings = load_settings(folder)
    create(plan("97", SLUG, TITLES, settings), settings)
    return folder


def lesson(folder: Path, language: str) -> Path:
    return folder / f"docs/{language}/lessons/97-{SLUG}.md"


def test_a_new_lesson_of_the_course_passes_the_strictest_check(begun: Path) -> None:
    report = check_pages(load_settings(begun), [lesson(begun, each) for each in LANGUAGES])
    assert report.problems == []
    assert report.verified == 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_template_shows_what_its_code_prints(begun: Path, language: str) -> None:
    text = (ROOT / f"docs/{language}/TEMPLATE.md").read_text(encoding="utf-8")
    words = {"number": "97", "slug": SLUG, "title": TITLES[language]}
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    written = lesson(begun, language).read_text(encoding="utf-8")
    assert re.sub("(?m)^twin: .*\n", "", written) == text


def sections(path: Path) -> list[str]:
    return re.findall(r"(?m)^## .*\{ #([\w-]+) \}", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_template_has_the_sections_of_the_lesson_to_imitate(language: str) -> None:
    folder = ROOT / "docs" / language
    imitated = sections(folder / "lessons/05-precision-at-k.md")
    assert sections(folder / "TEMPLATE.md") == imitated


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_ends_with_exercises_summary_and_resources(language: str) -> None:
    last = {
        path.name: sections(path)[-3:]
        for path in (ROOT / "docs" / language / "lessons").glob("*.md")
    }
    assert last != {}
    assert {
        name: ids for name, ids in last.items() if ids != ["exercises", "summary", "resources"]
    } == {}


def left_of_template(path: Path, language: str) -> list[str]:
    """The lines of a lesson that its template meant to be replaced: guiding comments and gaps."""
    template = (ROOT / f"docs/{language}/TEMPLATE.md").read_text(encoding="utf-8")
    guiding = {
        line
        for line in template.split("\n")
        if "…" in line or line.startswith(("<!-- ", "description: "))
    }
    lines = path.read_text(encoding="utf-8").split("\n")
    return [f"{path.name}:{at}: {line}" for at, line in enumerate(lines, 1) if line in guiding]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_template_waits_to_be_written_in_a_lesson(language: str) -> None:
    lessons = sorted((ROOT / f"docs/{language}/lessons").glob("*.md"))
    assert lessons != []
    assert [line for path in lessons for line in left_of_template(path, language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_that_was_only_begun_waits_to_be_written(begun: Path, language: str) -> None:
    left = left_of_template(lesson(begun, language), language)
    assert left[0].startswith(f"97-{SLUG}.md:3: description: ")
    text = lesson(begun, language).read_text(encoding="utf-8")
    assert len(left) - 1 == len(re.findall("(?m)^.*….*$|^<!-- ", text)) > 20


def test_a_new_lesson_is_built_and_stands_in_the_navigation(begun: Path, tmp_path: Path) -> None:
    project = Project.create(tmp_path)
    for language, config in (("es", "mkdocs.yml"), ("en", "docs/mkdocs.en.yml")):
        folder = tmp_path / f"docs/{language}/lessons"
        folder.mkdir()
        copy(lesson(begun, language), folder)
        content = yaml.safe_load((tmp_path / config).read_text(encoding="utf-8"))
        content["nav"] = ["index.md", "lesson.md", {"Lecciones": "lessons/*.md"}]
        (tmp_path / config).write_text(yaml.safe_dump(content), encoding="utf-8")
    built = project.build()
    assert (built.returncode, built.stderr) == (0, built.stderr)
    for index, title in (("index.html", "Los registros"), ("en/index.html", "Query logs")):
        assert f"97 · {title}" in project.html(index)
    assert "success@5 = 0.8333" in project.html(f"en/lessons/97-{SLUG}/index.html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_is_neither_a_page_nor_published(language: str) -> None:
    settings = load_settings(ROOT)
    template = ROOT / settings.template.replace("{language}", language)
    assert template.exists()
    assert template not in settings.pages()
    hidden = re.search(r"(?m)^exclude_docs: \|\n((?:  .*\n)+)", (ROOT / "mkdocs.yml").read_text())
    assert hidden is not None
    assert template.name in hidden[1].split()
