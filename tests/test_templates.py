"""Compiled templates, which are kept from build to build."""

import pytest
from jinja2 import DictLoader, Environment, FileSystemBytecodeCache

from lesson_site import templates


def test_a_template_that_has_changed_is_compiled_anew(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        templates, "FileSystemBytecodeCache", lambda: FileSystemBytecodeCache(str(tmp_path))
    )
    for text in ("before", "after"):
        cache = templates.compiled_templates()
        environment = Environment(
            loader=DictLoader({"page": text}), bytecode_cache=cache, autoescape=True
        )
        assert environment.get_template("page").render() == text


def test_without_a_place_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> None:
        raise RuntimeError("Cannot determine safe temp directory")

    monkeypatch.setattr(templates, "FileSystemBytecodeCache", nowhere)
    assert templates.compiled_templates() is None
