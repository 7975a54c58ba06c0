"""Both editions of Lesson 04 as a reader meets them."""

import re

import pytest
from visit import Visit

LESSON = "lessons/04-recall-at-k/"
EDITIONS = {"es": LESSON, "en": f"en/{LESSON}"}
PAGES = ["", "en/", "start/", "en/start/", "api/", "en/api/", *EDITIONS.values()]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_without_errors_and_asks_no_other_host(visit: Visit, path: str) -> None:
    visit.go(path)
    visit.page.mouse.wheel(0, 3000)
    visit.page.wait_for_load_state("networkidle")
    assert (visit.errors, visit.foreign) == ([], [])


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_never_wider_than_the_screen(visit: Visit, path: str) -> None:
    visit.go(path)
    assert visit.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


@pytest.mark.parametrize(("lang", "path"), EDITIONS.items())
def test_a_lesson_is_in_its_language_and_shows_the_recall_of_each_k(
    visit: Visit, lang: str, path: str
) -> None:
    visit.go(path)
    assert visit.page.get_attribute("html", "lang") == lang
    outputs = visit.page.locator(".verified pre").all_inner_texts()
    curve = [re.findall(r"recall@\d = ([\d.]+)  \(\d/6\)", output) for output in outputs]
    assert ["0.1667", "0.5000", "0.6667", "0.8333", "0.8333", "1.0000", "1.0000"] in curve


def test_the_switcher_keeps_the_page_and_the_anchor(visit: Visit) -> None:
    visit.go(f"{EDITIONS['es']}#formula")
    switcher = visit.page.locator(".editions")
    switcher.get_by_role("link", name="English").click()
    visit.page.wait_for_url(f"**/{EDITIONS['en']}#formula")
    switcher.get_by_role("link", name="Español").click()
    visit.page.wait_for_url(f"**/{EDITIONS['es']}#formula")
    assert visit.path == f"{EDITIONS['es']}#formula"


def test_the_switcher_says_which_language_is_shown(visit: Visit) -> None:
    visit.go(EDITIONS["en"])
    current = visit.page.locator(".editions [aria-current]")
    assert current.get_attribute("hreflang") == "en"


def test_the_error_page_leads_home_from_any_depth(visit: Visit) -> None:
    visit.go("en/lessons/no-such-page/")
    visit.page.get_by_role("link", name="Go to the home page").click()
    visit.page.wait_for_url("**/en/")
    assert visit.page.locator("h1").inner_text() == "Measuring search"


@pytest.mark.parametrize("path", EDITIONS.values())
def test_a_solution_opens_from_the_keyboard(visit: Visit, path: str) -> None:
    visit.go(path)
    solution = visit.page.locator("details:has(pre)").first
    code = solution.locator("pre").first
    assert not code.is_visible()
    solution.locator("summary").focus()
    visit.page.keyboard.press("Enter")
    code.wait_for(state="visible")


def test_the_dark_palette_can_be_chosen(visit: Visit) -> None:
    visit.go(EDITIONS["es"])
    before = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    visit.page.get_by_title("Cambiar al modo oscuro").click()
    after = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (before, after) == ("rgb(252, 251, 247)", "rgb(20, 25, 27)")
