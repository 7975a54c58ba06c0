"""The ranking explorer says what the library says, number by number."""

import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import yaml
from markdown import Markdown
from mkdocs.utils.yaml import get_yaml_loader
from site_project import Project

from lesson_site.corpus import anchor
from lesson_site.explorer import LAST_K, TOKEN, as_json, explore, explorer
from lesson_site.explorer_html import SPOKEN, explorer_html, marked, sentence
from lesson_site.explorer_tag import Explorers, Opening, opening
from retrieval_lessons import (
    EVAL_SET,
    MAX_K,
    build_index,
    evaluate_precision,
    evaluate_recall,
    explain,
    first_relevant_rank,
    load_chunks,
    search,
    tokenize,
)

ROOT = Path(__file__).parent.parent
ASSETS = ROOT / "docs/theme/site/assets"
INDEX = build_index(load_chunks())
KS = range(1, LAST_K + 1)
SHOWN = explorer()
TRAP = 3
BY_QUERY = pytest.mark.parametrize("number", range(len(EVAL_SET)))
WORDS: dict[str, dict[str, str]] = {
    lang: yaml.load(
        (ROOT / name).read_text(encoding="utf-8"),
        Loader=get_yaml_loader(),  # noqa: S506 - our own file
    )["extra"]["explorer"]
    for lang, name in (("es", "mkdocs.yml"), ("en", "docs/mkdocs.en.yml"))
}


# ------------------------------------------------------------------------------------- the data


def test_the_queries_and_their_documents_are_those_of_the_evaluation_set() -> None:
    assert [(ranking.query, ranking.expected) for ranking in SHOWN.rankings] == EVAL_SET


def test_the_list_goes_on_past_what_production_returns() -> None:
    assert SHOWN.max_k == MAX_K
    assert [len(ranking.results) for ranking in SHOWN.rankings] == [LAST_K] * len(EVAL_SET)
    assert LAST_K > MAX_K


@BY_QUERY
def test_a_list_is_what_the_search_returns(number: int) -> None:
    chunks = [SHOWN.chunks[result.chunk] for result in SHOWN.rankings[number].results]
    assert [(chunk.doc_id, chunk.heading, chunk.text) for chunk in chunks] == [
        (chunk.doc_id, chunk.heading, chunk.text)
        for chunk in search(EVAL_SET[number][0], LAST_K, INDEX)
    ]


@BY_QUERY
def test_the_scores_are_those_of_the_index(number: int) -> None:
    query = EVAL_SET[number][0]
    best_first = sorted(INDEX.scores(query), reverse=True)
    shown = [result.score for result in SHOWN.rankings[number].results]
    assert shown == best_first[:LAST_K]


@BY_QUERY
def test_how_many_are_found_is_how_many_score(number: int) -> None:
    scores = INDEX.scores(EVAL_SET[number][0])
    assert SHOWN.rankings[number].found == sum(score > 0 for score in scores)


@BY_QUERY
def test_what_the_words_add_is_what_explain_says_and_adds_up_to_the_score(number: int) -> None:
    query, ranking = EVAL_SET[number][0], SHOWN.rankings[number]
    for chunk, result in zip(search(query, LAST_K, INDEX), ranking.results, strict=True):
        rows = explain(query, chunk, INDEX).words
        assert result.adds == tuple(row.contribution for row in rows)
        assert result.times == tuple(row.term_frequency for row in rows)
        assert {result.factor} == {row.length_factor for row in rows}
        assert sum(result.adds) == pytest.approx(result.score, abs=1e-9)


@BY_QUERY
def test_the_words_and_their_weights_are_those_of_the_index(number: int) -> None:
    query, ranking = EVAL_SET[number][0], SHOWN.rankings[number]
    tokens = tokenize(query)
    assert [word.word for word in ranking.words] == list(dict.fromkeys(tokens))
    assert [(word.count, word.chunks, word.idf, word.floor) for word in ranking.words] == [
        (
            tokens.count(word.word),
            INDEX.document_frequency(word.word),
            INDEX.idf(word.word),
            INDEX.has_idf_floor(word.word),
        )
        for word in ranking.words
    ]


