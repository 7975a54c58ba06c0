import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from mkdocs.exceptions import PluginError

from lesson_checker import Problem, Settings
from lesson_site.gate import Gate, refuse

LOGGER = logging.getLogger("mkdocs")


@pytest.fixture(autouse=True)
def _level() -> Iterator[None]:
    yield
    LOGGER.setLevel(logging.NOTSET)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    (site / "old.html").write_text("old", encoding="utf-8")
    return site


@pytest.fixture
def gate(site: Path) -> Iterator[Gate]:
    gate = Gate(site)
    gate.folder.mkdir()
    (gate.folder / "new.html").write_text("new", encoding="utf-8")
    yield gate
    gate.close()


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_nothing_happens_to_the_site_before_it_is_published(gate: Gate, site: Path) -> None:
    assert names(site) == ["old.html"]
    assert gate.folder.parent.parent == site.parent


def test_publishing_replaces_the_site_and_leaves_nothing_beside_it(gate: Gate, site: Path) -> None:
    gate.publish()
    assert names(site) == ["new.html"]
    assert names(site.parent) == ["site"]


def test_closing_leaves_the_site_as_it_was_and_nothing_beside_it(gate: Gate, site: Path) -> None:
    gate.close()
    assert names(site) == ["old.html"]
    assert names(site.parent) == ["site"]


def test_the_first_site_needs_no_earlier_one(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "deep" / "site")
    gate.folder.mkdir()
    gate.publish()
    assert names(tmp_path / "deep") == ["site"]


def test_a_site_behind_a_link_is_replaced_where_it_is(tmp_path: Path, site: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(site)
    gate = Gate(link)
    gate.folder.mkdir()
    gate.publish()
    assert (link.is_symlink(), names(site)) == (True, [])


def test_the_old_site_comes_back_if_the_new_one_can_not_be_moved(gate: Gate, site: Path) -> None:
    (gate.folder / "new.html").unlink()
    gate.folder.rmdir()
    with pytest.raises(FileNotFoundError):
        gate.publish()
    assert names(site) == ["old.html"]


@pytest.mark.parametrize("level", [logging.INFO, logging.ERROR])
def test_a_warning_keeps_the_site_from_being_published(gate: Gate, site: Path, level: int) -> None:
    gate.close()
    LOGGER.setLevel(level)
    gate = Gate(site)
    gate.folder.mkdir()
    logging.getLogger("mkdocs.structure").warning("a broken link: %s", "a.md")
    with pytest.raises(PluginError, match=r"a broken link: a\.md"):
        gate.publish()
    gate.close()
    assert (names(site), LOGGER.level) == (["old.html"], level)


def test_warnings_that_were_silenced_are_not_printed(site: Path) -> None:
    printed: list[str] = []

    class Printer(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            printed.append(record.getMessage())

    printer = Printer()
    LOGGER.addHandler(printer)
    LOGGER.setLevel(logging.ERROR)
    try:
        gate = Gate(site)
        LOGGER.warning("heard, not printed")
        LOGGER.error("printed")
        gate.close()
    finally:
        LOGGER.removeHandler(printer)
    assert printed == ["printed"]


def problem(severity: str) -> Problem:
    return Problem(Path("/course/a.md"), 3, "output-differs", "it differs", severity=severity)  # type: ignore[arg-type]


def test_an_error_is_refused_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PluginError, match=r"because of a\.md"):
        refuse([problem("error")], Settings(root=Path("/course")))
    assert capsys.readouterr().err.startswith("a.md:3: output-differs: it differs")


def test_a_warning_of_the_checker_is_not_refused() -> None:
    refuse([problem("warning")], Settings(root=Path("/course")))
