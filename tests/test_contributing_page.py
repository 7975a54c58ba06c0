"""The page for authors: it knows every problem, every setting and every option, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import lesson_checker
import lesson_site
from lesson_checker import Example, Language, Page, Settings, check_pages, load_settings, read_page
from lesson_checker.cli import main
from lesson_checker.compare import _REMEDIES
from lesson_checker.examples import _DIRECTIVES

ROOT = Path(__file__).parent.parent
# where they are installed: CI tests the wheel with no source tree beside it
PACKAGES = [Path(str(package.__file__)).parent for package in (lesson_checker, lesson_site)]
SOURCES = [file for package in PACKAGES for file in package.glob("*.py")]
TREES = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES]
LANGUAGES = ("es", "en")

ENTRY = re.compile(
    r"(?m)^#### `(?P<code>[a-z-]+)` \{ #(?P<ident>[\w-]+) \}\n(?P<body>(?s:.*?))(?=^#|\Z)"
)
# their problem is made by a build of the site, from the error that the page shows
SHOWN_BY_AN_ERROR = {"explorer-invalid", "plot-invalid"}


def page(lang: str) -> Page:
    return read_page(ROOT / f"docs/{lang}/contributing.md", load_settings(ROOT))


def without_blocks(lang: str) -> str:
    """The page's text with empty lines in the place of its blocks."""
    shown = page(lang)
    text = shown.text
    for block in shown.blocks[::-1]:
        lines = "\n" * text.count("\n", block.opening, block.after)
        text = text[: block.opening] + lines + text[block.after :]
    return text


# ------------------------------------------------------------------------------------- codes


def places_of_the_code() -> dict[str, set[int]]:
    """Where each function or class of the sources takes the code of a problem, by position."""
    found: dict[str, set[int]] = {}
    for node in (each for tree in TREES for each in ast.walk(tree)):
        members: list[tuple[str, str]] = []
        if isinstance(node, ast.FunctionDef):
            members = [(each.arg, _written(each.annotation)) for each in node.args.args]
            members = members[1:] if members[:1] == [("self", "")] else members
        elif isinstance(node, ast.ClassDef):
            rows = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            members = [(ast.unparse(each.target), _written(each.annotation)) for each in rows]
        if ("code", "str") in members:  # any other `code` is a block, or a status
            found.setdefault(node.name, set()).add(members.index(("code", "str")))
    return found


def _written(annotation: ast.expr | None) -> str:
    return ast.unparse(annotation) if annotation else ""


