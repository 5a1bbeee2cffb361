"""What photos leave is counted until somebody has seen it; two phones at one hand."""

from dataclasses import replace

import pytest
from app_driving import (
    ANNA,
    BRUNO,
    SAMPLES,
    Known,
    act_named,
    acts_of,
    app,
    board_words,
    component_data,
    drafts,
    facts,
    follow,
    has_act,
    label_of,
    lay,
    open_table,
    record,
    send_photos,
    tap,
    tap_scope,
    visible,
)
from earlier import propose
from playing import edit_hand, match_of, read, rematch, write
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES
from scoring.rules import Rules
from screens import state
from store import MatchClosedError, Outcome, StoreUnavailableError, Table, log, piles
from table.hand.pile import Pile, PileCard
from table.hand.piles import summarise, tapped, updated, with_absent, with_rest
from table.hand.questions import open_questions
from table.registry import ScreenChangedError
from vision.reading import CardReading, Reading, Status

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Bruno")
SEEN = tuple(code for code in ANNA if code not in {"7d", "1c"})
"""What a photo shows of Anna's pile."""


def left_over() -> tuple[Pile, ...]:
    """Anna's photo lacks two cards; Bruno has the rest, those two with it."""
    return with_rest((Pile(photos=(1,), by_hand=SEEN), Pile()), 1)


def photo_of(*codes: str) -> Reading:
    boxes = [((10.0 * i, 0.0),) * 4 for i in range(len(codes))]
    cards = zip(codes, boxes, strict=True)
    found = [CardReading(code, Status.SURE, 0.9, box, {}) for code, box in cards]
    return Reading("2", (1000, 1000), tuple(found), ())


def test_a_photo_of_the_rest_takes_its_place() -> None:
    anna, bruno = left_over()
    piles = updated((anna, bruno.add(photo_of(*BRUNO), 2)))
    assert piles[1].codes == set(BRUNO)
    assert set(open_questions(summarise(piles), Rules()).missing) == {"7d", "1c"}


def test_a_rest_that_somebody_set_right_is_still_counted() -> None:
    piles = updated(tapped(left_over(), 1, code="1c"))
    assert summarise(piles).missing == ("1c",)
    piles = updated(tapped(piles, 0, code="1c"))
    assert "7d" in piles[1].codes
    assert open_questions(summarise(piles), Rules()).uncounted == 1
    assert (
        open_questions(
            summarise((piles[0], replace(piles[1], counted=len(piles[1].codes)))), Rules()
        ).uncounted
        is None
    )


def test_card_removed_from_the_rest_stays_out() -> None:
    piles = updated(tapped(left_over(), 1, code="1c"))
    assert Pile.from_dict(piles[1].to_dict()) == piles[1]
    piles = updated((piles[0].take(SEEN[0]), piles[1]))
    assert summarise(piles).missing == ("1c",)
    assert summarise(with_rest(piles, 1)).missing == ()


DOUBT = PileCard(
    photo=1, guess="6d", doubtful=True, corners=((0.1, 0.1),) * 4, alternatives=("7d",)
)
"""A card of Anna's, the settebello, that the camera takes for the six."""


def test_a_rest_that_somebody_set_right_settles_no_doubt() -> None:
    held = tuple(code for code in SEEN if code != "9c")
    anna = Pile(photos=(1,), by_hand=held, detected=(DOUBT,))
    piles = updated(with_rest((anna, Pile()), 1))
    assert open_questions(summarise(piles), Rules()).doubts == ((0, 0),)
    piles = updated(tapped(piles, 1, code="9c"))
    assert summarise(piles).missing == ("9c",)
    assert open_questions(summarise(piles), Rules()).doubts == ((0, 0),)
    piles = updated(tapped(piles, 0, code="9c"))
    assert open_questions(summarise(piles), Rules()).doubts == ((0, 0),)


