"""Each screen as a person sees it: what it says, what its buttons do, what it leads to."""

import re
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from urllib.parse import parse_qs

import pytest
import streamlit as st
from app_driving import (
    ANNA,
    BRUNO,
    SAMPLES,
    act_named,
    acts_of,
    app,
    board_html,
    board_words,
    camera_of,
    card_state,
    component_data,
    drafts,
    facts,
    follow,
    has_act,
    has_button,
    label_of,
    lay,
    open_table,
    record,
    rules_unfolded,
    send_action,
    sit_down,
    tap,
    tap_card,
    tap_scope,
    visible,
    words_of,
)
from earlier import propose
from playing import command, edit_hand, match_of, query, record_hand, rematch, write
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from scoring.cards import CODES
from scoring.play import deals
from scoring.presets import PRESETS
from scoring.rules import Rules
from screens import state
from store import SAMPLE, Table, piles, tables, uploads
from table.access import SYSTEM, Credentials, hash_link, new_link
from table.actions import SavedElsewhereError
from table.hand.pile import Pile, PileCard

pytestmark = pytest.mark.slow

MINE = new_link()
BOX = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))


def doubtful(code: str, *others: str) -> PileCard:
    return PileCard(photo=0, guess=code, doubtful=True, corners=BOX, alternatives=others)


# The first screen


def test_opening_a_table_leads_to_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sit_down(monkeypatch, "Anna", " Bruno  Maria ", first_dealer=1)
    at = rules_unfolded(app())
    at.selectbox(key="rules_en").select("escoba").run()
    at.segmented_control(key="target_escoba").select(21).run()
    at.segmented_control(key="best_of").select(3).run()
    at.button(key="open").click().run()
    (table,) = query(state.store(), tables.newest)
    assert table.side_names == ("Anna", "Bruno Maria")
    assert (table.rules.name, table.rules.target, table.match.best_of) == ("escoba", 21, 3)
    _, _, code, link = component_data(at, "enter")["to"].split("?")[0].split("/")
    assert component_data(at, "enter")["to"].endswith("?screen=play")
    assert (code, hash_link(link)) == (table.code, table.link_hash)
    assert "Bruno Maria deals" in visible(app("play", table=table.code))


def test_names_left_empty_get_the_words_that_stand_in_the_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sit_down(monkeypatch, "", " ", "")
    app().button(key="open").click().run()
    assert query(state.store(), tables.newest)[0].side_names == ("Player 1", "Player 2", "Player 3")


def test_first_visit_offers_two_seats_and_no_names() -> None:
    at = app()
    assert "New match" in visible(at)
    assert "Tables of before" not in visible(at)
    seats = component_data(at, "seats")
    assert (seats["known"], seats["usual"][:2]) == ([], ["Player 1", "Player 2"])
    at.button(key="open").click().run()
    assert query(state.store(), tables.newest)[0].side_names == ("Player 1", "Player 2")


