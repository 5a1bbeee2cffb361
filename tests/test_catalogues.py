"""The sentences of the house: complete in both languages, said somewhere, compiled as written."""

import ast
import re
from itertools import product
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from catalogues import PACKAGES, Package, sentences

from scoring.locale import LANGUAGES, Catalogue

CASES = list(product(PACKAGES, LANGUAGES))
every_catalogue = pytest.mark.parametrize(
    ("package", "language"), CASES, ids=[f"{package.name}-{said}" for package, said in CASES]
)
every_package = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)


def forms(sentence: str | tuple[str, ...]) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else sentence


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def made_up_keys(package: Package) -> re.Pattern[str]:
    """What f-strings and plain texts of the code can be: a key among them is said somewhere."""
    patterns: set[str] = set()
    for tree in package.trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                    for part in node.values
                ]
                if re.search(r"\w", "".join(parts).replace(".+", "")):
                    patterns.add("".join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                patterns.add(re.escape(node.value))
    for template in package.templates():
        for key in re.findall(r't\("(\w+)" ~', template.read_text(encoding="utf-8")):
            patterns.add(f"{key}.+")
    patterns.update(key for key, _ in package.keys_said())
    return re.compile("|".join(patterns))


@every_package
def test_the_languages_say_the_same_keys_in_singular_and_plural(package: Package) -> None:
    first, *others = (sentences(package.written(language)) for language in LANGUAGES)
    kinds = {key: type(sentence) for key, sentence in first.items()}
    for other in others:
        assert {key: type(sentence) for key, sentence in other.items()} == kinds


@every_package
def test_the_languages_fill_in_the_same_values(package: Package) -> None:
    first, *others = (sentences(package.written(language)) for language in LANGUAGES)
    for other in others:
        for key, sentence in first.items():
            named = [set.union(*map(placeholders, forms(said))) for said in (sentence, other[key])]
            assert named[0] == named[1], key


@every_catalogue
def test_no_sentence_is_empty_fuzzy_or_obsolete(package: Package, language: str) -> None:
    catalog = package.written(language)
    assert not catalog.obsolete
    assert not [message.id for message in catalog if message.id and message.fuzzy]
    assert not [key for key, said in sentences(catalog).items() if not all(forms(said))]


@every_catalogue
def test_a_sentence_is_plain_text_and_not_its_key(package: Package, language: str) -> None:
    """Markup is put around a sentence, never into it; gettext gives the key of what it lacks."""
    for key, said in sentences(package.written(language)).items():
        assert not [form for form in forms(said) if "<" in form or "&" in form or form == key], key


@every_catalogue
def test_what_the_app_reads_is_what_is_written(package: Package, language: str) -> None:
    assert sentences(package.compiled(language)) == sentences(package.written(language)), (
        "run make locale"
    )


@every_package
def test_every_key_that_is_said_is_written_as_it_is_said(package: Package) -> None:
    known = sentences(package.written(LANGUAGES[0]))
    for key, counts in package.keys_said():
        assert key in known, f"{package.name} says {key}: write it in both languages"
        assert isinstance(known[key], tuple) is counts, f"t({key!r}, n=...)?"


@every_package
def test_every_key_is_said_somewhere(package: Package) -> None:
    said = made_up_keys(package)
    assert not [key for key in sentences(package.written(LANGUAGES[0])) if not said.fullmatch(key)]


def test_a_key_that_nobody_wrote_is_a_mistake_in_the_program() -> None:
    catalogue = Catalogue(PACKAGES[0].path("en").parents[2], PACKAGES[0].name)
    with pytest.raises(KeyError, match="nonsense"):
        catalogue.say("nonsense")
    with pytest.raises(KeyError, match="nonsense"):
        catalogue.say("nonsense", n=2)


def test_an_empty_catalogue_has_no_sentences() -> None:
    assert sentences(Catalog()) == {}
