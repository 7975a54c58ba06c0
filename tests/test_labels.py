from pathlib import Path

from markdown import Markdown

from lesson_checker import Page, Settings, parse_page
from lesson_site.labels import Marks, join_labels

CODE = "```python\nprint(6)\n```\n\n"
OUTPUT = "```text\n6\n```\n"
LABEL = "What to expect:\n\n"


def parse(text: str) -> Page:
    return parse_page(text, Path("/course/en/page.md"), Settings(root=Path("/course")))


def show(text: str, *, proven: bool = True, front_matter: str = "") -> str:
    page = parse(front_matter + text)
    examples = [example for example in page.examples if example.output] if proven else []
    joined = join_labels(text, page, proven=examples, skipped="Not run:")
    md = Markdown(extensions=["attr_list", "md_in_html", "pymdownx.superfences", Marks("verified")])
    return md.convert(joined)


def title_of(html: str) -> str:
    return html.split('<span class="filename">')[1].split("<pre>")[0]


TITLE = 'What to expect <span class="mark">verified</span></span>'


def test_the_label_becomes_the_title_of_its_output() -> None:
    html = show(CODE + LABEL + OUTPUT)
    assert title_of(html) == TITLE
    assert "<p>" not in html


def test_an_output_without_a_label_has_the_same_title() -> None:
    assert title_of(show(CODE + OUTPUT)) == TITLE


def test_an_output_that_no_run_has_proven_has_no_mark() -> None:
    assert title_of(show(CODE + LABEL + OUTPUT, proven=False)) == "What to expect</span>"


def test_a_title_of_the_author_stays() -> None:
    output = OUTPUT.replace("text", 'text title="ranks"')
    assert title_of(show(CODE + LABEL + output)).startswith("ranks ")


def test_highlighted_lines_stay_highlighted() -> None:
    assert '<span class="hll">' in show(CODE + OUTPUT.replace("text", 'text hl_lines="1"'))


def test_front_matter_does_not_shift_the_lines() -> None:
    html = show(CODE + LABEL + OUTPUT, front_matter="---\ntitle: A\n---\n\n\n")
    assert title_of(html) == TITLE


def test_a_label_inside_a_list_is_joined_too() -> None:
    lines = (CODE + LABEL + OUTPUT).split("\n")
    html = show("- item\n\n" + "\n".join(f"    {line}" if line else "" for line in lines))
    assert title_of(html) == TITLE
    assert html.count("<p>") == 1


def test_a_label_in_a_folded_solution_is_joined_too() -> None:
    details = '<details markdown="1"><summary>Solution</summary>\n\n{}\n</details>\n'
    html = show(details.format(CODE + LABEL + OUTPUT))
    assert title_of(html) == TITLE
    assert "expect:" not in html


def test_the_same_words_inside_a_block_stay() -> None:
    html = show("```python\nprint('''\nWhat to expect:\n''')\n```\n\n" + LABEL + OUTPUT)
    assert html.count("What to expect:") == 1


def test_the_reason_of_a_skipped_block_is_shown_above_it() -> None:
    html = show("<!--! skip: needs a *microphone* -->\n" + CODE)
    reason = '<p class="skipped"><strong>Not run:</strong> needs a <em>microphone</em></p>'
    assert html.startswith(reason + '\n<div class="highlight">')


def test_comments_of_the_checker_never_reach_the_reader() -> None:
    html = show(
        "It moves by 3.3<!--= f'{100 / 30:.1f}' --> points, recall@20<!--~ hypothetical -->."
    )
    assert html == "<p>It moves by 3.3 points, recall@20.</p>"


def test_a_comment_over_several_lines_is_taken_away_with_the_block_in_it() -> None:
    assert show(f"before\n\n<!-- hidden\n\n{CODE}-->\n\nafter") == "<p>before</p>\n<p>after</p>"


def test_a_comment_in_code_is_what_the_page_is_about_and_stays() -> None:
    html = show("Write `3.3<!--= expression -->`.\n\n```markdown\n3.3<!--= expression -->\n```")
    assert html.count("&lt;!--= expression --&gt;") == 2
