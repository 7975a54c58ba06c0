"""A small course with the theme, the configuration and the plugin of the real one."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import yaml

ROOT = Path(__file__).parent.parent

LESSON = {
    "es": """# Lección

La media es $\\frac{a}{b}$.

```python
print(5 / 6)
```

Qué esperar:

```text
0.8333333333333334
```
""",
    "en": """# Lesson

The mean is $\\frac{a}{b}$.

```python
print(5 / 6)
```

What to expect:

```text
0.8333333333333334
```
""",
}

HOME = {"es": "# Inicio\n\n[Lección](lesson.md)\n", "en": "# Home\n\n[Lesson](lesson.md)\n"}

SETTINGS = """\
[tool.lesson-checker]
folders = ["docs/es", "docs/en"]
"""


@dataclass(frozen=True)
class Project:
    """A course of one lesson, in two languages, in a folder of its own."""

    folder: Path

    @classmethod
    def create(cls, folder: Path) -> "Project":
        project = cls(folder)
        for lang in ("es", "en"):
            project.page("index", lang).parent.mkdir(parents=True)
            project.page("index", lang).write_text(HOME[lang], encoding="utf-8")
            project.page("lesson", lang).write_text(LESSON[lang], encoding="utf-8")
        copytree(ROOT / "docs/theme", folder / "docs/theme")
        (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
        project.configure("mkdocs.yml", docs_dir="docs/es", theme="docs/theme/site")
        project.configure("docs/mkdocs.en.yml", docs_dir="en", theme="theme/site")
        return project

    def configure(self, name: str, docs_dir: str, theme: str) -> None:
        content = {
            "INHERIT": str(ROOT / name),
            "docs_dir": docs_dir,
            "site_dir": "site",
            "theme": {"custom_dir": theme},
            "nav": ["index.md", {"Lecciones": ["lesson.md"]}],
            "plugins": {
                "mkdocstrings": {"enabled": False},
                "lessons": {"exempt": [], "wheel": False},
            },
        }
        text = yaml.safe_dump(content, allow_unicode=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def page(self, name: str, lang: str) -> Path:
        return self.folder / "docs" / lang / f"{name}.md"

    @property
    def site(self) -> Path:
        return self.folder / "site"

    def html(self, name: str) -> str:
        return (self.site / name).read_text(encoding="utf-8")

    def change(self, file: Path, old: str, new: str) -> None:
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def build(self, *options: str, config: str = "mkdocs.yml") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mkdocs", "build", "-f", config, *options]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )


def environment() -> dict[str, str]:
    # without the theme's notice, which would hide what the build says
    return {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": "https://example.org/course/"}


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file below a folder: when it was written, and its content."""
    return {
        file.relative_to(folder).as_posix(): (file.stat().st_mtime_ns, file.read_bytes())
        for file in folder.rglob("*")
        if file.is_file()
    }
