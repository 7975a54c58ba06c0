"""The checker reads a page as the site renders it, or says that it doesn't."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from site_markdown import site_blocks

from lesson_checker import Page, Settings, parse_page
from lesson_checker.fences import TAB, scan
from lesson_checker.page import Block
from lesson_checker.problems import Problem

SETTINGS = Settings(root=Path("/course"))
CODE = "```python\nprint(1)\n```\n"
LIST = "- item\n\n" + indent(CODE, "    ")


def parse(text: str) -> Page:
    return parse_page(text, Path("/course/en/page.md"), SETTINGS)


def shown(block: Block) -> tuple[str, str]:
    """Return how the site shows a block: tabs expanded where they stand, no blanks alone."""
    column = len(block.indent.expandtabs(TAB))
    lines = [(" " * column + line).expandtabs(TAB)[column:] for line in block.body.split("\n")]
    body = "\n".join(line if line.strip(" ") else "" for line in lines)
    return block.language or "text", body.rstrip("\n")


def read(text: str) -> list[tuple[str, str]]:
    return [shown(block) for block in parse(text).blocks]


def findings(text: str) -> list[Problem]:
    """Return what is wrong with the blocks themselves, whatever belongs to whom."""
    pairing = {"output-without-code", "label-alone", "comment-misplaced", "comment-unknown"}
    return [problem for problem in parse(text).problems if problem.code not in pairing]


# ------------------------------------------------------------------ what both take for a block

SHOWN = {
    "at the margin": CODE,
    "at the very beginning and end, without a line end": "```python\nprint(1)\n```",
    "with tildes": "~~~python\nprint(1)\n~~~\n",
    "with four marks": "````python\nprint(1)\n````\n",
    "with a space before the language": "``` python\nprint(1)\n```\n",
    "with white space around the language": "```  python \nprint(1)\n```\n",
    "with white space behind the closing fence": "```python\nprint(1)\n``` \t\n",
    "spelled py": "```py\nprint(1)\n```\n",
    "spelled python3": "```python3\nprint(1)\n```\n",
    "a console session": "```pycon\n>>> 1\n1\n```\n",
    "in upper case": "```PYTHON\nprint(1)\n```\n",
    "with a dot before the language": "```.python\nprint(1)\n```\n",
    "with a title": '```python title="a file"\nprint(1)\n```\n',
    "with a title in single quotes": "```python title='a \"file\"'\nprint(1)\n```\n",
    "with highlighted lines": '```python hl_lines="1 3-4"\nprint(1)\n```\n',
    "with two attributes": '```python hl_lines="1" title="x"\nprint(1)\n```\n',
    "with a title and no language": '``` title="x"\nprint(1)\n```\n',
    "with the language as a class": "``` { .python }\nprint(1)\n```\n",
    "with a class and no blanks": "```{.python}\nprint(1)\n```\n",
    "with more classes and a title": '```{ #a title=".b" .text .c hl_lines="1" }\n1\n```\n',
    "with a language and a class": "```python { .wide }\nprint(1)\n```\n",
    "with empty braces": "```python {}\nprint(1)\n```\n",
    "with a tilde in the title": '~~~python title="~"\nprint(1)\n~~~\n',
    "without a language": "```\na diagram\n```\n",
    "in a language that is only shown": "```bash\nmake test\n```\n",
    "a traceback": "```pytb\nValueError\n```\n",
    "empty": "```text\n```\n",
    "of one empty line": "```text\n\n```\n",
    "of blanks": "```text\n \n\t\n```\n",
    "that begins and ends with empty lines": "```text\n\n\nx\n\n\n```\n",
    "indented on every line": "```text\n  a\n    b\n  c\n```\n",
    "with a tab at the beginning of a line": "```python\nif 1:\n\tprint(1)\n```\n",
    "with a tab in a line": "```text\na\tb\n```\n",
    "with a non-breaking space": "```text\na\u00a0b\n\u00a0\n```\n",
    "with dots and prompts": "```text\n...\n>>> 1\n$ ls\n```\n",
    "with a heading": "```text\n# Heading\n\n## Another\n```\n",
    "with Markdown": "```text\n- item\n\n!!! note\n    text\n> quote\n***\n| a |\n```\n",
    "with HTML": "```text\n<details>\n<!-- comment\n<pre>\n```\n",
    "with the other fence": "```text\n~~~python\nx\n~~~\n```\n",
    "with a shorter fence": "````text\n```python\nx\n```\n````\n",
    "with a fence that is indented by four": "```text\n    ```\nx\n```\n",
    "with marks in a line": "```text\nthe sign ``` opens\n```\n",
    "with two marks": "```text\n``\n```\n",
    "with windows line ends": CODE.replace("\n", "\r\n"),
    "with mixed line ends": "```python\r\nprint(1)\nprint(2)\r\n```\n",
    "behind a byte order mark": "\ufeff" + CODE,
    "with characters that some take for line ends": "```text\na\u2028b\x0cc\x85d\n```\n",
    "right below and above text": "text:\n```python\nprint(1)\n```\ntext\n",
    "two without anything between": CODE + "```text\n1\n```\n",
    "below front matter": "---\ntitle: x\n---\n" + CODE,
    "below front matter that ends with dots": "---\ntitle: x\n...\n\n" + CODE,
    "below a rule that begins the page": "---\n\n" + CODE,
    "indented by two at the margin": indent(CODE, "  "),
    "in details": '<details markdown="1"><summary>S</summary>\n\n' + CODE + "\n</details>\n",
    "in details with a valueless attribute": "<details markdown open>\n\n"
    + CODE
    + "\n</details>\n",
    "in nested sections": '<div markdown="1">\n<section markdown="block">\n\n'
    + CODE
    + "\n</section>\n\n</div>\n",
    "below details": '<details markdown="1">\n\n</details>\n\n' + CODE,
    "below raw HTML": "<div>\n<p>x</p>\n</div>\n\n" + CODE,
    "below raw HTML with empty lines": "<table>\n\n    <tr><td>1</td></tr>\n\n</table>\n\n" + CODE,
    "below inline HTML": "<kbd>x</kbd> and <br>\n\n" + CODE,
    "below a comment": "<!-- comment -->\n" + CODE,
    "below a comment with code in it": "<!-- skip this -->\n\n<!-- code follows -->\n" + CODE,
    "below a comment of several lines": "<!-- one\n\n    two -->\n\n" + CODE,
    "below a comment in code": "`<!--` begins a comment\n\n" + CODE,
    "below an arrow": "a --> b\n\n" + CODE,
    "in a list": LIST,
    "in a list, right below the item": "- item\n" + indent(CODE, "    "),
    "in a list with numbers": "1. item\n\n" + indent(CODE, "    ") + "\n2. item\n",
    "in a list below a heading": "# Heading\n- item\n\n" + indent(CODE, "    "),
    "in a list, indented by a tab": "- item\n\n" + indent(CODE, "\t"),
    "in a list, indented by three": "1. item\n\n" + indent(CODE, "   "),
    "in a list, indented by six": "- item\n\n" + indent(CODE, "      "),
    "in a list below more text": "- item\n\n    more\n    text\n\n" + indent(CODE, "    "),
    "in a list whose text goes on at the margin": "- item\nof two lines\n\n" + indent(CODE, "    "),
    "in an inner list": "- a\n    - b\n\n" + indent(CODE, "        "),
    "in the outer list after an inner one": "- a\n    - b\n\n" + indent(CODE, "    "),
    "in a third list": "- a\n    - b\n        1. c\n\n" + indent(CODE, "            "),
    "in an admonition": "!!! note\n\n" + indent(CODE, "    "),
    "in an admonition, right below its title": '!!! note "Title"\n' + indent(CODE, "    "),
    "in a foldable admonition": "??? note\n\n" + indent(CODE, "    "),
    "in an open foldable admonition": '???+ "Title"\n\n' + indent(CODE, "    "),
    "in tabs": '=== "A"\n\n' + indent(CODE, "    ") + '\n=== "B"\n\n' + indent(CODE, "    "),
    "in a list in an admonition": "!!! note\n\n    - item\n\n" + indent(CODE, "        "),
    "in an admonition in a list": "- item\n\n    !!! note\n\n" + indent(CODE, "        "),
    "in a tab in an admonition": '!!! note\n\n    === "A"\n\n' + indent(CODE, "        "),
    "in all of them": '1. a\n\n    !!! note\n\n        - b\n\n            === "C"\n\n'
    + indent(CODE, " " * 16),
    "in the second item of an admonition's list": "!!! note\n\n    - a\n\n"
    + indent(CODE, "        ")
    + "    - b\n\n"
    + indent(CODE, "        "),
    "behind an item, back at the margin": "- item\n\n" + CODE + "\n- item\n",
    "in a list after a quote": "- item\n\n    > # quote\n\n" + indent(CODE, "    "),
    "below tables and formulas": "| a | b |\n|---|---|\n| 1 | 2 |\n\n$$\nx\n$$\n\n" + CODE,
    "in a list in details": '<details markdown="1">\n\n' + LIST + "\n</details>\n",
    "in a list below an indented element": "- a\n\n    <div>b</div>\n\n" + indent(CODE, "    "),
    "in a list with an element in details": '<details markdown="1">\n\n- a <p>b</p>\n\n'
    + indent(CODE, "    ")
    + "\n</details>\n",
    "in a list right below details": '<details markdown="1">\n\na\n\n</details>\n' + LIST,
    "in a list below a line of blanks": "text\n   \n" + LIST,
    "in a list below front matter": "---\na: b\n---\n\n" + LIST,
    "in an admonition right below a list": "- - a\n\n    - b\n!!! note\n" + indent(CODE, "    "),
    "in a list below an indented element in details": '<details markdown="1">\n\n- a\n\n'
    + indent("<table></table>\n\n" + CODE, "    ")
    + "\n</details>\n",
    "in a list with a form feed on a line": "- a\n\n    ```python\n    1\n\f\n    2\n    ```\n",
    "in a list right below an admonition": "!!! note\n    text\n" + LIST,
}


@pytest.mark.parametrize(
    ("block", "marks"),
    [
        ("```python\nprint(1)\n ```\n", "````"),
        ("```python\nprint(1)\n````\n", "`````"),
        ("~~~python\nprint(1)\n  ~~~~ \n", "~~~~~"),
        ("```python\n````text\n", "`````"),
    ],
    ids=["indented", "longer", "both", "opening"],
)
def test_a_fence_in_a_block_is_a_part_of_it_once_the_block_is_as_wide_as_the_remedy_says(
    block: str, marks: str
) -> None:
    lines = block.split("\n")
    finding, *_ = findings(block)
    assert finding.remedy.endswith(f"begin and end the block with {marks}")
    wide = "\n".join([lines[0].replace(lines[0][:3], marks), *lines[1:-1], marks, ""])
    assert (findings(wide), len(read(wide))) == ([], 1)


def test_a_block_is_blamed_once_however_many_lines_take_it_in() -> None:
    assert [each.line for each in findings("[a\n```python\n1\n```\nb]\nc]\n")] == [2]


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_a_block_is_read_as_the_site_shows_it(text: str) -> None:
    assert findings(text) == []
    assert read(text) == site_blocks(text)
    assert read(text) != []


# ------------------------------------------------------- what the site does not show as a block

BROKEN = {
    "closed by a longer fence": ("```python\nprint(1)\n````\n", 3, "is longer than the one in"),
    "closed by an indented fence": ("```python\nprint(1)\n ```\n", 3, "is indented by 1 space"),
    "with a word behind the language": ("```python notest\nprint(1)\n```\n", 1, "'notest'"),
    "with an attribute without quotes": ("```python title=x\nprint(1)\n```\n", 1, "'title=x'"),
    "with an attribute of another tool": ('```python skip="x"\nprint(1)\n```\n', 1, "skip"),
    "with lines that are none": ('```python hl_lines="all"\nprint(1)\n```\n', 1, "hl_lines"),
    "with braces right behind the language": ("```python{.x}\nprint(1)\n```\n", 1, "'{.x}'"),
    "with a non-breaking space": ("```python\u00a0\nprint(1)\n```\n", 1, "can't read"),
    "beside a bullet": ("- ```python\n  print(1)\n  ```\n", 1, "beside the marker"),
    "beside a number": ("1. ```python\n   print(1)\n   ```\n", 1, "beside the marker"),
    "beside a check box": ("- [ ] ```python\n  print(1)\n  ```\n", 1, "beside the marker"),
    "in the middle of a line": ("Look: ```python\nprint(1)\n```\n", 1, "middle of a line"),
    "behind a non-breaking space": ("\u00a0```python\nprint(1)\n```\n", 1, "middle of a line"),
    "four spaces below a paragraph": ("text\n\n" + indent(CODE, "    "), 3, "is indented"),
    "indented twice in a list": ("- a\n\n" + indent(CODE, "        "), 3, "is indented"),
    "below a list that has ended": (LIST + "\ntext\n\n" + indent(CODE, "    "), 9, "is indented"),
    "indented behind a heading": ("- a\n\n# H\n\n" + indent(CODE, "    "), 5, "is indented"),
    "below a list that is none": ("text\n- item\n\n" + indent(CODE, "    "), 4, "is indented"),
    "below a rule of bullets": ("- - -\n\n" + indent(CODE, "    "), 3, "is indented"),
    "below an underlined item": ("- a\n---\n\n" + indent(CODE, "    "), 4, "is indented"),
    "below a table of bullets": ("- a | b\n- | -\n\n" + indent(CODE, "    "), 4, "is indented"),
    "below a box without a type": ("!!!\n\n" + indent(CODE, "    "), 3, "is indented"),
    "below a tab without quotes": ("=== A\n\n" + indent(CODE, "    "), 3, "is indented"),
    "behind an admonition": ("!!! a\n    b\nc\n\n" + indent(CODE, "    "), 5, "is indented"),
    "with a line at the margin": ("- a\n\n    ```python\nprint(1)\n    ```\n", 3, "line 4"),
    "with a closing fence at the margin": ("- a\n\n    ```python\n    1\n```\n", 3, "line 5"),
    "with a line that is quoted": ("- a\n\n    ```python\n >  1\n    ```\n", 3, "line 4"),
    "in a definition of a link": ("[a]:\n" + CODE, 2, "apart"),
    "in a picture": ("![a\n" + CODE + "b](c.svg)\n", 2, "apart"),
    "in a tag": ("<kbd title='\n" + CODE + "'>x</kbd>\n", 2, "apart"),
    "in front matter": ("---\na: |\n  ```python\n  x\n  ```\n---\n\ntext\n", 3, "front matter"),
    "below a tag that closes nothing": ("text\n</div>\n" + LIST, 5, "is indented"),
    "below a heading that is none": ("# a\\\n" + LIST, 4, "is indented"),
    "below text behind a tag": ("<div></div> text\n" + LIST, 4, "is indented"),
    "below lines and pipes": ("--|--\n" + LIST, 4, "is indented"),
    "below a line that is indented": ("a\n    ---\n" + LIST, 5, "is indented"),
}


@pytest.mark.parametrize(("text", "line", "words"), BROKEN.values(), ids=BROKEN)
def test_a_block_that_the_site_would_break_is_one_problem(text: str, line: int, words: str) -> None:
    (problem,) = parse(text).problems
    assert (problem.line, words in problem.message) == (line, True)
    assert problem.remedy
    meant = [shown(block) for block in parse(text).blocks if block.kind == "code"]
    assert site_blocks(text).count(meant[-1]) < len(meant)


# --------------------------------------------------------- what the checker refuses all the same

DETAILS = "<details>\n<summary>S</summary>\n\n" + CODE + "\n```text\n1\n```\n\n</details>\n"
REFUSED = {
    "never closed": ("text\n\n```python\nprint(1)\n\ntext\n", 3, "fence-unclosed", "never closed"),
    "open where another begins": (
        "```python\nprint(1)\n\nWhat to expect:\n\n```text\n1\n```\n",
        1,
        "fence-unclosed",
        "line 6",
    ),
    "on one line": ("```python print(1)```\n", 1, "fence-not-rendered", "on one line"),
    "on one line with tildes": ("~~~py print(1)~~~\n", 1, "fence-not-rendered", "on one line"),
    "in a quote": ("> ```python\n> print(1)\n> ```\n", 1, "fence-not-rendered", "in a quote"),
    "in a quote that never closes": ("> ```python\n> 1\n", 1, "fence-not-rendered", "in a quote"),
    "with a backtick in its title": (
        '```python title="`"\nprint(1)\n```\n',
        1,
        "fence-not-rendered",
        "a backtick",
    ),
    "in details that are not read": (DETAILS, 4, "fence-not-rendered", "inside <details>"),
    "in a paragraph in HTML": ("<p>\n\n" + CODE + "\n</p>\n", 3, "fence-not-rendered", "<p>"),
    "in a tag of several lines": (
        '<div\n  markdown="1">\n\n' + CODE + "\n</div>\n",
        4,
        "fence-not-rendered",
        "<div>",
    ),
    "in raw HTML in details": (
        '<details markdown="1">\n<p>\n\n' + CODE + "\n</details>\n",
        4,
        "fence-not-rendered",
        "<p>",
    ),
    "right below a paragraph": (
        "text\n    ```python\n    x\n    ```\n",
        2,
        "fence-not-rendered",
        "is indented",
    ),
    "in a formula": ("a $x\n" + CODE + "y$ b\n", 2, "fence-not-rendered", "apart"),
    "right below an item in an admonition": (
        "!!! note\n    - item\n" + indent(CODE, "        "),
        3,
        "fence-not-rendered",
        "apart",
    ),
    "in a list that a comment cuts": (
        "- item\n\n<!-- c -->\n\n" + indent(CODE, "    "),
        5,
        "fence-not-rendered",
        "is indented",
    ),
    "in an inner list, below what a comment leaves": (
        "* a\n\n    + b\n    <!--\n    -->\n" + indent(CODE, "        "),
        6,
        "fence-not-rendered",
        "is indented",
    ),
    "with a snippet": ("```python\n--8<-- 'a.py'\n```\n", 2, "fence-not-rendered", "snippet"),
    "in a comment": ("<!--\n" + CODE + "-->\n", 2, "code-hidden", "in an HTML comment"),
    "in a comment behind text": ("a <!-- b\n\n" + CODE + "\n-->\n", 3, "code-hidden", "comment"),
    "both in a comment": (
        "<!--\n\n" + CODE + "\n```text\n1\n```\n-->\n",
        3,
        "code-hidden",
        "in an HTML comment",
    ),
    "below a comment without an end": ("<!-- a\n\n" + CODE, 1, "code-hidden", "never closed"),
    "in details without an end": (
        '<details markdown="1">\n\n' + CODE,
        1,
        "code-hidden",
        "<details> is never closed",
    ),
    "in raw HTML": ("text\n\n<pre><code>print(1)\n</code></pre>\n", 3, "code-hidden", "raw HTML"),
    "in raw HTML of several lines": ("<pre>\nprint(1)\n</pre>\n", 1, "code-hidden", "raw HTML"),
    "in raw HTML in a line": ("see <PRE>print(1)</PRE>\n", 1, "code-hidden", "raw HTML"),
    "in raw HTML in raw HTML": ("<div>\n<pre>1</pre>\n</div>\n", 2, "code-hidden", "raw HTML"),
    "in a text area": ("<textarea>print(1)</textarea>\n", 1, "code-hidden", "raw HTML"),
    "in raw HTML, fenced": ("<pre>\n\n" + CODE + "\n</pre>\n", 1, "code-hidden", "raw HTML"),
    "by indentation": ("text\n\n    print(1)\n\n    print(2)\n", 3, "code-hidden", "indented"),
    "by a tab": ("text\n\n\tprint(1)\n", 3, "code-hidden", "indented"),
    "by indentation below a heading": ("# H\n    print(1)\n", 2, "code-hidden", "indented"),
    "by indentation below a tag": ("<div></div>\n    print(1)\n", 2, "code-hidden", "indented"),
    "by indentation in a list": ("- a\n\n        print(1)\n", 3, "code-hidden", "indented"),
    "by indentation in an admonition": ("!!! a\n        print(1)\n", 2, "code-hidden", "indented"),
    "by indentation in a quote": (">     print(1)\n", 1, "code-hidden", "indented"),
    "by indentation below text in a quote": ("> a\n>\n>     1\n", 3, "code-hidden", "indented"),
    "by indentation below a link": ("[a]: b\n    print(1)\n", 2, "code-hidden", "indented"),
    "by indentation at the top": ("---\na: b\n---\n\n     \ntext\n", 5, "code-hidden", "indented"),
    "in a language that is nearly Python": (
        "```py3\nprint(1)\n```\n",
        1,
        "code-hidden",
        "'py3' looks like Python",
    ),
    "with a misspelt language": ("```pyhton\nprint(1)\n```\n", 1, "code-hidden", "'pyhton'"),
    "with a character that the site drops": (
        "a\n```python\nprint('\x02')\n```\n",
        3,
        "page-unreadable",
        "U+0002",
    ),
    "with a lone return": ("```python\nprint(1)\r\n1\r2\n```\n", 3, "page-unreadable", "U+000D"),
    "with a byte order mark inside": (CODE + "\ufeff" + CODE, 4, "page-unreadable", "U+FEFF"),
    "open where another begins right below": (
        "```python\n```text\n1\n```\n",
        1,
        "fence-unclosed",
        "line 2",
    ),
    "with a snippet, and never closed": (
        "```python\n--8<-- 'a.py'\n",
        2,
        "fence-not-rendered",
        "snippet",
    ),
    "with a snippet, and a line at the margin": (
        "- a\n\n    ```python\n    --8<-- 'a.py'\n1\n    ```\n",
        4,
        "fence-not-rendered",
        "snippet",
    ),
    "with a snippet, and a longer closing fence": (
        "```python\n--8<-- 'a.py'\n````\n",
        2,
        "fence-not-rendered",
        "snippet",
    ),
    "with a snippet, where another begins": (
        "```python\n--8<-- 'a.py'\n\n```text\n1\n```\n",
        2,
        "fence-not-rendered",
        "snippet",
    ),
    "in a paragraph that is told to be read": (
        '<p markdown="1">\n\n' + CODE + "\n</p>\n",
        3,
        "fence-not-rendered",
        "<p>",
    ),
    "by indentation below a rule in an inner list": (
        "- # a\n    1. b\n\n        * * *\n    text\n",
        5,
        "code-hidden",
        "indented",
    ),
    "by indentation in a quote below text": ("text\n>     1\n", 2, "code-hidden", "indented"),
    "in raw HTML beside a fenced one": (
        "<p>\n\n" + CODE + "\n<pre>1</pre>\n</p>\n",
        3,
        "fence-not-rendered",
        "<p>",
    ),
    "right below an item, in an admonition": (
        "!!! note\n    - item\n" + indent(CODE, "    "),
        3,
        "fence-not-rendered",
        "apart",
    ),
    "never closed, down to the last line": (
        "```python\n- ~~~py",
        1,
        "fence-unclosed",
        "never closed",
    ),
    "beside a bullet, where another begins": (
        "- ```python\n```bash\nls\n```\n",
        1,
        "fence-not-rendered",
        "beside the marker",
    ),
    "beside a bullet, and never closed": (
        "- ```python\n- ~~~py",
        1,
        "fence-not-rendered",
        "beside the marker",
    ),
    "by indentation at the top, without front matter": (
        "\n     \na\n",
        2,
        "code-hidden",
        "indented",
    ),
    "by indentation below front matter": (
        "---\na:\n\n- b\n...\n\n    1\n",
        7,
        "code-hidden",
        "indented",
    ),
    "by indentation below what is no front matter": (
        "---\n!!! a\n...\n1. b\n\n    1\n",
        6,
        "code-hidden",
        "indented",
    ),
    "by indentation below what a comment leaves": (
        "- a\n    - b\n\n         <!-- c -->\n    1. d\n",
        5,
        "code-hidden",
        "indented",
    ),
    "by indentation below a comment in an inner list": (
        "- a\n    - b\n    <!--\n    -->\n        1\n",
        5,
        "code-hidden",
        "indented",
    ),
    "by indentation below an admonition beside a bullet": (
        "- !!! a\n    1\n",
        2,
        "code-hidden",
        "indented",
    ),
    "by indentation below an admonition that is none": (
        "- a\n    !!! b\n        1\n",
        3,
        "code-hidden",
        "indented",
    ),
    "by indentation below a heading in a quote": ("> # a\n>     1\n", 2, "code-hidden", "indented"),
    "by indentation below an empty quote": (">\n    1\n", 2, "code-hidden", "indented"),
    "by indentation below an empty quote in a list": (
        "- a\n>\n    1\n",
        3,
        "code-hidden",
        "indented",
    ),
    "by indentation below an element in a line": (
        "<br> a <div>\n\n    1\n",
        3,
        "code-hidden",
        "indented",
    ),
}


@pytest.mark.parametrize(("text", "line", "code", "words"), REFUSED.values(), ids=REFUSED)
def test_code_that_can_not_be_checked_is_one_problem(
    text: str, line: int, code: str, words: str
) -> None:
    (problem,) = parse(text).problems
    assert (problem.line, problem.code, words in problem.message) == (line, code, True)
    assert problem.remedy


def test_two_broken_blocks_are_two_problems() -> None:
    text = "- ```python\n  1\n  ```\n\ntext\n\n```python title=x\n1\n```\n"
    assert [problem.line for problem in parse(text).problems] == [1, 7]


def test_what_stands_around_a_broken_block_is_no_further_problem() -> None:
    broken = "<!--! skip: no network -->\n```python title=x\nprint(1)\n```\n"
    text = broken + "\nWhat to expect:\n\n```text\n1\n```\n"
    assert [problem.line for problem in parse(text.replace(" skip", " plot")).problems] == [2]


def test_blocks_astray_are_one_problem_until_the_margin_is_reached() -> None:
    astray = indent(CODE + "\nWhat to expect:\n\n```text\n1\n```\n", "    ")
    text = f"text\n\n{astray}\ntext\n\n{astray}"
    assert [problem.line for problem in parse(text).problems] == [3, 15]


def test_a_fence_that_is_broken_in_itself_is_not_astray_too() -> None:
    text = "text\n\n    ```python title=x\n    print(1)\n    ```\n"
    assert [problem.line for problem in parse(text).problems] == [3]


def test_each_piece_of_raw_code_is_a_problem() -> None:
    assert [problem.line for problem in parse("<pre>1</pre>\n<pre>1</pre>\n").problems] == [1, 2]


def test_each_raw_element_is_a_problem_of_its_own() -> None:
    assert [problem.line for problem in parse(DETAILS + "\n" + DETAILS).problems] == [4, 17]


# ------------------------------------------------------------------------- what is just prose

PROSE = {
    "nothing": "",
    "one line": "text",
    "marks in a line": "text ``` text\n",
    "code with three marks": "``` `` ``` shows two of them\n",
    "code with four marks": "```` ``` ```` opens a block\n",
    "a fence in code": "`` ```python `` opens a block\n",
    "an escaped fence": "\\```python\n",
    "tildes": "about ~~~ three, and ~~~python too\n",
    "a comment that begins with skip": "<!-- skip this -->\n\ntext\n",
    "a comment that begins with code": "text <!-- code `a` -->\n",
    "two comments in a line": "<!-- a --> b <!-- c -->\n",
    "a comment in a list": "- item\n\n    <!-- a -->\n\n    text\n",
    "elements in code": "Use `<pre>` or `<details>`.\n",
    "an element that is named at the end": "text\n\n</details>\n",
    "less and greater": "a < b, <3 and x <- y, a<b>c\n",
    "links": "<https://example.com> [a](b) [c][d]\n\n[d]: e 'f'\n",
    "a paragraph that hangs": "text\n    more text\n",
    "an item that hangs": "1. item\n   text\n       text\n",
    "lists in lists": "- a\n    - b\n        - c\n    - d\n- e\n  - f\n",
    "a list of paragraphs": "- a\n\n    b\n\n- c\n\n    - d\n\n        e\n",
    "an item that is a heading": "- # a\n- b\n",
    "a quote with a list": "> - a\n>     - b\n>\n> text\n",
    "a quote that hangs": "> a\n>     b\n",
    "rules": "a\n\n---\n\n***\n\n- - -\n",
    "underlined headings": "a\n===\n\nb\n---\n- c\n\n    d\n",
    "a table": "| a | b |\n|---|:-:|\n| 1 | 2 |\n",
    "an admonition": "!!! note\n    text\n    - item\n\n    text\nmore text\n",
    "void elements": "<br>\n\n<hr>\n\n<div/>\n\n<img src='a'>\n",
    "raw HTML": "<figure>\n  <img src='a'>\n\n    <figcaption>a</figcaption>\n\n</figure>\n",
    "raw HTML in raw HTML": "<div>\n<div>\n\n    a\n\n</div>\n\n    b\n\n</div>\n",
    "front matter": "---\na: b\n---\n",
    "front matter without an end": "---\na: b\n",
    "dots and lines": "---\n",
    "marks and a tick": "``` a ` b\n",
    "code and marks": "`a` b ```python\n",
    "an inner list that goes on further left": "- a\n    - b\n\n        text\n    text\n",
    "a line of blanks": "text\n\n     \ntext\n",
    "a heading in a list": "- a\n\n    # b\n    c\n",
    "a quote that goes on": "> a\n    b\n",
    "raw HTML that nests in a line": "<div>\na <div>\n</div>\n\n    b\n\n</div>\n",
    "a comment between lines of an admonition": "!!! a\n    b\n    <!-- c -->\n    d\n",
}


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_is_no_block_and_no_problem(text: str) -> None:
    assert parse(text).problems == ()
    assert read(text) == site_blocks(text) == []


# ------------------------------------------------------------------------------ any document

LINES = [
    *("- item", "1. item", "* a", "- # head", "- !!! note", "# Head", "---", "===", "- - -"),
    *("!!! note", '??? tip "T"', '=== "A"', "text", "**b** text", "> quote", ">", "> # q", "\\# x"),
    *('<details markdown="1"><summary>S</summary>', "</details>", "<details>", "<p>", "</p>"),
    *("<!-- c -->", "<!-- c", "d -->", "`a", "b`", "[x]: y", "[x]:", "[a", "b]", "a | b", "--|--"),
]
BLOCKS = [
    *(CODE, "```text\ny\n```\n", "~~~\nz\n~~~\n", "````text\n```\na\n```\n````\n"),
    *("```text\n\n y\n\n```\n", "```bash x=1\nq\n```\n", "``` {.python}\n# c\n\n    i\n```\n"),
    *("```python\n", "```\n", "~~~~\n"),
]


def piece(text: str, columns: int, *, blank: bool) -> str:
    return indent(text, " " * columns) + "\n" * blank


pieces = st.builds(
    piece,
    st.sampled_from([line + "\n" for line in LINES]) | st.sampled_from(BLOCKS),
    st.sampled_from([0, 0, 0, 1, 2, 3, 4, 4, 4, 5, 6, 8, 8, 12]),
    blank=st.booleans(),
)
scraps = st.lists(pieces, max_size=9).map("".join)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Put what there is in lists, boxes and elements, as an author would, or nearly."""
    head = st.sampled_from(["- item\n", "1. item\n", "!!! note\n", '??? "T"\n', '=== "A"\n'])
    blank = st.sampled_from(["\n", "\n", ""])
    columns = st.sampled_from([4, 4, 4, 4, 4, 4, 3, 5, 8, 0])
    box = st.builds(
        lambda head, blank, text, columns, end: head + blank + indent(text, " " * columns) + end,
        *(head, blank, inner, columns, blank),
    )
    details = inner.map(lambda text: f'<details markdown="1">\n\n{text}\n</details>\n')
    return box | st.lists(inner | box, min_size=1, max_size=3).map("\n".join) | details


trees = st.recursive(pieces, nested, max_leaves=8)


@settings(max_examples=400, deadline=None)
@given(scraps | trees)
def test_without_a_problem_the_checker_reads_just_what_the_site_shows(text: str) -> None:
    if not findings(text):
        assert read(text) == site_blocks(text)


# ------------------------------------------------------------------------------- linear time


class Counted(Sequence[str]):
    """Lines that count how often one is read."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.reads = 0

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        self.reads += 1
        return self.lines[number]


@pytest.mark.parametrize(
    "text",
    [
        *("```python\n1\n\n", "~~~\n```python x y\n", "- ```python\n", "> ```python\n> 1\n"),
        *("    ```python\nx\n", "```python\n ```\n", "text ```python\n", "```\n---\n", "---\n"),
        *("````python\n```python\n", "~~~python\n```text\n", "```python\n--8<-- 'a'\n"),
    ],
)
def test_each_line_is_read_a_few_times_however_long_the_page(text: str) -> None:
    lines = Counted(text * 1000)
    scan(lines)
    assert lines.reads < 4 * len(lines)
