"""Numbers that an update takes out of an output while a sentence still says them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import page

from lesson_checker.cli import main
from lesson_checker.gone import Gone, gone
from lesson_checker.page import parse_page
from lesson_checker.settings import Settings

SETTINGS = Settings(Path("/project"))
BEFORE = """## First

```python
print(score())  # the goal is 0.25
```

```text
{output}
```

{sentence}

## Second

{elsewhere}
"""


def found(
    sentence: str, *, old: str = "0.25", new: str = "0.5", elsewhere: str = "Words."
) -> list[Gone]:
    before, after = (
        parse_page(
            BEFORE.format(output=output, sentence=sentence, elsewhere=elsewhere),
            Path("/project/page.md"),
            SETTINGS,
        )
        for output in (old, new)
    )
    return list(gone(before, after, SETTINGS))


def test_a_number_that_left_an_output_and_is_still_said_is_found() -> None:
    assert found("It is 0.25.") == [Gone("0.25", line=11, output=7)]


def test_lines_are_those_of_the_updated_page() -> None:
    assert found("It is 0.25.", new="0.5\n0.6") == [Gone("0.25", line=12, output=7)]


@pytest.mark.parametrize(
    "sentence",
    ["It is 0.5.", "It is 0.25<!--~ last year -->.", "It is 0.25<!--= f'{x}' -->.", "No number."],
)
def test_what_the_output_never_said_or_what_is_bound_or_excused_is_not(sentence: str) -> None:
    assert found(sentence) == []


def test_a_number_that_only_the_code_ever_showed_is_not() -> None:
    assert found("The goal is 0.25.", old="0.4") == []


def test_a_number_that_the_output_still_shows_is_not() -> None:
    assert found("It is 0.25.", new="0.5 0.25") == []


def test_another_section_is_about_something_else() -> None:
    assert found("Words.", elsewhere="It is 0.25.") == []


def test_a_number_that_nothing_backs_is_left_to_the_check() -> None:
    assert found("It is 0.75.", old="0.75") == []


def test_an_output_that_stays_takes_nothing_away() -> None:
    assert found("It is 0.25.", new="0.25") == []


STALE = """```python
goal = 0.25
print(2 * goal)
```

```text
0.25
```

That is 0.25.
"""


@pytest.mark.parametrize("arguments", [["update"], ["update", "--dry-run"]])
def test_update_names_the_sentence_and_its_exit_status_stays(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    page(tmp_path, STALE)
    assert main(arguments) == 0
    hint = "page.md:10: hint: 0.25 is gone from the output of line 6; this line still says it"
    assert capsys.readouterr().out.split("\n")[-3] == hint


def test_a_page_whose_first_outputs_are_written_takes_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page(tmp_path, STALE.replace("\n```text\n0.25\n```\n", ""))
    assert main(["update"]) == 0
    assert "hint" not in capsys.readouterr().out
