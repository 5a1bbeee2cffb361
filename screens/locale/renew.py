"""Brings the catalogues up to date: `make locale`. New keys get an empty entry; all is compiled."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from scoring.locale import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
"""The folder of the packages."""

Found = Iterator[tuple[int, str, str | tuple[str, str], list[str]]]
"""Line, gettext function, key (twice where it counts something), comments: Babel's protocol."""


@dataclass(frozen=True)
class Package:
    """A package with sentences, and its catalogues in `<package>/locale`."""

    name: str
    """The package, its folder and its domain in gettext's sense."""

    def path(self, language: str) -> Path:
        """The file in which the sentences of a language are written."""
        return ROOT / self.name / "locale" / language / "LC_MESSAGES" / f"{self.name}.po"

    def sources(self) -> list[Path]:
        """The package's modules."""
        return sorted((ROOT / self.name).rglob("*.py"))


PACKAGES = (Package("screens"), Package("scoring"), Package("vision"))
"""The packages that have sentences."""


def keys_said(source: IO[bytes], *_babels: object, **_options: object) -> Found:
    r"""Finds the keys that are said, `say("key", ...)`, or marked to be said, `mark("key")`.

    A key said with a value `n` counts something.

    >>> import io
    >>> [found[2] for found in keys_said(io.BytesIO(b'say("saved")\nsay("lost", n=2)'))]
    ['saved', ('lost', 'lost')]
    """
    for node in ast.walk(ast.parse(source.read())):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name, first = getattr(node.func, "id", ""), node.args[0]
        if (name == "mark" or name.startswith("say")) and isinstance(first, ast.Constant):
            key = str(first.value)
            counts = any(value.arg == "n" for value in node.keywords)
            yield (
                (node.lineno, "ngettext", (key, key), [])
                if counts
                else (node.lineno, "gettext", key, [])
            )


def extracted(package: Package) -> Catalog:
    """Gives a catalogue without words of every key that the package says as it stands."""
    catalog = Catalog()
    for path in package.sources():
        for _, message, _, _ in extract_from_file("screens.locale.renew:keys_said", path):
            catalog.add(message)
    return catalog


def written(package: Package, language: str) -> Catalog:
    """Gives the catalogue of a language as it is written."""
    with package.path(language).open("rb") as file:
        return read_po(file, locale=language, domain=package.name)


def compiled(package: Package, language: str) -> Catalog:
    """Gives the catalogue of a language as the app reads it."""
    with package.path(language).with_suffix(".mo").open("rb") as file:
        return read_mo(file)


def sentences(catalog: Catalog) -> dict[str, str | tuple[str, ...]]:
    """Gives the sentences by key; those with a singular and a plural as tuples."""
    found: dict[str, str | tuple[str, ...]] = {}
    for message in catalog:
        if message.pluralizable:
            found[str(message.id[0])] = tuple(message.string or ("", ""))
        elif message.id:  # without one it is the header
            found[str(message.id)] = str(message.string or "")
    return found


def add_new(package: Package, language: str) -> None:
    """Adds an empty entry for each key that is said and not written."""
    known = sentences(written(package, language))
    with package.path(language).open("a", encoding="utf-8") as file:
        for key, empty in sentences(extracted(package)).items():
            if key not in known and isinstance(empty, tuple):
                file.write(f'\nmsgid "{key}"\nmsgid_plural "{key}"\n')
                file.writelines(f'msgstr[{form}] ""\n' for form in range(len(empty)))
            elif key not in known:
                file.write(f'\nmsgid "{key}"\nmsgstr ""\n')


def compile_one(package: Package, language: str) -> None:
    """Compiles the sentences of a language, where they are others than the compiled ones."""
    path = package.path(language).with_suffix(".mo")
    catalog = written(package, language)
    if path.exists() and sentences(compiled(package, language)) == sentences(catalog):
        return
    with path.open("wb") as file:
        write_mo(file, catalog)


def main() -> None:
    """Brings the catalogues of every package up to date."""
    for package in PACKAGES:
        for language in LANGUAGES:
            add_new(package, language)
            compile_one(package, language)


if __name__ == "__main__":
    main()
