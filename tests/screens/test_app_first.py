"""What somebody meets on the first evening: the match edited, a hand without cards, help."""

from dataclasses import replace
from functools import partial

import pytest
from app_driving import (
    ANNA,
    BRUNO,
    acts_of,
    app,
    board_html,
    board_words,
    component_data,
    drafts,
    follow,
    label_of,
    lay,
    open_table,
    record,
    rules_unfolded,
    tap,
    tap_scope,
    visible,
    without_bdi,
)
from catalogues import WALKED
from earlier import change_rules_from_now, seat
from playing import command, find_table, match_of, record_hand, rematch
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from scoring.presets import PRESETS
from scoring.record import HandRecord
from scoring.rules import Rules, Ties
from screens import state
from screens.words import to_number
from store import Table, club, tables
from table.hand.quick import AnsweredError
from table.names import NoNameError
from table.season.statistics import points_by_kind

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Bruno")


def change_rules(table: Table, rules: Rules) -> None:
    """Change the rules, as another phone would have done."""
    shown = match_of(state.store(), table).revision
    state.execute(table.code, "change_match", shown=shown, names=table.side_names, rules=rules)


def link_labels(at: AppTest) -> list[str]:
    return [one.proto.label for one in at.get("page_link")]


def html_of(at: AppTest) -> str:
    return without_bdi(" ".join(str(one.value) for one in at.html))


# The match is edited


def test_renaming_also_changes_earlier_hands() -> None:
    table = open_table()
    record(table, scope=(4, 0))
    at = app("match", table=table.code)
    at.text_input[0].set_value(" Annalisa ")
    at.segmented_control[0].select(21)
    at.button(key="match_save").click().run()
    assert "Saved." in visible(at)
    match = match_of(state.store(), table).match
    assert (match.names, match.rules.target) == (("Annalisa", "Bruno"), 21)
    assert match.totals == (7, 1)
    history = app("history", table=table.code)
    assert "Annalisa 18, Bruno 22" in visible(history)
    assert "Anna 18" not in visible(history)
    assert not [name for name in acts_of(history) if name.startswith("stand_")]
    assert "14 to go" in board_words(table)


def test_series_and_stored_substitutes_are_shown() -> None:
    table = open_table()
    record(table)
    at = app("match", table=table.code)
    at.segmented_control(key="match_best_of_1").select(3)
    at.button(key="match_save").click().run()
    seat(state.store(), table, 0, "Zoe")
    for told in (visible(app("play", table=table.code)), board_words(table)):
        assert "best of 3: 0 : 0 · Zoe for Anna" in told
    assert "From hand 2 on Zoe play there" in visible(app("history", table=table.code))
    record(table, scope=(9, 0))
    assert "best of 3: 1 : 0" in visible(app("play", table=table.code))
    rematch(state.store(), table, after=1)
    record(find_table(state.store(), table.code), scope=(9, 0))
    at = app("play", table=table.code)
    assert "Zoe wins the best of 3" in visible(at)
    assert "rematch" in acts_of(at), "a new series may begin"


def test_a_higher_target_plays_a_match_on_that_was_won() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    assert find_table(state.store(), table.code).winner == 0
    rules = PRESETS["silver-lake"].changed(target=16)
    change_rules(table, rules)
    assert find_table(state.store(), table.code).winner is None
    assert "rematch" not in acts_of(app("play", table=table.code))


def test_stored_rules_from_a_hand_on_are_shown_with_their_hands() -> None:
    table = open_table()
    record(table)
    change_rules_from_now(state.store(), table, PRESETS["escoba"])
    assert [one for one in acts_of(app("history", table=table.code)) if one == "undo"]
    record(table)
    history = app("history", table=table.code)
    told = visible(history)
    assert history.expander[1].label.startswith("2 :small[● Anna] *+2* ***5***")
    assert "From hand 2 on · Escoba" in told
    assert "From hand 1 on · Scopa" in told
    tap(history, "edit_1")
    shown = app("points", table=table.code, hand=1, match=1)
    assert "Counted by: Scopa" in visible(shown), "edited, it is counted as before"
    lay(table, ANNA, BRUNO, hand_no=3)
    assert "Counted by: Escoba" in visible(app("points", table=table.code))


