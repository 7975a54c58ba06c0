from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from lesson_site.wheel import build_wheel

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "small-course"
version = "1.2"
requires-python = ">=3.11"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    package = tmp_path / "small_course" / "__init__.py"
    package.parent.mkdir()
    package.write_text("K = 5\n", encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_the_package_and_is_named_after_its_version(project: Path) -> None:
    name, content = build_wheel(project)
    assert name == "small_course-1.2-py3-none-any.whl"
    assert ZipFile(BytesIO(content)).read("small_course/__init__.py") == b"K = 5\n"


def test_the_same_sources_give_the_same_wheel(project: Path) -> None:
    assert build_wheel(project) == build_wheel.__wrapped__(project)


def test_building_the_wheel_leaves_nothing_behind(project: Path) -> None:
    build_wheel(project)
    assert sorted(file.name for file in project.iterdir()) == ["pyproject.toml", "small_course"]


def test_a_project_that_can_not_be_built_says_why(project: Path) -> None:
    (project / "small_course" / "__init__.py").unlink()
    with pytest.raises(RuntimeError, match="the wheel can't be built"):
        build_wheel(project)
