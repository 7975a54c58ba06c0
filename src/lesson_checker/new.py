"""Begin a lesson: a page in each language, made from the template of that language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from lesson_checker.checks import Report, judge
from lesson_checker.files import replace_text
from lesson_checker.page import Page, read_page
from lesson_checker.report import format_text
from lesson_checker.run import Runner
from lesson_checker.settings import Settings
from lesson_checker.twins import confirmed_text

_NUMBER = re.compile("0*[1-9][0-9]?")
_SLUG = re.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
# what would end the string in the front matter that the title is in, or begin something in Markdown
_NOT_PLAIN = re.compile(r'["\\`<>{}\[\]$*_|#\n]')


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is known of a lesson before it is written.

    Attributes:
        number: Its place among the lessons, such as ``08``.
        slug: Its name in addresses, such as ``query-logs``.
        titles: Its title in each language.
    """

    number: str
    slug: str
    titles: Mapping[str, str]


def plan(number: str, slug: str, titles: Mapping[str, str], settings: Settings) -> Lesson:
    """Return the lesson that these words ask for; where a title is missing, the slug makes one.

    Raises:
        ValueError: A word can't be used, or another lesson has it; the message says what would do.
    """
    if not (settings.template and settings.new_page):
        raise ValueError(
            "no template for new pages: set template and new_page in [tool.lesson-checker] "
            "of pyproject.toml"
        )
    if not _NUMBER.fullmatch(number):
        raise ValueError(f"number {number!r}: expected one from 1 to 99, such as {_free(settings)}")
    if not _SLUG.fullmatch(slug):
        raise ValueError(
            f"slug {slug!r}: expected small letters without accents, digits and hyphens, "
            f"such as {_as_slug(slug)}"
        )
    for language, title in titles.items():
        if language not in settings.languages:
            known = " or ".join(settings.languages)
            raise ValueError(f"title in {language!r}: the pages are in {known}")
        if not title.strip() or _NOT_PLAIN.search(title):
            raise ValueError(f"title {title!r}: expected words, without any mark-up or quotes")
    number = number.lstrip("0").zfill(2)
    for path, taken, name in _lessons(settings):
        if taken == number:
            raise ValueError(
                f"number {number} is taken by {settings.relative(path)}; "
                f"the next that is free is {_free(settings)}"
            )
        if name == slug:
            raise ValueError(f"slug {slug} is taken by {settings.relative(path)}; choose another")
    plain = slug.replace("-", " ").capitalize()
    return Lesson(number, slug, {code: titles.get(code, plain) for code in settings.languages})


def create(lesson: Lesson, settings: Settings) -> Report:
    """Write the pages of a lesson, all of them or none, and return what a check says of them.

    They are tried elsewhere first. Their outputs are what their code has printed there, and each
    page is confirmed to say the same as its twin, since their templates do.

    Raises:
        ValueError: There is no template, a page made from it has problems, or can't be written.
    """
    texts = {
        _path(language, lesson, settings): _text(language, lesson, settings)
        for language in settings.languages
    }
    with TemporaryDirectory(prefix="lesson-checker-") as folder:
        stage = replace(settings, root=Path(folder))
        _write(stage.root, texts)
        report = _completed([stage.root / name for name in texts], stage)
        if report.problems:
            raise ValueError(
                f"the template is not in order:\n{format_text(report.problems, stage)}"
            )
        _write(settings.root, {each.page.name: each.page.text for each in report.verdicts})
    return report


def _completed(paths: list[Path], settings: Settings) -> Report:
    """Write the real outputs and the twins' digests into pages, and return what is then left."""

    def pages() -> list[Page]:
        return [read_page(path, settings) for path in paths]

    with Runner(settings) as runner:
        for verdict in judge(pages(), settings, runner):
            replace_text(verdict.page.path, verdict.page.text, verdict.updated_text)
        for page in pages():
            for twin in settings.twins_of(page.path).values():
                text = confirmed_text(page, read_page(twin, settings))
                replace_text(page.path, page.text, text)
        verdicts = sorted(judge(pages(), settings, runner), key=lambda each: each.page.path)
        return Report(tuple(verdicts), runner.versions)


def _text(language: str, lesson: Lesson, settings: Settings) -> str:
    """Return the template of a language with the words of the lesson in it."""
    path = settings.root / settings.template.replace("{language}", language)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        where = "[tool.lesson-checker] template in pyproject.toml"
        raise ValueError(f"{settings.relative(path)}: no such file, but {where} says so") from None
    except UnicodeDecodeError:
        raise ValueError(f"{settings.relative(path)}: not UTF-8; save it as UTF-8") from None
    words = {"number": lesson.number, "slug": lesson.slug, "title": lesson.titles[language]}
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def _path(language: str, lesson: Lesson, settings: Settings) -> str:
    return _filled(settings, language=language, number=lesson.number, slug=lesson.slug)


def _filled(settings: Settings, **words: str) -> str:
    path = settings.new_page
    for name, word in words.items():
        path = path.replace(f"{{{name}}}", word)
    return path


def _lessons(settings: Settings) -> Iterator[tuple[Path, str, str]]:
    """Yield each lesson that there is, with its number and its slug."""
    for language in settings.languages:
        name = re.escape(_filled(settings, language=language, number="\0", slug="\1"))
        parts = re.compile(name.replace("\0", "(?P<number>[0-9]+)").replace("\1", "(?P<slug>.+)"))
        found = settings.root.glob(_filled(settings, language=language, number="*", slug="*"))
        for path in sorted(found):
            if match := parts.fullmatch(settings.relative(path).as_posix()):
                yield path, match["number"], match["slug"]


def _free(settings: Settings) -> str:
    """Return the number after the last one that is taken."""
    return f"{max((int(number) for _, number, _ in _lessons(settings)), default=0) + 1:02}"


def _as_slug(words: str) -> str:
    """Return something like ``words`` that can be a slug."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain).strip("-0123456789")
    return slug if _SLUG.fullmatch(slug) else "query-logs"


def _write(root: Path, texts: Mapping[str, str]) -> None:
    """Write new files, all of them or none."""
    written: list[Path] = []
    try:
        for name, text in texts.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="") as file:
                written.append(path)
                file.write(text)
    except BaseException as error:
        for each in written:
            each.unlink(missing_ok=True)
        if isinstance(error, FileExistsError) and path.is_file():
            raise ValueError(f"{name} is there already; it was left alone") from None
        if isinstance(error, OSError):
            raise ValueError(f"{name} can't be written: {error.strerror}") from None
        raise