def test_new_rules_recount_after_a_preview() -> None:
    table = open_table()
    record(table)
    state_of = partial(match_of, state.store())
    at = app("match", table=table.code)
    at.selectbox[0].set_value("escoba").run()
    assert "counted again by these rules: Anna 3 · Bruno 1 becomes Anna 2 · Bruno 1" in visible(at)
    assert state_of(table).match.rules.name == "silver-lake", "nothing before the tap"
    assert at.button(key="match_save").label == "Save and count again"
    at.button(key="match_save").click().run()
    match = state_of(table).match
    assert (match.rules.name, match.totals) == ("escoba", (2, 1))
    tap(app("history", table=table.code), "undo")
    assert state_of(table).match.totals == (3, 1)


def test_edit_that_changes_the_end_is_announced() -> None:
    table = open_table()
    record(table, scope=(8, 0))
    at = app("match", table=table.code)
    at.segmented_control(key="match_target_silver-lake_11").select(16).run()
    assert "With this the match goes on." in visible(at)


def test_concurrent_rule_change_is_announced() -> None:
    table = open_table()
    record(table)
    at = app("match", table=table.code)
    at.selectbox[0].set_value("escoba").run()
    change_rules(table, PRESETS["wikipedia"])
    at.button(key="match_save").click().run()
    assert "From hand 1 on ·" in visible(at), "what the other one did"
    assert "The table has changed since" in visible(at)
    assert match_of(state.store(), table).match.rules == PRESETS["wikipedia"]


def test_recount_lists_hands_with_unknown_points() -> None:
    table = open_table()
    at = choose(app("quick", table=table.code), carte=1, denari=0, settebello=0, primiera=None)
    tap(at, "confirm")
    rules = PRESETS["silver-lake"].changed(name="ours", napola=True)
    with state.store().writing() as session:
        club.save_rules(session, rules)
    at = app("match", table=table.code)
    at.selectbox[0].set_value("ours").run()
    assert "Hand 1 was counted without cards" in visible(at)


def test_who_deals_can_be_put_right_in_the_middle_of_a_match() -> None:
    table = open_table()
    record(table)
    at = app("match", table=table.code)
    [deals] = [one for one in at.segmented_control if str(one.key).startswith("match_dealer")]
    assert deals.value == 1
    deals.select(0)
    at.button(key="match_save").click().run()
    assert "Anna deals hand 2" in board_words(table)
    record(table)
    assert "Bruno deals hand 3" in board_words(table)


def test_names_that_do_not_do_leave_everything_as_it_was() -> None:
    table = open_table()
    at = app("match", table=table.code)
    for first, said in (("", "needs a name"), (" bruno", "Two players are called")):
        at.text_input[0].set_value(first)
        at.button(key="match_save").click().run()
        assert said in visible(at)
    assert match_of(state.store(), table).match.names == NAMES
    with pytest.raises(NoNameError):
        state.execute(table.code, "change_match", shown=1, names=["", "B"], rules=table.rules)


# A hand is counted without cards


def choose(at: AppTest, **owners: int | None) -> AppTest:
    """Say whose a point is; None: nobody's."""
    for point, owner in owners.items():
        tap(at, f"{point}_{'nobody' if owner is None else owner}")
    return at


def chosen(at: AppTest) -> list[str]:
    acts = {name: act for name, (act, _) in acts_of(at).items() if "drawing" not in name}
    return [name for name, act in acts.items() if act["pressed"]]


