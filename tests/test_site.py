"""What the two configurations, the theme and the pages about the site have to agree on."""

import re
from pathlib import Path
from typing import Any

import mkdocstrings_handlers.python
import pytest
import yaml
from mkdocs.utils.yaml import get_yaml_loader

ROOT = Path(__file__).parent.parent
THEME = ROOT / "docs/theme/site"


def read(path: str | Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def config(path: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(read(path), Loader=get_yaml_loader())  # noqa: S506
    return content


SPANISH, ENGLISH = config("mkdocs.yml"), config("docs/mkdocs.en.yml")


def paths(nav: list[Any]) -> list[str]:
    found = []
    for item in nav:
        values = item.values() if isinstance(item, dict) else [item]
        for value in values:
            found += paths(value) if isinstance(value, list) else [value]
    return found


def test_both_editions_have_the_same_pages_in_the_same_order() -> None:
    assert paths(ENGLISH["nav"]) == paths(SPANISH["nav"])


def test_every_word_of_the_templates_is_translated() -> None:
    spanish, english = SPANISH["extra"]["words"], ENGLISH["extra"]["words"]
    assert list(english) == list(spanish)
    assert [name for name in spanish if spanish[name] == english[name]] == []


def test_the_templates_and_the_plugin_say_no_word_that_is_not_there_and_none_is_spare() -> None:
    sources = [*THEME.rglob("*.html"), ROOT / "docs/theme/site/sitemap.xml"]
    used = {
        word
        for file in sources
        for word in re.findall(r'\bwords(?:\.|\[")(\w+)', file.read_text(encoding="utf-8"))
    }
    assert used | {"data", "notebook_note", "skipped", "verified"} == set(SPANISH["extra"]["words"])


@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_repository_to_clone_is_the_one_that_the_site_links_to(lang: str) -> None:
    assert f"git clone {SPANISH['repo_url']}\n" in read(f"docs/{lang}/start.md")


@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_package_to_install_is_the_one_that_is_built(lang: str) -> None:
    (version,) = re.findall(r'^version = "(.*)"', read("pyproject.toml"), flags=re.MULTILINE)
    named = set(
        re.findall(r"retrieval_lessons-[\w.]+-py3-none-any\.whl", read(f"docs/{lang}/start.md"))
    )
    assert named == {f"retrieval_lessons-{version}-py3-none-any.whl"}


def test_the_theme_asks_no_other_host() -> None:
    namespaces = ("http://www.w3.org/", "http://www.sitemaps.org/")
    addresses = [
        address
        for file in THEME.rglob("*")
        if file.is_file()
        for address in re.findall(r"https?://[^\s\"')]*", file.read_text(encoding="utf-8"))
    ]
    assert [address for address in addresses if not address.startswith(namespaces)] == []


def keys(path: Path) -> set[str]:
    return set(re.findall(r'^\s*"(.+?)"\s*:', path.read_text(encoding="utf-8"), flags=re.MULTILINE))


def test_every_label_of_the_api_page_is_translated() -> None:
    package = Path(mkdocstrings_handlers.python.__file__).parent
    theirs = package / "templates/material/_base/languages/en.html.jinja"
    ours = ROOT / "docs/theme/api/python/material/languages/es.html.jinja"
    assert keys(ours) == keys(theirs)


def test_every_action_of_the_workflow_is_pinned_by_a_commit() -> None:
    uses = re.findall(r"uses: (.*)", read(".github/workflows/ci.yml"))
    assert uses
    assert [
        use for use in uses if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", use)
    ] == []


def test_the_workflow_may_only_read_unless_it_publishes() -> None:
    workflow = yaml.safe_load(read(".github/workflows/ci.yml"))
    may = {name: job.get("permissions") for name, job in workflow["jobs"].items()}
    assert workflow["permissions"] == {"contents": "read"}
    assert may == {
        "check": None,
        "browser": None,
        "publish": {"pages": "write", "id-token": "write"},
    }


def test_the_workflow_publishes_from_main_when_everything_else_has_passed() -> None:
    jobs = yaml.safe_load(read(".github/workflows/ci.yml"))["jobs"]
    publish = jobs.pop("publish")
    assert sorted(publish["needs"]) == sorted(jobs)
    assert "github.ref == 'refs/heads/main'" in publish["if"]


def test_no_template_takes_a_method_of_dictionaries_for_a_word() -> None:
    methods = "|".join(name for name in dir(dict) if not name.startswith("_"))
    taken = [
        (template.name, found)
        for template in sorted((ROOT / "docs" / "theme").rglob("*.html"))
        for found in re.findall(rf"words\.(?:{methods})\b", template.read_text(encoding="utf-8"))
    ]
    assert taken == []
