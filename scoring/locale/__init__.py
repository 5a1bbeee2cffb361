"""Every sentence the scorer says, in each of `LANGUAGES`.

The sentences are in gettext catalogues in this folder, `<language>/LC_MESSAGES/scoring.po`,
each under a key: "tie" in the English one is "{point}: {figures}, a tie, nobody's point". Code
says `say("tie", lang, point=..., figures=...)`. `make locale` adds the keys it finds in the code
to the catalogues, without a sentence yet, and compiles them to the `.mo` files read here.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from scoring.errors import InputError

LANGUAGES = ("en", "it", "es", "fr", "de", "pt")
"""The languages that every package speaks; the first is the default."""


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one package: `<folder>/<language>/LC_MESSAGES/<domain>.mo`.

    The message ids are keys, so the English sentences are a catalogue as the Italian ones are.
    """

    folder: Path
    """Where the languages are."""
    domain: str
    """What the files are called."""

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages there are: `LANGUAGES`, and those that only this package speaks."""
        found = {path.parts[-3] for path in self.folder.glob(f"*/LC_MESSAGES/{self.domain}.mo")}
        return (*LANGUAGES, *sorted(found.difference(LANGUAGES)))

    def say(self, key: str, language: str = LANGUAGES[0], /, **values: object) -> str:
        """Return the sentence of a key with its values filled in.

        A value `n` is the number of the things spoken of: it chooses singular or plural.

        Raises:
            InputError: the language is none of `languages`.
            KeyError: there is no such sentence, or it needs a value that was not given.
        """
        known = _translations(self, language)
        n = values.get("n")
        text = known.ngettext(key, key, n) if isinstance(n, int) else known.gettext(key)
        if text == key:  # so gettext answers where it knows no sentence
            raise KeyError(key)
        return text.format(**values)

    def template(self, key: str, language: str) -> str:
        """Return the sentence of a key with its values still in braces, to be filled in later.

        Raises:
            InputError: the language is none of `languages`.
            KeyError: there is no such sentence.
        """
        if not self.knows(key, language):
            raise KeyError(key)
        return _translations(self, language).gettext(key)

    def knows(self, key: str, language: str = LANGUAGES[0]) -> bool:
        """Return whether there is a sentence of this key."""
        return _translations(self, language).gettext(key) != key


@cache
def _translations(catalogue: Catalogue, language: str) -> gettext.NullTranslations:
    if language not in catalogue.languages:
        message = f"language: expected one of {', '.join(catalogue.languages)}, got {language!r}"
        raise InputError(message, where="language")
    return gettext.translation(catalogue.domain, catalogue.folder, [language])


SENTENCES = Catalogue(Path(__file__).parent, "scoring")
"""The sentences of the scorer."""


def say(key: str, lang: str = LANGUAGES[0], /, **values: object) -> str:
    """Return the scorer's sentence of a key in a language, its values filled in.

    Raises:
        InputError: the language is none of `SENTENCES.languages`.
        KeyError: there is no such sentence, or it needs a value that was not given.

    >>> say("held", "it", point="settebello", name="Anna", cards="7d")
    'settebello: Anna ha 7d'
    >>> say("need.points", n=1), say("need.points", "it", n=2), say("need.points", "es", n=2)
    ('1 point', '2 punti', '2 puntos')
    """
    return SENTENCES.say(key, lang, **values)
