"""The deal, a hand in play move by move, and hands played at random by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from scoring.captures import Taken, is_scopa, legal_captures, may_lay
from scoring.cards import DECK, Card, Rank
from scoring.errors import PlayError
from scoring.hand import Side
from scoring.locale import say
from scoring.record import HandRecord
from scoring.rules import FIFTEEN, DealtFifteen, FirstAce, Rules, deals_out

MATTA = Card.from_code("7c")
"""The wild card of declarations, under `Rules.matta`."""

SMALL_HAND, SMALL_SUM = 3, 9
"""How many dealt cards may be declared, and their largest sum for `Rules.small_hand`."""


def deal_fault(table: Sequence[Card], rules: Rules, *, lang: str = "en") -> str | None:
    """Return why the first table cards void the deal, or None if the deal is valid.

    Raises:
        PlayError: a card is on the table twice.

    >>> kings = [Card.from_code(code) for code in ("10d", "10c", "10s", "2b")]
    >>> deal_fault(kings, Rules())
    '3 kings among the first 4 table cards: no scopa could be made, deal again'
    """
    for index, card in enumerate(table):
        if card in table[:index]:
            message = f"{card} is there twice: a deck holds it once, look at the table again"
            raise PlayError(message)
    if len(table) != rules.table_cards:
        return say("deal.count", lang, wanted=rules.table_cards, came=len(table))
    if dealt_scope(table, rules):
        return None
    aces = sum(card.rank is Rank.ASSO for card in table)
    if rules.void_aces and aces >= rules.void_aces:
        return say("deal.aces", lang, n=aces, cards=len(table))
    kings = sum(card.rank is Rank.RE for card in table)
    if rules.void_kings and kings >= rules.void_kings and rules.kings_stay:
        return say("deal.kings", lang, kings=kings, cards=len(table))
    return None


def dealt_scope(table: Sequence[Card], rules: Rules) -> int:
    """Return the scope that the first table cards make at once, under `Rules.dealt_fifteen`.

    A sum of fifteen makes one scopa, a sum of thirty makes two. If cards capture to fifteen only,
    the thirty must split into two fifteens.

    >>> cirulla = Rules(captures="value-or-fifteen", dealt_fifteen="dealer")
    >>> dealt_scope([Card.from_code(code) for code in ("1c", "1s", "5d", "8b")], cirulla)
    1
    """
    if rules.dealt_fifteen is DealtFifteen.NOBODY:
        return 0
    return max(_fifteens(values, rules) for values in _as_any_card(table, rules))


def _as_any_card(cards: Sequence[Card], rules: Rules) -> Iterator[list[int]]:
    """Yield the possible values of some cards: several, if the matta is among them.

    The matta (the seven of cups) can have any value.
    """
    values = [rules.value_of(card.rank) for card in cards]
    places = [n for n, card in enumerate(cards) if card == MATTA] if rules.matta else []
    if not places:
        yield values
    for place in places:
        for value in range(1, len(Rank) + 1):
            yield [*values[:place], value, *values[place + 1 :]]


def _fifteens(values: Sequence[int], rules: Rules) -> int:
    """Return how many times fifteen some values make: 1 for fifteen, 2 for thirty, else 0."""
    total = sum(values)
    if total != 2 * FIFTEEN:
        return int(total == FIFTEEN)
    sums = {0}
    for value in values:
        sums |= {known + value for known in sums}
    return 2 if rules.captures.by_value or FIFTEEN in sums else 0


def declared_points(dealt: Sequence[Card], rules: Rules) -> int:
    """Return the points that a player may declare for three cards as dealt (cirulla).

    >>> cirulla = Rules(declared=True, small_hand=3, three_alike=10, matta=True)
    >>> declared_points([Card.from_code(code) for code in ("7c", "2d", "2s")], cirulla)
    10
    """
    if len(dealt) != SMALL_HAND:
        return 0
    hands = list(_as_any_card(dealt, rules))
    alike = any(len(set(values)) == 1 for values in hands)
    small = any(sum(values) <= SMALL_SUM for values in hands)
    return max(alike * rules.three_alike, small * rules.small_hand)


def deal_ruling(table: Sequence[Card], rules: Rules, *, lang: str = "en") -> tuple[bool, str]:
    """Return whether the deal is valid, and a sentence: why not, or who takes the table cards.

    Raises:
        PlayError: a card is on the table twice.
    """
    fault = deal_fault(table, rules, lang=lang)
    scope = 0 if fault else dealt_scope(table, rules)
    if scope:
        return True, say(f"deal.{rules.dealt_fifteen}", lang, sum=scope * FIFTEEN, n=scope)
    return fault is None, fault or say("deal.stands", lang)


def deals(rules: Rules, *, players: int) -> int:
    """Return how many times cards are dealt in a hand.

    Raises:
        PlayError: the deck does not deal out evenly for so many players.
    """
    if not deals_out(rules.hand_cards, rules.table_cards, players=players):
        cards = f"{rules.hand_cards} cards each and {rules.table_cards} on the table"
        raise PlayError(f"{cards} do not deal out evenly for {players}: change one of them")
    return (len(DECK) - rules.table_cards) // (rules.hand_cards * players)


def next_seat(seat: int, rules: Rules, *, players: int) -> int:
    """Return the seat whose turn comes next; seats are numbered to the right.

    >>> next_seat(3, Rules(), players=4), next_seat(3, Rules(clockwise=True), players=4)
    (0, 2)
    """
    return (seat + (-1 if rules.clockwise else 1)) % players


def dealer_of(hand_no: int, rules: Rules, *, first: int, players: int) -> int:
    """Return the seat that deals a hand (counted from 0) when `first` dealt the first.

    >>> dealer_of(2, Rules(), first=1, players=2)
    1
    """
    return (first + (-hand_no if rules.clockwise else hand_no)) % players


@dataclass(frozen=True)
class Move:
    """A played card and the cards it takes: none if it is laid on the table."""

    card: Card  # the card played
    taken: Taken = ()  # the table cards captured, in the order of the deck


@dataclass(frozen=True, kw_only=True)
class Play:
    """A hand in progress. A move does not change it, but gives a new one."""

    rules: Rules  # the rules played by
    names: tuple[str, ...]  # the sides' names
    dealer: int  # seat of the dealer
    turn: int  # seat whose turn it is
    hands: tuple[tuple[Card, ...], ...]  # the cards each seat holds
    table: tuple[Card, ...]  # the cards on the table, oldest first
    stock: tuple[Card, ...]  # the cards not dealt yet, next first
    piles: tuple[tuple[Card, ...], ...]  # the cards each side captured, oldest first
    scope: tuple[int, ...]  # the scope each side made
    last_taker: int | None = None  # the side that captured last, or None

    @property
    def over(self) -> bool:
        """Whether the hand is played out."""
        return not self.stock and not any(self.hands)

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every legal move of the seat whose turn it is; none when the hand is over."""
        found = []
        for card in self.hands[self.turn]:
            first = self.rules.first_ace if self._is_first and card.rank is Rank.ASSO else None
            captures = legal_captures(self.table, card, rules=self.rules)
            if first is FirstAce.TAKES_ACE:
                captures = tuple(t for t in captures if all(o.rank is Rank.ASSO for o in t))
            found += [Move(card, taken) for taken in captures if first is not FirstAce.BARRED]
            may = may_lay(self.table, card, rules=self.rules) or not captures
            if may and first is not FirstAce.BARRED:
                found.append(Move(card))
        return tuple(found)

    @property
    def _is_first(self) -> bool:
        """Whether no card of the hand has been played yet, and the player holds more than aces."""
        held = len(self.stock) + sum(map(len, self.hands))
        others = any(card.rank is not Rank.ASSO for card in self.hands[self.turn])
        return held == len(DECK) - self.rules.table_cards and others

    def makes_scopa(self, move: Move) -> bool:
        """Return whether a legal move is a scopa."""
        last = not self.stock and sum(map(len, self.hands)) == 1
        return is_scopa(self.table, move.card, taken=move.taken, rules=self.rules, last_card=last)

    def played(self, move: Move) -> Play:
        """Return the hand after a move.

        If the players have no cards left, deal again. At the end, give the table cards to the side
        that captured last.

        Raises:
            PlayError: the move is not legal.
        """
        if move not in self.moves:
            taken = " ".join(card.code for card in move.taken) or "nothing"
            message = f"{move.card} taking {taken} is no legal move here: see the legal ones"
            raise PlayError(message)
        return _left_over_given(_dealt_again(self._moved(move)))

    def facts(self) -> HandRecord:
        """Return what the table records of the hand so far."""
        sides = map(Side, self.names, self.piles, self.scope)
        return HandRecord(tuple(sides), dealer=self.dealer)

    def _moved(self, move: Move) -> Play:
        """Return the hand after the move, before any cards are dealt or given to the last taker."""
        hands = [*self.hands]
        hands[self.turn] = tuple(card for card in self.hands[self.turn] if card != move.card)
        turn = next_seat(self.turn, self.rules, players=len(hands))
        after = replace(self, hands=tuple(hands), turn=turn)
        if not move.taken:
            return replace(after, table=(*self.table, move.card))
        side = self.turn % len(self.names)  # the seats go round the sides: mates sit opposite
        table = tuple(card for card in self.table if card not in move.taken)
        scope = [*self.scope]
        scope[side] += self.makes_scopa(move)
        captured = _with_captured(after, side, (*move.taken, move.card))
        return replace(captured, table=table, scope=tuple(scope), last_taker=side)