def test_the_ranks_of_the_right_documents_are_those_of_the_library() -> None:
    assert [ranking.rank for ranking in SHOWN.rankings] == [
        first_relevant_rank(*pair, INDEX) for pair in EVAL_SET
    ]


@pytest.mark.parametrize("k", KS)
def test_recall_and_precision_are_those_of_the_library_at_each_k(k: int) -> None:
    recalls, precisions = (
        each(EVAL_SET, INDEX, k) for each in (evaluate_recall, evaluate_precision)
    )
    assert [ranking.recall[k - 1] for ranking in SHOWN.rankings] == recalls
    assert [ranking.precision[k - 1] for ranking in SHOWN.rankings] == precisions
    assert SHOWN.recall[k - 1] == pytest.approx(fmean(recalls), abs=1e-12)
    assert SHOWN.precision[k - 1] == pytest.approx(fmean(precisions), abs=1e-12)
    assert [ranking.hits[k - 1] / k for ranking in SHOWN.rankings] == precisions


def test_a_query_that_finds_little_or_nothing_has_a_short_list() -> None:
    shown = explore([("wifi", "no-show-policy"), ("Wi-Fi", "wifi-and-network")], INDEX)
    little, nothing = shown.rankings
    assert len(little.results) == little.found == len(search("wifi", LAST_K, INDEX)) < LAST_K
    assert (little.rank, nothing.rank) == (None, None)
    assert (nothing.results, nothing.found, set(nothing.recall)) == ((), 0, {0.0})


def test_the_file_holds_the_same_with_the_decimals_that_are_shown() -> None:
    content = json.loads(as_json(SHOWN))
    assert [each["rank"] for each in content["rankings"]] == [r.rank for r in SHOWN.rankings]
    for read, ranking in zip(content["rankings"], SHOWN.rankings, strict=True):
        assert read["precision"] == [round(value, 4) for value in ranking.precision]
        for place, result in zip(read["results"], ranking.results, strict=True):
            assert content["chunks"][place["chunk"]]["text"] == SHOWN.chunks[result.chunk].text
            assert place["score"] == round(result.score, 4)
            assert place["adds"] == [round(adds, 4) for adds in result.adds]


def test_each_chunk_names_its_place_on_the_page_of_the_corpus() -> None:
    assert [chunk.anchor for chunk in SHOWN.chunks] == [
        anchor(chunk.doc_id, chunk.heading) for chunk in SHOWN.chunks
    ]


def test_a_text_is_split_into_words_as_the_tokenizer_does() -> None:
    for chunk in INDEX.chunks:
        for text in (chunk.heading, chunk.text):
            assert [word.lower() for word in TOKEN.findall(text)] == tokenize(text)


# -------------------------------------------------------------------------- without the script


