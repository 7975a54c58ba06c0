"""Every page of both editions, on a desktop and on a phone, by day and by night."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from conftest import SIZES
from course import MISSING, PAGES
from visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

VIEWS = [*itertools.product(SIZES, ("light", "dark"))]
View = tuple[str, str]

SHIFT = """() => new Promise(done => {
  new PerformanceObserver((list, observer) => {
    observer.disconnect()
    done(list.getEntries().reduce((sum, each) => sum + each.value, 0))
  }).observe({ type: "layout-shift", buffered: true })
  setTimeout(() => done(0), 100)  // nothing moved, so nothing is observed
})"""

# Highlighted code has the same few colours thousands of times. One of each is as good as all of
# them, and takes axe a fraction of the time.
UNFOLD = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true
  const seen = new Set()
  for (const each of document.querySelectorAll("pre span:not(:has(*))")) {
    const look = `${each.parentElement.className} > ${each.className}`
    if (seen.has(look)) each.replaceWith(each.textContent)
    seen.add(look)
  }
}"""


@dataclass(frozen=True)
class Look:
    """What was wrong with a page when it was looked at.

    Attributes:
        errors: What the console said, and which requests failed.
        foreign: What was asked of other hosts.
        overflow: By how many pixels the page is wider than the screen.
        shift: How far its parts moved while it was loading (Cumulative Layout Shift).
        violations: What axe found, each with the elements that it found it in.
    """

    errors: list[str]
    foreign: list[str]
    overflow: int
    shift: float
    violations: list[str]


@pytest.fixture(scope="module")
def contexts(chromium: "Browser") -> Iterator[dict[View, "BrowserContext"]]:
    """Open a window for each view, which keeps what it has loaded once."""
    windows = {}
    for size, palette in VIEWS:
        width, height = SIZES[size]
        windows[size, palette] = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=palette,
            reduced_motion="reduce",  # or axe sees colours on their way to others
        )
    yield windows
    for window in windows.values():
        window.close()


@pytest.fixture(scope="module", params=[*PAGES, MISSING], ids=lambda path: path or "home")
def looks(
    request: pytest.FixtureRequest, contexts: dict[View, "BrowserContext"], base_url: str
) -> dict[View, Look]:
    """Look at a page from top to bottom, with all that unfolds unfolded."""
    visits = {view: Visit(window.new_page(), base_url) for view, window in contexts.items()}
    shifts = {}
    for view, visit in visits.items():
        visit.go(request.param)
        visit.page.wait_for_load_state("networkidle")
        shifts[view] = visit.page.evaluate(SHIFT)
        visit.page.evaluate(UNFOLD)
        visit.page.add_script_tag(path=AXE_FILE_PATH)
        # not waited for: the windows are looked at side by side
        visit.page.evaluate("() => { found = axe.run({ resultTypes: ['violations'] }) }")
    looks = {}
    for view, visit in visits.items():
        found = visit.page.evaluate("() => found.then(result => result.violations)")
        overflow = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        errors = [each for each in visit.errors if not (request.param == MISSING and "404" in each)]
        violations = [summary(each) for each in found]
        looks[view] = Look(errors, visit.foreign, overflow, shifts[view], violations)
        visit.page.close()
    return looks


@pytest.fixture(params=VIEWS, ids=" ".join)
def look(request: pytest.FixtureRequest, looks: dict[View, Look]) -> Look:
    return looks[request.param]


def summary(violation: dict[str, Any]) -> str:
    nodes = violation["nodes"]
    places = "".join(f"\n  {node['target']}: {node['failureSummary']}" for node in nodes[:3])
    return f"{violation['id']}, {len(nodes)} times: {violation['help']}{places}"


def test_axe_finds_nothing(look: Look) -> None:
    assert look.violations == []


def test_a_page_loads_without_errors_and_asks_no_other_host(look: Look) -> None:
    assert (look.errors, look.foreign) == ([], [])


def test_a_page_is_never_wider_than_the_screen(look: Look) -> None:
    assert look.overflow == 0


def test_nothing_moves_while_a_page_loads(look: Look) -> None:
    assert look.shift < 0.01
