"""Every word that is read is spelt as a dictionary has it, or stands on a list of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import spelling
from spelling import DICTIONARIES, Word, accents, all_words, doubtful, misspelt

from lesson_checker.page import parse_page
from lesson_checker.settings import load_settings

ROOT = Path(__file__).parent.parent
LANGUAGES = tuple(DICTIONARIES)
LISTS = ("shared", "es", "en", "accents")

# one in each kind of text that is read: front matter, heading, sentences, table, link, alternative
# text, reason of a skip, comment, docstring, label
PAGES = {
    "es": '''---
title: La evalución de un buscador
---

# Las metricas { #metrics }

Cada qurey espera un docmento, y [la pájina](page.md) lo dice.

| recal | precisión |
|---|---|

<!--! plot: Dos barras; la segunda mide el dovle -->
```python
def mean(scores):
    """Devuelve la mediia de las notas."""
    return sum(scores) / len(scores)  # nunca hay cero notaas


print(f"la media de las qeries es {mean([1]):.1f}")
```
''',
    "en": '''---
title: The evalution of a search engine
---

# The metrcs { #metrics }

Each qurey expects a docment, and [the paege](page.md) says so.

| recal | precision |
|---|---|

<!--! plot: Two bars; the second is twyce as long -->
```python
def mean(scores):
    """Return the meen of the results."""
    return sum(scores) / len(scores)  # there is never no resullt


print(f"the mean of the qeries is {mean([1]):.1f}")
```
''',
}


@pytest.fixture(scope="module")
def words() -> dict[str, list[Word]]:
    return {lang: all_words(lang) for lang in LANGUAGES}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_is_in_the_dictionary_or_on_a_list(
    lang: str, words: dict[str, list[Word]]
) -> None:
    found = [str(doubt) for doubt in doubtful(words[lang], lang)]
    if found:
        remedy = "mend it; or, if it is right, see «Spelling» in docs/en/STYLE.md"
        pytest.fail("\n".join([*found, remedy]), pytrace=False)


def test_the_lists_hold_no_word_that_nothing_needs(words: dict[str, list[Word]]) -> None:
    assert spelling.unneeded(words) == []


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_in_order(name: str) -> None:
    entries = spelling.listed(name)
    assert list(entries) == sorted(set(entries))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_word_of_both_languages_stands_on_the_shared_list_alone(lang: str) -> None:
    assert set(spelling.listed(lang)) & set(spelling.listed("shared")) == set()


def test_the_command_prints_what_is_in_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = {"es": "Los docmentos.\n", "en": "The documents.\n"}
    monkeypatch.setattr(spelling, "all_words", lambda lang: of(page[lang], lang))
    monkeypatch.setattr(spelling, "listed", lambda name: ("wifi",) if name == "shared" else ())
    assert spelling.main() == 1
    assert capsys.readouterr().out == (
        "docs/es/page.md:1: docmentos (documentos, docientos, documento)\n"
        "tests/words/shared.txt: wifi: no word needs it\n"
        "to mend it: correct the word, or, if it is right, see Spelling in docs/en/STYLE.md\n"
    )


def test_the_command_names_words_in_the_order_of_their_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # what is doubted for its accent is found after what no dictionary has
    page = {"es": "La linea.\n\nLas docmentos.\n\nUna línea, otra línea.\n", "en": "One.\n"}
    monkeypatch.setattr(spelling, "all_words", lambda lang: of(page[lang], lang))
    monkeypatch.setattr(spelling, "listed", lambda _: ())
    assert spelling.main() == 1
    lines = [line.split(" ")[0] for line in capsys.readouterr().out.split("\n")[:-2]]
    assert lines == ["docs/es/page.md:1:", "docs/es/page.md:3:"]


def test_the_command_says_so_when_nothing_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(spelling, "all_words", lambda lang: of("A, no.\n", lang))
    monkeypatch.setattr(spelling, "listed", lambda _: ())
    assert spelling.main() == 0
    assert capsys.readouterr().out == "2 words, none in doubt\n"


def test_the_command_says_what_makes_the_environment_that_it_needs(tmp_path: Path) -> None:
    (tmp_path / "yaml.py").write_text("raise ModuleNotFoundError(name='spylls')", "utf-8")
    done = subprocess.run(
        [sys.executable, spelling.__file__],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        1,
        "spylls is not in this environment. To mend it: make setup\n",
    )


def of(text: str, lang: str) -> list[Word]:
    settings = load_settings(ROOT)
    return list(spelling.words_of_page(parse_page(text, ROOT / f"docs/{lang}/page.md", settings)))


@pytest.mark.parametrize(
    ("lang", "planted"),
    [
        ("es", "evalución metricas qurey docmento pájina recal dovle notaas mediia qeries"),
        ("en", "evalution metrcs qurey docment paege recal twyce resullt meen qeries"),
    ],
)
def test_a_misspelling_is_found_wherever_it_is_read(lang: str, planted: str) -> None:
    found = misspelt(of(PAGES[lang], lang), lang)
    assert [word.text for word in found] == planted.split()
    lines = PAGES[lang].split("\n")
    assert [word.text for word in found if word.text not in lines[word.line - 1]] == []


@pytest.mark.parametrize(
    ("lang", "planted"),
    [
        (
            "es",
            "ejecucion tambien despues asi facil rapido codigo parrafo recuperadso puntuasion "
            "busqueda porqe obtubo calcúla arreglalo pasale quitalos",
        ),
        (
            "en",
            "recieve seperate occured definately retreival wich thier acheive lenght paramter "
            "begining neccessary reslut dont becuse occurences",
        ),
    ],
)
def test_a_common_misspelling_is_in_no_dictionary(lang: str, planted: str) -> None:
    found = misspelt([Word(each, "page.md", 1) for each in planted.split()], lang)
    assert [word.text for word in found] == planted.split()


@pytest.mark.parametrize(
    ("lang", "right"),
    [
        ("es", "Compruébalo arréglala Respóndelas redondearla indexarlos los chunks Reservo"),
        ("en", "the index's they're Elasticsearch's colour Chunks"),
    ],
)
def test_an_inflected_form_is_no_misspelling(lang: str, right: str) -> None:
    assert misspelt([Word(each, "page.md", 1) for each in right.split()], lang) == []


def test_a_word_that_differs_from_another_by_its_accent_is_found() -> None:
    page = of("La línea de la página. Otra línea, y mas.\n\nLa linea, y más. Más.\n", "es")
    assert [str(doubt) for doubt in accents(page)] == [
        "docs/es/page.md:3: linea (elsewhere: línea)",
        "docs/es/page.md:1: mas (elsewhere: más)",
    ]


def test_accents_that_are_both_meant_are_on_a_list() -> None:
    assert accents(of("¿Qué dices? Que sí, si tú y tu query queréis.\n", "es")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lo llaman *hit rate*.\n", []),
        ("Lo llaman **mean average precision**.\n", []),
        ("Dice «the money is not given back».\n", []),
        ("Léelo en [The Philosophy](https://example.org).\n", []),
        ("Lo llaman hit rate.\n", ["hit", "rate"]),
        ("Lo llaman *hitt rate*.\n", ["hitt"]),
    ],
)
def test_english_passes_on_a_spanish_page_where_it_is_marked(text: str, found: list[str]) -> None:
    assert [word.text for word in misspelt(of(text, "es"), "es")] == found


@pytest.mark.parametrize(
    "text",
    [
        "`wrod` y ``wrod``\n",
        "$\\text{wrod}$\n",
        "[así](wrod.md)\n",
        "<wrod@example.org> <span class='wrod'>y</span>\n",
        "<!-- wrod -->\n",
        "```bash\nwrod\n```\n",
        "```python\nwrod = 'wrod'\n```\n\n```text\nwrod\n```\n",
        "## Así { #wrod }\n",
        "wrod@k wrod5 wrod_wrod wrod.toml wrod/wrod aWrod\n",
        "---\ntwin: wrod\n---\n",
        "::: retrieval_lessons.wrod\n    options: {wrod: true}\n",
    ],
)
def test_what_nobody_reads_as_a_word_is_none(text: str) -> None:
    assert [word.text for word in misspelt(of(text, "es"), "es")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_of_a_configuration_are_read(lang: str) -> None:
    path = ROOT / spelling.CONFIGURATIONS[lang]
    words = list(spelling.words_of_configuration(path))
    text = path.read_text(encoding="utf-8").split("\n")
    start = {"es": "Cambiar", "en": "Switch"}[lang]
    label = {"es": "Lecciones", "en": "Lessons"}[lang]
    found = {word.text: text[word.line - 1].strip() for word in words}
    assert start in found
    assert found[label].startswith(f"- {label}:")
    assert {"material", "custom", "weather"} & {word.text for word in words} == set()


def test_both_style_guides_decide_the_same_terms() -> None:
    def terms(lang: str) -> set[tuple[str, ...]]:
        text = (ROOT / f"docs/{lang}/STYLE.md").read_text(encoding="utf-8")
        rows = re.findall(r"(?m)^\| (?!---)(.*) \| \*(.*)\* \|$", text)
        # what a term is said of follows a comma, as in «result, of a metric»
        pairs = [[cell.partition(",")[0] for cell in row] for row in rows]
        return {tuple(pair[:: 1 if lang == "es" else -1]) for pair in pairs}

    assert len(terms("es")) > 20
    assert terms("es") == terms("en")


def test_both_style_guides_have_the_same_sections() -> None:
    levels = {}
    for lang in LANGUAGES:
        text = (ROOT / f"docs/{lang}/STYLE.md").read_text(encoding="utf-8")
        levels[lang] = [
            (mark, body.count("\n- "))
            for mark, body in re.findall(r"(?ms)^(#+) (.*?)(?=^#|\Z)", text)
        ]
    assert levels["es"] == levels["en"]
