"""The settings of a project: ``[tool.lesson-checker]`` in its pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Language:
    """What the pages of one language have in common.

    Attributes:
        label: The paragraph that may stand between a code block and its output block.
        nouns: What is counted: a number before one of these words is a claim.
    """

    label: str
    nouns: tuple[str, ...] = ()


_LANGUAGES: Mapping[str, Language] = {
    "es": Language("Qué esperar:", ("chunks", "queries", "documentos", "palabras", "tokens")),
    "en": Language("What to expect:", ("chunks", "queries", "documents", "words", "tokens")),
}


_PATTERNS = {"template": ("{language}",), "new_page": ("{language}", "{number}", "{slug}")}


@dataclass(frozen=True, slots=True)
class Settings:
    """How the pages of a project are found and run.

    Attributes:
        root: The folder of the pyproject.toml; every path in messages is relative to it.
        folders: Where the pages are, relative to the root.
        exclude: Names of files that are no pages.
        languages: What belongs to each language, by its code. A page is in the language whose
            code is a folder of its path; pages that differ only in that folder are a pair.
        preload: Modules that are imported once, before the pages are started.
        preload_plots: Modules that are imported once, before the first page that draws.
        versions: Distributions whose versions a report names.
        template: What a new lesson is made from, with ``{language}`` in the path.
        new_page: Where it is written, with ``{language}``, ``{number}`` and ``{slug}`` in the path.
        timeout: Seconds that one page may run.
        memory: MiB of memory that one page may use.
        jobs: How many pages run at the same time.
    """

    root: Path
    folders: tuple[str, ...] = (".",)
    exclude: tuple[str, ...] = ()
    languages: Mapping[str, Language] = field(default_factory=lambda: dict(_LANGUAGES))
    preload: tuple[str, ...] = ()
    preload_plots: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    template: str = ""
    new_page: str = ""
    timeout: float = 20.0
    memory: int = 2048
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)

    def pages(self, folder: Path | None = None) -> list[Path]:
        """Return the pages below ``folder`` (below all configured folders if it is None)."""
        starts = [folder] if folder else [self.root / name for name in self.folders]
        for start in starts:
            if not start.exists():
                raise ValueError(f"{self.relative(start)}: there is no such folder of pages")
        found = {path for start in starts for path in _markdown(start)}
        return sorted(path for path in found if path.name not in self.exclude)

    def language_of(self, path: Path) -> str | None:
        """Return the code of the language that ``path`` is written in, if its folders tell."""
        codes = [part for part in self.relative(path).parts[:-1] if part in self.languages]
        return codes[-1] if codes else None

    def twins_of(self, path: Path) -> dict[str, Path]:
        """Return where the same page stands in each other language."""
        language = self.language_of(path)
        if language is None:
            return {}
        parts = list(self.relative(path).parts)
        place = len(parts) - 1 - parts[::-1].index(language)
        twins = {}
        for code in self.languages:
            if code != language:
                folder = self.root.joinpath(*parts[:place], code)
                # without a folder for the other language the page stands alone
                if folder.is_dir():
                    twins[code] = folder.joinpath(*parts[place + 1 :])
        return twins

    def slug_of(self, path: Path) -> str:
        """Return the name that a page shares with its twin: its path below the language folder."""
        parts = list(self.relative(path).with_suffix("").parts)
        language = self.language_of(path)
        if language is not None:
            parts = parts[len(parts) - parts[::-1].index(language) :]
        return "/".join(parts)

    def relative(self, path: Path) -> Path:
        """Return ``path`` as messages show it: relative to the root where it lies below it."""
        return _relative(path if path.is_absolute() else absolute(path), self.root)


@lru_cache(maxsize=1024)  # every page is asked for again and again
def _relative(path: Path, root: Path) -> Path:
    path = absolute(path)
    return path.relative_to(root) if path.is_relative_to(root) else path


def absolute(path: Path | str) -> Path:
    """Return ``path`` from the root of the file system on, its links not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow them


def load_settings(start: Path | str = ".") -> Settings:
    """Return the settings that hold for ``start``.

    They stand in the nearest pyproject.toml, at or above ``start``, that has a table
    ``[tool.lesson-checker]``. Without one the defaults hold, with ``start`` as the root: pages
    below ``es/`` and ``en/`` are pairs, others stand alone.

    Raises:
        ValueError: The file is no TOML, or a setting is unknown or of the wrong type.
    """
    start = absolute(start)
    folder = start if start.is_dir() else start.parent
    for root in (folder, *folder.parents):
        file = root / "pyproject.toml"
        if file.is_file():
            try:
                content = tomllib.loads(file.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise ValueError(f"{file}: not readable as TOML: {error}") from error
            table = content.get("tool", {}).get("lesson-checker")
            if table is not None:
                return _settings(root, table, file)
    return Settings(root=folder)


def _settings(root: Path, table: Mapping[str, Any], file: Path) -> Settings:
    known = [f.name for f in fields(Settings) if f.name != "root"]
    values: dict[str, Any] = {}
    for name, value in table.items():
        where = f"{file}: [tool.lesson-checker] {name}"
        if name not in known:
            raise ValueError(f"{where}: no such setting; there are: {', '.join(known)}")
        if name == "languages":
            values[name] = {code: _language(code, each, where) for code, each in value.items()}
        elif name in ("timeout", "memory", "jobs"):
            if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
                raise ValueError(f"{where} = {value!r}: expected a number above 0")
            values[name] = value if name == "timeout" else int(value)
        elif name in _PATTERNS:
            if not isinstance(value, str) or any(
                value.count(part) != 1 for part in _PATTERNS[name]
            ):
                parts = ", ".join(_PATTERNS[name])
                raise ValueError(f"{where} = {value!r}: expected a path that holds once: {parts}")
            values[name] = value
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            values[name] = tuple(value)
        else:
            raise ValueError(f"{where} = {value!r}: expected a list of strings")
    return Settings(root=root, **values)


def _language(code: str, table: Any, where: str) -> Language:
    where = f"{where}.{code}"
    if not isinstance(table, dict) or not set(table) <= {"label", "nouns"}:
        raise ValueError(f"{where} = {table!r}: expected a table with 'label' and 'nouns'")
    label, nouns = table.get("label"), table.get("nouns", [])
    if not isinstance(label, str) or not label.strip():
        raise ValueError(f"{where}.label = {label!r}: expected some text")
    if not isinstance(nouns, list) or not all(isinstance(noun, str) for noun in nouns):
        raise ValueError(f"{where}.nouns = {nouns!r}: expected a list of strings")
    return Language(label.strip(), tuple(nouns))


def _markdown(start: Path) -> list[Path]:
    if start.is_file():
        return [start]
    found = []
    for folder, names, files in os.walk(start):
        names[:] = sorted(name for name in names if not _foreign(Path(folder, name)))
        found += [Path(folder, name) for name in files if name.endswith(".md")]
    return found


def _foreign(folder: Path) -> bool:
    """Say whether a folder holds what others installed: no pages of this project."""
    return (
        folder.name.startswith(".")
        or folder.name == "node_modules"
        or (folder / "pyvenv.cfg").exists()
    )