def test_rest_excludes_cards_of_open_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "reader", Known)
    table, store = open_table(), state.store()
    shots = [
        write(store, piles.add_photo, table, (SAMPLES / name).read_bytes(), hand_no=1, side=side)
        for side, name in enumerate(("anna-1.jpg", "bruno-1.jpg"))
    ]
    anna = tuple(code for code in ANNA if code != "7d")
    bruno = tuple(code for code in BRUNO if code != "6d")
    doubt = replace(DOUBT, photo=shots[0])
    lay(
        table,
        Pile(photos=(shots[0],), by_hand=anna, detected=(doubt,)),
        Pile(photos=(shots[1],), by_hand=bruno),
    )
    at = app("settle", table=table.code, side=1)
    assert not has_act(at, "rest")
    assert "Is this the six of coins?" not in visible(at), "it is about the other pile"
    at.button(key="next_pile").click().run()
    assert not has_act(at, "rest")
    assert "Is this the six of coins?" in visible(at)


@pytest.mark.parametrize(
    "piles",
    [
        (Pile(photos=(1,), by_hand=SEEN), Pile(photos=(2,))),
        (Pile(by_hand=SEEN), Pile()),
        (Pile(by_hand=("1c",)), Pile()),
    ],
    ids=["a photo that shows nothing", "tapped in", "one card left of a photo"],
)
def test_whatever_others_leave_is_counted(piles: tuple[Pile, ...]) -> None:
    assert open_questions(summarise(with_rest(piles, 1)), Rules()).uncounted == 1


def test_only_the_named_cards_join_a_photographed_pile() -> None:
    both = (Pile(photos=(1,), by_hand=SEEN), Pile(photos=(2,), by_hand=BRUNO))
    piles = updated(with_rest(both, 0))
    assert piles[0].codes == set(ANNA)
    retaken = updated((piles[0], Pile(photos=(3,), by_hand=BRUNO[2:])))
    assert summarise(retaken).missing == BRUNO[:2]


def test_side_without_photos_is_awaited() -> None:
    table = open_table()
    lay(table, Pile(), with_rest((Pile(), Pile()), 1)[1])
    assert summarise(tuple(drafts(table).values())).missing_piles == (0,)
    at = app("points", table=table.code)
    assert "Anna" in visible(at)
    assert not has_act(at, "confirm")


def test_card_missing_from_the_deck_does_not_block() -> None:
    table = open_table()
    lay(table, [code for code in ANNA if code != "7d"], BRUNO)
    at = app("settle", table=table.code)
    tap(at, "absent_7d")
    assert not at.button(key="onward").disabled
    at.button(key="onward").click().run()
    assert "Lost" in visible(at)
    tap(at, "confirm")
    [hand] = match_of(state.store(), table).match.hands
    assert "7d" not in {card.code for side in hand.sides for card in side.pile}


def test_what_is_nobodys_is_no_rest_and_comes_back_by_a_tap() -> None:
    piles = with_absent((Pile(by_hand=SEEN), Pile(by_hand=BRUNO)), "7d")
    assert summarise(piles).missing == ("1c",)
    assert "7d" not in with_rest(piles, 1)[1].codes
    found = updated(tapped(piles, 1, code="7d"))
    assert "7d" in found[1].codes
    assert summarise(found).absent == ()
    assert Pile.from_dict(piles[0].to_dict()) == piles[0]


def test_what_is_nobodys_is_asked_anew_when_a_card_may_be_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    piles = with_absent((Pile(by_hand=SEEN), Pile(by_hand=BRUNO)), "7d")
    guess = PileCard(
        photo=1, guess="7d", doubtful=True, corners=((0.1, 0.1),) * 4, alternatives=("1c",)
    )
    doubted = updated((replace(piles[0], detected=(guess,)), piles[1]))
    assert summarise(doubted).absent == ()
    assert open_questions(summarise(doubted), Rules()).doubts == ((0, 0),)
    monkeypatch.setattr(state, "reader", Known)
    table = open_table()
    lay(table, *piles)
    photo = SAMPLES / "bruno-1.jpg"
    send_photos(table, (photo.name, photo.read_bytes()), side=1)
    assert summarise(tuple(drafts(table).values())).absent == ()


def test_any_count_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "reader", Known)
    table = open_table()
    photo = write(
        state.store(),
        piles.add_photo,
        table,
        (SAMPLES / "anna-1.jpg").read_bytes(),
        hand_no=1,
        side=0,
    )
    lay(table, *with_rest((Pile(photos=(photo,), by_hand=SEEN), Pile()), 1))
    at = app("settle", table=table.code)
    tap(at, "number_17")
    assert drafts(table)[1].counted == 17
    assert "7 cards of another pile were not seen" in visible(at)


