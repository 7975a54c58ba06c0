"""Links that lead from a page of one edition to a page of another, and to the corpus."""

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
import yaml
from markdown import Markdown
from site_project import Project

from lesson_site.corpus import PLACE
from lesson_site.crossings import Crossings, Place

ROOT_URL = "https://example.org/course/"
TERM = {"es": "acierto", "en": "hit"}
TITLE = {"es": "Glosario", "en": "Glossary"}
GLOSSARY = """# {title}

{term} [{other}](../{other}/glossary.md#hit) {{ #hit }}
:   …
"""
LESSON = """# {title}

[{term}](../glossary.md#hit)

```python
print("1. support · Help on site")
```

```text
1. support · Help on site
```

`no-show-policy`
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.create(tmp_path_factory.mktemp("course"))
    for lang, other in (("es", "en"), ("en", "es")):
        project.page("lessons/a", lang).parent.mkdir()
        texts = {
            "lessons/a": LESSON.format(title=TITLE[lang], term=TERM[lang]),
            "corpus": f"# Corpus\n\n`support`\n\n{PLACE}\n",
            "glossary": GLOSSARY.format(title=TITLE[lang], term=TERM[lang], other=other),
        }
        for name, text in texts.items():
            project.page(name, lang).write_text(text, encoding="utf-8")
    for name in ("mkdocs.yml", "docs/mkdocs.en.yml"):
        config = yaml.safe_load((project.folder / name).read_text(encoding="utf-8"))
        config["nav"] += ["lessons/a.md", "corpus.md", "glossary.md"]
        text = yaml.safe_dump(config, allow_unicode=True)
        (project.folder / name).write_text(text, encoding="utf-8")
    run = project.build("--strict")
    assert run.returncode == 0, run.stderr
    return project


def addresses(project: Project, page: str, pattern: str) -> list[str]:
    """Where the links of a page lead that match a pattern, from the root of the site."""
    found = re.findall(f'<a [^>]*href="([^"]*{pattern})"', project.html(page + "index.html"))
    return [urljoin(ROOT_URL + page, href).removeprefix(ROOT_URL) for href in found]


def test_the_glossaries_lead_to_each_other(project: Project) -> None:
    assert addresses(project, "glossary/", "#hit") == ["en/glossary/#hit"]
    assert addresses(project, "en/glossary/", "#hit") == ["glossary/#hit"]
    for page in ("glossary/", "en/glossary/"):
        assert '<dt id="hit">' in project.html(page + "index.html")


def test_such_a_link_says_which_language_it_leads_to(project: Project) -> None:
    assert re.findall(
        r'#hit" (hreflang="\w+" lang="\w+")', project.html("glossary/index.html")
    ) == ['hreflang="en" lang="en"']


@pytest.mark.parametrize("edition", ["", "en/"])
def test_a_link_inside_an_edition_stays_in_it(project: Project, edition: str) -> None:
    assert addresses(project, f"{edition}lessons/a/", "#hit") == [f"{edition}glossary/#hit"]
    (link,) = re.findall("<a [^>]*#hit[^>]*>", project.html(f"{edition}lessons/a/index.html"))
    assert "hreflang" not in link


@pytest.mark.parametrize("edition", ["", "en/"])
def test_a_lesson_leads_to_the_corpus_of_its_edition(project: Project, edition: str) -> None:
    assert addresses(project, f"{edition}lessons/a/", 'corpus/#[^"]*') == [
        f"{edition}corpus/#support-help-on-site",
        f"{edition}corpus/#no-show-policy",
    ]


@pytest.mark.parametrize("edition", ["", "en/"])
def test_the_corpus_is_on_its_page_and_does_not_lead_to_itself(
    project: Project, edition: str
) -> None:
    html = project.html(f"{edition}corpus/index.html")
    assert 'id="support-help-on-site"' in html
    assert 'class="mention"' not in html


def test_a_link_to_a_page_that_the_other_edition_lacks_keeps_the_site_from_being_published(
    project: Project, tmp_path: Path
) -> None:
    pages = {project.page("glossary", lang): other for lang, other in (("es", "en"), ("en", "es"))}
    for page, other in pages.items():
        project.change(page, f"../{other}/glossary.md", f"../{other}/none.md")
    run = project.build("--site-dir", str(tmp_path / "site"))
    for page, other in pages.items():
        project.change(page, f"../{other}/none.md", f"../{other}/glossary.md")
    assert "nothing is published: the build gave warnings" in run.stderr
    assert "'../en/none.md'" in run.stderr
    assert "'../es/none.md'" in run.stderr


def test_other_links_stay_as_they_are() -> None:
    places = {"../en/a.md#b": Place("en", "../en/a/#b")}
    md = Markdown(extensions=["toc", Crossings(places.get)])
    assert md.convert("[c](../en/a.md#b) [d](e.md)") == (
        '<p><a href="../en/a/#b" hreflang="en" lang="en">c</a> <a href="e.md">d</a></p>'
    )
