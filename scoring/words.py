"""The words of the scorer in English and Italian: sentences as data, filled in by `say`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.rules.rule_words import RULE_WORDS

LANGUAGES = ("en", "it")
"""Languages there are; the first is the default."""

WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **RULE_WORDS,
        "point.carte": ("carte", "carte"),
        "point.denari": ("denari", "denari"),
        "point.settebello": ("settebello", "settebello"),
        "point.primiera": ("primiera", "primiera"),
        "point.most-sevens": ("most sevens", "più sette"),
        "point.all-sevens": ("all four sevens", "quattro sette"),
        "point.settanta": ("settanta", "settanta"),
        "point.napola": ("napola", "napola"),
        "point.re-bello": ("re bello", "re bello"),
        "point.asso-di-denari": ("asso di denari", "asso di denari"),
        "point.due-di-denari": ("due di denari", "due di denari"),
        "point.tre-di-denari": ("tre di denari", "tre di denari"),
        "point.piccola": ("piccola", "piccola"),
        "point.grande": ("grande", "grande"),
        "point.frac": ("frac", "frac"),
        "point.declared": ("declared", "dichiarazioni"),
        "point.scope": ("scope", "scope"),
        "point.all-coins": ("all ten coins", "tutti i denari"),
        "point.napola-of-ten": ("napola of ten", "napola di dieci"),
        "point.trente-win": ("trente", "trente"),
        "figures": ("{point}: {figures}", "{point}: {figures}"),
        "tie": (
            "{point}: {figures}, a tie, nobody's point",
            "{point}: {figures}, pari, il punto non va a nessuno",
        ),
        "too-few": (
            "{point}: {figures}, nobody has the {needed} needed",
            "{point}: {figures}, ne servono {needed}, il punto non va a nessuno",
        ),
        "none": (
            "{point}: {figures}, nobody's point",
            "{point}: {figures}, il punto non va a nessuno",
        ),
        "held": ("{point}: {name} has {cards}", "{point}: {name} ha {cards}"),
        "not-held": (
            "{point}: nobody has {cards}",
            "{point}: nessuno ha {cards}",
        ),
        "prime": ("{point}: {prime} against {others}", "{point}: {prime} contro {others}"),
        "prime.lacks": ("{name} lacks {suits}", "{name} non ha {suits}"),
        "prime.who-lacks": ("{name}, who lacks {suits}", "{name}, che non ha {suits}"),
        "prime.empty": ("{name} without a card", "{name} senza carte"),
        "and": (" and ", " e "),
        "nor": (" and ", " né "),
        "wanted.settebello": ("7d", "il 7d"),
        "wanted.all-sevens": ("all four sevens", "tutti e quattro i sette"),
        "wanted.settanta": ("three sevens", "tre sette"),
        "wanted.napola": ("1d 2d 3d together", "1d 2d 3d insieme"),
        "wanted.re-bello": ("10d", "il 10d"),
        "wanted.asso-di-denari": ("1d", "l'1d"),
        "wanted.due-di-denari": ("2d", "il 2d"),
        "wanted.tre-di-denari": ("3d", "il 3d"),
        "wanted.piccola": ("1d 2d 3d together", "1d 2d 3d insieme"),
        "wanted.grande": ("8d 9d 10d together", "8d 9d 10d insieme"),
        "cascade.0": ("sevens", "sette"),
        "cascade.1": ("sixes", "sei"),
        "cascade.2": ("aces", "assi"),
        "cascade.3": ("fives", "cinque"),
        "cascade.4": ("fours", "quattro"),
        "cascade.5": ("threes", "tre"),
        "cascade.6": ("twos", "due"),
        "cascade.7": ("faces", "figure"),
        "scope": ("scope: {name} {count}", "scope: {name} {count}"),
        "scope.ponino": (
            "scope: {name} {count}, doubled by the four knights",
            "scope: {name} {count}, raddoppiate dai quattro cavalli",
        ),
        "scope.none": ("scope: nobody made one", "scope: nessuno ne ha fatte"),
        "declared": ("declared: {name} {count}", "dichiarazioni: {name} {count}"),
        "win.all-coins": (
            "all ten coins: {name} wins the match outright",
            "tutti e dieci i denari: {name} vince subito la partita",
        ),
        "win.napola-of-ten": (
            "napola of ten: {name} wins the match outright",
            "napola di dieci: {name} vince subito la partita",
        ),
        "win.trente-win": (
            "ace, two and three of coins: {name} wins the match outright",
            "asso, due e tre di denari: {name} vince subito la partita",
        ),
        "deal.count": (
            "{wanted} cards go on the table first, {came} lie there",
            "sul tavolo vanno prima {wanted} carte, ce ne sono {came}",
        ),
        "deal.stands": ("the deal stands", "si gioca: la data è buona"),
        "deal.kings": (
            "{kings} kings among the first {cards} table cards: no scopa could be made, deal again",
            "{kings} re tra le prime {cards} carte in tavola: nessuna scopa possibile, si ridà",
        ),
        "need.points.one": ("1 point", "1 punto"),
        "need.points.many": ("{points} points", "{points} punti"),
        "need.highest": (
            "{name} wins this hand with {points} or more, if that puts {name} ahead",
            "{name} vince in questa mano con almeno {points}, se così è in testa",
        ),
        "need.last-hand": (
            "{name} wins this hand with {points} or more, unless another there makes as many",
            "{name} vince in questa mano con almeno {points}, se nessuno lì ne fa altrettanti",
        ),
        "need.counted": (
            "{name} wins this hand with {points} or more, if first across in the count",
            "{name} vince in questa mano con almeno {points}, se arriva per primo nel conto",
        ),
        "need.sudden-death": (
            "{name} wins with the first point counted that the others tied do not make",
            "{name} vince con il primo punto contato che gli altri in parità non fanno",
        ),
        "need.perdere": (
            "{name} loses with {points} or more this hand, unless another has more",
            "{name} perde con almeno {points} in questa mano, se nessuno ne ha di più",
        ),
        "suit.d": ("denari", "denari"),
        "suit.c": ("coppe", "coppe"),
        "suit.s": ("spade", "spade"),
        "suit.b": ("bastoni", "bastoni"),
    }
)
"""Every sentence by key: (English, Italian)."""


def say(key: str, lang: str = "en", /, **facts: object) -> str:
    """The sentence of a key in a language, its figures filled in.

    >>> say("scope", "it", name="Anna", count=2)
    'scope: Anna 2'
    """
    return WORDS[key][LANGUAGES.index(lang)].format(**facts)
