"""A hand counted by heart: what somebody answers, and what the cards that are known answer."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from acting import act
from playing import command, match_of, write

from scoring.cards import CODES
from scoring.hand import score_hand
from scoring.presets import PRESETS
from scoring.rules import Rules, Ties
from store import Store, Table, piles, tables
from table.access import SYSTEM
from table.hand.pile import Pile, PileCard
from table.hand.quick import AnsweredError, QuickCount, answer_in, answered, quick_count
from table.season.statistics import points_by_kind
from table.view import TableView, load_view

COINS = tuple(code for code in CODES if code.endswith("d"))
CORNERS = ((0.1, 0.1), (0.4, 0.1), (0.4, 0.6), (0.1, 0.6))


def seat(store: Store, *names: str, rules: Rules = PRESETS["silver-lake"]) -> Table:
    return command(store, tables.open_table, names or ("Anna", "Bruno"), rules)


def lay(store: Store, table: Table, *laid: Pile) -> None:
    write(
        store,
        piles.put_drafts,
        table,
        {side: one.to_dict() for side, one in enumerate(laid)},
        hand_no=1,
    )


def say(store: Store, table: Table, **answers: tuple[int, ...]) -> None:
    for point, figures in answers.items():
        seen = answer_in(view_of(store, table).piles, point)
        sent = {"match": 1, "hand": 1, "me": 0, "point": point}
        act(store, table.code, "say", **sent, figures=[*figures], before=seen and [*seen])


def view_of(store: Store, table: Table, hand_no: int | None = None) -> TableView:
    return load_view(store, table.code, credentials=SYSTEM, hand_no=hand_no)


def count(store: Store, table: Table) -> QuickCount:
    return quick_count(view_of(store, table))


def open_points(counted: QuickCount) -> list[str]:
    return [one.name for one in counted.points if one.answer is None]


def points_of_hand(counted: QuickCount, table: Table) -> tuple[int, ...]:
    return score_hand(counted.hand.sides, table.rules).points


def confirm(store: Store, table: Table, counted: QuickCount) -> None:
    view = view_of(store, table)
    shown: Mapping[str, Any] = {"log": view.row.revision, "revision": view.table.revision}
    sent = {"match": 1, "hand": 1, "me": 0, "facts": counted.hand.to_dict()}
    act(store, table.code, "confirm", **sent, **shown)


# Answers


@pytest.mark.parametrize(
    ("said", "figures", "shown", "becomes"),
    [
        (None, (1, 0), None, (1, 0)),
        ((1, 0), (0, 1), (1, 0), (0, 1)),
        (None, (None, 1), None, (0, 1)),
        ((1, 0), (None, 1), (1, 0), (1, 1)),
        ((1, 0), (1, 0), None, (1, 0)),
        ((1, 0), (0, 1), None, None),
        ((0, 0), (1, 0), None, None),
        ((1, 0), (0, 0), (0, 1), None),
        ((1, 0), (None, 1), None, None),
    ],
    ids=["first", "put right", "of one side", "one more", "the same", "another phone was first",
         "it said nobody", "it has changed since", "it said one side"],
)  # fmt: skip
def test_answer_is_kept_unless_another_phone_differs(
    said: tuple[int, ...] | None,
    figures: tuple[int | None, ...],
    shown: tuple[int, ...] | None,
    becomes: tuple[int, ...] | None,
) -> None:
    kept = said or (None, None)
    piles = [Pile(said=() if one is None else (("carte", one),)) for one in kept]
    if becomes is None:
        with pytest.raises(AnsweredError):
            answered(piles, "carte", figures, shown=shown)
        return
    new = answered(piles, "carte", figures, shown=shown)
    assert answer_in(new, "carte") == becomes
    assert answer_in(new, "denari") is None
    again = [Pile.from_dict(json.loads(json.dumps(pile.to_dict()))) for pile in new]
    assert answer_in(again, "carte") == becomes


def test_answers_of_two_phones_are_merged(
    store: Store,
) -> None:
    table = seat(store)
    say(store, table, carte=(1, 0), primiera=(0, 0))
    say(store, table, denari=(0, 1))  # another phone
    assert open_points(count(store, table)) == ["settebello"]
    say(store, table, settebello=(0, 1))
    counted = count(store, table)
    assert (counted.left, points_of_hand(counted, table)) == (0, (1, 2))
    confirm(store, table, counted)
    assert open_points(count(store, table)) == ["carte", "denari", "settebello", "primiera"]
    sent = {"match": 1, "hand": 1, "me": 0, "mending": True}
    act(store, table.code, "say", **sent, point="carte", figures=[0, 1], before=[1, 0])
    revision = view_of(store, table).table.revision
    act(store, table.code, "undo", match=1, hand=2, me=0, revision=revision)
    assert answer_in(view_of(store, table).piles, "denari") == (0, 1), "undone, and still there"


def test_quick_hand_of_an_earlier_release_is_edited(
    store: Store,
) -> None:
    table = seat(store)
    say(store, table, carte=(1, 0), denari=(1, 0), settebello=(0, 1), primiera=(0, 0))
    confirm(store, table, count(store, table))
    write(
        store, piles.put_drafts, table, {0: {}, 1: {}}, hand_no=1
    )  # it kept no answers with the piles
    act(store, table.code, "mend", match=1, hand=1, me=0, mending=True)
    view = view_of(store, table, hand_no=1)
    assert [answer_in(view.piles, one) for one in ("carte", "settebello")] == [(1, 0), (0, 1)]


# Cards that are known


def test_one_pile_of_three_answers_what_it_decides(store: Store) -> None:
    table = seat(store, "Anna", "Bruno", "Carla")
    known = (*COINS[:7], "4c", "4s", "2b")
    lay(store, table, Pile(by_hand=known), Pile(), Pile())
    counted = count(store, table)
    assert open_points(counted) == ["carte", "primiera"], "she has seven coins, the 7 among them"
    say(store, table, carte=(0, 1, 0), primiera=(1, 0, 0))
    counted = count(store, table)
    assert points_of_hand(counted, table) == (3, 1, 0)
    confirm(store, table, counted)
    state = match_of(store, table)
    kept = state.match.hands[0].sides
    assert [sorted(card.code for card in side.pile) for side in kept] == [sorted(known), [], []]
    assert [side.said("settebello") for side in kept] == [1, 0, 0]
    assert points_by_kind(state.match)["settebello"] == (1, 0, 0)
    act(store, table.code, "mend", match=1, hand=1, me=0, mending=True)
    edited = quick_count(view_of(store, table, hand_no=1))
    assert edited.hand.sides == kept, "it opens as it was saved"


def test_an_answer_against_the_cards_counts_and_leaves_them_out(store: Store) -> None:
    table = seat(store, "Anna", "Bruno", "Carla")
    lay(store, table, Pile(by_hand=("7d", "7c")), Pile(), Pile())
    say(store, table, carte=(0, 1, 0), denari=(0, 1, 0), primiera=(0, 1, 0))
    assert count(store, table).left == 0
    say(store, table, settebello=(0, 0, 1))
    counted = count(store, table)
    assert [one.name for one in counted.points if one.is_against_cards] == ["settebello"]
    assert points_of_hand(counted, table) == (0, 3, 1)
    assert not any(side.pile for side in counted.hand.sides)


def test_doubtful_cards_answer_nothing(
    store: Store,
) -> None:
    table = seat(store)
    seven = PileCard(photo=1, guess="7d", doubtful=True, corners=CORNERS, alternatives=("6d",))
    for laid in (
        (Pile(photos=(1,), detected=(seven,)), Pile(by_hand=("1c", "2c"))),
        (Pile(by_hand=("7d", "1c")), Pile(by_hand=("7d", "2c"))),
        (Pile(by_hand=CODES[10:]), Pile(rest=COINS)),
    ):
        lay(store, table, *laid)
        assert "settebello" in open_points(count(store, table))
    lay(store, table, Pile(by_hand=CODES[10:]), Pile(rest=COINS, counted=10))
    counted = count(store, table)
    assert open_points(counted) == []
    assert [side.counted for side in counted.hand.sides] == [(), ()], "the cards say it all"
    assert counted.hand == view_of(store, table).facts


def test_optional_points_are_unowned_until_answered(
    store: Store,
) -> None:
    rules = Rules(napola=True, re_bello=1, ponino=True, ties=Ties.EACH)
    table = seat(store, rules=rules)
    names = {one.name: one.answer for one in count(store, table).points}
    assert (names["napola"], names["ponino"], names["carte"]) == ((0, 0), (0, 0), None)
    knights = tuple(code for code in CODES if code.startswith("9"))
    lay(store, table, Pile(by_hand=(*knights, *COINS[:4], "10d")), Pile(by_hand=("5d", "6d")))
    names = {one.name: one.answer for one in count(store, table).points}
    assert (names["napola"], names["re-bello"], names["ponino"]) == ((4, 0), (1, 0), (1, 0))
    say(store, table, carte=(1, 1), napola=(0, 3))
    names = {one.name: one.answer for one in count(store, table).points}
    assert (names["carte"], names["napola"]) == ((1, 1), (0, 3))
