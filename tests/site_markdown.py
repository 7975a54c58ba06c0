"""The site's own Markdown, to hold the checker's reading of a page against."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from markdown import Markdown
from mkdocs.utils.meta import get_data
from mkdocs.utils.yaml import yaml_load

from lesson_site.labels import Marks
from lesson_site.mathml import MathML

ROOT = Path(__file__).parent.parent
# lessons may fold and tab text, whatever the pages of today need
OWN = {"pymdownx.details": {}, "pymdownx.tabbed": {"alternate_style": True}}


@cache
def site_markdown() -> Markdown:
    with (ROOT / "mkdocs.yml").open(encoding="utf-8") as file:
        configured = OWN | yaml_load(file)["markdown_extensions"]
    own = [MathML(lambda _tex, _why: None), Marks("verified")]
    return Markdown(extensions=[*configured, *own], extension_configs=configured)


def site_blocks(text: str) -> list[tuple[str, str]]:
    """Return the language and the text of each block that a reader of the site sees as code."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text, _ = get_data(text)
    reader = _Reader()
    reader.feed(site_markdown().reset().convert(text))
    reader.close()
    return [(language, text.rstrip("\n")) for language, text in reader.blocks]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self.language = ""
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if "highlight" in classes:
            self.language = next(name for name in classes if name.startswith("language-"))
        if tag in ("pre", "textarea") and not self.inside:
            self.inside = True
            self.blocks.append((self.language.removeprefix("language-").lower(), ""))
            self.language = ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("pre", "textarea")

    def handle_data(self, data: str) -> None:
        if self.inside:
            language, text = self.blocks.pop()
            self.blocks.append((language, text + data))