def photo(name: str) -> tuple[str, bytes]:
    return name, (SAMPLES / name).read_bytes()


def given() -> tuple[Table, AppTest]:
    """Return a table with a photo of each pile, and with all other cards given to Bruno."""
    table = open_table()
    send_photos(table, photo("anna-1.jpg"))
    send_photos(table, photo("bruno-1.jpg"), side=1)
    at = app("settle", table=table.code)
    tap(at, "all_1")
    assert "lie in no pile" not in visible(at)
    assert not at.button(key="onward").disabled
    return table, at


def test_cards_given_to_a_photographed_pile_are_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "reader", Known)
    table, at = given()
    number = len(drafts(table)[1].codes)
    for by in ("photo", "hand"):
        shown = app("settle", table=table.code, side=1, by=by)
        assert label_of(shown, "count_None") == f"Not {number} cards: count again"
    tap(at, "count_None")
    assert drafts(table)[1].codes == set(Known().photos["bruno-1.jpg"]["cards"])
    assert "lie in no pile" in visible(at)
    assert has_act(at, "all_0")
    assert not has_act(at, "count_None")


def test_photo_outranks_the_given_rest_without_a_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "reader", Known)
    table, _ = given()
    send_photos(table, photo("anna-2.jpg"))
    photos = Known().photos
    anna = {*photos["anna-1.jpg"]["cards"], *photos["anna-2.jpg"]["cards"]}
    assert drafts(table)[0].codes == anna
    assert drafts(table)[1].codes == {*CODES} - anna
    at = app("settle", table=table.code)
    assert not at.button(key="onward").disabled
    assert label_of(at, "count_None") == f"Not {40 - len(anna)} cards: count again"


def test_photo_after_the_rest_asks_for_the_new_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "reader", Known)
    table = open_table()
    send_photos(table, photo("anna-1.jpg"))
    tap(app("settle", table=table.code), "rest")
    assert drafts(table)[1].counted == 40 - len(drafts(table)[0].codes)
    send_photos(table, photo("anna-2.jpg"))
    at = app("settle", table=table.code)
    left = 40 - len(drafts(table)[0].codes)
    assert f"Does Bruno have {left} cards?" in visible(at)
    tap(at, f"count_{left}")
    assert not at.button(key="onward").disabled


# Two phones


def scopes(table: Table) -> list[int]:
    return [side.scope for side in match_of(state.store(), table).match.hands[0].sides]


def test_a_late_tap_on_a_stored_version_decides_on_no_other() -> None:
    table, store = open_table(), state.store()
    record(table)
    first, _ = (
        propose(store, table, facts(ANNA, BRUNO, names=NAMES, scope=scope))
        for scope in ((0, 1), (0, 2))
    )
    shown = app("history", table=table.code)
    with store.write(table) as found:
        log.conflict(found, first).outcome = Outcome.DISMISSED
    tap(shown, f"accept_{first}")
    assert scopes(table) == [0, 1], "what was shown counts, not what came into its place"
    assert len(read(store, log.conflicts, table)) == 1


def test_stored_version_replaces_only_a_shown_hand() -> None:
    table, store = open_table(), state.store()
    record(table)
    mended, late = (facts(ANNA, BRUNO, names=NAMES, scope=scope) for scope in ((3, 3), (0, 1)))
    propose(store, table, late)
    shown = app("history", table=table.code)
    edit_hand(store, table, mended, hand_no=1, key="mended", expected=2)
    with pytest.raises(ScreenChangedError):
        tap(shown, act_named(shown, "accept_"))
    assert scopes(table) == [3, 3]
    assert len(read(store, log.conflicts, table)) == 1


def test_a_stored_version_waits_for_the_hand_before_it() -> None:
    table, store = open_table(), state.store()
    propose(store, table, facts(ANNA, BRUNO, names=NAMES, scope=(0, 1)), hand_no=2)
    at = app("history", table=table.code)
    assert "Hand 2 is not saved" in visible(at)
    assert not [name for name in acts_of(at) if name.startswith("accept_")]
    record(table)
    tap(at.run(), act_named(at, "accept_"))
    assert len(match_of(store, table).match.hands) == 2


