"""The sides of a table: their panels, whose pile is next, and links and buttons they share."""

from typing import Literal

import streamlit as st
from markupsafe import Markup

from screens import navigation, render, state
from screens.parts import phone
from screens.words import in_text, isolated, scope_words, t
from table.hand.questions import ShowMore, ShowPiles
from table.hand.quick import known_cards
from table.view import TableView, rematch_dealer


def seat(view: TableView, side: int) -> None:
    """Draw one side on the screen "Play": its name, score, scope and the state of its pile."""
    by_cards = begun_by(view) == "cards"
    shown = {
        "total": view.match.totals[side],
        "digits": max(len(str(total)) for total in view.match.totals),
        "target": t("to_target", target=view.match.rules.target),
        "pile": pile_state(view, side) if by_cards else "",
    }
    phone.tally(view, side, seat=shown)


def begun_by(view: TableView) -> Literal["", "cards", "quick"]:
    """Return how the hand has begun to be counted: by its cards, by quick answers only, or not."""
    if view.reading or any(pile.codes or pile.photos for pile in view.piles):
        return "cards"
    return "" if all(pile.is_empty for pile in view.piles) else "quick"


def pile_state(view: TableView, side: int) -> str:
    """Return the state of a pile: photos being read, waiting, or its certain cards of how many.

    Cards that could not be read, and those read as a card that another one is, count among them
    while something is open.
    """
    if side in view.reading:
        return t("photo_is_read")
    if side in view.questions.missing_piles:
        return t("waiting")
    certain, number = counted(view, side)
    if certain == number:
        return t("captured", n=number)
    return t("captured_of", certain=certain, number=number)


def counted(view: TableView, side: int) -> tuple[int, int]:
    """Return the number of certain cards of a pile, and of all its cards."""
    pile = view.piles[side]
    number = len(pile.codes) + (0 if view.is_settled else pile.unread + len(pile.clashing))
    return known_cards(view)[side].bit_count(), number


def to_snap(view: TableView, *, first: int | None = None) -> tuple[int, ...]:
    """Return the sides whose piles are photographed next, in order; none if nothing is.

    The pile on the screen (`first`) comes before this device's own.
    """
    match view.questions.next_step:
        case ShowPiles(sides=left):
            return tuple(dict.fromkeys(one for one in (first, view.me, *left) if one in left))
        case ShowMore(side=side):
            return (side,)
    return ()


def chips(view: TableView) -> None:
    """Draw one button per side, which shows its pile and says what state it is in."""
    with st.container(horizontal=True, key="chips"):
        for side, name in enumerate(view.names):
            st.button(
                f"__{render.plain(in_text(name))}__ _{pile_state(view, side)}_",
                key=f"turn_{side}",
                on_click=state.put,
                args=(state.SIDE, str(side)),
                disabled=side == view.side,
            )


def standing(view: TableView) -> Markup:
    """Return HTML of the totals and each side's scope, for screens without the board."""
    named = zip(range(len(view.names)), view.names, view.match.totals, view.scope, strict=True)
    rules = view.match.rules
    made = scope_words(rules)["made"]
    return render.macros("lines.html").standing(list(named), rules.target, made)


def ways_to_count(view: TableView, here: str) -> None:
    """Draw the three ways to count a hand, "photo", "cards" and "quick"; one is on the screen."""
    with st.container(horizontal=True, key="ways_to_count"):
        for by in ("photo", "cards", "quick"):
            screen = "quick" if by == "quick" else "settle"
            side, hand = view.side, view.editing
            by_hand = None if by == "quick" else by == "cards"
            with st.container(key="by_here" if by == here else f"by_{by}"):
                label = t(f"by_{by}")
                navigation.link(screen, label, view.code, side=side, hand=hand, by_hand=by_hand)


def tally(view: TableView) -> list[str]:
    """Return how many matches of a best of three or five each side won, and who plays for whom."""
    series = view.series
    won = " : ".join(map(str, series.won))
    places = {one.side: " & ".join(one.members) for one in view.row.seats}
    return [
        *([t("tally", best=series.best_of, won=won)] if series.best_of > 1 else []),
        *(
            t("seat_for", names=isolated(names), side=isolated(view.names[side]))
            for side, names in places.items()
        ),
    ]


def rematch(view: TableView) -> None:
    """Draw the button that opens the next match: same sides and target, and the loser deals.

    *Change* opens it with its form. After a match of an evening, the button leads to the evening.
    """
    evening, series = view.table.evening_code, view.series
    with st.bottom:
        if series.best_of > 1 and series.is_over:
            key = "tally_level" if series.winner is None else "tally_won"
            name = isolated(view.names[series.winner or 0])
            render.quiet(t(key, name=name, best=series.best_of))
        if series.is_over and evening:
            navigation.link("evening", t("to_evening"), evening)
            return
        action = {
            "do": "rematch",
            "log": view.row.revision,
            "target": view.match.rules.target,
            "dealer": rematch_dealer(view.match),
        }
        way = navigation.way(view.code)
        ways = (("rematch", "primary", "play"), ("rematch_change", "", "match"))
        offered = [
            phone.Button(
                id=name, label=t(name), action=action, kind=kind, to=navigation.path(screen, way)
            )
            for name, kind, screen in ways
        ]
        phone.buttons(view, offered, key="rematch")
