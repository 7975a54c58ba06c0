"""The ranking explorer: chosen and moved by keyboard, it says what the library says."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from conftest import SIZES
from mkdocs.utils.yaml import get_yaml_loader
from visit import Visit

from lesson_site.explorer import LAST_K, explorer
from lesson_site.explorer_html import explorer_html, sentence
from lesson_site.explorer_tag import Opening
from retrieval_lessons import (
    EVAL_SET,
    MAX_K,
    build_index,
    evaluate_precision,
    evaluate_recall,
    explain,
    load_chunks,
    search,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

ROOT = Path(__file__).parents[2]
INDEX = build_index(load_chunks())
SHOWN = explorer()
TRAP = 3
PAGES = {"es": "explorer/", "en": "en/explorer/"}
WORDS: dict[str, dict[str, str]] = {
    lang: yaml.load(
        (ROOT / name).read_text(encoding="utf-8"),
        Loader=get_yaml_loader(),  # noqa: S506 - our own file
    )["extra"]["explorer"]
    for lang, name in (("es", "mkdocs.yml"), ("en", "docs/mkdocs.en.yml"))
}
IN_BOTH_EDITIONS = pytest.mark.parametrize("lang", PAGES)

# what there is to read in an element, and how it is marked; but not how wide a bar is drawn
READ = """element => [...element.querySelectorAll(":not(i)")].map(each => [
  each.tagName, [...each.classList].sort().join(" "), each.hidden, each.dataset.state,
  each.dataset.weight, each.matches("a") ? each.getAttribute("href") : null,
  each.textContent.replace(/\\s+/g, " ").trim(),
])"""
AS_BUILT = f"""html => ({READ})(
  new DOMParser().parseFromString(html, "text/html").querySelector(".explorer__grid"))"""
FIGURES = """root => [
  [...root.querySelectorAll(".explorer__figures b")].map(each => each.textContent),
  [...root.querySelectorAll("label .explorer__state")].map(each => each.dataset.state),
]"""
NOTE_WHAT_IS_HEARD = """() => {
  const status = document.querySelector(".explorer [role=status]")
  window.heard = []
  new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true })
}"""
NOTE_SHIFTS = """window.shift = 0
new PerformanceObserver(list => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.shift += each.value
}).observe({ type: "layout-shift", buffered: true })"""


class Explored:
    """An explorer on a page, and what a reader does with it."""

    def __init__(self, visit: Visit, path: str) -> None:
        visit.go(path)
        self.page = visit.page
        self.root = visit.page.locator(".explorer")
        self.range = self.root.get_by_role("slider")
        self.radios = self.root.get_by_role("radio")
        self.rows = self.root.locator(".explorer__row")
        self.says = self.root.locator(".explorer__says")
        self.status = self.root.get_by_role("status")

    def choose(self, number: int) -> None:
        self.radios.nth(number).focus()
        self.page.keyboard.press("Space")

    def move_to(self, k: int) -> None:
        self.range.focus()
        self.page.keyboard.press("Home")
        for _ in range(k - 1):
            self.page.keyboard.press("ArrowRight")

    def until(self, number: int, k: int, lang: str) -> None:
        """Wait until the explorer has followed."""
        said = sentence(SHOWN.rankings[number], k, MAX_K, WORDS[lang])
        self.page.wait_for_function(
            "said => document.querySelector('.explorer__says').textContent === said", arg=said
        )

    def marked(self, name: str) -> list[int]:
        classes = [row.get_attribute("class") or "" for row in self.rows.all()]
        return [rank for rank, each in enumerate(classes, start=1) if name in each.split()]


@IN_BOTH_EDITIONS
def test_a_step_of_the_arrow_key_brings_the_trap_into_the_window(visit: Visit, lang: str) -> None:
    here = Explored(visit, PAGES[lang])
    assert here.marked("is-inside") == [1, 2, 3, 4, 5]
    here.range.focus()
    visit.page.keyboard.press("ArrowRight")
    here.until(TRAP, 6, lang)
    assert here.marked("is-inside") == [1, 2, 3, 4, 5, 6]
    assert here.marked("is-right") == [6, 7]
    assert here.root.locator(".explorer__name").inner_text() == "k = 6"


@IN_BOTH_EDITIONS
def test_the_figures_and_the_circles_are_those_of_the_library_for_each_query_and_k(
    visit: Visit, lang: str
) -> None:
    here = Explored(visit, PAGES[lang])
    for number in range(len(EVAL_SET)):
        here.choose(number)
        for k in range(1, LAST_K + 1):
            here.range.focus()
            visit.page.keyboard.press("Home" if k == 1 else "ArrowRight")
            here.until(number, k, lang)
            recalls, precisions = (
                evaluate_recall(EVAL_SET, INDEX, k),
                evaluate_precision(EVAL_SET, INDEX, k),
            )
            figures, states = here.root.evaluate(FIGURES)
            assert figures == [
                f"{value:.4f}"
                for marks in (recalls, precisions)
                for value in (marks[number], fmean(marks))
            ]
            filled = [float(state == "inside") for state in states]
            assert filled == recalls


@IN_BOTH_EDITIONS
@pytest.mark.parametrize("number", range(len(EVAL_SET)))
def test_what_the_script_shows_is_what_the_build_would_have_written(
    visit: Visit, lang: str, number: int
) -> None:
    here = Explored(visit, PAGES[lang])
    k = 2 + number
    here.choose(number)
    here.move_to(k)
    here.until(number, k, lang)
    corpus = here.root.get_attribute("data-corpus")
    start = Opening("recall", number, k)
    built = explorer_html(SHOWN, start, WORDS[lang], "explorer-1", corpus)
    shown = here.root.locator(".explorer__grid").evaluate(READ)
    assert shown == visit.page.evaluate(AS_BUILT, built)


def test_the_dots_of_the_curves_move_to_k(visit: Visit) -> None:
    here = Explored(visit, PAGES["en"])
    for k in (1, 7, LAST_K):
        here.move_to(k)
        here.until(TRAP, k, "en")
        for metric in ("recall", "precision"):
            curve = here.root.locator(f".explorer__plot .explorer__{metric}")
            dot, place = (
                curve.locator(".explorer__dot"),
                curve.locator(".explorer__place").nth(k - 1),
            )
            for axis in ("cx", "cy"):
                assert dot.get_attribute(axis) == place.get_attribute(axis)


def test_the_thumb_of_the_slider_stands_below_the_dots(visit: Visit) -> None:
    visit.page.emulate_media(reduced_motion="reduce")
    here = Explored(visit, PAGES["en"])
    for k in (1, MAX_K, LAST_K):
        here.move_to(k)
        here.until(TRAP, k, "en")
        track, dot = (
            box(each)
            for each in (here.range, here.root.locator(".explorer__recall .explorer__dot"))
        )
        thumb = 1.3 * 20  # the root's font size is 20 pixels
        middle = track["x"] + thumb / 2 + (track["width"] - thumb) * (k - 1) / (LAST_K - 1)
        assert middle == pytest.approx(dot["x"] + dot["width"] / 2, abs=2)


def box(element: "Locator") -> dict[str, float]:
    found = element.bounding_box()
    assert found
    return dict(found)


@IN_BOTH_EDITIONS
def test_a_score_opens_from_the_keyboard_and_shows_what_each_word_adds(
    visit: Visit, lang: str
) -> None:
    here = Explored(visit, PAGES[lang])
    number = 4
    here.choose(number)
    here.until(number, MAX_K, lang)
    row = here.rows.nth(3)
    table = row.get_by_role("table")
    assert not table.is_visible()
    row.locator("summary").focus()
    visit.page.keyboard.press("Enter")
    table.wait_for(state="visible")
    query = EVAL_SET[number][0]
    explanation = explain(query, search(query, 4, INDEX)[3], INDEX)
    cells = table.locator("tbody tr").all_inner_texts()
    assert [re.split(r"\s+", cell)[-1] for cell in cells] == [
        f"{word.contribution:.4f}" for word in explanation.words
    ]
    assert table.locator("tfoot td").inner_text() == f"{explanation.score:.4f}"


def test_a_screen_reader_hears_once_where_the_reader_comes_to_rest(visit: Visit) -> None:
    here = Explored(visit, PAGES["en"])
    visit.page.evaluate(NOTE_WHAT_IS_HEARD)
    here.move_to(7)
    visit.page.wait_for_function("heard.length > 0")
    visit.page.wait_for_timeout(1000)
    (heard,) = visit.page.evaluate("heard")
    assert heard.startswith("At k = 7, the expected document is in the window, at rank 6.")
    assert heard.endswith("recall@7 1.0000, mean 1.0000; precision@7 0.2857, mean 0.2143.")


@IN_BOTH_EDITIONS
def test_the_controls_have_names_and_the_results_are_lists(visit: Visit, lang: str) -> None:
    here = Explored(visit, PAGES[lang])
    words = WORDS[lang]
    group = here.root.get_by_role("group", name=re.compile(words["queries"]))
    names = [re.compile(re.escape(query)) for query, _ in EVAL_SET]
    assert [group.get_by_role("radio", name=name).count() for name in names] == [1] * len(names)
    assert here.root.get_by_role("slider", name="k", exact=True).count() == 1
    lists = here.root.get_by_role("list")
    assert [each.get_by_role("listitem").count() for each in lists.all()] == [MAX_K, LAST_K - MAX_K]


@IN_BOTH_EDITIONS
@pytest.mark.parametrize("palette", ["light", "dark"])
def test_axe_finds_nothing_when_all_is_open_and_the_window_at_its_widest(
    visit: Visit, lang: str, palette: Any
) -> None:
    # without motion, or axe sees colours on their way to others
    visit.page.emulate_media(color_scheme=palette, reduced_motion="reduce")
    here = Explored(visit, PAGES[lang])
    here.choose(2)
    here.move_to(LAST_K)
    here.until(2, LAST_K, lang)
    visit.page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    violations = Axe().run(visit.page, context=".explorer").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == []


def test_nothing_moves_on_its_own(visit: Visit) -> None:
    visit.page.add_init_script(NOTE_SHIFTS)
    visit.go(PAGES["es"])
    visit.page.mouse.wheel(0, 1200)
    visit.page.wait_for_load_state("networkidle")
    visit.page.wait_for_timeout(300)
    assert visit.page.evaluate("shift") == 0


def test_moving_k_moves_nothing_below_it(visit: Visit) -> None:
    here = Explored(visit, PAGES["es"])
    below = here.root.locator(".explorer__table")
    top = "element => element.offsetTop"
    before = below.evaluate(top)
    for k in range(1, LAST_K + 1):
        here.move_to(k)
        here.until(TRAP, k, "es")
        assert below.evaluate(top) == before


def test_nothing_sticks_out_of_the_narrowest_screen(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 320, "height": 640})
    here = Explored(visit, PAGES["es"])
    here.choose(0)  # the longest words
    here.move_to(LAST_K)  # the longest fractions
    here.until(0, LAST_K, "es")
    for opened in here.root.locator("details").all():
        opened.evaluate("element => element.open = true")
    outside = """root => [...root.querySelectorAll(":not(.explorer__scroll *)")]
      .filter(each => each.getBoundingClientRect().right > root.getBoundingClientRect().right + 1)
      .map(each => each.className)"""
    assert here.root.evaluate(outside) == []


def test_a_reader_who_wants_no_motion_sees_none(visit: Visit) -> None:
    visit.page.emulate_media(reduced_motion="reduce")
    here = Explored(visit, PAGES["en"])
    for name in (".explorer__dot", ".explorer__row", ".explorer__state"):
        moving = "element => getComputedStyle(element).transitionDuration"
        assert here.root.locator(name).first.evaluate(moving) == "0s"


def test_a_lesson_fetches_the_numbers_only_when_the_reader_comes_near(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.go("en/lessons/06-anatomy-of-the-trap/")
    visit.page.wait_for_load_state("networkidle")
    assert [url for url in asked if "explorer.json" in url] == []
    with visit.page.expect_request("**/en/assets/explorer.json"):
        visit.page.locator(".explorer").scroll_into_view_if_needed()


def test_without_the_numbers_there_are_no_controls_that_do_nothing(visit: Visit) -> None:
    visit.page.route("**/explorer.json", lambda route: route.abort())
    here = Explored(visit, PAGES["en"])
    here.root.scroll_into_view_if_needed()
    here.range.wait_for(state="hidden")
    radios = here.root.locator("[type=radio]").all()
    assert [radio.is_visible() for radio in radios] == [False] * len(EVAL_SET)
    assert here.rows.first.is_visible()


@pytest.fixture(params=SIZES)
def unscripted(
    request: pytest.FixtureRequest, chromium: "Browser", base_url: str
) -> Iterator[Callable[[str], Visit]]:
    """Open pages in a browser that runs no script."""
    width, height = SIZES[request.param]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, java_script_enabled=False
    )
    context.set_default_timeout(5000)

    def open_page(path: str) -> Visit:
        visit = Visit(context.new_page(), base_url)
        visit.go(path)
        return visit

    yield open_page
    context.close()


@IN_BOTH_EDITIONS
def test_without_a_script_the_tables_say_the_same(
    unscripted: Callable[[str], Visit], lang: str
) -> None:
    page = unscripted(PAGES[lang]).page
    explored = page.locator(".explorer")
    assert not explored.locator("input").first.is_visible()
    explored.locator(".explorer__table > summary").click()
    recalls, precisions = explored.locator(".explorer__numbers tbody").all()
    for table, evaluate in ((recalls, evaluate_recall), (precisions, evaluate_precision)):
        assert table.is_visible()
        rows = [row.locator("td").all_inner_texts()[1:] for row in table.locator("tr").all()]
        columns = [evaluate(EVAL_SET, INDEX, k) for k in range(1, LAST_K + 1)]
        columns = [[*column, fmean(column)] for column in columns]
        assert rows == [[f"{value:.4f}" for value in row] for row in zip(*columns, strict=True)]


def test_without_a_script_the_scores_still_open(unscripted: Callable[[str], Visit]) -> None:
    row = unscripted(PAGES["en"]).page.locator(".explorer__row").nth(5)
    row.locator("summary").click()
    assert row.locator("tfoot td").inner_text() == "5.4631"
