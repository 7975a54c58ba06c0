"""What holds the project together: who imports what, what is pinned, what a file may name."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PIN_LISTS = ("site", "test", "browser")
OWN_PACKAGES = {"retrieval_lessons", "lesson_checker", "lesson_site"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(path: Path) -> Iterator[str]:
    """The absolute names of the modules that a file imports, at any depth of its code."""
    package = path.relative_to(ROOT / "src").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            origin = ".".join((*base, *([node.module] if node.module else [])))
            yield origin
            # `from package import module` imports the module as well.
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def importers(package: str) -> set[str]:
    return {
        module_name(path)
        for path in SOURCES
        if any(inside(name, package) for name in imports(path))
    }


def foreign(modules: str) -> set[str]:
    """The packages from outside this project that the given modules import."""
    names = {
        name.split(".")[0]
        for path in SOURCES
        if inside(module_name(path), modules) and not module_name(path).endswith("pytest_plugin")
        for name in imports(path)
    }
    return names - set(sys.stdlib_module_names) - OWN_PACKAGES


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("retrieval_lessons", ("retrieval_lessons", "lesson_site")),
        ("lesson_checker", ("lesson_checker", "lesson_site")),
        ("lesson_site", ("lesson_site",)),
        ("pytest", ("lesson_checker.pytest_plugin",)),
        ("_pytest", ()),
        ("mkdocs", ("lesson_site",)),
        ("markdown", ("lesson_site",)),
        ("rank_bm25", ("retrieval_lessons.index",)),
        ("snowballstemmer", ("retrieval_lessons.remedies",)),
        ("matplotlib", ("retrieval_lessons.plots",)),
    ],
)
def test_a_package_is_imported_only_where_it_belongs(
    package: str, allowed: tuple[str, ...]
) -> None:
    strangers = {
        module
        for module in importers(package)
        if not any(inside(module, place) for place in allowed)
    }
    assert strangers == set()


def test_the_metrics_need_numpy_alone() -> None:
    metrics = ROOT / "src/retrieval_lessons/metrics.py"
    names = {name.split(".")[0] for name in imports(metrics)}
    assert names - set(sys.stdlib_module_names) == {"numpy"}


def test_the_core_of_the_checker_needs_the_standard_library_and_yaml() -> None:
    assert foreign("lesson_checker") <= {"yaml"}


def test_every_imported_package_is_a_declared_dependency() -> None:
    providers = packages_distributions()
    needed = {providers[name][0] for package in OWN_PACKAGES for name in foreign(package)}
    stated = {normalised(requirement.name) for requirement in declared("site")}
    assert {normalised(name) for name in needed} - stated == set()


def pins(name: str) -> dict[str, tuple[Requirement, list[str]]]:
    """Each package of a list in requirements/ with its pin and its hashes."""
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            requirement, *hashes = re.split(r"\s+--hash=sha256:", line.strip())
            pin = Requirement(requirement)
            found[normalised(pin.name)] = pin, hashes
    return found


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(name: str) -> list[Requirement]:
    """Every requirement of pyproject.toml that a list in requirements/ has to meet."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    lines = project["dependencies"] + settings["build-system"]["requires"]
    lines += settings["dependency-groups"]["build"]
    extras = [name]
    for extra in extras:  # grows by the extras that an extra names
        for line in project["optional-dependencies"][extra]:
            requirement = Requirement(line)
            if requirement.name == project["name"]:
                extras += sorted(requirement.extras)
            else:
                lines.append(line)
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("name", PIN_LISTS)
def test_every_dependency_has_a_pin_that_meets_it(name: str) -> None:
    pinned = pins(name)
    unmet = [
        str(requirement)
        for requirement in declared(name)
        if normalised(requirement.name) not in pinned
        or not all(
            requirement.specifier.contains(version.version)
            for version in pinned[normalised(requirement.name)][0].specifier
        )
    ]
    assert unmet == [], "run: make pins"


