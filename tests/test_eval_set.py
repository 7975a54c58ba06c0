from hashlib import sha256
from pathlib import Path

import pytest

from retrieval_lessons import EVAL_SET, Chunk, load_chunks, load_eval_set, load_held_out
from retrieval_lessons.eval_set import HELD_OUT

GOOD = [("Is there wifi, or not?", "room-lounge"), ("Where is the lift?", "access")]
CSV = '"Is there wifi, or not?",room-lounge\nWhere is the lift?, access \n'
JSONL = (
    '{"query": "Is there wifi, or not?", "expected_doc_id": "room-lounge"}\n\n'
    '{"expected_doc_id": " access", "query": "Where is the lift? ", "note": 1}\n'
)
HEADER = "query,expected_doc_id\n"


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def complaint(path: Path, chunks: list[Chunk] | None = None) -> str:
    """The message about a file, without the folder it is in."""
    with pytest.raises(ValueError, match=path.name) as caught:
        load_eval_set(path, chunks=chunks)
    return str(caught.value).removeprefix(f"{path.parent}/")


def test_csv_is_read_by_its_header(tmp_path: Path) -> None:
    assert load_eval_set(saved(tmp_path, "a.csv", HEADER + CSV)) == GOOD


def test_jsonl_is_read_by_its_keys(tmp_path: Path) -> None:
    assert load_eval_set(saved(tmp_path, "a.jsonl", JSONL)) == GOOD


@pytest.mark.parametrize("name", ["a.qrels", "qrels.txt"])
def test_the_relevant_judgements_of_trec_are_read(tmp_path: Path, name: str) -> None:
    qrels = "q2 0 access 2\nq1 0 support -1\nq1\t0\troom-lounge\t1\nq2 Q0 rooms 0\n\n"
    expected = [("q2", "access"), ("q1", "room-lounge")]
    assert load_eval_set(saved(tmp_path, name, qrels)) == expected


def test_a_path_can_be_a_string(tmp_path: Path) -> None:
    assert load_eval_set(str(saved(tmp_path, "a.csv", HEADER + CSV))) == GOOD


def test_the_evaluation_set_of_the_lessons_survives_a_file(tmp_path: Path) -> None:
    rows = "".join(f'"{query}",{doc_id}\n' for query, doc_id in EVAL_SET)
    path = saved(tmp_path, "a.csv", HEADER + rows)
    assert load_eval_set(path, chunks=load_chunks()) == EVAL_SET


def test_line_ends_of_windows_and_a_byte_order_mark_leave_no_trace(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf" + (HEADER + CSV).replace("\n", "\r\n").encode()
    assert load_eval_set(saved(tmp_path, "a.csv", content)) == GOOD


def test_blank_lines_of_a_csv_are_no_rows(tmp_path: Path) -> None:
    assert load_eval_set(saved(tmp_path, "a.csv", HEADER + "\n" + CSV + "\n")) == GOOD


def test_another_ending_is_an_error_that_says_which_are_known(tmp_path: Path) -> None:
    message = complaint(saved(tmp_path, "a.xlsx", ""))
    assert message == "a.xlsx ends in '.xlsx', expected one of .csv, .jsonl, .qrels, .txt"


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.csv", HEADER + "ok,a\n  ,b\n", 3),
        ("a.jsonl", '{"query": "", "expected_doc_id": "b"}', 1),
    ],
)
def test_an_empty_query_is_an_error(tmp_path: Path, name: str, content: str, line: int) -> None:
    message = complaint(saved(tmp_path, name, content))
    assert message == f"{name}:{line}: the query is empty: write one or take the line out"


@pytest.mark.parametrize(
    ("name", "content", "line", "query"),
    [
        ("a.csv", HEADER + "ok,a\nwhat,\n", 3, "what"),
        ("a.jsonl", '\n{"query": "what", "expected_doc_id": " "}', 2, "what"),
        ("a.qrels", "q1 0 a 1\nq2 0 a 0\nq2 0 b -2\n", 2, "q2"),
    ],
)
def test_a_query_with_no_relevant_document_is_an_error(
    tmp_path: Path, name: str, content: str, line: int, query: str
) -> None:
    message = complaint(saved(tmp_path, name, content))
    assert message == f"{name}:{line}: no relevant document for {query!r}: name the one expected"


