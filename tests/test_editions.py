import doctest

import pytest

from lesson_site import editions as module
from lesson_site.editions import editions

SPANISH, ENGLISH = editions({"es": "mkdocs.yml", "en": "docs/mkdocs.en.yml"})


def test_the_default_edition_is_at_the_root_and_the_others_below_it() -> None:
    assert (SPANISH.folder, ENGLISH.folder) == ("", "en/")


def test_an_address_is_below_the_root_of_the_site() -> None:
    root = "https://example.org/course/"
    assert SPANISH.address(root, "./") == root
    assert ENGLISH.address(root, "lessons/a/") == root + "en/lessons/a/"


@pytest.mark.parametrize(
    ("base_url", "url", "here", "there", "expected"),
    [
        (".", "./", SPANISH, ENGLISH, "./en/"),
        (".", "./", ENGLISH, SPANISH, "./../"),
        ("../..", "lessons/a/", ENGLISH, SPANISH, "../../../lessons/a/"),
        ("../..", "lessons/a/", ENGLISH, ENGLISH, "../../../en/lessons/a/"),
        ("/", "", SPANISH, ENGLISH, "/en/"),
        ("/course/en", "", ENGLISH, SPANISH, "/course/en/../"),
    ],
)
def test_a_link_leads_from_one_edition_to_the_same_page_of_the_other(
    base_url: str, url: str, here: module.Edition, there: module.Edition, expected: str
) -> None:
    assert there.link(base_url, url, here) == expected


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(module).failed == 0
