"""Sentences by key in English and Italian, from the gettext catalogues of a package."""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "it")
"""Languages there are; the first is the default."""


@cache
def _translations(catalogue: Catalogue, language: str) -> gettext.NullTranslations:
    return gettext.translation(catalogue.domain, catalogue.folder, [language])


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one package: `<folder>/<language>/LC_MESSAGES/<domain>.mo`.

    The message ids are keys; the English sentences are a catalogue as the Italian ones are.
    """

    folder: Path
    """Where the languages are."""
    domain: str
    """What the files are called."""

    def say(self, key: str, language: str = LANGUAGES[0], /, **values: object) -> str:
        """The sentence of a key with its values filled in.

        A value `n` is the number of the things spoken of: it chooses singular or plural.

        Raises:
            KeyError: There is no such sentence, or the sentence needs a value that was not given.
        """
        known = _translations(self, language)
        n = values.get("n")
        text = known.ngettext(key, key, n) if isinstance(n, int) else known.gettext(key)
        if text == key:  # so gettext answers where it knows no sentence
            raise KeyError(key)
        return text.format(**values)