@pytest.mark.parametrize(
    ("name", "content", "line", "query"),
    [
        ("a.csv", HEADER + "same,a\nother,a\n same,b\n", 4, "same"),
        ("a.jsonl", '{"query": "same", "expected_doc_id": "b"}\n' * 2, 2, "same"),
        ("a.qrels", "q1 0 a 1\nq1 0 b 1\n", 2, "q1"),
    ],
)
def test_a_query_that_comes_twice_is_an_error(
    tmp_path: Path, name: str, content: str, line: int, query: str
) -> None:
    message = complaint(saved(tmp_path, name, content))
    assert message.startswith(f"{name}:{line}: {query!r} stands here again")


def test_a_document_without_chunks_is_an_error_if_the_chunks_are_known(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.csv", HEADER + CSV)
    message = complaint(path, [Chunk("room-lounge", "", "Wifi.")])
    assert message == "a.csv:3: unknown document 'access': none of the chunks is from it"


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.qrels"])
def test_a_wrong_encoding_is_an_error_that_names_file_and_line(tmp_path: Path, name: str) -> None:
    message = complaint(saved(tmp_path, name, b"\ncaf\xe9"))
    assert message.startswith(f"{name}:2: byte 0xe9 is not UTF-8")


@pytest.mark.parametrize("content", ["", "q,d\nwhat,a\n", "expected_doc_id,query\na,what\n"])
def test_a_csv_needs_its_header(tmp_path: Path, content: str) -> None:
    message = complaint(saved(tmp_path, "a.csv", content))
    assert message.startswith("a.csv:1: the header is [")
    assert message.endswith("], expected query,expected_doc_id")


@pytest.mark.parametrize(("row", "values"), [("one", 1), ("a query, with a comma,doc", 3)])
def test_a_row_of_a_csv_needs_two_values(tmp_path: Path, row: str, values: int) -> None:
    message = complaint(saved(tmp_path, "a.csv", f"{HEADER}ok,a\n{row}\n"))
    assert message.startswith(f"a.csv:3: {values} values, expected 2: put a query with a comma")


@pytest.mark.parametrize("row", ['"open,a\n', '"a"b,c\n'])
def test_a_broken_quote_of_a_csv_is_an_error(tmp_path: Path, row: str) -> None:
    message = complaint(saved(tmp_path, "a.csv", HEADER + row))
    assert message.startswith("a.csv:2: not CSV, ")


def test_a_line_that_is_no_json_is_an_error(tmp_path: Path) -> None:
    message = complaint(saved(tmp_path, "a.jsonl", JSONL + "{'query': 1}\n"))
    assert message.startswith("a.jsonl:4: not JSON, ")


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "3",
        '{"query": "what"}',
        '{"query": 7, "expected_doc_id": "a"}',
        '{"query": "what", "expected_doc_id": null}',
    ],
)
def test_json_without_the_two_strings_is_an_error(tmp_path: Path, line: str) -> None:
    message = complaint(saved(tmp_path, "a.jsonl", line))
    assert message == (
        f"a.jsonl:1: {line} is not an object with the strings query and expected_doc_id"
    )


@pytest.mark.parametrize("line", ["q1 0 a", "q1 0 a b 1", "q1 0 a yes", "q1 0 a 1.0", "q1 0 a --1"])
def test_a_line_that_is_no_judgement_is_an_error(tmp_path: Path, line: str) -> None:
    message = complaint(saved(tmp_path, "a.qrels", f"q0 0 a 1\n{line}\n"))
    assert message == f"a.qrels:2: {line!r} is not `query-id 0 doc_id grade`"


@pytest.mark.parametrize(("name", "content"), [("a.csv", HEADER), ("a.jsonl", ""), ("a.qrels", "")])
def test_a_file_without_queries_is_an_error(tmp_path: Path, name: str, content: str) -> None:
    message = complaint(saved(tmp_path, name, content))
    assert message == f"{name} holds no query: an evaluation set needs at least one"


def test_there_are_five_paraphrases_of_each_query_in_the_order_of_the_set() -> None:
    expected = [doc_id for _, doc_id in EVAL_SET for _ in range(5)]
    assert [doc_id for _, doc_id in load_held_out()] == expected


def test_no_paraphrase_is_one_of_the_six_queries() -> None:
    assert {query for query, _ in load_held_out()} & {query for query, _ in EVAL_SET} == set()


def test_the_paraphrases_are_those_that_were_committed_before_any_remedy() -> None:
    digest = sha256(HELD_OUT.read_bytes()).hexdigest()
    assert (
        digest == "828055e8ed160b38c230278478f19e25fa27e54af9acf6b047c1257bcb8e64cd"
    )  # commit 3db5545