@pytest.mark.parametrize("count", [3, 5, 6])
def test_a_table_is_opened_for_as_many_sides_as_sit_down(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit_down(monkeypatch, *[""] * count)
    app().button(key="open").click().run()
    (table,) = query(state.store(), tables.newest)
    assert len(table.side_names) == len(set(table.side_names)) == count
    assert deals(table.rules, players=count) > 0
    play = app("play", table=table.code)
    assert not play.exception
    assert [component_data(play, f"tally_{side}")["context"]["side"] for side in range(count)] == [
        *range(count)
    ]


def test_last_setup_is_offered_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = app()
    assert not has_button(at, "as_last_time")
    names = ("Anna", "Bruno", "Carla", "Dario", "Elena")
    rules = PRESETS["escoba"].changed(target=21).for_sides(5)
    assert rules is not None
    last = command(state.store(), tables.open_table, names, rules, first_dealer=3)
    watched = open_table("Gino", "Pia")
    mine = Credentials({last.code: MINE}, seen=(watched.code,))
    write(state.store(), tables.put_link, last, hash_link(MINE), expected=None)
    monkeypatch.setattr(state, "credentials", lambda: mine)
    at = app()
    assert "Anna · Bruno · Carla · Dario · Elena" in at.button(key="as_last_time").label
    at.button(key="as_last_time").click().run()
    opened = query(state.store(), tables.newest)[0]
    assert opened.code not in {last.code, watched.code}
    assert (opened.side_names, opened.rules) == (names, rules)
    assert match_of(state.store(), opened).first_dealer == 3
    assert opened.code in component_data(at, "enter")["to"]


def test_only_names_of_own_tables_are_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine, watched = open_table("Anna", "We"), open_table("Bruno", "Noi")
    open_table("Carla", "Dario")
    open_table("Try", "It", rules="silver-lake")
    command(state.store(), tables.open_table, ("Sample", "Hand"), Rules(name=SAMPLE))
    monkeypatch.setattr(state, "credentials", lambda: Credentials(seen=(mine.code, watched.code)))
    assert component_data(app(), "seats")["known"] == ["Bruno", "Anna"]
    monkeypatch.setattr(state, "credentials", lambda: SYSTEM)
    assert component_data(app(), "seats")["known"] == [
        "It",
        "Try",
        "Carla",
        "Dario",
        "Bruno",
        "Anna",
    ]


def test_names_that_do_not_do_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    at = app()
    for names, said in (
        (("Anna  Maria", " anna Maria "), "Two players are called anna Maria"),
        (("Player 2", ""), "Two players are called Player 2"),
        (("Anna", "B" * 25), "is too long. It may have 24 letters."),
    ):
        sit_down(monkeypatch, *names)
        at.button(key="open").click().run()
        assert said in visible(at)
    assert not query(state.store(), tables.newest)


def test_joining_by_code_asks_who_holds_the_phone() -> None:
    table = open_table()
    at = app()
    at.text_input(key="code").input(table.code.lower()).run()
    at.button(key="join").click().run()
    assert f"Table {table.code}: Anna, Bruno" in visible(at)
    at.button(key="me_1").click().run()
    assert at.query_params["me"] == "1"
    assert camera_of(at)["label"] == "Bruno's pile"


def test_joining_without_a_code_says_where_the_code_is() -> None:
    at = app()
    at.button(key="join").click().run()
    assert "Type the code" in visible(at)
    assert has_button(at, "open")


def test_a_screen_without_its_table_leads_to_the_first_screen() -> None:
    for screen in ("home", "play", "settle", "points", "history"):
        at = app(screen, table="ZZZZ")
        assert "There is no table ZZZZ" in visible(at)
        assert has_button(at, "open")


def test_the_newest_table_can_be_gone_on_with() -> None:
    table = open_table()
    record(table)
    at = app()
    assert "Anna 3" in visible(at)
    assert "hand 2 · to 11 · begun " in visible(at)
    at.button(key="go_on").click().run()
    assert at.query_params["table"] == table.code


# Play


def test_tally_shows_scope_and_names_its_hand() -> None:
    table = open_table()
    record(table)
    write(state.store(), piles.add_scope, table, 1, delta=2)
    at = app("play", table=table.code, me=1)
    [anna, bruno] = [component_data(at, f"tally_{side}") for side in (0, 1)]
    assert (anna["scope"], bruno["scope"]) == (0, 2)
    command = {"code": table.code, "match": 1, "hand": 2, "mending": False, "side": 1, "me": 1}
    assert bruno["context"] == command
    assert [one["sign"] for one in (anna, bruno)] == ["●", "▲"]
    [target] = {one["seat"]["target"] for one in (anna, bruno)}
    assert target == "/ 11", "no result of a match"


def shown_at_once(block: Block) -> Iterator[Node]:
    """Yield what a screen shows before its menu is opened."""
    for node in block.children.values():
        if isinstance(node, Block):
            if node.type != "popover":
                yield from shown_at_once(node)
        else:
            yield node


@pytest.mark.parametrize("scope", [0, 9], ids=["in play", "won"])
def test_navigation_language_and_theme_are_in_the_menu(scope: int) -> None:
    table = open_table()
    record(table, scope=(scope, 0))
    at = app("play", table=table.code)
    assert {"speak_it", "themes"} <= {str(one.key) for kind in ("button", "bidi_component")
                                      for one in at.get(kind)}  # fmt: skip
    shown = [*shown_at_once(at.main)]
    keys = {str(getattr(one, "key", "")) for one in shown}
    assert not [key for key in keys if key.startswith("speak_") or key in ("themes", "drawing")]
    links = [one.proto.label for one in shown if one.type == "page_link"]
    assert links == (["Tap cards", "Quick count"] if not scope else [])


def test_each_side_says_how_far_its_pile_is() -> None:
    table = open_table()
    lay(table, ANNA, ())
    at = app("play", table=table.code)
    piles = [component_data(at, f"tally_{side}")["seat"]["pile"] for side in (0, 1)]
    assert piles == ["18 cards ✓", "not counted yet"]
    quiet = app("play", table=open_table().code)
    assert component_data(quiet, "tally_0")["seat"]["pile"] == "", "nothing is counted yet"


def test_red_button_is_the_camera_of_the_next_pile() -> None:
    """Whose phone it is comes first; a pile whose photo is being read is waited for by nobody."""
    table = open_table("Anna", "Bruno", "Carla")

    def camera() -> tuple[int, str]:
        camera = camera_of(app("play", table=table.code, me=1))
        return camera["side"], camera["label"]

    assert camera() == (1, "Bruno's pile")
    photo = (SAMPLES / "anna-1.jpg").read_bytes()

    def put(key: str, side: int) -> None:
        write(
            state.store(),
            uploads.add,
            table,
            photo,
            key=key,
            name="a.jpg",
            match_no=1,
            hand_no=1,
            side=side,
        )

    put(key="1", side=1)
    assert camera() == (0, "Anna's pile")
    assert camera_of(app("settle", table=table.code, side=1))["side"] == 0
    lay(table, ANNA)
    assert camera() == (2, "Carla's pile")
    put(key="2", side=2)
    at = app("play", table=table.code)
    assert has_button(at, "go_on")
    links = [link.proto.label for link in at.get("page_link")]
    assert links[-1] == "Quick count"
    assert "Go on counting" not in links, "the red button says it"
    lay(table, CODES[::3], CODES[1::3], CODES[2::3])
    at = app("play", table=table.code, me=1)
    at.button(key="onward").click().run()
    assert has_act(follow(at, "points"), "confirm")


# The piles of a hand


def test_a_hand_is_laid_out_by_taps_alone_and_the_rest_by_one() -> None:
    table = open_table()
    at = app("settle", table=table.code)
    assert not has_button(at, "onward")
    assert camera_of(at)["label"] == "Anna's pile"
    for code in ANNA:
        tap_card(at, code)
    assert "18 here · 0 Bruno · 22 left" in visible(at)
    assert label_of(at, "rest") == "The other 22 are Bruno's"
    tap(at, "rest")
    assert "18 here · 22 Bruno · 0 left" in visible(at)
    assert drafts(table)[1].codes == set(BRUNO)
    at.button(key="onward").click().run()
    assert has_act(at, "confirm")


def test_a_tap_moves_a_card_over_and_the_other_pile_is_named() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    at = app("settle", table=table.code)
    assert card_state(at, BRUNO[0]) == "other"
    tap_card(at, BRUNO[0])
    assert card_state(at, BRUNO[0]) == "here"
    assert "19 here · 21 Bruno · 0 left" in visible(at)


def test_a_card_in_two_piles_is_asked_and_one_tap_answers() -> None:
    table = open_table()
    lay(table, ANNA, (*BRUNO, "7d"))
    at = app("settle", table=table.code)
    assert "Two piles have the seven of coins" in visible(at)
    assert not has_button(at, "onward")
    tap(at, "keep_7d_1")
    assert "7d" not in drafts(table)[0].codes
    assert not at.button(key="onward").disabled


def test_missing_card_that_could_change_a_point_blocks() -> None:
    table = open_table()
    lay(table, [code for code in ANNA if code != "7d"], BRUNO)
    at = app("settle", table=table.code)
    assert not has_button(at, "onward")
    assert "Whose is the seven of coins?" in visible(at)


@pytest.mark.parametrize(
    ("lost", "sentence", "key", "owner"),
    [
        (("7d", "7c"), "Whose is the seven of coins?", "keep_7d_0", 0),
        (("7d", "7c"), "Whose is the seven of coins?", "keep_7d_1", 1),
        (("7d", "7c"), "2 cards lie in no pile", "all_1", 1),
        (("7d", "7c", "1s", "6b"), "4 cards lie in no pile", "all_0", 0),
        (("7d", "7c", "1s", "6b"), "4 cards lie in no pile", "all_1", 1),
    ],
)
def test_missing_cards_are_given_to_a_side_by_one_tap(
    lost: tuple[str, ...], sentence: str, key: str, owner: int
) -> None:
    table = open_table()
    mine = Pile(by_hand=tuple(c for c in ANNA if c not in lost), photos=(1,))
    lay(table, mine, BRUNO)
    at = app("settle", table=table.code, side=1)
    assert sentence in visible(at)
    assert not has_act(at, "rest")
    tap(at, key)
    given = lost if key.startswith("all") else lost[:1]
    assert {*lost} & drafts(table)[owner].codes == {*given}


def test_missing_card_without_effect_does_not_block() -> None:
    table = open_table()
    lay(table, ANNA, [code for code in BRUNO if code != "9b"])
    assert not app("settle", table=table.code).button(key="onward").disabled
    at = app("points", table=table.code)
    assert "1 card lies in no pile: knight of batons. No point hangs on it." in visible(at)
    tap(at, "confirm")
    recorded = match_of(state.store(), table).match.hands[0]
    assert [len(side.pile) for side in recorded.sides] == [18, 21]


# Points


def test_points_are_explained_before_saving() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    at = app("points", table=table.code)
    assert "Anna plus 3, now 3" in visible(at)  # not "+33", as figures side by side are read out
    assert "Cards 18 22 ▲ Bruno +1 Anna 18, Bruno 22" in visible(at)
    assert "Coins 6 4 ● Anna +1 Anna 6, Bruno 4" in visible(at)
    assert "1 ace of swords = 76 against 74" in visible(at)
    assert any("f7d" in str(html.value) for html in at.html)
    assert match_of(state.store(), table).match.hands == ()


def test_saving_counts_once_and_starts_the_next_hand() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    write(state.store(), piles.add_scope, table, 0, delta=2)
    at = app("points", table=table.code)
    tap(at, "confirm")
    assert match_of(state.store(), table).match.totals == (5, 1)
    at = follow(at, "play")
    assert "Hand 1 saved" in visible(at)
    assert label_of(at, "undo") == "Undo"
    assert component_data(at, "tally_0")["seat"]["total"] == 5
    tap(at, "undo")
    assert match_of(state.store(), table).match.hands == ()
    assert "Undone: the cards are still there" in visible(at)
    assert "Hand 1 saved" not in visible(at)


@pytest.mark.parametrize(
    "piles",
    [
        (ANNA, ()),
        (ANNA[:3] + ANNA[4:], BRUNO),
        (ANNA, (*BRUNO, "7d")),
        (Pile(by_hand=ANNA[:3] + ANNA[4:], detected=(doubtful("7d", "x"),)), BRUNO),
    ],
    ids=["other pile not there", "one card missing", "one card duplicated", "a question"],
)
def test_unsettled_hand_cannot_be_saved(
    piles: tuple[Pile | tuple[str, ...], ...],
) -> None:
    table = open_table()
    lay(table, *piles)
    at = app("points", table=table.code)
    assert "Not everything is counted yet" in visible(at)
    assert not has_act(at, "confirm")
    assert "Back to the cards" in [link.proto.label for link in at.get("page_link")]
    shown = "".join(str(one.value) for one in at.html)
    assert 'class="note' not in shown
    assert 'class="lines' not in shown


def test_points_of_an_empty_hand_redirect_to_play() -> None:
    # a tap on the old screen may overtake the way from a saved hand to the next one
    table = open_table()
    at = app("points", table=table.code)
    assert component_data(at, "tally_0")["seat"]["total"] == 0
    assert "Not everything is counted yet" not in visible(at)


def test_overtaken_redirect_happens_in_the_next_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    at = app("points", table=table.code)
    act, data = acts_of(at)["confirm"]
    with monkeypatch.context() as overtaken:
        overtaken.setattr("screens.navigation.go", lambda *_, **__: st.stop())
        send_action(at, data, act["action"])
    at.run()
    assert "Hand 1 saved" in visible(at)
    assert component_data(at, "tally_0")["seat"]["total"] > 0


def test_photo_leads_to_its_pile_after_an_overtaken_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = app("play", table=open_table().code)
    at.session_state["session"] = state.Session(taken=1)
    with monkeypatch.context() as overtaken:
        overtaken.setattr("screens.navigation.go", lambda *_, **__: st.stop())
        at.run()
    at.run()
    assert camera_of(at)["side"] == 1
    assert at.session_state["session"].taken is None


def test_overtaken_note_is_shown_once_by_the_next_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    at = app("play", table=table.code)
    changed = match_of(state.store(), table)
    rules = changed.match.rules.changed(target=16)
    names, shown = table.side_names, changed.revision
    state.execute(table.code, "change_match", shown=shown, names=names, rules=rules)
    with monkeypatch.context() as overtaken:
        overtaken.setattr("screens.parts.phone.messenger", lambda _: st.stop())
        at.run()
    assert "To 16 points" in visible(at.run())
    assert "To 16 points" not in visible(at.run())


def test_an_undone_hand_is_told_for_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table()
    record(table)
    at = app("history", table=table.code)
    tap(at, "undo")
    assert "Undone: the cards are still there" in visible(at)
    monkeypatch.setattr(state, "UNDO_S", 0.0)
    assert "Undone" not in visible(at.run())


def test_parity_is_a_quiet_note_for_photographed_piles() -> None:
    table = open_table()
    piles = (*ANNA, "7b"), tuple(c for c in BRUNO if c != "7b")
    lay(table, *piles)
    sentence = "One card may be in the wrong pile."
    assert sentence not in visible(app("points", table=table.code)), "they were tapped in"
    lay(table, Pile(by_hand=piles[0], photos=(1,)), piles[1])
    for screen in ("play", "settle"):
        assert sentence not in visible(app(screen, table=table.code))
    at = app("points", table=table.code)
    assert visible(at).count(sentence) == 1
    assert "add up to" not in visible(at)
    assert 'class="note ask"' not in "".join(str(one.value) for one in at.html)
    [look] = [link for link in at.get("page_link") if link.proto.label == "Look"]
    assert (look.proto.page, "side=0" in look.proto.query_string) == ("settle", True)


def test_point_names_its_winner_once() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    shown = [str(html.value) for html in app("points", table=table.code).html]
    [lines] = [html for html in shown if 'class="lines n2"' in html]
    named = [
        lines.count(f'<div><span translate="no"><bdi>{name}</bdi></span>')
        for name in table.side_names
    ]
    assert named == [2, 2]


def test_more_scope_than_captures_are_questioned() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    write(state.store(), piles.add_scope, table, 0, delta=12)
    at = app("points", table=table.code)
    assert "Anna has 12 scope, but 18 cards allow 9" in visible(at)


def test_scope_can_be_put_right_on_the_points() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    at = app("points", table=table.code)
    tap_scope(at, 1)
    assert "Scope 0 1 ▲ Bruno +1" in visible(at)
    tap_scope(at, 1, delta=-1)
    assert "Scope 0 0 –" in visible(at)


# Board


def test_board_shows_scores_last_hand_and_next_pile() -> None:
    table = open_table()
    record(table, scope=(2, 0))
    lay(table, ANNA, (), hand_no=2)
    seen = board_words(table)
    for sentence in ("6 to go", "10 to go", "Settebello ● Anna has", "Bruno deals hand 2"):
        assert sentence in seen
    assert "still to snap: Bruno" in seen
    assert table.code in seen
    assert "data:image/svg+xml" in board_html(table)


def test_the_winner_is_named_and_a_rematch_starts_at_nothing() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    assert "Anna wins!" in board_words(table)
    assert " min" not in board_words(table), "it took no minute"
    at = app("play", table=table.code)
    assert "Anna wins!" in visible(at)
    assert "● Anna 12 ▲ Bruno 1" in visible(at)
    end = next(html for html in htmls_of(at) if 'class="end"' in html)
    for point in ("Cards ▲", "Coins ●", "Settebello ●", "Primiera ●", "Scope ● +9"):
        assert point in words_of(end)
    tap(at, "rematch")
    state_of = match_of(state.store(), table)
    assert (state_of.match_no, state_of.first_dealer, state_of.match.rules.target) == (2, 1, 11)
    assert component_data(app("play", table=table.code), "tally_0")["seat"]["total"] == 0


def test_change_opens_the_form_of_the_rematch() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    form = follow(tap(app("play", table=table.code), "rematch_change"), "match")
    assert "Who deals hand 1?" in [one.label for one in form.segmented_control]
    assert match_of(state.store(), table).match_no == 2


def test_a_won_match_offers_undo_for_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    for _ in range(9):
        tap_scope(app("points", table=table.code), 0)
    at = follow(tap(app("points", table=table.code), "confirm"), "play")
    assert has_act(at, "undo")
    shown = [one.key for one in at.get("bidi_component")]
    assert {"picture", "end_undo", "rematch"} <= {*shown}
    later = monotonic() + 10
    monkeypatch.setattr("screens.state.monotonic", lambda: later)
    assert not has_act(at.run(), "undo")


@pytest.mark.parametrize("dealer", [0, 1, None], ids=["first", "last", "unknown"])
def test_in_a_rematch_the_loser_deals(dealer: int | None) -> None:
    table, store = open_table(), state.store()
    hand = replace(facts(ANNA, BRUNO, names=table.side_names, scope=(9, 0)), dealer=dealer)
    revision = match_of(store, table).revision
    record_hand(store, table, hand, key="the whole match", expected=revision)
    tap(app("play", table=table.code), "rematch")
    assert "Bruno deals hand 1" in board_words(table)


@pytest.mark.parametrize(
    ("scope", "perdere", "sentence"),
    [
        ((3, 4), False, ["5 to go", "6 to go"]),
        ((8, 10), False, ["1 to go", "1 to go"]),  # a tie at the target plays on
        ((3, 4), True, ["5 short of losing", "6 short of losing"]),
    ],
)
def test_the_board_says_what_each_side_lacks(
    scope: tuple[int, int], *, perdere: bool, sentence: list[str]
) -> None:
    rules = PRESETS["silver-lake"].changed(perdere=perdere)
    table = command(state.store(), tables.open_table, ("Anna", "Bruno"), rules)
    record(table, scope=scope)
    seen = board_words(table)
    assert re.findall(r"\d+ (?:to go|short of losing)", seen) == sentence


@pytest.mark.parametrize("screen", ["settle", "points"])
def test_no_hand_is_shown_after_the_end(screen: str) -> None:
    table = open_table()
    record(table, scope=(9, 0))
    at = follow(app(screen, table=table.code), "play")
    assert "Anna wins!" in visible(at)
    assert "waiting" not in visible(at)


def test_a_side_without_a_card_does_not_hold_up_a_hand_of_forty() -> None:
    table = open_table("Anna", "Bruno", "Carla")
    lay(table, ANNA, BRUNO)
    at = app("settle", table=table.code, side=1)
    at.button(key="onward").click().run()
    assert "not there yet" not in visible(at)
    tap(follow(at, "points"), "confirm")
    assert len(match_of(state.store(), table).match.hands) == 1


# History, editing, undo


def links(at: AppTest, screen: str) -> list[str]:
    """Return the words of the links to a screen; those with a number of a match in them."""
    found = [str(link.proto.label) for link in at.get("page_link") if link.proto.page == screen]
    return [label for label in found if "Match" in label]


def hands_shown(at: AppTest) -> list[str]:
    """Return the hands in the list, by their numbers."""
    return [row.label.split()[0] for row in at.expander if ":small[" in row.label]


def htmls_of(at: AppTest) -> list[str]:
    return [str(getattr(one, "value", "")) for one in at.get("html")]


def acts_of_hands(at: AppTest) -> list[str]:
    """Return the buttons of the hands, and those that undo and redo."""
    kinds = ("undo", "redo", "edit_", "out_")
    return [name for name in acts_of(at) if name.startswith(kinds)]


def test_a_match_without_hands_says_so() -> None:
    assert "No hand has been saved yet" in visible(app("history", table=open_table().code))


def test_hand_is_edited_with_its_own_scope() -> None:
    table = open_table()
    record(table, scope=(2, 0))
    record(table)
    at = app("history", table=table.code)
    tap(at, "edit_1")
    assert "editing hand 1" in visible(at)
    assert "18 here · 22 Bruno · 0 left" in visible(at)
    follow(at, "settle").button(key="turn_1").click().run()
    tap_card(at, "7d")
    at.button(key="onward").click().run()
    assert "Settebello ▲ Bruno +1" in visible(at)
    tap_scope(follow(at, "points"), 0, delta=-1)
    tap(at, "confirm")
    match = match_of(state.store(), table).match
    assert [side.scope for side in match.hands[0].sides] == [1, 0]
    assert len(match.hands) == 2
    assert match.standings[0] == (1, 3)


def test_undo_takes_the_last_step_back_and_again_brings_it() -> None:
    table = open_table()
    record(table)
    at = app("history", table=table.code)
    tap(at, "undo")
    assert match_of(state.store(), table).match.hands == ()
    assert "Undone" in visible(at)
    tap(at, "redo")
    assert len(match_of(state.store(), table).match.hands) == 1


def test_hands_are_rows_of_gain_and_total_newest_last() -> None:
    table = open_table()
    record(table, scope=(2, 0))
    record(table)
    record(table, scope=(0, 2))
    at = app("history", table=table.code)
    assert [one.label for one in at.expander] == [
        "1 :small[● Anna] *+5* ***5*** :small[▲ Bruno] +1 **1**",
        "2 :small[● Anna] *+3* ***8*** :small[▲ Bruno] +1 **2**",
        "3 :small[● Anna] +3 **11** :small[▲ Bruno] +3 **5**",  # a tie
        "More",
    ]
    foot = next(html for html in htmls_of(at) if "foot" in html)
    assert words_of(foot).split() == ["11", "5"]


def test_a_row_offers_edit_and_take_out_and_the_newest_undo() -> None:
    table = open_table()
    record(table, scope=(2, 0))
    record(table)
    at = app("history", table=table.code)
    first, second = (["edit_1", "out_1", "out_yes_1"], ["edit_2", "out_2", "out_yes_2"])
    assert acts_of_hands(at) == [*first, "undo", *second]
    tap(at, "undo")
    assert hands_shown(at) == ["1"]
    assert acts_of_hands(at) == ["undo", "edit_1", "out_1", "out_yes_1", "redo"]


def test_hands_that_do_not_count_are_struck_out() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    tap(app("history", table=table.code), "out_yes_1")
    at = app("history", table=table.code)
    assert at.expander[0].label == "1 :small[● Anna] 0 ~~**–**~~ :small[▲ Bruno] 0 ~~**–**~~"


def test_a_won_match_offers_its_picture_first() -> None:
    table = open_table()
    record(table)
    shown = [one.key for one in app("history", table=table.code).get("bidi_component")]
    assert shown.index("changes_1") < shown.index("picture")
    record(table, scope=(9, 0))
    shown = [one.key for one in app("history", table=table.code).get("bidi_component")]
    assert shown.index("picture") < shown.index("changes_1")


def test_rematch_can_be_undone() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    tap(app("play", table=table.code), "rematch")
    at = app("history", table=table.code)
    assert links(at, "history") == ["Match 1, won by Anna · Anna 12 · Bruno 1"]
    tap(at, "leave_yes")
    assert "The previous match goes on" in visible(at)
    assert hands_shown(at) == ["1"]
    rematch(state.store(), table, after=1)
    record(table)
    at = app("history", table=table.code)
    assert not has_act(at, "leave_yes")
    assert hands_shown(at) == ["1"]
    assert links(at, "history") == ["Match 1, won by Anna · Anna 12 · Bruno 1"]
    at = app("history", table=table.code, match=1)
    assert links(at, "history") == ["Match 3, not played out · Anna 3 · Bruno 1"]
    assert "Settebello" in visible(at)


@pytest.mark.parametrize(
    ("preset", "label"),
    [("silver-lake", "Scopa (standard)"), ("escoba", "Escoba: captures to fifteen")],
)
def test_the_rules_of_the_match_can_be_read(preset: str, label: str) -> None:
    at = app("history", table=open_table(rules=preset).code)
    assert f"Rules: {label}" in [one.value for one in at.subheader]
    assert ("primiera: 1" in visible(at)) == (preset == "silver-lake")


@pytest.mark.parametrize("screen", ["settle", "quick"])
def test_back_from_an_edit_leads_to_its_match(screen: str) -> None:
    table = open_table()
    record(table, scope=(11, 0))
    rematch(state.store(), table, after=1)
    at = app(screen, table=table.code, match=1, hand=1)
    assert "editing hand 1" in visible(at)
    [back] = [link.proto for link in at.get("page_link") if link.proto.label == "‹"]
    assert back.page.endswith("history")
    assert back.query_string.split("&")[1:] == ["match=1"]


def test_a_pile_that_was_tapped_can_be_photographed() -> None:
    table = open_table()
    lay(table, ANNA[:3])
    at = app("settle", table=table.code, side=0)
    [photo] = [link.proto for link in at.get("page_link") if link.proto.label == "Photo"]
    assert not [one for one in at.get("bidi_component") if one.key == "more"]
    at.query_params["by"] = parse_qs(photo.query_string)["by"]
    assert camera_of(at.run(), "more")["label"] == "Anna's pile"


# Two phones, one hand


def test_an_answer_goes_to_the_card_that_was_shown_or_to_none() -> None:
    table = open_table()
    kept = [(SAMPLES / f"anna-{n}.jpg").read_bytes() for n in (1, 2)]
    one, two = (
        write(state.store(), piles.add_photo, table, jpeg, hand_no=1, side=0) for jpeg in kept
    )
    elsewhere = tuple((x + 0.5, y) for x, y in BOX)
    shown = (
        replace(doubtful("2c"), photo=one, doubtful=False),
        replace(doubtful("7d", "6d"), photo=two),
        replace(doubtful("5d", "4d"), photo=two, corners=elsewhere),
    )
    others = tuple(c for c in CODES if c not in ("2c", "7d", "5d", "6d"))
    laid = Pile(photos=(one, two), detected=shown), Pile(by_hand=others)
    for photo, answers in ((one, {"7d": "7d", "5d": None}), (two, {"2c": None})):
        lay(table, *laid)
        at = app("settle", table=table.code, side=0)
        lay(table, laid[0].without_photos({photo}))
        tap(at, "answer_1_7d")
        assert not at.exception
        assert {seen.guess: seen.answer for seen in drafts(table)[0].detected} == answers


def test_hand_sent_during_an_edit_stays_on_its_phone() -> None:
    table = open_table()
    record(table)
    lay(table, ANNA, BRUNO, hand_no=2)
    late = app("points", table=table.code)
    edited = facts(BRUNO, ANNA, names=table.side_names, scope=(0, 0))
    edit_hand(state.store(), table, edited, hand_no=1, key="edited", expected=2)
    with pytest.raises(SavedElsewhereError):
        tap(late, "confirm")
    assert len(match_of(state.store(), table).match.hands) == 1


def stored_version(table: Table) -> AppTest:
    """Hands, after an earlier version of the app stored Anna's hand next to Bruno's."""
    record(table, scope=(0, 1), device="Bruno")
    other = facts(ANNA, BRUNO, names=table.side_names, scope=(0, 0))
    propose(state.store(), table, other, device="Anna")
    assert "not saved" not in visible(app("play", table=table.code))
    return app("history", table=table.code)


def test_a_stored_version_replaces_the_saved_hand_from_hands() -> None:
    table = open_table()
    at = stored_version(table)
    told = visible(at).replace("\N{NO-BREAK SPACE}", " ")
    assert (
        "Hand 1 was saved from Bruno's phone: ● Anna +3 · ▲ Bruno +2. "
        "The version that was not saved: ● Anna +3 · ▲ Bruno +1." in told
    )
    tap(at, act_named(at, "accept_"))
    match = match_of(state.store(), table).match
    assert [side.scope for side in match.hands[0].sides] == [0, 0]
    assert "not saved" not in visible(at)


def test_a_stored_version_is_discarded_and_not_shown_again() -> None:
    table = open_table()
    at = stored_version(table)
    tap(at, act_named(at, "discard_"))
    assert [s.scope for s in match_of(state.store(), table).match.hands[0].sides] == [0, 1]
    assert "not saved" not in visible(app("history", table=table.code))


# Three and four sides


def test_three_sides_play_snap_and_count() -> None:
    table = open_table("Carla", "Dario", "Elena")
    lay(table, ANNA, BRUNO[:12], BRUNO[12:])
    at = app("points", table=table.code)
    assert "Cards 18 12 10 ● Carla +1 Carla 18, Dario 12, Elena 10" in visible(at)
    assert re.search(r"Carla plus (\d), now \1 ", visible(at)), "gain and total are two words"
    tap(at, "confirm")
    assert "hand 2 · Dario deals" in visible(at)
