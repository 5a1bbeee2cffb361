"""The rules of a table: a ruling on a card, the rules in words, and the widgets to change them."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import streamlit as st
from markupsafe import Markup

from scoring.captures import Ruling
from scoring.cards import CODES, Card, Rank
from scoring.errors import RulesCodeError, RulesError, ScoringError
from scoring.examples import Play, example
from scoring.explain import described, differences
from scoring.explain import disputed as disputes
from scoring.hand import score_hand
from scoring.locale import LANGUAGES
from scoring.match import Match
from scoring.points import scale_of
from scoring.presets import PRESETS, is_letter_code, read_rules
from scoring.rules import GROUPS, MOST_POINTS, SEATINGS, SETTINGS, Rules, contradictions
from screens import components, navigation, render, state
from screens.parts import joining
from screens.parts.switch import switch
from screens.words import capital, card, in_signs, rank, t, the_card, to_number
from store import club
from table.series import LENGTHS

QR_CHARACTERS = 800
"""Longest address to show as a QR code; a phone cannot read a denser one from a screen."""

EXAMPLE = ("7d", "7c", "6b", "1s")
"""The cards of the example in docs/rules.md, which make 76 in the primiera."""


def ruling(found: Ruling, played: Card) -> Markup:
    """Return HTML of what a played card may do, and why."""
    name = the_card(played.code)
    count = len(found.ways)
    head = t("takes", n=count, card=name) if count else t("takes_nothing", card=name)
    return _template().ruling(found, capital(head), list(map(in_signs, found.why)))


def in_words(rules: Rules, *, has_examples: bool = False) -> Markup:
    """Return HTML of a rule set in sentences, grouped by subject.

    Args:
        rules: The rule set.
        has_examples: Whether to draw the cards that illustrate a rule.
    """
    seats = t("seatings_are", ways=", ".join(map(seating, rules.seatings)))
    groups = [
        (
            group,
            [
                (
                    in_signs(seats if name == "seatings" else sentence),
                    _example(name, rules) if has_examples else "",
                )
                for name, sentence in said.items()
            ],
        )
        for group, said in described(rules, lang=state.language()).items()
    ]
    return _template().in_words(groups)


def _example(setting: str, rules: Rules) -> Markup:
    """Return HTML of the cards that illustrate a setting; empty if it has no example."""
    shown = example(setting, rules)
    if isinstance(shown, Play):
        return _template().play(shown)
    return render.faces([card.code for card in shown]) if shown else Markup("")


def disputed(rules: Rules) -> Markup:
    """Return HTML of the points on which houses differ."""
    sentences = [(one, "") for one in disputes(rules, lang=state.language())]
    return _template().in_words([("disputed", sentences)])


def changes(before: Rules, after: Rules) -> Markup:
    """Return HTML of the differences between two rule sets."""
    found = differences(before, after, lang=state.language())
    return _template().changes([(in_signs(one.before), in_signs(one.after)) for one in found])


def share(rules: Rules) -> None:
    """Draw the link of a rule set, and its QR code unless the link is too long to scan."""
    query = navigation.way() | {state.RULES: in_address(rules)}
    url = joining.address() + navigation.path("house", query)
    st.subheader(t("rules_link"))
    if len(url) <= QR_CHARACTERS:
        picture = joining.qr_code(url, alt=t("rules_link_qr", rules=called(rules.name)))
        st.html(render.piece("invite", picture))
    st.code(url, language=None, wrap_lines=True)
    words = {"send": t("share"), "copy": t("copy"), "copied": t("copied")}
    title = f"{t('title')} · {called(rules.name)}"
    components.show("share", key="share_rules", data={"url": url, "title": title, **words})


def in_address(rules: Rules) -> str:
    """Return the address's `rules`: a preset's name, or JSON of the settings that differ."""
    if rules == PRESETS.get(rules.name):
        return rules.name
    usual = Rules().to_dict()
    changed = {name: value for name, value in rules.to_dict().items() if value != usual[name]}
    return json.dumps(changed, separators=(",", ":"), ensure_ascii=False)


def linked() -> Rules | None:
    """Return the rule set that the address has as JSON; None if it names one or has none.

    Raises:
        ScoringError: The JSON is no rule set, or the address carries a letter code.
    """
    text = state.address().rules
    if text.startswith("{"):
        try:
            return read_rules(json.loads(text))
        except json.JSONDecodeError as error:
            raise RulesError(f"rules: {error}", setting="") from error
    if is_letter_code(text):
        raise RulesCodeError(text)
    return None


def of_address() -> Rules | None:
    """Return the rule set that the address has as JSON; None if there is none or it is damaged."""
    try:
        return linked()
    except ScoringError:
        return None


def seating(way: tuple[int, int]) -> str:
    """Return a seating in words: "2 teams of 2"."""
    sides, players = way
    if players == 1:
        return t("seating_players", n=sides)
    return t("seating_teams", sides=sides, players=players)


def primiera(rules: Rules, match: Match | None) -> Markup:
    """Return HTML of what cards count in the primiera, with a match's last hand as the example.

    Empty if these rules have no primiera.
    """
    if not rules.has_prime:
        return Markup("")
    values = scale_of(rules)
    ranks = sorted(Rank, key=lambda one: (-values[one - 1], one))
    newest = _newest_by_cards(match, rules) if match else None
    if match is None or newest is None:
        heading = t("prime_example")
        shown = [("", tuple(map(Card.from_code, EXAMPLE)))]
    else:
        lines = score_hand(match.hands[newest].sides, rules).lines
        line = next(line for line in lines if line.point == "primiera")
        heading = t("prime_last", hand=newest + 1)
        shown = list(zip(match.names, line.cards, strict=True))
    primes = [
        (name, [one.code for one in cards], _sum([values[one.rank - 1] for one in cards]))
        for name, cards in shown
    ]
    return _template().primiera([(values[one - 1], rank(one)) for one in ranks], heading, primes)


def _newest_by_cards(match: Match, rules: Rules) -> int | None:
    """Return the index of the newest hand that was counted by cards under these rules, or None."""
    for number in reversed(range(match.counted)):
        sides = match.hands[number].sides
        if match.rules_of(number) == rules and all(
            side.pile and not side.counted for side in sides
        ):
            return number
    return None


def _sum(values: Sequence[int]) -> str:
    return f"{' + '.join(map(str, values))} = {sum(values)}" if values else "0"


def _template() -> render.Macros:
    return render.macros("rules.html")


def rule_sets(sides: int | None = None) -> Mapping[str, Rules]:
    """Return the rule sets to choose from by name; house rules and that of the address come last.

    With a number of sides, only those for so many.
    """
    with state.store().reading() as session:
        everything = {**PRESETS, **club.saved_rules(session)}
    if (rules_linked := of_address()) is not None:
        everything.setdefault(rules_linked.name, rules_linked)
    if sides is None:
        return everything
    played = {name: rules.for_sides(sides) for name, rules in everything.items()}
    return {name: rules for name, rules in played.items() if rules is not None}


def called(name: str) -> str:
    """Return the name of a rule set as players know it; house rules keep their own name."""
    return t(f"rules_{name}") if name in PRESETS else name


def since(match: Match, hand_no: int) -> None:
    """Say from which hand on its rules count, if a match changed its rules then.

    With the first hand, say by which rules the match began.
    """
    rules = match.rules_of(hand_no - 1)
    if match.has_mixed_rules and (hand_no == 1 or rules != match.rules_of(hand_no - 2)):
        render.quiet(t("rules_from", hand=hand_no, rules=called(rules.name)))


def played_by(match: Match) -> list[str]:
    """Return by which rules the hands of a match were counted, one sentence each, in order."""
    first, to = match.rules_of(0), to_number(match.rules.target)
    changes = [
        t("rules_from", hand=place + 1, rules=called(match.rules_of(place).name))
        for place in range(1, len(match.hands))
        if match.rules_of(place) != match.rules_of(place - 1)
    ]
    begun = f"{t('counted_by', rules=called(first.name))} · {capital(t('played_to', to=to))}"
    return [begun, *changes]


def settings(start: Rules) -> dict[str, Any]:
    """Draw a widget for every setting, grouped by subject; return the values by name."""
    values: dict[str, Any] = {"name": start.name}
    for group, names in GROUPS.items():
        with st.expander(t(f"group_{group}"), key=f"group_{group}"):
            for name in names:
                values[name] = _setting(name, start)
                st.html(render.piece("setting_help", t(f"told_{name}")))
    return values


def _setting(name: str, start: Rules) -> Any:
    value, label = getattr(start, name), render.plain(t(f"setting_{name}"))
    key = f"set_{start.name}_{name}"
    if name == "seatings":
        return _seatings(label, start, key=key)
    if name == "card_points":
        return _card_points(label, start, key=key)
    if isinstance(value, StrEnum):
        return _choice(label, name, value=value, key=key)
    if isinstance(value, bool):
        return st.toggle(label, value=value, key=key)
    known = SETTINGS[name]
    return int(st.number_input(label, known.low, known.high, value=value, step=1, key=key))


def _seatings(label: str, start: Rules, *, key: str) -> tuple[tuple[int, int], ...]:
    ways = {seating(way): way for way in (*SEATINGS, *start.seatings)}
    usual = list(map(seating, start.seatings))
    chosen = st.pills(
        label, list(ways), selection_mode="multi", default=usual, key=state.choice_key(key)
    )
    return tuple(ways[one] for one in chosen)


def _card_points(label: str, start: Rules, *, key: str) -> tuple[tuple[str, int], ...]:
    usual = dict(start.card_points)
    chosen = st.multiselect(label, CODES, default=list(usual), format_func=card, key=key)

    def points(code: str) -> int:
        value, own_key = usual.get(code, 1), f"{key}_{code}"
        return int(st.number_input(card(code), 1, MOST_POINTS, value=value, key=own_key))

    return tuple((code, points(code)) for code in chosen)


def _choice(label: str, name: str, *, value: StrEnum, key: str) -> StrEnum:
    words = {t(f"choice_{name}_{member.value}"): member for member in type(value)}
    keys = (f"{key}_{language}" for language in LANGUAGES)
    before = next((st.session_state[one] for one in keys if one in st.session_state), None)
    usual = t(f"choice_{name}_{value.value}")
    index = list(words).index(str(before) if before in words else usual)
    chosen = st.radio(label, list(words), index=index, key=state.choice_key(key))
    return words[chosen or usual]


def clashes(values: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each conflict between the settings."""
    if not values["seatings"]:
        return [t("house_no_seats")]
    return [t(f"clash_{name}") for name, _ in contradictions(values)]


TARGETS = (11, 16, 21, 31, 51)
"""Usual targets of a match."""


def target(rules: Rules, *, key: str, kept: str = "") -> int:
    """Ask for the target of a match; at first it is the rules' own, or the one chosen before."""
    usual = TARGETS if rules.target in TARGETS else (rules.target, *TARGETS)
    before = int(kept) if kept.isdecimal() and int(kept) in usual else rules.target
    return switch(t("target"), usual, default=before, key=key)


def best_of(now: int, *, key: str) -> int:
    """Ask how many matches are played at most: one, or the best of several."""
    return switch(t("evening_best_of"), LENGTHS, default=now, key=key)
