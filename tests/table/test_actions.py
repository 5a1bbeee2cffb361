"""What phones send: each action is done once, for the hand it was meant for, or says why not."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest
from acting import act, no_reader
from earlier import propose
from hands import hand
from playing import (
    command,
    edit_hand,
    match_of,
    next_upload,
    read,
    record_hand,
    rematch,
    revision_of,
    undo_hand,
    write,
)

from scoring.cards import CODES
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    HandClosedError,
    MatchClosedError,
    ScopeBelowZeroError,
    Step,
    Store,
    Table,
    UnknownPlaceError,
    UploadState,
    log,
    piles,
    tables,
    uploads,
)
from table.access import SYSTEM
from table.actions import SavedElsewhereError, parse_request
from table.hand.pile import Pile, PileCard
from table.registry import READ_AGAIN, ScreenChangedError
from table.requests import RequestError
from table.view import load_view
from web.worker import process_next

CORNERS = ((0.1, 0.1), (0.4, 0.1), (0.4, 0.6), (0.1, 0.6))


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules())


JPEG = b"\xff\xd8\xff of a pile"


def card_of(guess: str, *, photo: int, answer: str | None = None) -> PileCard:
    return PileCard(photo=photo, guess=guess, doubtful=True, corners=CORNERS, answer=answer)


def send(store: Store, table: Table, do: str, **fields: Any) -> bool:
    sent = {"match": 1, "hand": 1, "me": 0}
    return act(store, table.code, do, **sent | fields).is_new


def pile(store: Store, table: Table, side: int = 0) -> Pile:
    rows = {row.side: Pile.from_dict(row.draft) for row in read(store, piles.drafts, table)}
    return rows.get(side, Pile())


def shown(store: Store, table: Table) -> dict[str, Any]:
    """Return what a screen that shows the hand being played sends to confirm it."""
    view = load_view(store, table.code, credentials=SYSTEM)
    return {
        "facts": view.facts.to_dict(),
        "log": view.row.revision,
        "revision": view.table.revision,
    }


def lay(store: Store, table: Table, **drafts: Pile) -> None:
    sides = {"anna": 0, "bruno": 1}
    laid = {sides[name]: draft.to_dict() for name, draft in drafts.items()}
    write(store, piles.put_drafts, table, laid, hand_no=1)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "delivery"),
        ({}, "key"),
        ({"key": ""}, "key"),
        ({"key": "k" * 65}, "key"),
        ({"key": "k"}, "do"),
        ({"key": "k", "do": "drop table"}, "do"),
        ({"key": "k", "do": "scopa"}, "match"),
        ({"key": "k", "do": "scopa", "match": True, "hand": 1, "side": 0}, "match"),
        ({"key": "k", "do": "scopa", "match": 1, "hand": 0, "side": 0}, "hand"),
        ({"key": "k", "do": "scopa", "match": 1, "hand": 1, "side": -1}, "side"),
        ({"key": "k", "do": "scopa", "match": 1, "hand": 1, "side": 0, "me": "0"}, "me"),
    ],
)
def test_a_request_of_another_shape_is_refused(data: Any, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(data)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("do", "given", "field"),
    [
        ("scopa", {"delta": 41}, "delta"),
        ("scopa", {"delta": 1, "side": 2}, "side"),
        ("card", {"code": "11d", "in": True}, "code"),
        ("card", {"in": True}, "code"),
        ("answer", {"code": "7d", "seen": {}}, "seen"),
        ("answer", {"code": "7d", "seen": {"photo": 1, "corners": [["a", 1]]}}, "seen"),
        ("agree", {"answers": "all"}, "answers"),
        ("give", {"code": "7d", "owner": 2}, "owner"),
        ("count", {"owner": 0, "number": 41}, "number"),
        ("forget", {"upload": 2**31}, "upload"),
        ("confirm", {}, "log"),
        ("confirm", {"log": 1, "facts": 7}, "facts"),
        ("undo", {}, "revision"),
        ("remove", {"photo": "x"}, "photo"),
        ("drawing", {"drawing": "german"}, "drawing"),
        ("drawing", {"drawing": ["french"]}, "drawing"),
    ],
)
def test_what_a_payload_lacks_is_named_and_nothing_is_done(
    store: Store, table: Table, do: str, given: Mapping[str, Any], field: str
) -> None:
    with pytest.raises(RequestError) as caught:
        send(store, table, do, **given)
    assert caught.value.field == field
    assert read(store, piles.scope_counts, table) == (0, 0)
    assert not read(store, piles.drafts, table)


def test_the_same_key_twice_counts_once(store: Store, table: Table) -> None:
    assert send(store, table, "scopa", key="one", delta=1) is True
    assert send(store, table, "scopa", key="one", delta=1) is False
    assert send(store, table, "scopa", key="two", delta=1) is True
    assert read(store, piles.scope_counts, table) == (2, 0)


def test_a_key_that_was_refused_can_still_be_taken_in(store: Store, table: Table) -> None:
    with pytest.raises(ScopeBelowZeroError):
        send(store, table, "scopa", key="back", delta=-1)
    send(store, table, "scopa", delta=1)
    assert send(store, table, "scopa", key="back", delta=-1) is True
    assert read(store, piles.scope_counts, table) == (0, 0)


def at_once(do: Callable[[], bool], *, times: int) -> list[bool]:
    """Return what something gives that is done in several threads at once."""
    found: list[bool] = []
    threads = [Thread(target=lambda: found.append(do())) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_the_same_key_from_many_phones_at_once_counts_once(store: Store, table: Table) -> None:
    done = at_once(lambda: send(store, table, "scopa", key="one", delta=1), times=8)
    assert sorted(done) == [False] * 7 + [True]
    assert read(store, piles.scope_counts, table) == (1, 0)


def test_a_tap_that_comes_after_its_hand_is_refused(store: Store, table: Table) -> None:
    with pytest.raises(HandClosedError):
        send(store, table, "scopa", hand=2, delta=1)
    with pytest.raises(MatchClosedError):
        send(store, table, "scopa", match=2, delta=1)
    assert read(store, piles.scope_counts, table) == (0, 0)


def test_a_card_is_put_where_it_is_meant_to_be_however_often(store: Store, table: Table) -> None:
    send(store, table, "card", key="a", code="7d", **{"in": True})
    send(store, table, "card", key="b", code="7d", **{"in": True})
    assert pile(store, table).codes == {"7d"}
    send(store, table, "card", key="c", side=1, code="7d", **{"in": True})
    assert not pile(store, table).codes
    assert pile(store, table, 1).codes == {"7d"}
    send(store, table, "card", key="d", side=1, code="7d", **{"in": False})
    assert not pile(store, table, 1).codes


def test_answers_find_their_card_by_where_it_lies(store: Store, table: Table) -> None:
    seen = PileCard(photo=3, guess="6s", doubtful=True, corners=CORNERS, alternatives=("7s",))
    lay(store, table, anna=Pile(photos=(3,), detected=(seen,)))
    shown = {"photo": 3, "corners": [list(corner) for corner in CORNERS]}
    send(store, table, "answer", key="gone", code="7s", seen=shown | {"photo": 4})
    assert pile(store, table).questions == (0,)
    send(store, table, "agree", answers=[{"side": 0, "code": "7s", "seen": shown}])
    assert pile(store, table).certain == {"7s"}
    send(store, table, "answer", code="none", seen=shown)
    assert pile(store, table).codes == frozenset()


def test_a_hand_is_given_out_counted_and_confirmed(store: Store, table: Table) -> None:
    lay(store, table, anna=Pile(by_hand=CODES[:20]))
    send(store, table, "give", code="1s", owner=0)
    send(store, table, "absent", code="10b")
    send(store, table, "rest", owner=1)
    send(store, table, "count", owner=1, number=18)
    assert len(pile(store, table, 1).codes) == 18
    seen, hand = revision_of(store, table), shown(store, table)
    with pytest.raises(ScreenChangedError):
        send(store, table, "confirm", **hand | {"revision": seen - 1})
    assert send(store, table, "confirm", key="done", **hand) is True
    assert send(store, table, "confirm", key="done", **hand) is False
    assert len(match_of(store, table).match.hands) == 1
    send(store, table, "undo", hand=2, revision=revision_of(store, table))
    assert not match_of(store, table).match.hands
    send(store, table, "redo", revision=revision_of(store, table))
    assert len(match_of(store, table).match.hands) == 1


def second_hand(store: Store, table: Table) -> dict[str, Any]:
    """Return what a phone sends whose hand another phone has just saved with another scope."""
    lay(store, table, anna=Pile(by_hand=CODES[:18]), bruno=Pile(by_hand=CODES[18:]))
    late = shown(store, table)
    write(store, piles.add_scope, table, 1)
    send(store, table, "confirm", me=1, **shown(store, table))
    return late


def scopes(store: Store, table: Table) -> list[list[int]]:
    return [[side.scope for side in one.sides] for one in match_of(store, table).match.hands]


def test_the_same_hand_of_two_phones_counts_once(store: Store, table: Table) -> None:
    lay(store, table, anna=Pile(by_hand=CODES[:18]), bruno=Pile(by_hand=CODES[18:]))
    hand = shown(store, table)
    for _ in range(2):
        assert send(store, table, "confirm", **hand)
    assert len(read(store, log.steps, table)) == 2


def test_second_save_is_refused_and_names_the_first(store: Store, table: Table) -> None:
    late = second_hand(store, table)
    for _ in range(2):
        with pytest.raises(SavedElsewhereError) as caught:
            send(store, table, "confirm", key="late", **late)
        assert vars(caught.value) == {
            "hand_no": 1,
            "saved": 2,
            "device": "Bruno",
            "saved_points": "Anna 2 · Bruno 2",
            "own_points": "Anna 2 · Bruno 1",
        }
    assert scopes(store, table) == [[0, 1]]
    assert not read(store, log.conflicts, table)


def test_a_hand_that_comes_second_replaces_the_saved_one_once(store: Store, table: Table) -> None:
    late = second_hand(store, table)
    send(store, table, "scopa", hand=2, delta=1)
    assert send(store, table, "confirm", key="late", saved=2, **late) is True
    assert send(store, table, "confirm", key="late", saved=2, **late) is False
    assert scopes(store, table) == [[0, 0]]
    assert [row.step for row in read(store, log.steps, table)][1:] == [Step.RECORD, Step.EDIT]


def test_replacing_needs_the_version_that_was_shown(store: Store, table: Table) -> None:
    late = second_hand(store, table)
    edited = HandRecord.from_dict(late["facts"])
    edited = replace(edited, sides=tuple(replace(side, scope=3) for side in edited.sides))
    edit_hand(store, table, edited, hand_no=1, key="edit", expected=2)
    with pytest.raises(SavedElsewhereError) as caught:
        send(store, table, "confirm", saved=2, **late)
    assert (caught.value.saved, caught.value.saved_points) == (3, "Anna 5 · Bruno 4")
    assert scopes(store, table) == [[3, 3]]


def test_a_hand_whose_rival_was_undone_is_saved(store: Store, table: Table) -> None:
    late = second_hand(store, table)
    undo_hand(store, table, key="undo", expected=2)
    with pytest.raises(SavedElsewhereError) as caught:
        send(store, table, "confirm", saved=2, **late)
    assert (caught.value.saved, caught.value.saved_points) == (0, "")
    send(store, table, "confirm", saved=0, **late)
    assert scopes(store, table) == [[0, 0]]


def test_a_hand_waits_for_the_hand_before_it(store: Store, table: Table) -> None:
    late = second_hand(store, table) | {"hand": 2}
    undo_hand(store, table, key="undo", expected=2)
    with pytest.raises(SavedElsewhereError):
        send(store, table, "confirm", saved=0, **late)
    assert scopes(store, table) == []


def test_edit_of_an_edited_hand_is_refused(store: Store, table: Table) -> None:
    edit = second_hand(store, table) | {"mending": True, "log": 2}
    other = edit["facts"] | {"dealer": 1}
    send(store, table, "confirm", **edit | {"revision": revision_of(store, table), "facts": other})
    with pytest.raises(SavedElsewhereError) as caught:
        send(store, table, "confirm", **edit)
    assert caught.value.saved == 3
    send(store, table, "confirm", saved=3, **edit)
    assert match_of(store, table).match.hands[0].to_dict() == edit["facts"]


def test_twenty_phones_that_confirm_one_hand_confirm_it_once(store: Store, table: Table) -> None:
    lay(store, table, anna=Pile(by_hand=CODES[:18]), bruno=Pile(by_hand=CODES[18:]))
    hand = shown(store, table)
    at_once(lambda: send(store, table, "confirm", **hand), times=20)
    assert len(match_of(store, table).match.hands) == 1
    assert not read(store, log.conflicts, table)


def test_a_stored_version_is_of_its_table_and_its_match(store: Store, table: Table) -> None:
    waiting = propose(store, table, hand(20))
    other = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
    for accept in (True, False):
        with pytest.raises(UnknownPlaceError):
            send(store, other, "decide", log=1, proposal=waiting, accept=accept)
    assert [row.id for row in read(store, log.conflicts, table)] == [waiting]
    rematch(store, table, after=1)
    assert read(store, log.conflicts, table) == ()
    with pytest.raises(UnknownPlaceError):
        send(store, table, "decide", match=2, log=2, proposal=waiting, accept=True)


def test_an_accepted_version_replaces_the_hand_once(store: Store, table: Table) -> None:
    record_hand(store, table, hand(22), key="b", expected=1)
    waiting = propose(store, table, hand(20))
    with pytest.raises(ScreenChangedError):
        send(store, table, "decide", hand=2, log=1, proposal=waiting, accept=True)
    for revision in (2, 3):
        send(store, table, "decide", hand=2, log=revision, proposal=waiting, accept=True)
    assert match_of(store, table).match.hands == (hand(20),)
    assert [row.facts for row in read(store, log.steps, table)] == [None, hand(22), hand(20)]
    assert read(store, log.conflicts, table) == ()


def test_a_version_whose_rival_was_undone_is_recorded(store: Store, table: Table) -> None:
    record_hand(store, table, hand(22), key="b", expected=1)
    waiting = propose(store, table, hand(20))
    undo_hand(store, table, key="u", expected=2)
    send(store, table, "decide", log=3, proposal=waiting, accept=True)
    assert match_of(store, table).match.hands == (hand(20),)


def test_a_dismissed_version_is_closed_and_changes_nothing(store: Store, table: Table) -> None:
    record_hand(store, table, hand(22), key="b", expected=1)
    waiting = propose(store, table, hand(20))
    for _ in range(2):
        send(store, table, "decide", hand=2, log=2, proposal=waiting, accept=False)
    assert read(store, log.conflicts, table) == ()
    assert match_of(store, table).match.hands == (hand(22),)


def test_a_photo_taken_out_has_the_others_read_again(store: Store, table: Table) -> None:
    lay(store, table, anna=Pile(photos=(3, 4)), bruno=Pile(photos=(5,)))
    send(store, table, "remove", photo=3)
    assert pile(store, table).photos == (4,)
    [again] = read(store, uploads.of_hand, table, hand_no=1)
    assert again.name == READ_AGAIN
    lay(store, table, anna=Pile(photos=(4,)), bruno=Pile())
    write(store, uploads.settle, table, again.id, state=UploadState.READ)
    send(store, table, "remove", photo=4)
    assert read(store, uploads.of_hand, table, hand_no=1) == ()


def test_a_photo_goes_to_another_side_with_its_cards_and_answers(
    store: Store, table: Table
) -> None:
    kept = [write(store, piles.add_photo, table, JPEG, hand_no=1, side=0), 98]
    cards = [card_of("7d", photo=kept[0], answer="6d"), card_of("1c", photo=kept[1])]
    anna = Pile(photos=tuple(kept), detected=tuple(cards))
    lay(store, table, anna=anna, bruno=Pile(by_hand=("2b",), rest=("3b",)))
    revision = revision_of(store, table)
    assert send(store, table, "move", photo=kept[0], owner=1, key="once")
    assert not send(store, table, "move", photo=kept[0], owner=1, key="once")
    assert revision_of(store, table) == revision + 1
    mine, theirs = pile(store, table), pile(store, table, 1)
    assert (mine.photos, sorted(mine.codes)) == ((98,), ["1c"])
    assert theirs.photos == (kept[0],)
    assert sorted(theirs.codes) == ["2b", "6d"], "the rest is no more"
    [again] = read(store, uploads.of_hand, table, hand_no=1)
    assert again.name == READ_AGAIN
    assert [photo.side for photo in read(store, piles.photos, table)] == [1], (
        "where the saved hand shows it"
    )
    with pytest.raises(RequestError):
        send(store, table, "move", photo=kept[0], owner=2)
    send(store, table, "move", photo=77, owner=1)
    assert pile(store, table, 1).photos == (kept[0],), "no photo of the hand"


def test_a_photo_taken_out_is_put_back_with_its_answers(store: Store, table: Table) -> None:
    cards = (card_of("7d", photo=3, answer="6d"), card_of("1c", photo=4))
    anna = Pile(photos=(3, 4), detected=cards)
    lay(store, table, anna=anna, bruno=Pile(by_hand=("2b",)))
    send(store, table, "remove", photo=3, more=[4])
    assert pile(store, table).is_empty
    send(store, table, "move", photo=3, owner=0)
    assert pile(store, table).photos == (3,)
    assert sorted(pile(store, table).codes) == ["6d"]


def test_a_screen_that_shows_an_action_says_so_by_its_revision(store: Store, table: Table) -> None:
    """The revision in the answer is that of the action: nothing later changes it."""
    done = act(store, table.code, "scopa", delta=1)
    assert done.revision == load_view(store, table.code, credentials=SYSTEM).table.revision
    assert load_view(store, table.code, credentials=SYSTEM).scope == (1, 0)


def test_late_photo_is_kept_until_a_pile_takes_it(store: Store, table: Table) -> None:
    upload = write(
        store, uploads.add, table, b"pile", key="k", name="late.jpg", match_no=1, hand_no=1, side=1
    )
    lay(store, table, anna=Pile(by_hand=CODES[:18]), bruno=Pile(by_hand=CODES[18:]))
    send(store, table, "confirm", **shown(store, table))
    assert process_next(store, no_reader) == table.code
    [late] = read(store, uploads.of_hand, table, hand_no=2)
    assert (late.id, late.state, late.hand_no) == (upload, UploadState.LATE, 1)
    assert process_next(store, no_reader) is None

    for _ in range(2):  # two phones tap at the same moment: the first says where it goes
        send(store, table, "take", hand=2, side=0, upload=upload)
    waiting = next_upload(store)
    assert waiting is not None
    assert (waiting[1].hand_no, waiting[1].side, waiting[2]) == (2, 0, b"pile")


def test_a_late_photo_that_nobody_wants_is_let_go(store: Store, table: Table) -> None:
    upload = write(
        store, uploads.add, table, b"pile", key="k", name="late.jpg", match_no=1, hand_no=1, side=1
    )
    write(store, uploads.settle, table, upload, state=UploadState.LATE)
    send(store, table, "forget", upload=upload)
    send(store, table, "take", side=0, upload=upload)
    assert read(store, uploads.of_hand, table, hand_no=1) == ()
    assert next_upload(store) is None
