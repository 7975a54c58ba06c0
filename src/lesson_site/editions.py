"""The editions of the site, one per language, and where a page stands in each of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edition:
    """The site in one language.

    Attributes:
        lang: The code of the language.
        config: The configuration file, relative to that of the default edition.
        folder: Where the edition begins, below the root of the site: ``""`` or ``"en/"``.
    """

    lang: str
    config: str
    folder: str

    def address(self, root_url: str, url: str) -> str:
        """Return the full address of a page, given its ``url`` below its edition."""
        return root_url + self.folder + _page_url(url)

    def link(self, base_url: str, url: str, here: Edition) -> str:
        """Return the link to a page of this edition from the page at ``base_url`` of another.

        Args:
            base_url: The way from the page up to the beginning of its edition, as MkDocs has it.
            url: The page, below the beginning of either edition.
            here: The edition that the link stands in.

        >>> spanish, english = editions({"es": "mkdocs.yml", "en": "docs/mkdocs.en.yml"})
        >>> english.link("../..", "lessons/a/", here=spanish)
        '../../en/lessons/a/'
        >>> spanish.link(".", "./", here=english)
        './../'
        """
        up = "../" * here.folder.count("/")
        return f"{base_url.rstrip('/')}/{up}{self.folder}{_page_url(url)}"


def editions(configs: dict[str, str]) -> list[Edition]:
    """Return the editions; the first one is the default, and stands at the root of the site."""
    return [
        Edition(lang, config, f"{lang}/" if place else "")
        for place, (lang, config) in enumerate(configs.items())
    ]


def _page_url(url: str) -> str:
    return "" if url in (".", "./") else url