@pytest.mark.parametrize("name", PIN_LISTS)
def test_every_pin_is_one_version_with_its_hashes(name: str) -> None:
    loose = [
        str(pin)
        for pin, hashes in pins(name).values()
        if [version.operator for version in pin.specifier] != ["=="]
        or not hashes
        or any(not re.fullmatch("[0-9a-f]{64}", digest) for digest in hashes)
    ]
    assert loose == []


def test_compiled_packages_are_pinned_for_more_than_one_platform() -> None:
    assert len(pins("site")["numpy"][1]) > 20


@pytest.mark.parametrize(("shorter", "longer"), [("site", "test"), ("test", "browser")])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_each_list_of_pins_holds_the_shorter_one(
    shorter: str, longer: str, python: str, platform: str
) -> None:
    where = {"python_version": python, "python_full_version": f"{python}.0"} | {
        "sys_platform": platform,
        "platform_system": platform.capitalize(),
    }

    def there(name: str) -> dict[str, tuple[str, list[str]]]:
        return {
            key: (str(pin.specifier), hashes)
            for key, (pin, hashes) in pins(name).items()
            if pin.marker is None or pin.marker.evaluate(where)
        }

    longer_pins = there(longer)
    assert {name: longer_pins.get(name) for name in there(shorter)} == there(shorter)


# Written so that no pattern finds itself.
NEVER_NAMED = {
    "the host of a package registry": re.compile(
        r"pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|(?:deb|security)[.]debian[.]org"
    ),
    "a path of one machine": re.compile(
        r"(?<![\w.$~}/*-])/(?:work|root|tmp|(?:home|Users)/\w+|opt/\w+)(?![\w-])|file[:]///"
    ),
}


def tracked_texts() -> Iterator[tuple[str, str]]:
    if not (ROOT / ".git").exists():
        pytest.skip("git knows which files belong to the project, and this is no clone")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listing.stdout.decode().split("\0")):
        path = ROOT / name
        if path.is_file():
            try:
                yield name, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture or a font


@pytest.mark.parametrize("what", NEVER_NAMED)
def test_no_file_names(what: str) -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in tracked_texts()
        for number, line in enumerate(text.split("\n"), start=1)
        if NEVER_NAMED[what].search(line)
    ]
    assert found == []


READMES = ("README.md", "README.es.md")
GUIDES = (*READMES, "CONTRIBUTING.md", "CONTRIBUTING.es.md")


def fences(guide: str, language: str) -> list[str]:
    text = (ROOT / guide).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_only_commands_that_exist(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    assert {"site", "test"} <= set(re.findall(r"\bmake ([a-z]+)\b", code)) <= targets


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_links_only_to_files_that_exist(guide: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", (ROOT / guide).read_text(encoding="utf-8"))
    assert links != []
    assert [link for link in links if not (ROOT / link).exists()] == []


def checked(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lesson_checker", "check", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("readme", READMES)
def test_the_example_of_a_readme_prints_what_it_says(readme: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / readme, tmp_path)
    verdict = checked(tmp_path, readme)
    assert verdict.stdout == "1 page, 1 block verified, 0 problems\n"
    assert verdict.returncode == 0


@pytest.mark.parametrize("readme", READMES)
def test_the_failure_that_a_readme_shows_is_the_real_one(readme: str, tmp_path: Path) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    assert text.count("\n6 Can I get") == 1
    planted = text.replace("\n6 Can I get", "\n5 Can I get")
    (tmp_path / readme).write_text(planted, encoding="utf-8")
    verdict = checked(tmp_path, readme)
    assert verdict.returncode == 1
    assert [verdict.stdout] == fences(readme, "console")


@pytest.mark.parametrize("language", ["python", "text"])
def test_both_readmes_show_the_same_example(language: str) -> None:
    english, spanish = (fences(readme, language) for readme in READMES)
    assert len(english) == 1
    assert english == spanish


def test_both_readmes_give_the_same_commands() -> None:
    english, spanish = (
        [re.sub(r" *#.*", "", block) for block in fences(readme, "bash")] for readme in READMES
    )
    assert english == spanish
