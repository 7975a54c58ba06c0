from markdown import Markdown

from lesson_site.tables import Tables

BOXED = '<div class="table" role="group" tabindex="0"><table>'


def html(text: str) -> str:
    return Markdown(extensions=["tables", "md_in_html", Tables()]).convert(text)


def counts(text: str) -> tuple[int, int]:
    """How many tables there are, and how many of them stand in a box."""
    shown = html(text)
    return shown.count("<table>"), shown.count(BOXED)


def test_a_table_stands_in_a_box_that_can_have_the_focus() -> None:
    assert counts("| a |\n|---|\n| 1 |\n") == (1, 1)


def test_a_table_in_a_list_stands_in_a_box_too() -> None:
    assert counts("- x\n\n    | a |\n    |---|\n    | 1 |\n") == (1, 1)


def test_a_table_in_a_solution_stands_in_a_box_too() -> None:
    text = '<details markdown="1"><summary>S</summary>\n\n| a |\n|---|\n| 1 |\n\n</details>\n'
    assert counts(text) == (1, 1)


def test_what_follows_a_table_stays_behind_it() -> None:
    assert html("| a |\n|---|\n| 1 |\n\nafter\n").endswith("</table></div>\n<p>after</p>")
