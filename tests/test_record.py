import json
from hashlib import sha256
from pathlib import Path

from lesson_checker import Page, Settings, parse_page
from lesson_site.record import Proof, record

TEXT = "# Página\n\n```python\nprint(6)\n```\n\n```text\n6\n```\n"


def page(name: str) -> Page:
    return parse_page(TEXT, Path("/course/docs") / name, Settings(root=Path("/course")))


PROOFS = [Proof(page("es/b.md"), 1, "b/"), Proof(page("en/a.md"), 1, "en/a/")]


def test_a_page_stands_in_the_record_with_its_address_and_digest() -> None:
    first, second = json.loads(record(PROOFS, {}))["pages"]
    assert (first["path"], second["path"]) == ("docs/en/a.md", "docs/es/b.md")
    assert (first["language"], first["url"]) == ("en", "en/a/")
    assert first["sha256"] == sha256(TEXT.encode()).hexdigest()


def test_a_block_stands_in_the_record_with_its_line_and_digest() -> None:
    code, output = json.loads(record(PROOFS, {}))["pages"][0]["blocks"]
    assert (code["line"], code["kind"], code["language"]) == (3, "code", "python")
    assert (output["line"], output["kind"]) == (7, "output")
    assert output["sha256"] == sha256(b"6").hexdigest()


def test_the_record_names_the_versions_and_counts_the_blocks() -> None:
    content = json.loads(record(PROOFS, {"Python": "3.11.7"}))
    assert (content["versions"], content["verified"]) == ({"Python": "3.11.7"}, 2)


def test_the_order_in_which_pages_were_built_changes_nothing() -> None:
    assert record(PROOFS[::-1], {}) == record(PROOFS, {})