def test_quick_count_takes_four_answers_and_one_tap() -> None:
    table = open_table()
    at = app("quick", table=table.code)
    assert "4 points left" in visible(at)
    choose(at, carte=1, denari=0, settebello=0)
    play = app("play", table=table.code)
    assert link_labels(play)[-2:] == ["Tap cards", "Go on counting"], "that leads to the answers"
    assert not any(component_data(play, f"tally_{side}")["seat"]["pile"] for side in range(2))
    assert link_labels(app("points", table=table.code))[-1] == "Go on counting"
    again = app("quick", table=table.code, lang="it")  # a reload, another language, another phone
    assert chosen(again) == ["carte_1", "denari_0", "settebello_0"]
    assert "Manca 1 punto" in visible(again)
    tap(again, "carte_0")
    with pytest.raises(AnsweredError):
        tap(at, "carte_nobody")  # this phone has not heard of it yet
    choose(at.run(), carte=1, primiera=None)
    tap_scope(at, 1)
    assert "Save hand 1: ● Anna +2 · ▲ Bruno +2" in visible(at)
    tap(at, "confirm")
    assert "Hand 1 saved" in visible(at)
    match = match_of(state.store(), table).match
    assert match.totals == (2, 2)
    made = {"denari": (1, 0), "settebello": (1, 0), "carte": (0, 1), "scope": (0, 1)}
    assert points_by_kind(match) == made, "each by its name"
    at = app("history", table=table.code)
    assert "Anna, counted without cards" in html_of(at)
    at = follow(tap(at, "edit_1"), "quick")
    shown = ["carte_1", "denari_0", "settebello_0", "primiera_nobody"]
    assert chosen(at) == shown, "what was tapped"
    tap(choose(at, carte=0, primiera=0), "confirm")
    assert match_of(state.store(), table).match.totals == (4, 1)


def test_a_quick_count_that_ends_the_match_says_who_wins() -> None:
    table = open_table()
    record(table, scope=(4, 0))
    at = choose(app("quick", table=table.code), carte=1, denari=0, settebello=0, primiera=0)
    assert "Save hand 2: ● Anna +3 · ▲ Bruno +1" in visible(at)
    tap_scope(at, 0)
    assert "Save – Anna wins: ● Anna +4 · ▲ Bruno +1" in visible(at)
    assert "Anna wins" in visible(follow(tap(at, "confirm"), "play"))


def test_quick_count_shows_answers_known_from_cards() -> None:
    table = open_table("Anna", "Bruno", "Carla")
    lay(table, ANNA)
    at = app("quick", table=table.code)
    assert chosen(at) == ["denari_0", "settebello_0", "primiera_0"]
    assert "Cards Anna 18" in visible(at), "somebody of the others may have as many"
    assert "1 point left" in visible(at)
    tap(choose(at, carte=1), "confirm")
    shown = html_of(app("history", table=table.code))
    assert "counted without cards (Anna 18)" in shown
    assert match_of(state.store(), table).match.totals == (3, 1, 0)


def test_the_rest_of_two_is_one_tap_away_and_answers_everything() -> None:
    table = open_table()
    lay(table, ANNA)
    at = app("quick", table=table.code)
    assert label_of(at, "rest") == "The other 22 are Bruno's"
    tap(at, "rest")
    assert len(chosen(at)) == 4
    tap(at, "confirm")
    hand = match_of(state.store(), table).match.hands[0]
    assert [len(side.pile) for side in hand.sides] == [18, 22]


def test_a_hand_that_nobody_won_a_point_of_is_no_hand_taken_out() -> None:
    table = open_table()
    at = choose(app("quick", table=table.code), carte=None, denari=None, primiera=None)
    assert "settebello_nobody" not in acts_of(at), "somebody always has it"
    anna, bruno = drafts(table).values()
    lay(table, replace(anna, absent=("7d",)), bruno)  # the pack lacks it
    tap(choose(at.run(), settebello=None), "confirm")
    assert "taken out" not in visible(app("history", table=table.code))


def test_quick_hand_of_release_0_3_still_opens() -> None:
    table = open_table()
    old = {"sides": [{"name": "Anna", "pile": [], "scope": 1, "declared": 3},
                     {"name": "Bruno", "pile": [], "scope": 0, "declared": 1}],
           "id": "", "dealer": 0}  # fmt: skip
    store = state.store()
    at_first = match_of(store, table).revision
    record_hand(store, table, HandRecord.from_dict(old), key="old", expected=at_first)
    assert match_of(store, table).match.totals == (4, 1)
    at = follow(tap(app("history", table=table.code), "edit_1"), "quick")
    assert "4 points left" in visible(at), "it does not say which"
    tap(choose(at, carte=1, denari=1, settebello=1, primiera=1), "confirm")
    assert match_of(store, table).match.totals == (1, 4)


