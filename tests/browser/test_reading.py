"""What makes a lesson good to read: on a screen, with a keyboard, on paper, without a script."""

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LESSON = "lessons/04-recall-at-k/"
EDITIONS = {"es": LESSON, "en": f"en/{LESSON}"}
COPIED = {"es": "Copiado", "en": "Copied"}


@pytest.fixture
def plain(chromium: "Browser", base_url: str) -> Iterator[Visit]:
    """A browser without scripts."""
    context = chromium.new_context(java_script_enabled=False)
    yield Visit(context.new_page(), base_url)
    context.close()


# ------------------------------------------------------------------------------------- the code


@pytest.mark.parametrize(("lang", "path"), EDITIONS.items())
def test_code_is_copied_and_a_screen_reader_hears_of_it(visit: Visit, lang: str, path: str) -> None:
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.go(path)
    block = visit.page.locator(".highlight:not(.output)").first
    block.hover()
    block.locator(".copy").click()
    said = visit.page.locator("#said")
    said.filter(has_text=COPIED[lang]).wait_for(state="attached")
    code = block.locator("code").inner_text()
    assert visit.page.evaluate("navigator.clipboard.readText()") == code.rstrip("\n")


def test_a_console_session_is_copied_without_its_prompts_and_outputs(visit: Visit) -> None:
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.go("api/")
    block = visit.page.locator(".language-pycon").first
    block.hover()
    block.locator(".copy").click()
    visit.page.locator("#said:not(:empty)").wait_for(state="attached")
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("from retrieval_lessons import")
    assert ">>>" not in copied


# ------------------------------------------------------------------------------- on a small screen