def start_play(
    deck: Sequence[Card], rules: Rules, *, names: Sequence[str], team: int = 1, dealer: int = 0
) -> Play:
    """Deal a hand from a deck, top card first, to sides of `team` players; `dealer` is a seat.

    Raises:
        PlayError: the deck is not the forty cards, does not deal out, the deal is void, or the
            rules do not allow these sides and teams.
    """
    if sorted(deck) != sorted(DECK):
        raise PlayError(f"expected the forty cards once each, got {len(deck)} cards")
    players = len(names) * team
    if (len(names), team) not in rules.seatings:
        raise PlayError(f"{rules.name} is not for {len(names)} sides of {team}: see seatings")
    deals(rules, players=players)  # raises where the deck does not deal out
    table, stock = tuple(deck[: rules.table_cards]), tuple(deck[rules.table_cards :])
    if fault := deal_fault(table, rules):
        raise PlayError(fault)
    hands, stock = _dealt_out(stock, rules, players=players)
    play = Play(
        rules=rules,
        names=tuple(names),
        dealer=dealer,
        turn=next_seat(dealer, rules, players=players),
        hands=hands,
        table=table,
        stock=stock,
        piles=((),) * len(names),
        scope=(0,) * len(names),
    )
    made = dealt_scope(table, rules)
    if not made:
        return play
    seat = dealer if rules.dealt_fifteen is DealtFifteen.DEALER else play.turn
    side = seat % len(names)
    scope = tuple(made if other == side else 0 for other in range(len(names)))
    return replace(_with_captured(play, side, table), table=(), scope=scope, last_taker=side)


