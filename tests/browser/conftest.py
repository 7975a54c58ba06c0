"""The real site, built and served, in a real browser: `pytest tests/browser`, or `make browser`.

The tests of the project need no browser, so these are only collected when they are asked for.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import CHROMIUM, FLAGS, MISSING
from course import build
from serving import serve
from visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    return None if any("browser" in argument for argument in config.args) else True


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the site of this project is built."""
    return tmp_path_factory.mktemp("published") / "site"


@pytest.fixture(scope="session")
def base_url(site: Path) -> Iterator[str]:
    """Build the site of this project, for the address that it is served at."""
    with serve(site) as url:
        if status := build(site, url):
            pytest.exit("there is no site to look at", status)
        yield url


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright  # not here, where only other tests run

    if CHROMIUM is None:
        pytest.fail(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(params=SIZES)
def visit(request: pytest.FixtureRequest, chromium: "Browser", base_url: str) -> Iterator[Visit]:
    """Open an empty page, on a desktop and on a phone."""
    width, height = SIZES[request.param]
    context = chromium.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(5000)
    yield Visit(context.new_page(), base_url)
    context.close()
