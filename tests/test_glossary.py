"""The glossary: the same terms in both languages, each explained somewhere and led to."""

import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from lesson_checker import load_settings, read_page
from lesson_checker.prose import prose_of

ROOT = Path(__file__).parent.parent
OTHER = {"es": "en", "en": "es"}
SETTINGS = load_settings(ROOT)

ENTRY = re.compile(
    r"^(?P<term>.+?) · \[\*(?P<twin>.+?)\*\]"
    r"\(\.\./(?P<lang>\w\w)/glossary\.md#(?P<leads_to>[\w-]+)\) \{ #(?P<ident>[\w-]+) \}\n"
    r":   (?P<meaning>.+) \[(?P<place>[^\]]+)\]\((?P<page>[^()#]+)#(?P<section>[\w-]+)\)$",
    re.MULTILINE,
)
LINK = re.compile(r"\[(?P<words>[^\[\]]+)\]\((?:\.\./)?glossary\.md#(?P<ident>[\w-]+)\)")
HEADING = re.compile(r"^(?P<marks>#+) (?P<words>.+?) \{ #(?P<ident>[\w-]+) \}$", re.MULTILINE)
# the column of the style guide's table that is in the guide's own language
STYLE = re.compile(r"^\| (?P<terms>[^|]+?) \| \*", re.MULTILINE)
ARTICLE = re.compile(r"^(?:el|la|los|las|the|to) ")


class Entry(NamedTuple):
    """A term, its name in the other language, and the section that explains it."""

    term: str
    twin: str
    lang: str
    leads_to: str
    ident: str
    meaning: str
    place: str
    page: str
    section: str


@cache
def read(path: str) -> str:
    return (ROOT / "docs" / path).read_text(encoding="utf-8")


@cache
def glossary(lang: str) -> dict[str, Entry]:
    found = [Entry(*match.groups()) for match in ENTRY.finditer(read(f"{lang}/glossary.md"))]
    return {entry.ident: entry for entry in found}


def pages(lang: str) -> list[Path]:
    """The pages of a language that readers read, but for the glossary."""
    folder = ROOT / "docs" / lang
    kept = {*SETTINGS.exclude, "glossary.md"}
    return sorted(page for page in folder.rglob("*.md") if page.name not in kept)


@cache
def prose(page: Path) -> str:
    return prose_of(read_page(page, SETTINGS)).marked


def headings(path: str) -> list[re.Match[str]]:
    return list(HEADING.finditer(read(path)))


def section_of(path: str, ident: str) -> str:
    """The text of a section, with its heading and the sections inside it."""
    found = headings(path)
    (first,) = (place for place, each in enumerate(found) if each["ident"] == ident)
    outer = (
        each for each in found[first + 1 :] if len(each["marks"]) <= len(found[first]["marks"])
    )
    end = next(outer, None)
    return read(path)[found[first].start() : end.start() if end else None]


def bare(term: str) -> str:
    return ARTICLE.sub("", term.replace("*", ""))


def alphabetical(term: str) -> str:
    plain = unicodedata.normalize("NFD", term.replace("*", "").casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


@pytest.mark.parametrize("lang", OTHER)
def test_every_entry_has_a_term_its_twin_a_meaning_and_a_section(lang: str) -> None:
    text = read(f"{lang}/glossary.md")
    assert len(glossary(lang)) == len(re.findall(r"(?m)^:   ", text)) == text.count("{ #") - 1 > 0


def test_both_languages_have_the_same_terms() -> None:
    assert sorted(glossary("es")) == sorted(glossary("en"))


@pytest.mark.parametrize("lang", OTHER)
def test_the_terms_stand_in_alphabetical_order(lang: str) -> None:
    terms = [entry.term for entry in glossary(lang).values()]
    assert terms == sorted(terms, key=alphabetical)


@pytest.mark.parametrize("lang", OTHER)
def test_each_term_leads_to_its_twin_by_the_name_that_it_has_there(lang: str) -> None:
    twins = glossary(OTHER[lang])
    wrong = [
        entry.term
        for entry in glossary(lang).values()
        if (entry.lang, entry.leads_to) != (OTHER[lang], entry.ident)
        or entry.twin != twins[entry.ident].term.replace("*", "")
    ]
    assert wrong == []


@pytest.mark.parametrize("lang", OTHER)
def test_each_section_is_named_as_its_heading(lang: str) -> None:
    wrong = []
    for entry in glossary(lang).values():
        words = {each["ident"]: each["words"] for each in headings(f"{lang}/{entry.page}")}
        if entry.place.partition(" · ")[2] != words.get(entry.section):
            wrong.append(entry.term)
    assert wrong == []


@pytest.mark.parametrize("lang", OTHER)
def test_the_section_that_explains_a_term_says_it(lang: str) -> None:
    def stem(name: str) -> str:  # what is in its plural and in its verb, too
        return name[: max(3, len(name) - 3)]

    wrong = []
    for entry in glossary(lang).values():
        section = alphabetical(section_of(f"{lang}/{entry.page}", entry.section))
        names = alphabetical(bare(entry.term)).split(", ")
        if not any(stem(name) in section for name in names):
            wrong.append(entry.term)
    assert wrong == []


@pytest.mark.parametrize("lang", OTHER)
def test_every_link_to_the_glossary_leads_to_a_term(lang: str) -> None:
    found = {match["ident"] for page in pages(lang) for match in LINK.finditer(prose(page))}
    assert found - set(glossary(lang)) == set()


@pytest.mark.parametrize("lang", OTHER)
def test_every_term_is_led_to_from_a_lesson_or_from_the_reference(lang: str) -> None:
    found = {
        match["ident"]
        for page in pages(lang)
        if page.parent.name in ("lessons", "reference")
        for match in LINK.finditer(prose(page))
    }
    assert set(glossary(lang)) - found == set()


@pytest.mark.parametrize("lang", OTHER)
def test_a_page_leads_to_a_term_once(lang: str) -> None:
    twice = [
        (page.name, ident)
        for page in pages(lang)
        for ident, times in Counter(match["ident"] for match in LINK.finditer(prose(page))).items()
        if times > 1
    ]
    assert twice == []


@pytest.mark.parametrize("lang", OTHER)
def test_no_heading_leads_to_the_glossary(lang: str) -> None:
    lines = [line for page in pages(lang) for line in prose(page).split("\n")]
    assert [line for line in lines if line.startswith("#") and LINK.search(line)] == []


@pytest.mark.parametrize("lang", OTHER)
def test_no_term_is_led_to_from_the_section_that_explains_it(lang: str) -> None:
    wrong = []
    for entry in glossary(lang).values():
        text = prose(ROOT / "docs" / lang / entry.page)
        for match in LINK.finditer(text):
            above = HEADING.findall(text[: match.start()])
            if match["ident"] == entry.ident and above and above[-1][2] == entry.section:
                wrong.append(entry.term)
    assert wrong == []


@pytest.mark.parametrize("lang", OTHER)
def test_every_term_of_the_style_guide_is_explained(lang: str) -> None:
    known = {name for entry in glossary(lang).values() for name in bare(entry.term).split(", ")}
    known |= {name.removesuffix("@k") for name in known}
    missing = [
        row["terms"]
        for row in STYLE.finditer(read(f"{lang}/STYLE.md"))
        if not known & {ARTICLE.sub("", name) for name in re.split(", ", row["terms"])}
    ]
    assert missing == []
