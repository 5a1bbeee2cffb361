"""Sentences of the commands of `vision`, by language.

A reading holds each problem as data (`vision.reading.Problem`). This package turns it into a
sentence for the commands; the screens have their own sentences. The sentences are in gettext
catalogues in this folder, `<language>/LC_MESSAGES/vision.po`, under the kind of the problem. `make
locale` compiles them to the `.mo` files that are read.
"""

from pathlib import Path

from scoring.locale import LANGUAGES, Catalogue
from vision.reading import PhotoProblemKind, Problem

SENTENCES = Catalogue(Path(__file__).parent, "vision")
"""The sentences by kind of problem, and the names of the regions of a photo."""


def sentence(problem: Problem, *, language: str = LANGUAGES[0]) -> str:
    """Say what is wrong and what to do about it.

    Raises:
        InputError: The language is none of `scoring.locale.LANGUAGES`.

    >>> sentence(Problem(PhotoProblemKind.MISSING, cards=("7d",)))
    '7d is in none of the piles: look for it, or add it to its pile.'
    >>> sentence(Problem(PhotoProblemKind.MISSING, cards=("7d", "1s")), language="it")
    '7d 1s non sono in nessun mazzetto: cercale, o aggiungile ai loro mazzetti.'
    """
    place = SENTENCES.say(problem.region, language) if problem.region else ""
    cards, photos = " ".join(problem.cards), ", ".join(problem.photos)
    if problem.kind is PhotoProblemKind.MISSING:
        return SENTENCES.say(problem.kind, language, cards=cards, n=len(problem.cards))
    return SENTENCES.say(_key(problem), language, place=place, cards=cards, photos=photos)


def _key(problem: Problem) -> str:
    """Key of the sentence: the kind, or a variant of it."""
    whole_photo = {PhotoProblemKind.DARK, PhotoProblemKind.BLURRED}
    if problem.kind in whole_photo and problem.region is None:
        return f"{problem.kind}-everywhere"
    if problem.kind is PhotoProblemKind.TWICE and problem.photos:
        return "twice-elsewhere"
    return problem.kind