class Reader(HTMLParser):
    """Collect the text of each element, and the rows of each table, by class."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self.tables: list[tuple[str, list[list[str]]]] = []
        self.open: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = (dict(attrs).get("class") or "").split(" ")[0]
        if tag != "input":
            self.open.append((tag, name))
            self.texts.setdefault(name, []).append("")
        if tag == "table":
            self.tables.append((name, []))
        elif tag == "tr":
            self.tables[-1][1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        for name in {name for _, name in self.open}:
            self.texts[name][-1] += data
        if any(tag in ("td", "th") for tag, _ in self.open):
            self.tables[-1][1][-1][-1] += data

    def rows(self, name: str) -> list[list[list[str]]]:
        return [rows for table, rows in self.tables if table == name]


def page(number: int = TRAP, k: int = MAX_K, opened: int | None = None, lang: str = "en") -> str:
    return explorer_html(SHOWN, Opening("recall", number, k, opened), WORDS[lang], "explorer-1")


def test_all_elements_are_closed() -> None:
    assert Reader(page()).open == []


@pytest.mark.parametrize("lang", ["es", "en"])
def test_two_tables_say_the_rank_and_the_metrics_of_each_query_at_each_k(lang: str) -> None:
    recalls, precisions = Reader(page(lang=lang)).rows("explorer__numbers")
    for table, evaluate in ((recalls, evaluate_recall), (precisions, evaluate_precision)):
        head, *rows, mean = table
        columns = [evaluate(EVAL_SET, INDEX, k) for k in KS]
        assert head[2:] == [str(k) for k in KS]
        assert rows == [
            [query, str(first_relevant_rank(query, doc_id, INDEX))]
            + [f"{column[at]:.4f}" for column in columns]
            for at, (query, doc_id) in enumerate(EVAL_SET)
        ]
        assert mean[2:] == [f"{fmean(column):.4f}" for column in columns]


@BY_QUERY
def test_the_list_is_there_with_its_scores_and_the_right_document_marked(number: int) -> None:
    reader, ranking = Reader(page(number)), SHOWN.rankings[number]
    chunks = search(ranking.query, LAST_K, INDEX)
    assert reader.texts["explorer__heading"] == [chunk.heading for chunk in chunks]
    assert reader.texts["explorer__document"] == [chunk.doc_id for chunk in chunks]
    assert reader.texts["explorer__text"] == [chunk.text for chunk in chunks]
    assert reader.texts["explorer__number"] == [f"{each.score:.4f}" for each in ranking.results]
    rows = re.findall(r'<li class="(explorer__row[^"]*)"', page(number))
    right = [rank for rank, row in enumerate(rows, start=1) if "is-right" in row]
    assert right == [at for at, c in enumerate(chunks, start=1) if c.doc_id == ranking.expected]


@BY_QUERY
def test_each_score_is_there_word_by_word(number: int) -> None:
    ranking = SHOWN.rankings[number]
    tables = Reader(page(number)).rows("explorer__words")
    for table, chunk in zip(tables, search(ranking.query, LAST_K, INDEX), strict=True):
        explanation = explain(ranking.query, chunk, INDEX)
        assert table[1:-1] == [
            [
                row.word + (f" ×{row.query_frequency}" if row.query_frequency > 1 else ""),
                str(row.document_frequency),
                f"{row.idf:.4f}" + (" ε" if row.idf_floor else ""),
                str(row.term_frequency),
                f"{row.contribution:.4f}",
            ]
            for row in explanation.words
        ]
        assert table[-1][-1] == f"{explanation.score:.4f}"


@pytest.mark.parametrize("k", [1, MAX_K, LAST_K])
def test_the_window_holds_the_first_k_places(k: int) -> None:
    rows = re.findall(r'<li class="(explorer__row[^"]*)"', page(k=k))
    assert [rank for rank, row in enumerate(rows, start=1) if "is-inside" in row] == [*KS][:k]
    assert [rank for rank, row in enumerate(rows, start=1) if "is-last" in row] == [k]
    beyond = [rank for rank, row in enumerate(rows, start=1) if "is-beyond" in row]
    assert beyond == [rank for rank in KS if rank > MAX_K]


@pytest.mark.parametrize("k", KS)
def test_a_circle_is_filled_for_each_query_that_has_its_document(k: int) -> None:
    states = re.findall(r'<span class="explorer__state[^"]*" data-state="(\w+)">', page(k=k))
    filled = [float(state == "inside") for state in states[1:]]  # the first explains the others
    assert filled == 2 * evaluate_recall(EVAL_SET, INDEX, k)  # beside the queries and beside k


@pytest.mark.parametrize("k", KS)
def test_the_figures_are_of_the_query_and_of_the_mean(k: int) -> None:
    ((_, recall, precision),) = Reader(page(k=k)).rows("explorer__figures")
    recalls, precisions = (
        each(EVAL_SET, INDEX, k) for each in (evaluate_recall, evaluate_precision)
    )
    assert [recall[0], precision[0]] == [f"recall@{k}", f"precision@{k}"]
    for row, marks in ((recall, recalls), (precision, precisions)):
        assert [cell.split(" ")[0] for cell in row[1:]] == [
            f"{marks[TRAP]:.4f}",
            f"{fmean(marks):.4f}",
        ]
        for cell in row[1:]:
            number, fraction = cell.split(" ")
            above, below = map(int, fraction.split("/"))
            assert f"{above / below:.4f}" == number


def test_only_the_score_that_the_page_asks_for_is_open() -> None:
    opened = re.findall(r'<details class="explorer__score"( open)?>', page(opened=6))
    assert [rank for rank, each in enumerate(opened, start=1) if each] == [6]


@pytest.mark.parametrize(
    ("number", "k", "expected"),
    [
        (0, 1, "At k = 1, the expected document is in the window, at rank 1."),
        (TRAP, 5, "At k = 5, the expected document is outside the window, at rank 6."),
        (
            TRAP,
            6,
            "At k = 6, the expected document is in the window, at rank 6."
            " But the agent never gets this far.",
        ),
    ],
)
def test_a_sentence_says_where_the_right_document_is(number: int, k: int, expected: str) -> None:
    assert sentence(SHOWN.rankings[number], k, MAX_K, WORDS["en"]) == expected


def test_a_document_without_a_rank_is_never_in_the_window() -> None:
    lost = explore([("wifi", "no-show-policy")], INDEX)
    html = explorer_html(lost, Opening("recall", 0, LAST_K), WORDS["en"], "explorer-1")
    assert "it has no rank at all" in html
    assert html.count('data-state="inside"') == 1  # the one that explains the others
    assert html.count(" hidden>") == LAST_K - lost.rankings[0].found


def test_the_words_of_the_query_are_marked_and_nothing_else() -> None:
    words = SHOWN.rankings[TRAP].words
    html = marked("Refunds? I <get> A refund, if I show up.", words)
    marks = re.findall(r"<mark[^>]*>([^<]*)</mark>", html)
    assert marks == ["I", "get", "A", "refund", "if", "I", "show", "up"]
    assert html.startswith('Refunds? <mark data-weight="3">I</mark> &lt;')


def test_the_corpus_is_linked_if_the_site_has_it() -> None:
    start = Opening("recall", TRAP, MAX_K)
    html = explorer_html(SHOWN, start, WORDS["en"], "explorer-1", corpus="../corpus/")
    assert 'href="../corpus/#no-show-policy-what-it-costs"' in html
    assert "href" not in page()


# --------------------------------------------------------------------------------- on the page


TAG = '<div data-explorer="precision" data-document="room-focus" data-k="4" data-open="2"></div>'


def rendered(text: str) -> tuple[str, list[tuple[str, str]]]:
    refused: list[tuple[str, str]] = []
    explorers = Explorers(
        lambda: SHOWN,
        lambda start, ident: f"<p>{ident} {start}</p>",
        lambda tag, why: refused.append((tag, why)),
    )
    markdown = Markdown(extensions=["pymdownx.superfences", explorers])
    return markdown.convert(text), refused


def test_a_tag_says_what_is_shown_first() -> None:
    assert opening(TAG, SHOWN) == Opening("precision", query=2, k=4, opened=2)


def test_a_tag_becomes_an_explorer_with_a_name_of_its_own() -> None:
    html, _ = rendered(f"Before.\n\n{TAG}\n\nBetween.\n\n{TAG}\n\nAfter.")
    assert re.findall(r"<p>(explorer-\d)", html) == ["explorer-1", "explorer-2"]
    assert "data-explorer" not in html


def test_a_tag_in_a_block_of_code_stays_as_it_is() -> None:
    assert "explorer-1" not in rendered(f"```\n{TAG}\n```")[0]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"precision"', '"f1"', "the explorer has data-explorer='f1', expected one of recall, "),
        ('"room-focus"', '"room-blue"', "the explorer has data-document='room-blue', expected "),
        ('data-k="4"', 'data-k="11"', "the explorer has data-k='11', expected one of 1, 2, "),
        (' data-k="4"', "", "the explorer has no data-k, expected one of 1, 2, "),
        ('data-open="2"', 'data-open="0"', "the explorer has data-open='0', expected one of 1, "),
        ("data-open", "data-rank", "an explorer has no data-rank; it knows data-explorer, "),
    ],
)
def test_a_tag_that_asks_for_what_is_not_there_is_refused(old: str, new: str, why: str) -> None:
    assert old in TAG
    tag = TAG.replace(old, new)
    html, refused = rendered(tag)
    assert html == ""
    assert [(each, told[: len(why)]) for each, told in refused] == [(tag, why)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.create(tmp_path_factory.mktemp("explorer"))
    for lang in ("es", "en"):
        project.change(project.page("lesson", lang), "```python", f"{TAG}\n\n```python")
    assert project.build("--quiet").stderr == ""
    return project


@pytest.mark.parametrize(("folder", "lang"), [("", "es"), ("en/", "en")])
def test_a_page_with_an_explorer_has_it_in_its_language(
    built: Project, folder: str, lang: str
) -> None:
    html = built.html(f"{folder}lesson/index.html")
    expected = explorer_html(SHOWN, opening(TAG, SHOWN), WORDS[lang], "explorer-1")
    assert expected in html


@pytest.mark.parametrize("folder", ["", "en/"])
def test_the_site_has_the_file_that_the_script_reads(built: Project, folder: str) -> None:
    assert built.html(f"{folder}assets/explorer.json") == as_json(SHOWN)


@pytest.mark.parametrize(("name", "expected"), [("lesson/index.html", 1), ("index.html", 0)])
def test_only_a_page_with_an_explorer_loads_its_script(
    built: Project, name: str, expected: int
) -> None:
    html = built.html(name)
    assert len(re.findall(r'<script src="[./]*assets/explorer\.js" defer>', html)) == expected
    assert (
        len(re.findall(r'<link rel="stylesheet" href="[./]*assets/explorer\.css"', html))
        == expected
    )


def test_a_wrong_tag_keeps_the_site_from_being_published(tmp_path: Path) -> None:
    project = Project.create(tmp_path)
    for lang in ("es", "en"):
        wrong = TAG.replace("room-focus", "room-blue")
        project.change(project.page("lesson", lang), "```python", f"{wrong}\n\n```python")
    run = project.build("--quiet")
    assert (run.returncode, project.site.exists()) == (1, False)
    assert "docs/es/lesson.md:5: explorer-invalid: the explorer has data-document=" in run.stderr


# ---------------------------------------------------------------------- the script and the words


def test_the_script_weighs_less_than_15_kib_compressed() -> None:
    assert len(gzip.compress((ASSETS / "explorer.js").read_bytes())) < 15 * 1024


def test_all_that_the_explorer_says_is_translated() -> None:
    spanish, english = WORDS["es"], WORDS["en"]
    assert list(english) == list(spanish)
    same = [name for name in spanish if spanish[name] == english[name]]
    assert same == ["query"]  # which the course does not translate
    for name in spanish:
        blanks = [re.findall(r"\{\w+\}", words[name]) for words in (spanish, english)]
        assert sorted(blanks[0]) == sorted(blanks[1])


def test_no_word_is_spare_and_the_script_has_none_of_its_own() -> None:
    source = Path(explorer_html.__code__.co_filename).read_text(encoding="utf-8")
    script = (ASSETS / "explorer.js").read_text(encoding="utf-8")
    assert [name for name in WORDS["en"] if not re.search(f"[\"']{name}[\"']", source)] == []
    said = set(re.findall(r"(?<!\.)\bwords\.(\w+)", script))
    assert sorted(said | {"inside", "outside"}) == sorted(SPOKEN)
    sentences = [text for words in WORDS.values() for text in words.values() if " " in text]
    assert [text for text in sentences if text in script] == []


PAGES = [
    path
    for path in sorted(ROOT.glob("docs/*/**/*.md"))
    if re.search(r"(?m)^<div data-explorer", path.read_text(encoding="utf-8"))
]


def test_the_explorer_stands_in_three_lessons_and_on_a_page_of_its_own() -> None:
    slugs = [path.relative_to(ROOT / "docs").as_posix().partition("/")[2] for path in PAGES]
    lessons = ["04-recall-at-k", "05-precision-at-k", "06-anatomy-of-the-trap"]
    expected = ["explorer.md", *(f"lessons/{name}.md" for name in lessons)]
    assert sorted(slugs) == sorted(2 * expected)


def test_both_editions_of_a_page_open_an_explorer_in_the_same_way() -> None:
    found: dict[str, Any] = {}
    for path in PAGES:
        tags = re.findall(r"(?m)^<div data-explorer.*$", path.read_text(encoding="utf-8"))
        found.setdefault(path.name, []).append([opening(tag, SHOWN) for tag in tags])
    assert [name for name, (one, other) in found.items() if one != other] == []
