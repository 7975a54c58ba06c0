"""The MkDocs plugin: both editions of the site from one command, published only if proven.

``mkdocs build`` checks every page while it builds all editions into a fresh folder, compares the
HTML with what was verified, and only then puts the new site in the place of the old one.
``mkdocs serve`` builds the same pages and refuses nothing: it shows a page's problems on the page.

The default edition leads: at its first event the pages begin to run, and after its last event each
other edition is built from its own configuration, by a plugin instance of its own that is given
the same ``Build``. There is no ``on_startup`` here: with it MkDocs would keep one instance for
all configurations, and one edition would overwrite the settings of the other.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, cast
from urllib.parse import urljoin

import click
from jinja2 import Environment
from mkdocs.commands import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.config.config_options import DictOfItems, ListOfItems, Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as SitePage
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext
from mkdocstrings import MkdocstringsPlugin

from lesson_checker import Page
from lesson_checker.settings import absolute
from lesson_site.build import Build
from lesson_site.corpus import CorpusPage, Mentions, Ways
from lesson_site.crossings import Crossings, Place
from lesson_site.editions import Edition, editions
from lesson_site.explorer import as_json, explorer
from lesson_site.explorer_html import explorer_html
from lesson_site.explorer_tag import Explorers, Opening
from lesson_site.home import picture
from lesson_site.labels import Marks, join_labels
from lesson_site.mathml import MathML
from lesson_site.nav import expand
from lesson_site.notebooks import full_address, notebook
from lesson_site.pictures import Pictures, pictures
from lesson_site.tables import Tables
from lesson_site.templates import compiled_templates
from lesson_site.wheel import build_wheel
from retrieval_lessons import load_chunks

DATA = "assets/explorer.json"
"""What the explorer's script reads, which looks for it beside itself."""


class LessonsConfig(Config):  # type: ignore[no-untyped-call]  # of MkDocs's own
    """The options of the plugin.

    Attributes:
        editions: The configuration file of each language, the default language first.
        exempt: Pages whose blocks are checked elsewhere, such as the examples of docstrings.
        notebooks: Which pages are offered as notebooks too, such as ``lessons/*.md``.
        wheel: Whether each edition offers the project's package for readers to install.
    """

    editions = DictOfItems(Type(str))
    exempt = ListOfItems(Type(str), default=[])
    notebooks = ListOfItems(Type(str), default=[])
    wheel = Type(bool, default=False)


