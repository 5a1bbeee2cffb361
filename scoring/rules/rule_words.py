"""The sentences that tell a rule set: a key for each setting, and for each of its choices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RULE_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "rule.captures.single-first": (
            "a card takes one of its value; a set adding up to it only where there is none",
            "una carta ne prende una del suo valore; una somma solo se non ce n'è",
        ),
        "rule.captures.free": (
            "a card takes one of its value or a set adding up to it, as you like",
            "una carta ne prende una del suo valore o una somma, a scelta",
        ),
        "rule.captures.fifteen": (
            "a card takes cards that make fifteen with it",
            "una carta prende carte che con lei fanno quindici",
        ),
        "rule.captures.value-or-fifteen": (
            "a card takes its value, a sum of it, or cards that make fifteen with it",
            "una carta prende il suo valore, una somma, o carte che con lei fanno quindici",
        ),
        "rule.forced.never": (
            "a card that can capture may be laid all the same",
            "una carta che può prendere si può anche calare",
        ),
        "rule.forced.same-rank": (
            "you must capture where a card of the same rank lies",
            "si deve prendere se in tavola c'è una carta dello stesso valore",
        ),
        "rule.forced.always": (
            "a card that can capture must capture",
            "una carta che può prendere deve prendere",
        ),
        "rule.aces.sweep": (
            "an ace takes the whole table, which is no scopa",
            "l'asso piglia tutto, senza fare scopa",
        ),
        "rule.aces.sweep-scopa": (
            "an ace takes the whole table, and that is a scopa",
            "l'asso piglia tutto e fa scopa",
        ),
        "rule.ace_takes_ace.yes": (
            "an ace takes only the ace where one lies",
            "l'asso prende solo l'asso, se ce n'è uno in tavola",
        ),
        "rule.last_card_scopa.yes": (
            "the last card can make a scopa",
            "l'ultima carta può fare scopa",
        ),
        "rule.last_card_scopa.no": (
            "the last card makes no scopa",
            "l'ultima carta non fa scopa",
        ),
        "rule.void_kings": (
            "{figure} or more kings among the first table cards: deal again",
            "{figure} o più re tra le prime carte in tavola: si ridà",
        ),
        "rule.hand_cards": ("{figure} cards each at a time", "{figure} carte a testa per volta"),
        "rule.table_cards": (
            "{figure} cards on the table at the start",
            "{figure} carte in tavola all'inizio",
        ),
        "rule.table_cards.no": (
            "no cards on the table at the start",
            "nessuna carta in tavola all'inizio",
        ),
        "rule.clockwise.yes": ("play goes to the left", "si gioca verso sinistra"),
        "rule.clockwise.no": ("play goes to the right", "si gioca verso destra"),
        "rule.seatings": (
            "sides x players a side: {figure}",
            "parti x giocatori per parte: {figure}",
        ),
        "rule.scopa": ("each scopa: {figure}", "ogni scopa: {figure}"),
        "rule.ponino.yes": (
            "all four knights double the scope",
            "i quattro cavalli raddoppiano le scope",
        ),
        "rule.carte": ("most cards: {figure}", "più carte: {figure}"),
        "rule.carte_needed": (
            "at least {figure} cards are needed for it",
            "servono almeno {figure} carte",
        ),
        "rule.denari": ("most coins: {figure}", "più denari: {figure}"),
        "rule.denari_needed": (
            "at least {figure} coins are needed for it",
            "servono almeno {figure} denari",
        ),
        "rule.settebello": ("settebello: {figure}", "settebello: {figure}"),
        "rule.primiera": ("primiera: {figure}", "primiera: {figure}"),
        "rule.primiera.no": ("no primiera", "niente primiera"),
        "rule.primiera_form.sevens": (
            "primiera by most sevens, then sixes, aces and so on down",
            "primiera a chi ha più sette, poi sei, assi e così via",
        ),
        "rule.primiera_form.settanta": (
            "primiera to three or four sevens",
            "primiera a chi ha tre o quattro sette",
        ),
        "rule.faces.10": ("faces count 10 in the prime", "le figure valgono 10 nella primiera"),
        "rule.faces.0": ("faces count 0 in the prime", "le figure valgono 0 nella primiera"),
        "rule.faces.10/9/8": (
            "king, knight, jack count 10, 9, 8 in the prime",
            "re, cavallo, fante valgono 10, 9, 8 nella primiera",
        ),
        "rule.missing_suit.cannot-score": (
            "without a card of each suit there is no primiera",
            "senza una carta per seme niente primiera",
        ),
        "rule.missing_suit.adds-nothing": (
            "a suit you lack adds nothing to the prime",
            "un seme che manca non aggiunge nulla alla primiera",
        ),
        "rule.missing_suit.loses-to-complete": (
            "a prime lacking a suit loses to a complete one",
            "una primiera a cui manca un seme perde con una completa",
        ),
        "rule.most_sevens": ("most sevens: {figure}", "più sette: {figure}"),
        "rule.all_sevens": ("all four sevens: {figure}", "tutti e quattro i sette: {figure}"),
        "rule.settanta": ("three or four sevens: {figure}", "tre o quattro sette: {figure}"),
        "rule.napola.yes": (
            "napola: 3 for ace, two, three of coins, 1 for each next",
            "napola: 3 per asso, due, tre di denari, 1 per ogni seguente",
        ),
        "rule.re_bello": ("king of coins: {figure}", "re di denari: {figure}"),
        "rule.trente.yes": (
            "ace, two and three of coins: 1, 2 and 3",
            "asso, due e tre di denari: 1, 2 e 3",
        ),
        "rule.piccola.yes": (
            "piccola: 3 for ace, two, three of coins, up to 6 for a run to the six",
            "piccola: 3 per asso, due, tre di denari, fino a 6 per la scala al sei",
        ),
        "rule.grande": (
            "grande, the three faces of coins: {figure}",
            "grande, le tre figure di denari: {figure}",
        ),
        "rule.frac": (
            "each jack, king, ace and knight: {figure}",
            "ogni fante, re, asso e cavallo: {figure}",
        ),
        "rule.declared.yes": (
            "points declared during play are added",
            "si aggiungono i punti dichiarati durante il gioco",
        ),
        "rule.target": ("the match goes to {figure}", "si arriva a {figure}"),
        "rule.end.highest": (
            "there, the strictly highest wins; a tie plays on",
            "lì vince chi ha di più; in parità si continua",
        ),
        "rule.end.last-hand": (
            "of several there, more points in that hand wins; equal, play on",
            "tra più arrivati vince chi fa di più in quella mano; pari, si continua",
        ),
        "rule.end.counted": (
            "the hand is counted point by point, and the first across wins",
            "la mano si conta punto per punto e vince chi arriva prima",
        ),
        "rule.sudden_death.yes": (
            "after a tie the first point of the next hand decides",
            "dopo una parità decide il primo punto della mano seguente",
        ),
        "rule.cappotto": (
            "cappotto: {figure} against 0 wins at once",
            "cappotto: {figure} a 0 vince subito",
        ),
        "rule.all_coins_win.yes": (
            "all ten coins win the match",
            "tutti e dieci i denari vincono la partita",
        ),
        "rule.napola_wins.yes": (
            "a napola of ten wins the match",
            "la napola di dieci vince la partita",
        ),
        "rule.trente_wins.yes": (
            "ace, two and three of coins together win the match",
            "asso, due e tre di denari insieme vincono la partita",
        ),
        "rule.perdere.yes": (
            "a perdere: reaching the target loses, the lowest wins",
            "a perdere: chi arriva perde, vince chi ha di meno",
        ),
    }
)
"""Every sentence by key: (English, Italian)."""
