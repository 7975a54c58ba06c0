"""What readers take with them: the notebook of a lesson, and the package that it installs."""

import json
import re
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest
from course import PAGES
from visit import Visit

OFFERED = [path for path in PAGES if "lessons/" in path or "reference/" in path]


@pytest.mark.parametrize("path", OFFERED)
def test_a_lesson_is_offered_as_a_notebook_that_installs_the_package(
    path: str, visit: Visit, tmp_path: Path
) -> None:
    visit.go(path)
    with visit.page.expect_download() as download:
        visit.page.locator("a[download][href$='.ipynb']").click()
    assert download.value.suggested_filename == f"{path.rstrip('/').rpartition('/')[2]}.ipynb"
    download.value.save_as(tmp_path / "lesson.ipynb")
    content = json.loads((tmp_path / "lesson.ipynb").read_text(encoding="utf-8"))
    nbformat.validate(content)
    (wheel,) = re.findall(r'@ (http[^"]*)', "".join(content["cells"][1]["source"]))
    assert wheel.startswith(visit.base_url)
    with urlopen(wheel) as response:  # noqa: S310 - of our own server
        assert response.read(2) == b"PK"
