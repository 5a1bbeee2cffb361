"""Every sentence the scorer says, in English and Italian.

The sentences stand in gettext catalogues beside this file, `<language>/LC_MESSAGES/scoring.po`,
each under a key: "tie" in the English one is "{point}: {figures}, a tie, nobody's point". Code
says `say("tie", lang, point=..., figures=...)`. `make locale` compiles the catalogues to
the `.mo` files read here.

- `catalogue`  `Catalogue`, the sentences of a package by key and language
"""

from pathlib import Path

from scoring.locale.catalogue import LANGUAGES, Catalogue, mark

SENTENCES = Catalogue(Path(__file__).parent, "scoring")
"""The sentences of the scorer."""


def say(key: str, lang: str = LANGUAGES[0], /, **values: object) -> str:
    """The scorer's sentence of a key in a language, its values filled in.

    Raises:
        InputError: the language is none of `LANGUAGES`.
        KeyError: there is no such sentence, or it needs a value that was not given.

    >>> say("held", "it", point="settebello", name="Anna", cards="7d")
    'settebello: Anna ha 7d'
    >>> say("need.points", n=1), say("need.points", "it", n=2)
    ('1 point', '2 punti')
    """
    return SENTENCES.say(key, lang, **values)


__all__ = ["LANGUAGES", "SENTENCES", "Catalogue", "mark", "say"]