def codes_passed() -> Iterator[ast.expr]:
    """What the sources pass as the code of a problem."""
    places = places_of_the_code()
    for node in (each for tree in TREES for each in ast.walk(tree)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            for place in places.get(name, ()):
                if place < len(node.args):
                    yield node.args[place]
            if name in places:
                yield from (each.value for each in node.keywords if each.arg == "code")


def emitted() -> set[str]:
    literals = {
        each.value
        for each in codes_passed()
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    return literals | set(_REMEDIES)  # these are how a page's process can end


def test_every_code_is_written_out_where_a_problem_is_made() -> None:
    others = {ast.unparse(each) for each in codes_passed() if not isinstance(each, ast.Constant)}
    # what is passed on, the end of a process, and another function that is called `problem`
    assert others == {"code", "each.code", "death['code']", "bound"}


def entries(lang: str) -> dict[str, re.Match[str]]:
    return {match["code"]: match for match in ENTRY.finditer(without_blocks(lang))}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_problem_has_an_entry_and_each_entry_a_problem(lang: str) -> None:
    found = set(entries(lang))
    assert {"no entry": emitted() - found, "no problem": found - emitted()} == {
        "no entry": set(),
        "no problem": set(),
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_entry_can_be_linked_to_by_the_code(lang: str) -> None:
    found = entries(lang)
    assert {code: match["ident"] for code, match in found.items()} == {code: code for code in found}


def examples_of(lang: str, match: re.Match[str]) -> list[Example]:
    first, last = (without_blocks(lang).count("\n", 0, place) + 1 for place in match.span())
    return [each for each in page(lang).examples if first < each.code.line < last]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_entry_shows_a_run_that_has_its_problem(lang: str) -> None:
    unshown = {
        code
        for code, match in entries(lang).items()
        if not any(
            re.search(rf"(?m)^\S+\.md:\d+: (?:warning: )?{code}: ", each.output.body)
            for each in examples_of(lang, match)
            if each.output
        )
    }
    assert unshown == SHOWN_BY_AN_ERROR


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_entry_ends_with_its_mend(lang: str) -> None:
    words = {"es": "**Remedio:** ", "en": "**To mend it:** "}[lang]
    last = {code: match["body"].rstrip().split("\n\n")[-1] for code, match in entries(lang).items()}
    # a group of problems may begin below an entry
    assert [code for code, text in last.items() if not text.lstrip().startswith(words)] == []


# ------------------------------------------------------------------------ settings, options


def first_cells(lang: str, section: str) -> list[str]:
    """What stands as code in the first cell of each row of a section's tables."""
    text = without_blocks(lang)
    start = text.index(f"{{ #{section} }}\n")
    rows = re.findall(r"(?m)^\| (`.*?`) \|", text[start : text.index("\n#", start)])
    return [name for row in rows for name in re.findall("`([^`]+)`", row)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_of_settings_holds_each_of_them(lang: str) -> None:
    names = [each.name for each in fields(Settings) if each.name != "root"]
    names += [f"languages.{lang}.{each.name}" for each in fields(Language)]
    assert sorted(first_cells(lang, "settings")) == sorted(names)


def help_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tables_of_commands_hold_each_command_and_option(
    lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    commands = re.findall(r"(?m)^    (\w+) ", help_of(capsys))
    helps = [help_of(capsys), *(help_of(capsys, command) for command in commands)]
    options = {option for text in helps for option in re.findall(r"(?<![\w-])--[a-z-]+", text)}
    formats = re.findall(r"--format \{([\w,]+)\}", "".join(helps))[0].split(",")
    cells = first_cells(lang, "commands")
    assert {cell.split()[1] for cell in cells if cell.startswith("lesson-checker")} == set(commands)
    assert {cell.split()[0] for cell in cells if cell.startswith("--")} == options
    assert [cell for cell in cells if cell.startswith("--format")] == [
        f"--format {form}" for form in sorted(formats, key=("text", "json", "github").index)
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_names_each_option_of_the_pytest_plugin(lang: str) -> None:
    plugin = (PACKAGES[0] / "pytest_plugin.py").read_text(encoding="utf-8")
    options = set(re.findall(r'"(--[a-z-]+)",\n', plugin))
    assert options != set()
    assert {option for option in options if f"`{option}`" not in without_blocks(lang)} == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_names_each_comment_above_a_block(lang: str) -> None:
    assert {name for name in _DIRECTIVES if f"`{name}`" not in without_blocks(lang)} == set()


# --------------------------------------------------------------------------------- the model


def model(lang: str) -> str:
    """The page that the page shows as an example of one."""
    (shown,) = (each for each in page(lang).blocks if each.kind == "shown" and not each.language)
    return shown.body + "\n"


def test_the_page_that_is_shown_as_a_model_is_true_in_both_languages(tmp_path: Path) -> None:
    for lang in LANGUAGES:
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "page.md").write_text(model(lang), encoding="utf-8")
    report = check_pages(Settings(root=tmp_path))
    assert {problem.code for problem in report.problems} == {"twin-behind"}  # nobody has read it
    assert report.verified == 8


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_that_is_shown_as_a_model_holds_each_comment(lang: str) -> None:
    assert set(re.findall(r"<!--! (\w+):", model(lang))) == set(_DIRECTIVES)