def test_what_is_wider_than_its_place_can_be_scrolled_with_the_keyboard(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    for path in ("lessons/05-precision-at-k/", "reference/recall-and-precision/"):
        visit.go(path)
        # an observer sees to it, shortly after the page is there
        visit.page.wait_for_function(
            """() => [...document.querySelectorAll("main *")].every(box =>
                !box.checkVisibility() || box.scrollWidth <= box.clientWidth
                || !/auto|scroll/.test(getComputedStyle(box).overflowX)
                || box.tabIndex >= 0)""",
            timeout=5000,
        )


def test_a_wide_table_scrolls_inside_its_own_box(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    visit.go("reference/recall-and-precision/")
    boxes = visit.page.locator("main .table")
    wide = [box for box in boxes.all() if box.evaluate("box => box.scrollWidth > box.clientWidth")]
    assert wide
    wide[0].focus()
    visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_function(
        "[...document.querySelectorAll('main .table')].some(box => box.scrollLeft > 0)"
    )


@pytest.mark.parametrize("path", EDITIONS.values())
def test_what_is_in_the_header_is_large_enough_for_a_finger(visit: Visit, path: str) -> None:
    visit.page.set_viewport_size({"width": 320, "height": 640})
    visit.go(path)
    boxes = [
        each.bounding_box()
        for each in visit.page.locator(".bar :is(a, button)").all()
        if each.is_visible()
    ]
    sides = [(round(box["x"]), box["width"], box["height"]) for box in boxes if box]
    assert len(sides) == 5  # home, search, language, palette, menu
    assert all(width >= 32 and height >= 27 for _, width, height in sides)
    for (left, width, _), (right, *_) in itertools.pairwise(sides):
        assert left + width <= right + 1


def test_copying_hides_no_code(visit: Visit) -> None:
    visit.go(LESSON)
    block = visit.page.locator(".highlight:not(.output)").first
    block.hover()
    button, code = (each.bounding_box() for each in (block.locator(".copy"), block.locator("code")))
    assert button
    assert code
    assert button["y"] + button["height"] <= code["y"] + 2


def test_the_menu_opens_and_closes_by_keyboard(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    visit.go(LESSON)
    menu = visit.page.locator("#menu")
    assert not menu.is_visible()
    visit.page.get_by_role("button", name="Navegación").focus()
    visit.page.keyboard.press("Enter")
    menu.wait_for(state="visible")
    visit.page.keyboard.press("Escape")
    menu.wait_for(state="hidden")


# ------------------------------------------------------------------------------ through the course


def test_a_lesson_says_where_it_stands_in_the_course(visit: Visit) -> None:
    visit.go(LESSON)
    stages = visit.page.locator(".stages")
    lessons = stages.locator("a")
    current = [link.get_attribute("aria-current") for link in lessons.all()]
    assert current.count("page") == 1
    place = current.index("page") + 1
    assert stages.inner_text().startswith(f"Etapa {place} de {len(current)}")


def test_a_lesson_read_to_its_end_is_marked_in_both_languages(visit: Visit) -> None:
    visit.go(EDITIONS["es"])
    read = visit.page.locator(f".stages [data-page='{LESSON}']")
    assert "is-done" not in (read.get_attribute("class") or "")
    visit.page.locator(".turn").scroll_into_view_if_needed()
    visit.page.locator(".turn__read.is-shown").wait_for()
    visit.go("en/lessons/03-evaluation-set/")
    assert read.get_attribute("class") == "is-done"


def test_what_has_been_read_can_be_forgotten(visit: Visit) -> None:
    visit.go(EDITIONS["en"])
    visit.page.locator(".turn").scroll_into_view_if_needed()
    visit.page.get_by_role("button", name="Forget").click()
    assert visit.page.evaluate("localStorage.getItem('lessons.read')") == ""
    assert visit.page.locator(".is-done").count() == 0


def test_each_lesson_leads_to_the_next_and_back(visit: Visit) -> None:
    visit.go(LESSON)
    visit.page.locator("a[rel=next]").click()
    visit.page.wait_for_url("**/05-precision-at-k/")
    visit.page.locator("a[rel=prev]").click()
    visit.page.wait_for_url(f"**/{LESSON}")


def test_the_menu_shows_which_section_is_being_read(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    visit.go(LESSON)
    visit.page.evaluate(  # well past its heading, as after a jump
        """() => scrollTo({
            top: document.querySelector("#common-mistakes").offsetTop - 400, behavior: "instant"
        })"""
    )
    visit.page.wait_for_function(
        "document.querySelector('.toc [aria-current]')?.hash === '#blind-spots'"
    )


# -------------------------------------------------------------------------------- older browsers


def test_where_there_is_no_light_dark_the_palette_is_that_of_the_day(visit: Visit) -> None:
    visit.go("")
    css = visit.page.request.get(f"{visit.base_url}assets/site.css").text()
    by_day = dict(re.findall(r"--([\w-]+): light-dark\((#\w+),", css))
    _, fallback = css.split("@supports not (color: light-dark(", 1)
    fallback = fallback.split("\n}\n", 1)[0]
    assert dict(re.findall(r"--([\w-]+): (#\w+);", fallback)) == by_day


# ------------------------------------------------------------------------------- paper and scripts


def test_while_a_page_is_printed_all_that_folds_is_open(visit: Visit) -> None:
    visit.go(LESSON)
    folds = visit.page.locator("main details")
    folds.first.evaluate("each => { each.open = true }")
    count = "window.printed = document.querySelectorAll('main details[open]').length"
    visit.page.evaluate(f"addEventListener('beforeprint', () => {{ {count} }})")  # after site.js
    visit.page.pdf()
    assert visit.page.evaluate("printed") == folds.count() > 1
    # afterwards it is as the reader left it
    assert visit.page.locator("main details[open]").count() == 1


def test_on_paper_solutions_are_seen_and_nothing_is_to_be_operated(visit: Visit) -> None:
    visit.go(LESSON)
    visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    visit.page.emulate_media(media="print")
    for solution in visit.page.locator("details:has(pre) pre").all():
        assert solution.is_visible()
    for chrome in (".bar", "#menu", ".foot", ".turn", ".copy", ".page-links"):
        assert not visit.page.locator(chrome).first.is_visible()


def test_on_paper_solutions_are_seen_without_a_script_too(plain: Visit) -> None:
    plain.go(LESSON)
    plain.page.emulate_media(media="print")
    for solution in plain.page.locator("details:has(pre) pre").all():
        assert solution.is_visible()


def test_without_a_script_a_lesson_is_whole_and_offers_nothing_that_needs_one(
    plain: Visit,
) -> None:
    plain.go(LESSON)
    assert plain.page.locator(".stages a").count() > 1
    assert plain.page.locator(".stages [aria-current]").is_visible()
    assert not plain.page.locator(".search-button").is_visible()
    assert not plain.page.locator(".scheme").is_visible()
    assert plain.page.locator(".verified pre").first.is_visible()


@pytest.mark.parametrize("path", ["", LESSON, "api/", "reference/recall-and-precision/"])
def test_nothing_moves_while_a_page_loads(visit: Visit, path: str) -> None:
    visit.page.add_init_script(
        """addEventListener("DOMContentLoaded", () => { window.shift = 0 })
        new PerformanceObserver(list => {
            for (const entry of list.getEntries()) window.shift = (window.shift ?? 0) + entry.value
        }).observe({ type: "layout-shift", buffered: true })"""
    )
    visit.go(path)
    visit.page.wait_for_load_state("networkidle")
    assert visit.page.evaluate("window.shift ?? 0") < 0.01


def test_a_lesson_weighs_little(visit: Visit) -> None:
    """Uncompressed, for the test's server does not compress: a third of it goes over the wire."""
    weights: list[int] = []
    visit.page.on("response", lambda response: weights.append(len(response.body())))
    visit.go(LESSON)
    visit.page.wait_for_load_state("networkidle")
    assert re.match("Lecci", visit.page.title())
    assert 20_000 < sum(weights) < 250_000
