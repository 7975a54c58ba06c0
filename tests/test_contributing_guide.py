"""CONTRIBUTING, in both languages: its commands work, and it knows each code of a problem."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copy as copy_file
from shutil import copytree

import pytest
from test_contributing_page import emitted

ROOT = Path(__file__).parent.parent
GUIDES = {"es": "CONTRIBUTING.es.md", "en": "CONTRIBUTING.md"}
LANGUAGES = tuple(GUIDES)

# what takes long is done by other tests: here it only has to know what it is asked for
FAST = """
set -eu
make() { command make --dry-run "$@" >/dev/null; }
python() {
    case "$*" in
        "-m pytest "*) command python "$@" --collect-only -p no:cacheprovider ;;
        "-m mypy") command python -m mypy --version ;;
        "tests/spelling.py") test -f "$1" ;;
        *) command python "$@" ;;
    esac
}
ruff() { command ruff "$1" --help >/dev/null; }
lesson-checker() {
    if [ "$*" = check ]; then set -- check --help; fi
    command lesson-checker "$@"
}
"""
CODE_ROW = re.compile(
    r"(?m)^\| \[`(?P<code>[a-z-]+)`\]\(docs/(?P<lang>\w+)/contributing\.md#(?P<place>[\w-]+)\)"
    r" \| (?P<meaning>[^|]+) \| (?P<mend>[^|]+) \|$"
)


def guide(lang: str) -> str:
    return (ROOT / GUIDES[lang]).read_text(encoding="utf-8")


def sections(lang: str) -> list[tuple[str, str]]:
    """Each heading with the text below it."""
    return re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", guide(lang))


def blocks(text: str) -> list[str]:
    return re.findall(r"(?ms)^```bash\n(.*?)^```$", text)


# ----------------------------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, with the environment that these tests run in."""
    if not (ROOT / "src").exists():
        pytest.skip("the commands are for the source tree, and this is none")
    folder = tmp_path_factory.mktemp("copy") / "project"
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.is_file():
            copy_file(path, folder)
        elif path.is_dir() and path.name[0] != "." and path.name not in ("build", "dist", "site"):
            copytree(path, folder / path.name)
    (folder / ".venv").symlink_to(sys.prefix)
    for page in folder.glob("docs/*/lessons/08-*.md"):  # the guide's own example takes its number
        page.unlink()
    return folder


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_command_of_the_guide_works_in_its_order(lang: str, copy: Path) -> None:
    script = FAST + "".join(blocks(guide(lang)))
    for page in copy.glob("docs/*/lessons/08-*.md"):  # of the other guide
        page.unlink()
    done = subprocess.run(
        ["bash"],
        input=script,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": "src", "VIRTUAL_ENV_DISABLE_PROMPT": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "created docs/en/lessons/08-query-logs.md" in done.stdout


def test_a_target_that_make_does_not_know_is_noticed(copy: Path) -> None:
    done = subprocess.run(
        ["bash"], input=FAST + "make tset\n", cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_file_that_is_named_to_imitate_exists(lang: str) -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", guide(lang))
    assert len(links) > 30
    if not (ROOT / "src").exists():  # CI tests the wheel with no source tree beside it
        links = [link for link in links if not link.startswith("src/")]
    assert [link for link in links if link and not (ROOT / link).exists()] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_contents_lead_to_each_section(lang: str) -> None:
    def anchor(heading: str) -> str:
        return "#" + heading.lower().replace(" ", "-")

    listed = re.findall(r"(?m)^- \[(.*)\]\((#.*)\)$", guide(lang))
    assert listed == [(heading, anchor(heading)) for heading, _ in sections(lang)]


# -------------------------------------------------------------------------------------- codes


def code_rows(lang: str) -> list[re.Match[str]]:
    return list(CODE_ROW.finditer(guide(lang)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_of_codes_holds_each_code_once(lang: str) -> None:
    codes = [row["code"] for row in code_rows(lang)]
    assert {"no row": emitted() - set(codes), "no problem": set(codes) - emitted()} == {
        "no row": set(),
        "no problem": set(),
    }
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_code_leads_to_its_entry_on_the_page_for_authors(lang: str) -> None:
    page = (ROOT / f"docs/{lang}/contributing.md").read_text(encoding="utf-8")
    rows = code_rows(lang)
    assert {(row["lang"], row["place"] == row["code"]) for row in rows} == {(lang, True)}
    assert [
        row["code"] for row in rows if f"#### `{row['code']}` {{ #{row['code']} }}" not in page
    ] == []


# ------------------------------------------------------------------------------------- parity


def shape(text: str) -> list[object]:
    """What two languages have in common: steps, rows, commands and the code they name."""
    commands = [
        re.sub(r" *#.*", "", block).replace("docs/es/", "docs/xx/").replace("docs/en/", "docs/xx/")
        for block in blocks(text)
    ]
    rest = re.sub(r"(?ms)^```.*?^```$", "", text)
    code = [
        re.sub(r"docs/(?:es|en)/", "docs/xx/", each)
        for each in re.findall(r"`([^`\n]+)`", rest)
        if each not in ("CONTRIBUTING.md", "CONTRIBUTING.es.md")
    ]
    links = sorted(
        re.sub(r"docs/(?:es|en)/", "docs/xx/", each)
        for each in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", rest)
    )
    counted = [len(re.findall(mark, rest, re.MULTILINE)) for mark in (r"^\d+\. ", r"^- ", r"^\|")]
    return [commands, sorted(code), links, counted]


def test_both_guides_say_the_same_section_by_section() -> None:
    spanish, english = (sections(lang) for lang in LANGUAGES)
    assert len(spanish) == len(english)
    for (heading, one), (_, other) in zip(spanish, english, strict=True):
        assert shape(one) == shape(other), heading


def test_each_guide_leads_to_the_other() -> None:
    assert "](CONTRIBUTING.md)" in guide("es")
    assert "](CONTRIBUTING.es.md)" in guide("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_readme_leads_to_the_guide_of_its_language(lang: str) -> None:
    readme = {"es": "README.es.md", "en": "README.md"}[lang]
    assert f"]({GUIDES[lang]})" in (ROOT / readme).read_text(encoding="utf-8")
