"""The sentences: complete in every language, used somewhere, compiled as written."""

import ast
import re
from collections.abc import Iterable, Iterator
from string import Formatter

import pytest
from catalogues import PACKAGES, Package, sentences

from scoring.locale import LANGUAGES, Catalogue

ITALIAN_ONLY = {"to_number_agli"}
"""Sentences that other languages need not: only there a number takes an article by its sound."""

ENGLISH = re.compile(r"\b(the|of|is|are|with|this|that|and|cards?|you)\b", re.IGNORECASE)
"""Words that English sentences have and no other language of ours."""

every_package = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)


def forms(sentence: str | tuple[str, ...]) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else sentence


def placeholders(sentence: str | tuple[str, ...]) -> set[str]:
    return {name for form in forms(sentence) for _, name, _, _ in Formatter().parse(form) if name}


def used_keys(package: Package, known: Iterable[str]) -> set[str]:
    """Return the keys that plain texts and f-strings of the code can be."""
    texts = {key for key, _ in package.keys_used()}
    patterns = set[str]()
    for node in package.nodes:
        if isinstance(node, ast.JoinedStr):
            parts = [
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                for part in node.values
            ]
            if re.search(r"\w", "".join(parts).replace(".+", "")):
                patterns.add("".join(parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    for template in package.templates():
        for key in re.findall(r't\("(\w+)" ~', template.read_text(encoding="utf-8")):
            patterns.add(f"{key}.+")
    made = re.compile("|".join(patterns) or "(?!)")
    return {key for key in known if key in texts or made.fullmatch(key)}


@every_package
def test_languages_share_keys_and_placeholders(package: Package) -> None:
    first, *others = (sentences(package.written(language)) for language in package.languages)
    kinds = {key: (type(sentence), placeholders(sentence)) for key, sentence in first.items()}
    for other in others:
        said = {k: (type(text), placeholders(text)) for k, text in other.items()}
        assert {key: kind for key, kind in said.items() if key not in ITALIAN_ONLY} == kinds


@every_package
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_sentence_is_left_in_english(package: Package, language: str) -> None:
    for key, sentence in sentences(package.written(language)).items():
        for form in forms(sentence):
            assert not ENGLISH.search(re.sub("{.*?}", "", form)), f"{key}: {form}"


def labels_of_buttons(package: Package) -> Iterator[str]:
    """Yield the keys whose sentences stand on buttons."""
    for node in package.nodes:
        if isinstance(node, ast.Call) and re.fullmatch(
            "[Bb]utton|form_submit_button|download_button",
            str(getattr(node.func, "id", getattr(node.func, "attr", ""))),
        ):
            label = next((one.value for one in node.keywords if one.arg == "label"), None)
            for call in (label, *node.args[:1]):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "t":
                    yield str(getattr(call.args[0], "value", ""))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_button_says_it_about_as_shortly_as_in_english(language: str) -> None:
    english, other = (sentences(PACKAGES[0].written(said)) for said in ("en", language))
    labels = {key for key in labels_of_buttons(PACKAGES[0]) if key in english}
    assert len(labels) > 20, "the labels are found"
    for key in labels:
        for said, before in zip(forms(other[key]), forms(english[key]), strict=True):
            assert len(said) <= max(1.6 * len(before), len(before) + 10), f"{key}: {said}"


@pytest.mark.parametrize(
    ("package", "language"),
    [(package, language) for package in PACKAGES for language in package.languages],
    ids=str,
)
def test_a_catalogue_is_whole_plain_text_and_compiled_as_written(
    package: Package, language: str
) -> None:
    """Markup is put around a sentence, never into it; gettext gives the key of what it lacks."""
    catalog = package.written(language)
    assert not catalog.obsolete
    assert not [message.id for message in catalog if message.id and message.fuzzy]
    for key, sentence in sentences(catalog).items():
        for form in forms(sentence):
            assert form, key
            assert form != key
            assert "<" not in form, key
            assert "&" not in form, key
    assert sentences(package.compiled(language)) == sentences(catalog), "run make locale"


@every_package
def test_the_keys_that_are_used_are_those_that_are_written(package: Package) -> None:
    known = sentences(package.written(LANGUAGES[0]))
    for key, counts in package.keys_used():
        assert key in known, f"{package.name} uses {key}: write it in every language"
        assert isinstance(known[key], tuple) is counts, f"t({key!r}, n=...)?"
    assert not known.keys() - used_keys(package, known)


def test_a_key_that_nobody_wrote_is_a_mistake_in_the_program() -> None:
    catalogue = Catalogue(PACKAGES[0].path("en").parents[2], PACKAGES[0].name)
    with pytest.raises(KeyError, match="nonsense"):
        catalogue.say("nonsense")
    with pytest.raises(KeyError, match="nonsense"):
        catalogue.say("nonsense", n=2)
