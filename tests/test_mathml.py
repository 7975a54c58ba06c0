import pytest
from markdown import Markdown

from lesson_site.mathml import MathML, OnError, to_mathml


def page(on_error: OnError | None = None) -> Markdown:
    return Markdown(
        extensions=["toc", "pymdownx.arithmatex", MathML(on_error)],
        extension_configs={"pymdownx.arithmatex": {"generic": True}},
    )


def test_a_formula_becomes_a_math_element() -> None:
    assert to_mathml("k", display=False) == "<math><mi>k</mi></math>"


def test_a_formula_in_its_own_paragraph_is_set_as_a_block() -> None:
    assert to_mathml("k", display=True) == '<math display="block"><mi>k</mi></math>'


@pytest.mark.parametrize("dots", [r"\dots", r"\ldots", r"\dotsc"])
def test_dots_are_one_character(dots: str) -> None:
    assert "…" in to_mathml(rf"1, {dots}, n", display=False)


def test_a_formula_that_has_no_meaning_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="nosuch"):
        to_mathml(r"\nosuch{k}", display=False)


def test_an_inline_formula_stays_in_its_sentence() -> None:
    html = page().convert("the first $k$ results")
    formula = '<span class="formula"><math><mi>k</mi></math></span>'
    assert html == f"<p>the first {formula} results</p>"


def test_a_display_formula_can_be_scrolled_from_the_keyboard() -> None:
    html = page().convert("$$\n\\frac{h}{k}\n$$")
    assert html.startswith('<div class="formula"')
    assert 'tabindex="0"' in html


@pytest.mark.parametrize("text", ["$a < b$", "$$\na < b\n$$"])
def test_comparison_signs_are_escaped_once(text: str) -> None:
    html = page().convert(text)
    assert "&lt;" in html
    assert "&amp;lt;" not in html


def test_the_table_of_contents_shows_the_formula_of_a_heading() -> None:
    md = page()
    md.convert("# The window $k$")
    assert [token["name"] for token in md.toc_tokens] == ["The window k"]  # type: ignore[attr-defined]


def test_dollars_that_are_money_stay() -> None:
    assert page().convert("$5 or $6 a room") == "<p>$5 or $6 a room</p>"


def test_a_page_with_a_bad_formula_raises_and_quotes_it() -> None:
    with pytest.raises(ValueError, match=r"formula '\\\\nosuch"):
        page().convert(r"$\nosuch{k}$")


def test_a_bad_formula_is_reported_and_shown_as_it_is_written() -> None:
    reported: list[str] = []
    html = page(lambda tex, why: reported.append(f"{tex}: {why}")).convert(r"see $\nosuch$ now")
    assert html == r'<p>see <span class="formula-error"><code>\nosuch</code></span> now</p>'
    assert len(reported) == 1
    assert reported[0].startswith(r"\nosuch: ")