def test_mending_that_another_phone_has_begun_is_gone_on_with() -> None:
    table = open_table()
    record(table, scope=(1, 0))
    one, other = (app("history", table=table.code) for _ in range(2))
    tap(one, "edit_1")
    points = app("points", table=table.code, hand=1)
    tap_scope(points, 1)
    tap(other, "edit_1")
    assert [draft.scope for draft in drafts(table).values()] == [1, 1]


def test_scope_of_two_phones_add_up_while_a_hand_is_mended() -> None:
    table = open_table()
    record(table)
    tap(app("history", table=table.code), "edit_1")
    phones = [app("points", table=table.code, hand=1) for _ in range(2)]
    for phone in phones:
        tap_scope(phone, 0)
    assert drafts(table)[0].scope == 2


@pytest.mark.parametrize("screen", ["settle", "points", "quick"])
def test_a_hand_saved_on_another_phone_leads_to_play(screen: str) -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    at = app(screen, table=table.code)
    record(table)
    at = follow(at.run(), "play")
    assert "Hand 1 saved" in visible(at)
    assert component_data(at, "tally_0")["scope"] == 0


def test_a_hand_that_comes_after_its_match_is_said_not_to_count() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    late = app("points", table=table.code)
    record(table, scope=(0, 1))
    rematch(state.store(), table, after=1)
    with pytest.raises(MatchClosedError):
        tap(late, "confirm")
    assert (
        "Match {match_no} is over"
        in component_data(late, "messenger")["errors"]["MatchClosedError"]
    )


def test_unavailable_store_keeps_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    record(table)
    at = app("play", table=table.code)

    def silent(*_args: object, **_named: object) -> None:
        raise StoreUnavailableError("here", why="it sleeps")

    with monkeypatch.context() as sleeping:
        sleeping.setattr(state.store(), "read", silent)
        at.run()
        assert not at.exception
        assert "The store does not answer just now" in visible(at)
        assert at.query_params["table"] == table.code
    at.run()
    assert "The store does not answer" not in visible(at)
    assert component_data(at, "tally_0")["seat"]["total"] == 3


def test_address_of_an_edit_keeps_the_saved_scope() -> None:
    table, store = open_table(), state.store()
    lay(table, ANNA, BRUNO)
    for _ in range(2):
        write(store, piles.add_scope, table, 0)
    at = app("points", table=table.code)
    tap(at, "confirm")
    at = app("points", table=table.code, hand=1)  # as an old address, without "mend" in Hands
    tap(at, "confirm")
    assert scopes(table) == [2, 0]


def test_after_the_end_no_scopa_is_counted() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    record(table, scope=(11, 0))
    at = app("play", table=table.code)
    assert not [one for one in at.get("bidi_component") if str(one.key).startswith("tally_")]
    assert has_act(at, "rematch")


def test_store_failure_during_a_render_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()

    def silent(*_: object) -> list[object]:
        raise StoreUnavailableError("here", why="it sleeps")

    monkeypatch.setattr("store.log.conflicts", silent)
    at = app("history", table=table.code)
    assert not at.exception
    assert "The store does not answer" in visible(at)


def test_edit_that_ends_the_match_lists_dropped_hands() -> None:
    table, store = open_table(), state.store()
    for scope in ((0, 0), (0, 0), (5, 0)):
        record(table, scope=scope)
    tap(app("history", table=table.code), "edit_1")
    for _ in range(9):
        add = app("points", table=table.code, hand=1)
        tap_scope(add, 0)
    at = app("points", table=table.code, hand=1)
    assert "The match ended with hand 1" in visible(at)
    tap(at, "confirm")
    board = board_words(table)
    assert "after 1 hand" in board
    assert "The match ended with hand 1" in board
    at = app("history", table=table.code)
    assert ["~~**–**~~" in row.label for row in at.expander[:3]] == [False, True, True]
    assert visible(at).count("after the end, does not count") == 2
    assert match_of(store, table).match.counted == 1


def test_a_winner_whom_the_totals_do_not_tell_is_explained() -> None:
    table = open_table(rules="scopa-online")
    record(table, scope=(6, 0))
    record(table, scope=(0, 12))
    assert "more points in the last hand" in board_words(table)
