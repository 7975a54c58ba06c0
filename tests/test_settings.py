"""The settings of a project, and which pages they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from lesson_checker.settings import Language, Settings, load_settings


def project(folder: Path, settings: str = "") -> Path:
    text = f"[tool.lesson-checker]\n{settings}"
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_nearest_pyproject_with_a_table_counts(tmp_path: Path) -> None:
    project(tmp_path, "timeout = 3\n")
    inner = tmp_path / "docs" / "es"
    inner.mkdir(parents=True)
    (tmp_path / "docs" / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    settings = load_settings(inner)
    assert (settings.root, settings.timeout) == (tmp_path, 3)


def test_a_page_is_as_good_a_start_as_its_folder(tmp_path: Path) -> None:
    page = project(tmp_path) / "a.md"
    page.touch()
    assert load_settings(page).root == tmp_path


def test_a_bare_folder_has_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    assert settings.root == tmp_path
    assert settings.languages["es"].label == "Qué esperar:"


def test_every_setting_is_read(tmp_path: Path) -> None:
    text = """
folders = ["a"]
exclude = ["b.md"]
preload = ["json"]
versions = ["numpy"]
template = "{language}/a.md"
new_page = "{language}/{number}-{slug}.md"
timeout = 1.5
memory = 100
jobs = 1

[tool.lesson-checker.languages.fr]
label = " Résultat : "
nouns = ["mots"]
"""
    assert load_settings(project(tmp_path, text)) == Settings(
        root=tmp_path,
        folders=("a",),
        exclude=("b.md",),
        languages={"fr": Language("Résultat :", ("mots",))},
        preload=("json",),
        versions=("numpy",),
        template="{language}/a.md",
        new_page="{language}/{number}-{slug}.md",
        timeout=1.5,
        memory=100,
        jobs=1,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 1", "colour: no such setting; there are: folders, exclude"),
        ("timeout = 0", "timeout = 0: expected a number above 0"),
        ("jobs = true", "jobs = True: expected a number above 0"),
        ('memory = "2 GiB"', "memory = '2 GiB': expected a number above 0"),
        ('folders = "docs"', "folders = 'docs': expected a list of strings"),
        ("preload = [1]", r"preload = \[1\]: expected a list of strings"),
        ('languages.es = "a"', "languages.es = 'a': expected a table with 'label' and 'nouns'"),
        ('languages.es = {tag = "a"}', "expected a table with 'label' and 'nouns'"),
        ("languages.es = {label = 1}", "languages.es.label = 1: expected some text"),
        ('languages.es = {label = " "}', "languages.es.label = ' ': expected some text"),
        ('languages.es = {label = "a", nouns = 1}', "nouns = 1: expected a list of strings"),
        ("= 1", "not readable as TOML"),
    ],
)
def test_a_bad_setting_says_where_it_is_and_what_was_expected(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load_settings(project(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "pyproject.toml"))


def test_the_pages_are_the_markdown_files_of_the_folders(tmp_path: Path) -> None:
    settings = Settings(tmp_path, exclude=("STYLE.md",))
    for name in ("b/a.md", "a.md", "a.txt", "STYLE.md", ".hidden/a.md", "node_modules/a.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    venv = tmp_path / "env"
    venv.mkdir()
    (venv / "pyvenv.cfg").touch()
    (venv / "a.md").touch()
    assert settings.pages() == [tmp_path / "a.md", tmp_path / "b" / "a.md"]


def test_a_folder_that_is_gone_is_an_error_and_not_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="docs/en: there is no such folder of pages"):
        Settings(tmp_path, folders=("docs/en",)).pages()


@pytest.mark.parametrize(
    ("path", "lang", "slug"),
    [
        ("docs/es/lessons/04.md", "es", "lessons/04"),
        ("en/a.md", "en", "a"),
        ("README.md", None, "README"),
        ("es.md", None, "es"),
        ("en/es/a.md", "es", "a"),
    ],
)
def test_language_and_slug_come_from_the_path(path: str, lang: str | None, slug: str) -> None:
    settings = Settings(Path("/project"))
    page = Path("/project", path)
    assert (settings.language_of(page), settings.slug_of(page)) == (lang, slug)


def test_the_twin_differs_in_the_folder_of_the_language(tmp_path: Path) -> None:
    for lang in ("es", "en"):
        (tmp_path / "docs" / lang).mkdir(parents=True)
    settings = Settings(tmp_path)
    assert settings.twins_of(tmp_path / "docs/es/a/b.md") == {"en": tmp_path / "docs/en/a/b.md"}
    assert settings.twins_of(tmp_path / "docs/a.md") == {}


def test_without_a_folder_for_the_other_language_a_page_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "es").mkdir()
    assert Settings(tmp_path).twins_of(tmp_path / "es/a.md") == {}


def test_paths_outside_of_the_project_are_shown_whole(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "project")
    assert settings.relative(tmp_path / "a.md") == tmp_path / "a.md"


def test_a_page_may_stand_where_a_folder_of_pages_may(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("", encoding="utf-8")
    assert Settings(root=tmp_path, folders=("README.md",)).pages() == [page]
