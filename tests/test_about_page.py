"""The page about the numbers: what it tells readers to type works, and readers get to it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LANGUAGES = ("es", "en")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def commands(lang: str) -> list[str]:
    (block,) = re.findall(r"(?ms)^```bash\n(.*?)^```", read(f"docs/{lang}/about-the-numbers.md"))
    return str(block).splitlines()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_is_reproduced_with_two_commands(lang: str) -> None:
    assert len(commands(lang)) == 2
    assert commands(lang)[0] == "make site"


def test_the_first_command_checks_every_page_and_builds_the_site() -> None:
    run = subprocess.run(
        [*shlex.split(commands("en")[0]), "--dry-run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert run.stdout.index("-m lesson_checker check") < run.stdout.index("-m mkdocs build")


def test_the_second_command_says_that_both_languages_of_a_lesson_are_true() -> None:
    command = commands("en")[1]
    program, *arguments = command.split()
    assert program == ".venv/bin/lesson-checker"
    pages = sorted(str(page.relative_to(ROOT)) for page in ROOT.glob(arguments[-1]))
    assert pages == [f"docs/{lang}/lessons/04-recall-at-k.md" for lang in ("en", "es")]
    run = subprocess.run(
        [sys.executable, "-m", "lesson_checker", *arguments[:-1], *pages],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert "0 problems" in run.stdout
    assert run.returncode == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_stamp_leads_to_what_it_means(lang: str) -> None:
    (ident,) = re.findall(r'\| url \}\}#([\w-]+)"', read("docs/theme/site/partials/stamp.html"))
    assert f"{{ #{ident} }}" in read(f"docs/{lang}/about-the-numbers.md")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("page", ["index", "start", "corpus"])
def test_the_pages_that_one_begins_with_lead_to_it(lang: str, page: str) -> None:
    assert "](about-the-numbers.md" in read(f"docs/{lang}/{page}.md")
