"""Pictures on the site: in its colours, with their data, and with nothing that could do harm."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from markdown import Markdown
from site_project import ROOT, Project

from lesson_checker import Page, Verdict, parse_page
from lesson_checker.checks import judge
from lesson_checker.figures import take_plots
from lesson_checker.jobs import Panel, Plot
from lesson_checker.run import Runner
from lesson_checker.settings import Settings
from lesson_site.labels import Marks, join_labels
from lesson_site.pictures import COLOURS, Pictures, picture, pictures, svg

mpl.use("svg")

BLOCK = """<!--! plot: a line that rises to 1.0 -->
```python
import matplotlib.pyplot as plt
plt.plot([1, 2], [0.5, 1.0], color="#0b5f55")
```
"""


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    plt.close("all")


def drawn() -> Plot:
    (plot,) = take_plots()
    return plot


def shown(title: str = "", alternative: str = "a line", ident: str = "plot-1") -> str:
    return svg(drawn()["svg"], title, alternative, ident)


def elements(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter())  # noqa: S314 - it is our own


def table(panel: Panel) -> str:
    plot: Plot = {"svg": '<svg viewBox="0 0 1 1"/>', "title": "", "panels": [panel]}
    return picture(plot, "a line", "plot-1", data="Data")


def panel(*points: tuple[object, float]) -> Panel:
    return {"x": "k", "y": "recall", "series": [{"label": "", "points": [*points]}], "marks": []}  # type: ignore[list-item]


def cells(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


# -------------------------------------------------------------------------------- the picture


def test_the_colours_are_those_of_the_palette_by_day() -> None:
    css = (ROOT / "docs/theme/site/assets/site.css").read_text(encoding="utf-8")
    palette = dict(re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}),", css))
    named = {f"var(--{name})": colour for name, colour in palette.items()}
    ours = {
        colour: name for colour, name in COLOURS.items() if colour[1:] not in ("0" * 6, "f" * 6)
    }
    assert {named[name]: name for name in ours.values()} == ours


def test_colours_of_the_palette_follow_the_page_and_others_stay() -> None:
    plt.plot([1, 2], color="#0b5f55")
    plt.plot([2, 3], color="#123456")
    strokes = {element.get("stroke") for element in elements(shown())}
    assert {"var(--petrol)", "var(--ink)", "#123456"} <= strokes


def test_the_picture_fills_its_place_and_has_no_size_of_its_own() -> None:
    plt.figure(figsize=(5, 2))
    root = elements(shown())[0]
    assert root.get("viewBox") == "0 0 360 144"
    assert root.get("width") is None


def test_the_picture_is_named_by_its_title_and_described_by_its_alternative() -> None:
    plt.figure()
    root = elements(shown("Recall", "it <rises> & stays"))[0]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "plot-1-title plot-1-desc"
    assert [(each.tag, each.get("id"), each.text) for each in root[:2]] == [
        ("title", "plot-1-title", "Recall"),
        ("desc", "plot-1-desc", "it <rises> & stays"),
    ]


def test_a_picture_without_a_title_is_named_by_its_alternative() -> None:
    plt.figure()
    root = elements(shown("", "it rises"))[0]
    assert root.get("aria-labelledby") == "plot-1-title"
    assert [each.text for each in root[:1]] == ["it rises"]


def test_ids_are_unique_to_the_picture_and_every_reference_has_one() -> None:
    plt.plot([1, 2], marker="o")
    plt.bar([1, 2], [1, 2], hatch="/")
    text = shown(ident="plot-7")
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert all(each.startswith("plot-7-") for each in ids)
    references = set(re.findall(r"#([\w-]+)", re.sub(r'"#[0-9a-f]{6}"', "", text)))
    assert references
    assert references <= set(ids)


def test_there_is_no_style_no_font_and_no_address() -> None:
    plt.plot([1, 2], marker="o", label="recall")
    plt.legend()
    assert not re.search(r"style|font-family|class=|http|script|xlink|<!|metadata", shown())


def test_numbers_are_short() -> None:
    plt.plot([1 / 3, 2 / 3], [1 / 7, 2 / 7])
    places = re.findall(r' (?:d|x|y|viewBox)="([^"]*)"', shown())
    assert places
    assert not [place for place in places if re.search(r"\.\d\d", place)]


def test_what_neighbours_have_in_common_is_said_once() -> None:
    plt.plot(range(9), marker="o", color="#0b5f55")
    text = shown()
    markers = [element for element in elements(text) if element.tag == "use"]
    assert len(re.findall(r"<use [^>]*stroke=", text)) < len(markers)


def test_an_element_that_is_seen_through_keeps_it_to_itself() -> None:
    for place in (1, 2):
        plt.bar([place], [1], alpha=0.5, color="#0b5f55")
    assert shown().count('opacity="0.5"') == 2


def test_text_is_text_and_keeps_its_weight_and_its_turn() -> None:
    plt.title("Recall & more", weight="bold")
    plt.ylabel("share")
    text = {element.text: element for element in elements(shown()) if element.tag == "text"}
    assert text["Recall & more"].get("font-weight") == "700"
    assert "rotate(-90" in str(text["share"].get("transform"))


def test_the_short_form_of_a_font_is_read_too() -> None:
    text = '<svg viewBox="0 0 9 9"><text style="font: bold 10px \'DejaVu Sans\'">a</text>'
    text += '<text style="font: 12px sans-serif">b</text></svg>'
    a, b = (each for each in elements(svg(text, "", "a", "p")) if each.tag == "text")
    assert (a.get("font-weight"), a.get("font-size")) == ("bold", None)
    assert (b.get("font-weight"), b.get("font-size")) == (None, "12")


def test_a_link_is_left_out_and_what_it_surrounds_stays() -> None:
    text = '<svg viewBox="0 0 9 9"><a href="https://example.org/"><text>x</text></a></svg>'
    with_link = svg(text, "", "a", "p")
    assert "<text>x</text>" in with_link
    assert "example" not in with_link


@pytest.mark.parametrize(
    "inside",
    ["<image/>", "<foreignObject/>", "<script>alert(1)</script>", "<g><animate/></g>"],
)
def test_what_a_page_cannot_show_safely_is_refused(inside: str) -> None:
    with pytest.raises(ValueError, match="a page can't show its <"):
        svg(f'<svg viewBox="0 0 9 9">{inside}</svg>', "", "a", "p")


@pytest.mark.parametrize(
    "attribute", ['href="https://example.org/x"', 'clip-path="url(https://example.org/#x)"']
)
def test_an_address_elsewhere_is_refused(attribute: str) -> None:
    with pytest.raises(ValueError, match="refer to"):
        svg(f'<svg viewBox="0 0 9 9"><use {attribute}/></svg>', "", "a", "p")


# ----------------------------------------------------------------------------------- the data


def test_the_data_is_a_folded_table_with_headed_rows_and_columns() -> None:
    html = table(panel((1.0, 0.5), (2.0, 1.0)))
    assert "<details><summary>Data</summary><table>" in html
    assert cells(html) == [["k", "recall"], ["1", "0.5000"], ["2", "1.0000"]]
    assert html.count('<th scope="col">') == 2
    assert html.count('<th scope="row">') == 2


def test_each_series_is_a_column_and_a_missing_value_an_empty_cell() -> None:
    both = panel()
    both["series"] = [
        {"label": "a & b", "points": [(1.0, 2.0)]},
        {"label": "c", "points": [(1.0, 3.0), (2.0, 4.0)]},
    ]
    assert cells(table(both)) == [["k", "a &amp; b", "c"], ["1", "2", "3"], ["2", "", "4"]]


@pytest.mark.parametrize(
    ("key", "text"),
    [(3.0, "3"), (-0.25, "−0.25"), ("no-show", "no-show"), ([36.0, 39.0], "[36, 39)")],
)
def test_a_key_is_a_number_a_name_or_an_interval(key: object, text: str) -> None:
    assert cells(table(panel((key, 1.0))))[1][0] == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1.0, 18.0], ["1", "18"]),
        ([0.5, -1.0], ["0.5000", "−1.0000"]),
        ([0.0001234, 0.0], ["0.0001234", "0.0000000"]),
        ([1234.5, 2.0], ["1234", "2"]),
    ],
)
def test_the_numbers_of_a_column_have_as_many_decimals_as_help(
    values: list[float], texts: list[str]
) -> None:
    rows = cells(table(panel(*enumerate(values))))[1:]
    assert [row[1] for row in rows] == texts


def test_a_mark_stands_below_the_table() -> None:
    marked = panel((1.0, 2.0))
    marked["marks"] = [("mean", 44.25)]
    assert table(marked).endswith("</table><p>mean: 44.2500</p></details></figure>")


def test_a_picture_without_data_has_nothing_to_fold() -> None:
    plot: Plot = {"svg": '<svg viewBox="0 0 1 1"/>', "title": "", "panels": []}
    assert "details" not in picture(plot, "a", "p", data="Data")


# -------------------------------------------------------------------------------- on the page


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(Settings(root=tmp_path_factory.mktemp("pages")))


def verdict_on(text: str, runner: Runner) -> Verdict:
    page = parse_page(text, Path(runner.settings.root, "page.md"), runner.settings)
    (verdict,) = judge([page], runner.settings, runner)
    return verdict


def unwanted(page: Page, line: int, why: str) -> None:
    pytest.fail(f"{page.name}:{line}: {why}")


def html_of(verdict: Verdict) -> str:
    found = pictures(verdict, data="Data", refuse=unwanted)
    text = verdict.page.text
    joined = join_labels(
        text, verdict.page, proven=verdict.proven, skipped="Not run:", pictures=found
    )
    extensions = ["md_in_html", "pymdownx.superfences", Marks("verified"), Pictures()]
    return Markdown(extensions=extensions).convert(joined)


def test_a_picture_stands_below_the_code_that_draws_it(runner: Runner) -> None:
    html = html_of(verdict_on(BLOCK + "\nAfter.\n", runner))
    assert re.search(r'</div>\s*<figure class="plot".*</figure>\s*<p>After.</p>', html)
    assert "plot:" not in html


def test_a_picture_stands_below_the_output_if_there_is_one(runner: Runner) -> None:
    text = (
        BLOCK.replace("plt.plot", "print(7)\nplt.plot") + "\nWhat to expect:\n\n```text\n7\n```\n"
    )
    html = html_of(verdict_on(text, runner))
    assert html.index("output") < html.index('<figure class="plot"')


def test_a_picture_in_a_list_or_a_fold_is_left_as_it_is(runner: Runner) -> None:
    for before, indent in (("- one\n\n", "    "), ('<div markdown="1">\n\n', "")):
        block = "".join(f"{indent}{line}\n" for line in BLOCK.splitlines())
        html = html_of(verdict_on(before + block + "\n</div>\n" * (not indent), runner))
        assert re.search(r'<figure class="plot" data-search-exclude><svg [^\n]*</figure>', html)
        assert "<p><figure" not in html


def test_pictures_of_a_page_have_ids_of_their_own(runner: Runner) -> None:
    html = html_of(verdict_on(BLOCK + "\n" + BLOCK, runner))
    assert re.findall(r'<title id="([^"]*)"', html) == ["plot-1-title", "plot-2-title"]


def test_a_page_that_did_not_run_has_no_pictures(runner: Runner) -> None:
    verdict = verdict_on(BLOCK + "```python\nnever closed\n", runner)
    assert verdict.run is None
    assert pictures(verdict, data="Data", refuse=unwanted) == {}


def test_where_no_figure_was_left_open_there_is_no_picture(runner: Runner) -> None:
    verdict = verdict_on(BLOCK + "\n" + BLOCK.replace("plt.plot", "dict(color=0) #"), runner)
    assert len(pictures(verdict, data="Data", refuse=unwanted)) == 1


def test_a_picture_that_cannot_be_shown_is_reported_with_its_line(runner: Runner) -> None:
    refused: list[tuple[str, int, str]] = []
    verdict = verdict_on(BLOCK + "\n" + BLOCK.replace("plt.plot", "plt.imshow([[1]]);#"), runner)
    found = pictures(
        verdict, data="Data", refuse=lambda *why: refused.append((why[0].name, *why[1:]))
    )
    assert len(found) == 1
    ((name, line, why),) = refused
    assert (name, line) == ("page.md", 8)
    assert "<image>" in why


def test_the_site_shows_the_picture_and_its_data_in_both_languages(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "course")
    for lang in ("es", "en"):
        file = project.page("lesson", lang)
        file.write_text(file.read_text(encoding="utf-8") + "\n" + BLOCK, encoding="utf-8")
    run = project.build("-q")
    assert run.returncode == 0, run.stderr
    for name, words in (("lesson", "Datos del gráfico"), ("en/lesson", "Data of the plot")):
        html = project.html(f"{name}/index.html")
        assert f"<summary>{words}</summary><table>" in html
        assert 'stroke="var(--petrol)"' in html


def test_the_site_is_not_published_with_a_picture_that_it_cannot_show(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "course")
    for lang in ("es", "en"):
        file = project.page("lesson", lang)
        block = BLOCK.replace("plt.plot", "plt.imshow([[1]]);#")
        file.write_text(file.read_text(encoding="utf-8") + "\n" + block, encoding="utf-8")
    run = project.build("-q")
    assert run.returncode == 1
    assert re.search(
        r"docs/es/lesson\.md:16: plot-invalid: a page can't show its <image>", run.stderr
    )
    assert not project.site.exists()
