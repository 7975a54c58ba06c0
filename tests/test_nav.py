from pathlib import Path

import pytest

from lesson_site.nav import expand


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "lessons").mkdir()
    for name in ("index", "lessons/10-b", "lessons/09-a"):
        (tmp_path / f"{name}.md").touch()
    return tmp_path


def test_a_section_can_name_all_pages_of_a_folder(docs: Path) -> None:
    assert expand([{"Lessons": "lessons/*.md"}], docs) == [
        {"Lessons": ["lessons/09-a.md", "lessons/10-b.md"]}
    ]


def test_a_section_without_pages_is_left_out(docs: Path) -> None:
    assert expand(["index.md", {"Reference": "reference/*.md"}], docs) == ["index.md"]


def test_sections_inside_sections_are_spelled_out_too(docs: Path) -> None:
    assert expand([{"Course": [{"Lessons": "lessons/09*.md"}]}], docs) == [
        {"Course": [{"Lessons": ["lessons/09-a.md"]}]}
    ]


def test_all_pages_of_a_folder_can_stand_beside_others(docs: Path) -> None:
    assert expand([{"Course": ["index.md", "lessons/*.md"]}], docs) == [
        {"Course": ["index.md", "lessons/09-a.md", "lessons/10-b.md"]}
    ]


def test_what_is_spelled_out_already_stays(docs: Path) -> None:
    nav = ["index.md", {"Home": "index.md"}, {"Lessons": ["lessons/10-b.md", {"A": "index.md"}]}]
    assert expand(nav, docs) == nav