def test_tied_sides_score_where_the_rules_say_so() -> None:
    rules = PRESETS["silver-lake"].changed(ties=Ties.EACH)
    table = command(state.store(), tables.open_table, NAMES, rules)
    at = choose(app("quick", table=table.code), denari=0, settebello=1, primiera=None)
    choose(choose(at, carte=0), carte=1)
    tap(at, "confirm")
    assert match_of(state.store(), table).match.totals == (2, 2)


def test_quick_count_asks_the_points_of_the_rules() -> None:
    rules = PRESETS["silver-lake"].changed(primiera=0, napola=True)
    table = command(state.store(), tables.open_table, NAMES, rules)
    at = choose(app("quick", table=table.code), carte=0, denari=0, settebello=0)
    tap(at, "napola_1_3")
    tap(at, "confirm")
    match = match_of(state.store(), table).match
    assert (match.totals, points_by_kind(match)["napola"]) == ((3, 3), (0, 3))


# What a guest may ask; who leads; how a table is opened


@pytest.mark.parametrize("language", WALKED)
def test_beside_each_point_stands_what_it_is_at_this_table(language: str) -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    shown = html_of(app("points", table=table.code, lang=language))
    assert shown.count('<details class="help">') == 5
    said = {"en": "At this table: settebello: 1", "it": "A questo tavolo: settebello: 1"}
    assert said[language] in shown


@pytest.mark.parametrize(
    ("scope", "leads", "said"),
    [((0, 0), True, "8 to go"), ((0, 2), False, "tied at 3"), ((7, 0), True, "match point")],
    ids=["ahead", "level", "one point to go"],
)
def test_board_names_leader_tie_and_match_point(
    scope: tuple[int, int], leads: bool, said: str
) -> None:
    table = open_table()
    assert 'aria-label="leads"' not in board_html(table)
    record(table, scope=scope)
    assert ('aria-label="leads"' in board_html(table)) is leads
    assert said in board_words(table)
    assert ("match point" in board_words(table)) is (said == "match point")


def test_the_line_of_the_rules_follows_each_choice_at_once() -> None:
    at = rules_unfolded(app())
    at.selectbox(key="rules_en").select("escoba").run()
    line = at.button(key="opening_rules")
    assert line.label.startswith("Escoba: captures to fifteen to 15 · Player 1 deals")
    at.segmented_control(key="target_escoba").select(31).run()
    assert " to 31 · " in at.button(key="opening_rules").label


@pytest.mark.parametrize("screen", ["home", "match"])
def test_every_target_is_offered_after_one_was_chosen(screen: str) -> None:
    at = app(screen, table=open_table().code) if screen == "match" else rules_unfolded(app())

    def targets() -> ButtonGroup[int]:
        [found] = [one for one in at.segmented_control if "target_silver-lake" in str(one.key)]
        return found

    assert targets().options == ["11", "16", "21", "31", "51"]
    targets().select(21).run()
    assert targets().value == 21
    assert targets().options == ["11", "16", "21", "31", "51"]


def test_a_team_is_called_a_team_and_deals_in_the_plural() -> None:
    table = open_table("Anna + Carla", "Bruno")
    assert "Anna + Carla deal hand 1" in board_words(table)
    assert "Anna + Carla deal" in visible(app("play", table=table.code))
    assert "Anna + Carla deals" not in visible(app("play", table=table.code))
    asked = [field.label for field in app("match", table=table.code).text_input]
    assert asked[:2] == ["● Team 1", "▲ Player 2"]


def test_rules_and_target_that_were_chosen_outlive_a_reload() -> None:
    at = rules_unfolded(app())
    at.selectbox(key="rules_en").select("escoba").run()
    at.segmented_control(key="target_escoba").select(31).run()
    kept = {name: at.query_params[name] for name in ("rules", "target")}
    again = rules_unfolded(
        app(**{name: one[0] if isinstance(one, list) else one for name, one in kept.items()})
    )
    assert again.selectbox(key="rules_en").value == "escoba"
    assert again.segmented_control(key="target_escoba").value == 31


@pytest.mark.parametrize(
    ("number", "said"),
    [(8, "agli 8"), (11, "agli 11"), (16, "ai 16"), (21, "ai 21"), (80, "agli 80")],
)
def test_italian_numbers_take_their_article(
    number: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "language", lambda: "it")
    assert to_number(number) == said