def random_play(
    rules: Rules, random: Random, *, names: Sequence[str], team: int = 1, dealer: int = 0
) -> Iterator[Play]:
    """Yield a whole hand by players who pick legal moves at random: as dealt, then after each move.

    `team` is the number of players a side.

    >>> *_, last = random_play(Rules(), Random(7), names=("Anna", "Bruno"))
    >>> last.over, sum(map(len, last.piles))
    (True, 40)
    """
    deck = random.sample(DECK, len(DECK))
    while deal_fault(deck[: rules.table_cards], rules) is not None:
        deck = random.sample(DECK, len(DECK))
    play = start_play(deck, rules, names=names, team=team, dealer=dealer)
    yield play
    while not play.over:
        play = play.played(random.choice(play.moves))
        yield play


def random_hand(
    rules: Rules, random: Random, *, names: Sequence[str], team: int = 1, dealer: int = 0
) -> HandRecord:
    """Return the facts of a whole hand played at random, by the rules."""
    *_, last = random_play(rules, random, names=names, team=team, dealer=dealer)
    return last.facts()


def _dealt_out(
    stock: tuple[Card, ...], rules: Rules, *, players: int
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    size = rules.hand_cards
    hands = tuple(stock[seat * size : (seat + 1) * size] for seat in range(players))
    return hands, stock[players * size :]


def _dealt_again(play: Play) -> Play:
    """Return the hand, with the next cards dealt if every player's hand is empty."""
    if any(play.hands) or not play.stock:
        return play
    hands, stock = _dealt_out(play.stock, play.rules, players=len(play.hands))
    return replace(play, hands=hands, stock=stock)


def _left_over_given(play: Play) -> Play:
    """Return the hand; at its end the last taker gets the cards on the table."""
    if not play.over or play.last_taker is None:
        return play
    return replace(_with_captured(play, play.last_taker, play.table), table=())


def _with_captured(play: Play, side: int, cards: tuple[Card, ...]) -> Play:
    piles = [*play.piles]
    piles[side] += cards
    return replace(play, piles=tuple(piles))
