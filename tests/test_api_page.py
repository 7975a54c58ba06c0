"""The API page of both editions: every public name, nothing else, and labels in its language."""

import re
from pathlib import Path
from shutil import copy, copytree
from types import ModuleType

import mkdocstrings_handlers.python
import pytest
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.utils.yaml import yaml_load

import lesson_checker
import retrieval_lessons
from retrieval_lessons import metrics, plots, significance

ROOT = Path(__file__).parent.parent
MODULES = [retrieval_lessons, metrics, significance, plots, lesson_checker]
IDS = ["package", "metrics", "significance", "plots", "lesson-checker"]
LABELS = {  # some of those that docstrings need, as the reader sees them
    "es": {"Parámetros:", "Devuelve:", "Lanza:", "Ejemplos:", "Atributos:"},
    "en": {"Parameters:", "Returns:", "Raises:", "Examples:", "Attributes:"},
}


def source(lang: str) -> str:
    return (ROOT / f"docs/{lang}/api.md").read_text(encoding="utf-8")


def shown(lang: str) -> list[str]:
    """What the page asks mkdocstrings for."""
    return re.findall(r"^::: (\S+)", source(lang), flags=re.MULTILINE)


def public(module: ModuleType) -> set[str]:
    """The public names of a module; those that are modules have a section of their own."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
        ]
    return {name for name in names if not isinstance(getattr(module, name), ModuleType)}


@pytest.fixture(scope="module", params=["es", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def page(lang: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The built page, with the project's own settings of mkdocstrings and nothing else."""
    folder = tmp_path_factory.mktemp(lang)
    (folder / "docs/reference").mkdir(parents=True)
    copy(ROOT / f"docs/{lang}/api.md", folder / "docs")
    (folder / "docs/reference/recall-and-precision.md").write_text("# R\n", encoding="utf-8")
    copytree(ROOT / "docs/theme/api", folder / "templates")
    with (ROOT / "mkdocs.yml").open(encoding="utf-8") as file:
        options = yaml_load(file)["plugins"]["mkdocstrings"]
    settings = {
        "site_name": "API",
        "theme": {"name": "material", "language": lang, "font": False},
        "plugins": {"mkdocstrings": options | {"custom_templates": str(folder / "templates")}},
        "markdown_extensions": ["attr_list", "md_in_html", "tables", "pymdownx.superfences"],
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    config = load_config(str(folder / "mkdocs.yml"))
    build(config)
    return (folder / "site/api/index.html").read_text(encoding="utf-8")


def ids(page: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', page)


def test_both_editions_show_the_same(lang: str) -> None:
    assert (
        shown(lang)
        == [
            "retrieval_lessons",
            "retrieval_lessons.explain.explain",  # its module hides it from the list of the package
            *(module.__name__ for module in MODULES[1:]),
        ]
    )


def test_every_section_can_be_linked_to(lang: str) -> None:
    assert re.findall(r"^## .*\{ #([\w-]+) \}$", source(lang), flags=re.MULTILINE) == IDS


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_public_name_is_on_the_page_and_no_other(page: str, module: ModuleType) -> None:
    parents = {"explain.explain": "explain"}
    pattern = re.compile(rf"{re.escape(module.__name__)}\.(explain\.explain|\w+)")
    matches = [pattern.fullmatch(name) for name in ids(page)]
    names = [parents.get(match[1], match[1]) for match in matches if match]
    assert sorted(names) == sorted(public(module))


def test_every_module_that_the_package_exports_has_a_section(lang: str) -> None:
    modules = [
        value.__name__
        for value in (getattr(retrieval_lessons, name) for name in retrieval_lessons.__all__)
        if isinstance(value, ModuleType)
    ]
    assert set(modules) <= set(shown(lang))
    assert modules != []


def test_no_id_stands_there_twice(page: str) -> None:
    assert [name for name in set(ids(page)) if ids(page).count(name) > 1] == []


def test_the_labels_are_in_the_language_of_the_page(lang: str, page: str) -> None:
    other = "en" if lang == "es" else "es"
    words = set(re.findall(r">([^<>]+:)<", page))
    assert words & (LABELS["es"] | LABELS["en"]) == LABELS[lang]
    assert words & LABELS[other] == set()


def test_all_labels_of_mkdocstrings_are_those_of_the_page(lang: str, page: str) -> None:
    package = Path(mkdocstrings_handlers.python.__file__).parent
    theirs = package / "templates/material/_base/languages/en.html.jinja"
    english = set(re.findall(r'"(\w[\w ]*:)"\s*:', theirs.read_text(encoding="utf-8")))
    words = set(re.findall(r">([^<>]+:)<", page))
    assert (words & english == set()) is (lang == "es")


def test_what_a_function_returns_is_one_item_however_many_lines_tell_it(page: str) -> None:
    lists = re.findall(r">(?:Returns|Devuelve):<.*?<ul>(.*?)</ul>", page, flags=re.DOTALL)
    assert len(lists) > 20
    assert [each for each in lists if each.count("<li") != 1] == []


def test_what_comes_from_the_code_is_marked_as_english(lang: str) -> None:
    blocks = re.findall(r'<div lang="en" markdown="1">\n(.*?)\n</div>', source(lang), re.DOTALL)
    assert re.findall(r"^::: (\S+)", "\n".join(blocks), flags=re.MULTILINE) == shown(lang)
    assert [line for line in "\n".join(blocks).split("\n") if re.match(r"[#\w]", line)] == []
