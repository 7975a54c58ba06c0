"""The pages of the course, so that a new one is looked at without a word from anybody."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = {"es": "", "en": "en/"}


def pages(lang: str) -> list[str]:
    """Return the path of each page of an edition below the root of the site."""
    docs = ROOT / "docs" / lang
    slugs = [file.relative_to(docs).with_suffix("").as_posix() for file in docs.rglob("*.md")]
    return sorted(
        FOLDERS[lang] + ("" if slug == "index" else f"{slug}/")
        for slug in slugs
        if not slug.isupper()  # those are for authors, not on the site
    )


PAGES = [path for lang in FOLDERS for path in pages(lang)]
MISSING = "en/no-such-page/"
"""An address that shows the error page."""


def build(site: Path, url: str) -> int:
    """Build the site of this project for the address that it is served at; return the status."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(site)]
    environment = {**os.environ, "SITE_URL": url, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
