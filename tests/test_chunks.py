from pathlib import Path

import pytest

from retrieval_lessons import Chunk, load_chunks, tokenize


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def sections_of(folder: Path, text: str | bytes) -> list[tuple[str, str]]:
    write(folder, "page.md", text)
    return [(chunk.heading, chunk.text) for chunk in load_chunks(folder)]


def test_tokens_are_the_runs_of_letters_and_digits_in_lower_case() -> None:
    assert tokenize("The 75-inch display") == ["the", "75", "inch", "display"]


def test_an_apostrophe_and_a_hyphen_end_a_token() -> None:
    assert tokenize("didn't no-show") == ["didn", "t", "no", "show"]


def test_a_letter_outside_a_to_z_ends_a_token() -> None:
    assert tokenize("café ñandú x_y") == ["caf", "and", "x", "y"]


def test_repeated_words_are_kept_in_their_order() -> None:
    assert tokenize("b a b") == ["b", "a", "b"]


@pytest.mark.parametrize("text", ["", " \n", "¿…?"])
def test_a_text_without_letters_has_no_token(text: str) -> None:
    assert tokenize(text) == []


def test_only_a_string_can_be_tokenized() -> None:
    with pytest.raises(TypeError, match="text must be a str, got list"):
        tokenize(["wifi"])  # type: ignore[arg-type]


def test_a_chunk_is_a_section_with_the_name_of_its_document(tmp_path: Path) -> None:
    write(tmp_path, "rooms.md", "# Rooms\n\n## Focus\n\nQuiet.\n\n## Lounge\n\nOpen.\n")
    assert load_chunks(tmp_path) == [
        Chunk("rooms", "Focus", "Quiet."),
        Chunk("rooms", "Lounge", "Open."),
    ]


def test_a_folder_can_be_given_as_a_string(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "# A\n\nText.")
    assert load_chunks(str(tmp_path)) == [Chunk("a", "A", "Text.")]


def test_without_a_folder_the_chunks_are_those_of_the_reservo_corpus() -> None:
    assert len(load_chunks()) == 57


def test_a_document_without_sections_is_one_chunk(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "Only text.\n") == [("", "Only text.")]


def test_text_below_the_title_is_a_chunk_of_its_own(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "# T\n\nIntro.\n\n## S\n\nBody.\n") == [
        ("T", "Intro."),
        ("S", "Body."),
    ]


def test_deeper_headings_stay_in_the_text(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "## S\n\nA.\n\n### Sub\n\nB.\n") == [("S", "A.\n\n### Sub\n\nB.")]


def test_a_section_without_text_is_no_chunk(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "## Empty\n\n## Full\n\nText.\n") == [("Full", "Text.")]


@pytest.mark.parametrize("line", ["## S ##", "   ##\tS\t", "## S  "])
def test_a_heading_is_read_as_commonmark_reads_it(tmp_path: Path, line: str) -> None:
    assert sections_of(tmp_path, f"{line}\nText.\n") == [("S", "Text.")]


@pytest.mark.parametrize("line", ["##S", "    ## S", "\\## S"])
def test_what_is_no_heading_to_commonmark_is_text(tmp_path: Path, line: str) -> None:
    assert sections_of(tmp_path, f"# T\n\nText\n{line}\n") == [("T", f"Text\n{line}")]


@pytest.mark.parametrize(
    "block",
    [
        "```bash\n## comment\n```",
        "~~~\n## comment\n~~~",
        "````\n```\n## comment\n```\n````",
        "~~~\n```\n## comment\n~~~",
        "```\n```python\n## comment\n```",
        "  ```\n## comment\n  `````",
        "```\n## comment",
    ],
)
def test_a_heading_inside_a_fence_is_code(tmp_path: Path, block: str) -> None:
    assert sections_of(tmp_path, f"## S\n\n{block}\n") == [("S", block.strip())]


@pytest.mark.parametrize("block", ["```\ncode\n```", "~~~\ncode\n~~~~", "```not a fence```"])
def test_a_heading_after_a_fence_begins_a_section(tmp_path: Path, block: str) -> None:
    assert sections_of(tmp_path, f"{block}\n## S\n\nText.\n") == [("", block), ("S", "Text.")]


@pytest.mark.parametrize("end", ["---", "..."])
def test_front_matter_is_left_out(tmp_path: Path, end: str) -> None:
    page = f"---\ntitle: T\n## no heading\n{end}\n## S\n\nText.\n"
    assert sections_of(tmp_path, page) == [("S", "Text.")]


def test_a_rule_that_opens_no_front_matter_is_text(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "---\nText.\n") == [("", "---\nText.")]


def test_a_rule_further_down_is_text(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "## S\n---\nText.\n---\n") == [("S", "---\nText.\n---")]


def test_line_ends_of_windows_and_a_byte_order_mark_leave_no_trace(tmp_path: Path) -> None:
    page = b"\xef\xbb\xbf---\r\na: b\r\n---\r\n## S\r\n\r\nOne.\r\nTwo.\r\n"
    assert sections_of(tmp_path, page) == [("S", "One.\nTwo.")]


def test_a_line_separator_inside_a_line_does_not_begin_a_heading(tmp_path: Path) -> None:
    assert sections_of(tmp_path, "## S\n\nA\u2028## B\n") == [("S", "A\u2028## B")]


def test_documents_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.md", "c.md", "a/b/y.md"):
        write(tmp_path, name, "Text.")
    assert [chunk.doc_id for chunk in load_chunks(tmp_path)] == ["y", "z", "b", "c"]


def test_an_empty_document_has_no_chunk(tmp_path: Path) -> None:
    write(tmp_path, "empty.md", "")
    write(tmp_path, "only-front-matter.md", "---\na: b\n---\n")
    write(tmp_path, "full.md", "Text.")
    assert [chunk.doc_id for chunk in load_chunks(tmp_path)] == ["full"]


def test_other_files_and_a_folder_that_looks_like_a_document_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, "notes.txt", b"\xff")
    write(tmp_path, "folder.md/page.md", "Text.")
    assert load_chunks(tmp_path) == [Chunk("page", "", "Text.")]


def test_two_documents_of_one_name_are_an_error_that_names_both(tmp_path: Path) -> None:
    first = write(tmp_path, "a/faq.md", "Text.")
    write(tmp_path, "a/other.md", "Text.")
    second = write(tmp_path, "b/faq.md", "Other text.")
    with pytest.raises(ValueError, match="have the same name") as caught:
        load_chunks(tmp_path)
    assert str(caught.value).startswith(f"{first} and {second} have the same name")


def test_a_wrong_encoding_is_an_error_that_names_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path, "latin.md", "# Título\n\nuno\ndos €, caf".encode() + b"\xe9\n")
    with pytest.raises(ValueError, match="not UTF-8") as caught:
        load_chunks(tmp_path)
    assert str(caught.value).startswith(f"{path}:4: byte 0xe9 is not UTF-8")


@pytest.mark.parametrize("folder", ["missing", "empty"])
def test_a_folder_without_a_chunk_is_an_error(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no chunk in .*expected a folder with"):
        load_chunks(tmp_path / folder)
