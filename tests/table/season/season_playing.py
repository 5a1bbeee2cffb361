"""How the tests of a season make matches up: any piles, any scope, any names."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from scoring.cards import DECK
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS
from scoring.record import HandRecord
from scoring.rules import Rules
from store import LogEntry, PlayedMatch, Step

NAMES = ("Anna", "Bruno", "Carla", "Dario", "=Elena", "Fabio")
START = datetime(2026, 5, 3, 16, tzinfo=UTC)
SHORT = PRESETS["silver-lake"].changed(target=7, napola=True)
"""A target that a few hands reach."""


@st.composite
def hands(draw: st.DrawFn, names: tuple[str, ...]) -> HandRecord:
    owners = draw(st.lists(st.integers(0, len(names)), min_size=40, max_size=40))
    scope = draw(st.lists(st.integers(0, 4), min_size=len(names), max_size=len(names)))
    piles = [
        tuple(card for card, owner in zip(DECK, owners, strict=True) if owner == side)
        for side in range(len(names))
    ]
    sides = tuple(map(Side, names, piles, scope))
    return HandRecord(sides, dealer=draw(st.none() | st.integers(0, len(names) - 1)))


@st.composite
def matches(draw: st.DrawFn, rules: Rules = SHORT) -> Match:
    count = draw(st.integers(2, 3))
    names = tuple(draw(st.permutations(NAMES))[:count])
    match = Match(rules, names)
    for _ in range(draw(st.integers(0, 5))):
        if match.ending is None:
            match = match.record(draw(hands(names)))
    return match


@st.composite
def seasons(draw: st.DrawFn) -> list[PlayedMatch]:
    """Return matches at some tables, each on a day of its own."""
    played = draw(st.lists(matches(), max_size=6))
    rows = []
    for number, match in enumerate(played):
        opened = START + timedelta(days=number)
        key = f"open-{number}"
        rows.append(
            PlayedMatch(
                id=key,
                code=draw(st.sampled_from(("K7QF", "MMMM"))),
                match_no=number + 1,
                opened_at=opened,
                match=match,
                hands=tuple(
                    LogEntry(
                        hand_no=place,
                        step=Step.RECORD,
                        facts_json=facts.to_dict(),
                        revision=place,
                        key=f"{key}-{place}",
                        device=draw(st.sampled_from(("", "Anna", "+Bruno"))),
                        made_at=opened + timedelta(minutes=7 * place),
                    )
                    for place, facts in enumerate(match.hands, start=1)
                ),
            )
        )
    return rows
