"""The sentences of our packages as babel reads them: written, compiled, and used in code."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

from scoring.locale import LANGUAGES

ROOT = Path(__file__).resolve().parents[1]

WALKED = LANGUAGES[:2]
"""The languages in which every page is walked; others differ from these in their catalogues only,
which are tested as such."""

Sentences = dict[str, str | tuple[str, ...]]
"""Sentences by key; those with a singular and a plural as tuples."""


@dataclass(frozen=True)
class Package:
    """A package with sentences, and its catalogues in `<package>/locale`."""

    name: str

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of every package, and any that only this one speaks."""
        written = sorted(path.parts[-3] for path in (ROOT / self.name).glob("locale/*/*/*.po"))
        return (*LANGUAGES, *(one for one in written if one not in LANGUAGES))

    def path(self, language: str) -> Path:
        return ROOT / self.name / "locale" / language / "LC_MESSAGES" / f"{self.name}.po"

    def written(self, language: str) -> Catalog:
        return _read(self.path(language), language)

    def compiled(self, language: str) -> Catalog:
        with self.path(language).with_suffix(".mo").open("rb") as file:
            return read_mo(file)

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """Everything that stands in the package's modules."""
        texts = (path.read_text("utf-8") for path in sorted((ROOT / self.name).rglob("*.py")))
        return [node for text in texts for node in ast.walk(ast.parse(text))]

    def templates(self) -> Iterator[Path]:
        yield from sorted((ROOT / self.name).glob("templates/*"))

    def keys_used(self) -> Iterator[tuple[str, bool]]:
        """The keys that stand in `t("key")`, `say("key")` or `mark("key")`; whether each counts."""
        for node in self.nodes:
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name, first = getattr(node.func, "id", ""), node.args[0]
            if name in {"t", "say", "mark"} and isinstance(first, ast.Constant):
                yield str(first.value), any(value.arg == "n" for value in node.keywords)
        for template in self.templates():
            with template.open("rb") as file:
                for _, _, arguments, _ in babel_extract(file, ["t"], (), {}):
                    key = arguments[0] if isinstance(arguments, tuple) else arguments
                    if key:
                        yield key, f't("{key}", n=' in template.read_text(encoding="utf-8")


@cache
def _read(path: Path, language: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=path.stem)


PACKAGES = (Package("screens"), Package("scoring"), Package("vision"))


def sentences(catalog: Catalog) -> Sentences:
    found: Sentences = {}
    for message in catalog:
        if message.pluralizable:
            found[str(message.id[0])] = tuple(message.string or ("", ""))
        elif message.id:  # without one it is the header
            found[str(message.id)] = str(message.string or "")
    return found
