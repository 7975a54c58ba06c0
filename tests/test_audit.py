from pathlib import Path

import pytest

from lesson_checker import Page, Settings, parse_page
from lesson_site.audit import audit, read_html

TEXT = "# Page\n\n```python\nprint(6)\n```\n\n```text\n6\n```\n"
CODE = '<div class="highlight"><pre><span></span><code><span>print</span>(6)\n</code></pre></div>'
OUTPUT = '<div class="highlight"><pre><span></span><code>6\n</code></pre></div>'


@pytest.fixture
def page() -> Page:
    return parse_page(TEXT, Path("/course/docs/en/page.md"), Settings(root=Path("/course")))


def findings(site: Path, page: Page, html: str) -> list[tuple[str, int]]:
    (site / "page.html").write_text(html, encoding="utf-8")
    problems = audit(site, {"page.html": page}, exempt=())
    assert all(problem.path == page.path for problem in problems)
    return [(problem.code, problem.line) for problem in problems]


def test_a_page_that_shows_its_blocks_in_order_is_clean(tmp_path: Path, page: Page) -> None:
    assert findings(tmp_path, page, CODE + OUTPUT) == []


def test_a_digit_that_changed_on_the_way_is_found_in_its_line(tmp_path: Path, page: Page) -> None:
    assert findings(tmp_path, page, CODE + OUTPUT.replace("6", "5")) == [("site-unverified", 7)]


def test_a_block_that_was_added_is_found(tmp_path: Path, page: Page) -> None:
    assert findings(tmp_path, page, CODE + "<pre>7</pre>" + OUTPUT) == [("site-unverified", 1)]


def test_a_block_shown_twice_is_proven_once(tmp_path: Path, page: Page) -> None:
    assert findings(tmp_path, page, CODE + OUTPUT + OUTPUT) == [("site-unverified", 8)]


def test_a_block_that_is_not_there_is_found_in_its_line(tmp_path: Path, page: Page) -> None:
    assert findings(tmp_path, page, CODE) == [("site-missing", 7)]


def test_blocks_in_another_order_are_found(tmp_path: Path, page: Page) -> None:
    assert len(findings(tmp_path, page, OUTPUT + CODE)) == 2


@pytest.mark.parametrize(
    "hidden",
    ["<div hidden>{}</div>", '<div style="display: none">{}</div>', "<template>{}</template>"],
)
def test_a_block_that_nobody_sees_is_missing(tmp_path: Path, page: Page, hidden: str) -> None:
    html = CODE + hidden.format(f"<div>{OUTPUT}</div>")
    assert findings(tmp_path, page, html) == [("site-missing", 7)]


def test_a_formula_that_is_shown_as_tex_is_found(tmp_path: Path, page: Page) -> None:
    html = CODE + OUTPUT + r"<p>$\frac{a}{b}$ and $$ costs \text{more}</p>"
    assert [code for code, _ in findings(tmp_path, page, html)] == ["formula-invalid"] * 3


def test_money_and_code_are_no_formulas(tmp_path: Path, page: Page) -> None:
    html = CODE + OUTPUT + r"<p>$5 to $6, <code>$k$</code>, <math>\alpha</math></p>"
    assert findings(tmp_path, page, html) == []


def test_a_page_that_was_not_built_is_found(tmp_path: Path, page: Page) -> None:
    problems = audit(tmp_path, {"page.html": page}, exempt=())
    assert [(problem.code, problem.path) for problem in problems] == [("site-missing", page.path)]


def test_a_page_that_the_checker_does_not_know_may_show_no_block(tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text(CODE, encoding="utf-8")
    problems = audit(tmp_path, {}, exempt=())
    assert [(problem.code, problem.path.name) for problem in problems] == [
        ("site-unverified", "404.html")
    ]


def test_an_exempt_page_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "api.html").write_text(CODE, encoding="utf-8")
    assert audit(tmp_path, {}, exempt={"api.html"}) == []


def test_the_problem_holds_both_texts_for_a_diff(tmp_path: Path, page: Page) -> None:
    (tmp_path / "page.html").write_text(CODE + OUTPUT.replace("6", "5"), encoding="utf-8")
    (problem,) = audit(tmp_path, {"page.html": page}, exempt=())
    assert (problem.expected, problem.actual) == ("6", "5")


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<pre>a &lt; b</pre>", ("a < b",)),
        ("<pre><code>one\ntwo  \n\n</code></pre>", ("one\ntwo",)),
        ("<pre>one<br>two</pre>", ("one\ntwo",)),
        ("<textarea>code</textarea><xmp>more</xmp>", ("code", "more")),
        ("<p>inline <code>code</code></p>", ()),
        ("<script>'<pre>code</pre>'</script><!-- <pre>code</pre> -->", ()),
        ("<pre>6<span hidden>7</span></pre>", ("6",)),
        ("<div hidden><div></div><pre>no</pre></div><pre>yes</pre>", ("yes",)),
    ],
)
def test_the_blocks_of_a_document_are_what_a_reader_sees(html: str, blocks: tuple[str]) -> None:
    assert read_html(html).blocks == blocks