class LessonsPlugin(BasePlugin[LessonsConfig]):  # type: ignore[no-untyped-call]
    """Build the site in every language, and publish it only if it is proven."""

    build: Build
    leads = True
    page: Page | None = None
    wheel: str | None = None
    file: File  # of the page that is converted, and all the others of its edition
    files: Files

    def edition(self, config: MkDocsConfig) -> Edition:
        """Return the edition that a configuration builds."""
        return next(e for e in self.build.editions if e.lang == config.theme["language"])

    # ------------------------------------------------------------- from the check to the pages

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Begin the check, have the site built into a fresh folder, and spell out the nav."""
        if self.leads:
            self.build = self.begin(config)
            if self.build.gate:
                config.site_dir = str(self.build.gate.folder)
        config.nav = expand(config.nav or [], Path(config.docs_dir))
        extensions: list[Any] = config.markdown_extensions
        extensions += [
            MathML(lambda tex, why: self.build.note_formula(self.page, tex, why)),
            Marks(config.extra["words"]["verified"]),
            Pictures(),
            Tables(),
            CorpusPage(load_chunks(), "en"),
            Mentions(load_chunks(), self.ways_to_corpus),
            Crossings(lambda href: self.crossing(href, self.edition(config))),
            Explorers(
                explorer,
                lambda start, ident: self.show_explorer(start, ident, config.extra["explorer"]),
                lambda tag, why: self.build.note_explorer(self.page, tag, why),
            ),
        ]
        return config

    def begin(self, config: MkDocsConfig) -> Build:
        """Begin to check every page."""
        file = Path(config.config_file_path).resolve()
        listed = editions(self.config.editions)
        if file != file.parent / listed[0].config:
            raise PluginError(
                f"{file.name} is one edition of the site and is not built on its own: "
                f"`mkdocs build` with {listed[0].config} builds all of them"
            )
        if not config.site_url:
            raise PluginError("site_url is not set: the links between the editions need it")
        return Build.begin(
            file.parent, Path(config.site_dir), listed, config.site_url, preview=_is_preview()
        )

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Note which HTML file shows which page, and add what readers can download."""
        api = config.plugins.get("mkdocstrings")
        if isinstance(api, MkdocstringsPlugin) and api.plugin_enabled:
            api.get_handler("python").env.bytecode_cache = compiled_templates()
        for file in list(files):  # of the theme below ours, which has its own
            if file.src_uri.startswith(("assets/stylesheets/", "assets/javascripts/")):
                files.remove(file)
        folder = self.edition(config).folder
        for file in files.documentation_pages():
            name, page = folder + file.dest_uri, self.build.page(file.abs_src_path)
            if page:
                url = folder + ("" if file.url == "./" else file.url)
                self.build.shown[name] = page.path, url
            if file.src_uri in self.config.exempt:
                self.build.exempt.add(name)
        files.append(File.generated(config, DATA, content=as_json(explorer())))
        if self.config.wheel:
            self.wheel, content = build_wheel(self.build.settings.root)
            files.append(File.generated(config, self.wheel, content=content))
        for name in filter(None, map(self.notebook_of, files.documentation_pages())):
            # filled in when its page has run
            files.append(File.generated(config, name, content=""))
        return files

    def notebook_of(self, file: File) -> str | None:
        """Return where the notebook of a page stands in its edition, None if it has none."""
        path, page = PurePosixPath(file.src_uri), self.build.page(file.abs_src_path)
        offered = any(path.match(pattern) for pattern in self.config.notebooks)
        return str(path.with_suffix(".ipynb")) if offered and page and page.runs else None

    @event_priority(100)
    def on_page_markdown(
        self, markdown: str, /, *, page: SitePage, config: MkDocsConfig, files: Files
    ) -> str:
        """Join labels to outputs, and mark what was verified."""
        self.file, self.files = page.file, files
        verdict = self.build.verdict(page.file.abs_src_path)
        self.page = verdict.page if verdict else None
        if verdict is None:
            return markdown
        words = config.extra["words"]
        return join_labels(
            markdown,
            verdict.page,
            proven=verdict.proven,
            skipped=words["skipped"],
            pictures=pictures(verdict, data=words["data"], refuse=self.build.note_plot),
        )

    def ways_to_corpus(self) -> Ways | None:
        """Return how the page gets to the corpus, None if it is not to link to it."""
        corpus, here = self.files.get_file_from_path("corpus.md"), self.file
        if corpus is None or corpus is here or here.src_uri in self.config.exempt:
            return None
        return Ways(
            get_relative_url(corpus.src_uri, here.src_uri), get_relative_url(corpus.url, here.url)
        )

    def show_explorer(self, start: Opening, ident: str, words: dict[str, str]) -> str:
        """Return the HTML of an explorer that stands on the page."""
        ways = self.ways_to_corpus()
        return explorer_html(explorer(), start, words, ident, ways.url if ways else None)

    def crossing(self, href: str, here: Edition) -> Place | None:
        """Return where a link leads that is written to a page of another edition than ``here``."""
        path, sign, anchor = href.partition("#")
        target = absolute(Path(self.file.abs_src_path or "").parent / path)
        page = self.build.page(str(target))
        others = {edition.lang: edition for edition in self.build.editions if edition != here}
        there = others.get(page.lang or "") if page else None
        # all editions have the same pages
        twin = self.files.get_file_from_path(f"{page.slug}.md") if page else None
        if there is None or twin is None:
            return None
        link = there.link(get_relative_url(".", self.file.url), twin.url, here)
        return Place(there.lang, link + sign + anchor)

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Go on only if the pages are true; then write the notebook of each that is offered so."""
        self.build.halt()
        env.bytecode_cache = compiled_templates()
        root = config.site_url or ""
        addresses = {file.src_uri: urljoin(root, file.url) for file in files}
        for file in files.documentation_pages():
            verdict = self.build.verdict(file.abs_src_path)
            made = files.get_file_from_path(self.notebook_of(file) or "")
            if made and verdict:
                made.content_string = notebook(
                    verdict,
                    link=partial(full_address, source=file.src_uri, addresses=addresses),
                    words=config.extra["words"],
                    wheel=self.wheel and urljoin(root, self.wheel),
                )
        return env

    # ------------------------------------------------------------------ what templates can show

    def on_page_context(
        self, context: TemplateContext, /, *, page: SitePage, config: MkDocsConfig, **_: object
    ) -> TemplateContext:
        """Give a page's template its proof, its problems and its twins."""
        values: dict[str, Any] = {"versions": self.build.check.versions}
        verdict = self.build.verdict(page.file.abs_src_path)
        if verdict:
            values["verdict"] = verdict
            values["problems"] = self.build.errors_on(verdict.page)
            values["notebook"] = self.notebook_of(page.file)
            values["behind"] = any(p.code == "twin-behind" for p in verdict.problems)
        if page.is_homepage:
            values["picture"] = picture()
        return self.shown(context, config, values)

    def on_template_context(
        self, context: TemplateContext, /, *, config: MkDocsConfig, **_: object
    ) -> TemplateContext:
        """Give the templates that belong to no page, such as 404.html, the editions."""
        return self.shown(context, config, {})

    def shown(
        self, context: TemplateContext, config: MkDocsConfig, values: dict[str, Any]
    ) -> TemplateContext:
        """Return ``context`` with ``values``, and with the editions, which are shown anywhere."""
        values["editions"] = self.build.editions
        values["edition"] = self.edition(config)
        values["root_url"] = self.build.root_url
        return cast(TemplateContext, {**context, **values})

    # ------------------------------------------------------------ from the pages to publication

    @event_priority(-100)  # when the other plugins have written what they write
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Build the other editions, then look at all of the HTML and publish it."""
        if not self.leads:
            return
        site, gate = Path(config.site_dir), self.build.gate
        for edition in self.build.editions[1:]:
            url = edition.address(self.build.root_url, "")
            other = load_config(
                str(Path(config.config_file_path).parent / edition.config),
                site_dir=str(site / edition.folder),
                site_url=url,
            )
            plugin = other.plugins["lessons"]
            assert isinstance(plugin, LessonsPlugin)  # noqa: S101 - tells mypy, can't fail
            plugin.build, plugin.leads = self.build, False
            mkdocs_build.build(other, serve_url=None if gate else url)
        self.build.finish(site)
        if gate:
            config.site_dir = str(gate.target)

    def on_build_error(self, **_: object) -> None:
        """Leave nothing behind."""
        if self.leads and hasattr(self, "build"):
            self.build.close()

    def on_serve(
        self, server: LiveReloadServer, /, *, config: MkDocsConfig, **_: object
    ) -> LiveReloadServer:
        """Watch the pages of every edition, the theme and the code."""
        here, root = Path(config.config_file_path).parent, self.build.settings.root
        paths = [here / edition.config for edition in self.build.editions]
        paths += [root / name for name in (*self.build.settings.folders, "src")]
        paths.append(Path(config.theme.custom_dir or here))
        for path in paths:
            if path.exists():
                server.watch(str(path))
        return server


def _is_preview() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and context.info_name == "serve"
