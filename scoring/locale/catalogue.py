"""Sentences by key in English and Italian, from the gettext catalogues of a package."""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scoring.errors import InputError

LANGUAGES = ("en", "it")
"""The languages there are; the first is the default."""


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one package: `<folder>/<language>/LC_MESSAGES/<domain>.mo`.

    The message ids are keys, so the English sentences are a catalogue as the Italian ones are.
    """

    folder: Path
    """Where the languages are."""
    domain: str
    """What the files are called."""

    def say(self, key: str, language: str = LANGUAGES[0], /, **values: object) -> str:
        """The sentence of a key with its values filled in.

        A value `n` is the number of the things spoken of: it chooses singular or plural.

        Raises:
            InputError: the language is none of `LANGUAGES`.
            KeyError: there is no such sentence, or it needs a value that was not given.
        """
        known = _translations(self, language)
        n = values.get("n")
        text = known.ngettext(key, key, n) if isinstance(n, int) else known.gettext(key)
        if text == key:  # so gettext answers where it knows no sentence
            raise KeyError(key)
        return text.format(**values)

    def template(self, key: str, language: str) -> str:
        """The sentence of a key with its values still in braces, for whoever fills them in later.

        Raises:
            InputError: the language is none of `LANGUAGES`.
            KeyError: there is no such sentence.
        """
        text = _translations(self, language).gettext(key)
        if text == key:
            raise KeyError(key)
        return text


@cache
def _translations(catalogue: Catalogue, language: str) -> gettext.NullTranslations:
    """The compiled sentences of a language."""
    if language not in LANGUAGES:
        message = f"language: expected one of {', '.join(LANGUAGES)}, got {language!r}"
        raise InputError(message, where="language")
    return gettext.translation(catalogue.domain, catalogue.folder, [language])


def mark(key: str) -> str:
    """The key itself, for keys that `say` does not get as a literal: so `make locale` finds them.

    >>> [mark("suit.denari"), mark("suit.coppe")]
    ['suit.denari', 'suit.coppe']
    """
    return key
