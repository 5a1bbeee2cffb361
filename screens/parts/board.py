"""The board as HTML: scores, the last hand, who is awaited, how to join."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from markupsafe import Markup

from scoring.match import Match, Reason, needs
from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import joining, lines, seats, sides
from screens.words import isolated, scope_words, standings, t, to_number
from table.view import TableView

COINS = 28
"""Coins that fall for the winner, once."""

TODAY = timedelta(hours=12)
"""Matches begun within this time count as today's; the server does not know the time zone."""


def board(view: TableView) -> Markup:
    """Return HTML of the whole board."""
    match, names = view.match, view.names
    winner = None if match.winner is None else names[match.winner]
    is_closed = view.table.is_closed
    won = won_today(view)
    return render.template(
        "board.html",
        is_over=match.is_over,
        winner=winner,
        headline=" · ".join([_won(view) if match.is_over else _now(view), *sides.tally(view)]),
        clock_of=_clock(view),
        ended=[
            *_how_it_ended(match),
            *([t("error_DroppedRulesError")] if view.is_kept else []),
            *([t("closed_board")] if is_closed else []),
        ],
        coins=list(map(_coin, range(COINS))),
        sides=[_side(view, side, won=won[name]) for side, name in enumerate(names)],
        target=match.rules.target,
        made=scope_words(match.rules)["made"],
        digits=max(2, *(len(str(total)) for total in match.totals)),
        letters=max(map(len, names)),
        last_hand=match.counted,
        last=_last_hand(match),
        code=view.code,
        qr_code=joining.qr_code_of(view.code),
        deck=view.table.drawing,
        step=_step(view) if view.role.may_write else None,
    )


def end(view: TableView) -> Markup:
    """Return HTML of a match that is over: who won, the totals, how long, and the last hand."""
    match = view.match
    winner = None if match.winner is None else isolated(match.names[match.winner])
    took = _clock(view)
    return render.macros("lines.html").end(
        t("ends_level") if winner is None else t("winner", name=winner),
        list(zip(range(len(match.names)), match.names, match.totals, strict=True)),
        match.winner,
        [
            " · ".join([t("picture_hands", n=match.counted), *([took[-1]] if took else [])]),
            *_how_it_ended(match),
        ],
        _last_hand(match),
    )


def _step(view: TableView) -> tuple[str, str]:
    """Return the link by which a scorer goes on from the board: address and label."""
    place, evening = {state.TABLE: view.code}, view.table.evening_code
    if not view.match.is_over:
        return navigation.path("play", place), t("next_hand", hand=view.hand_no)
    if evening and view.series.is_over:
        return navigation.path("evening", {state.TABLE: evening}), t("to_evening")
    return navigation.path("play", place), t("rematch")


def won_today(view: TableView) -> Counter[str]:
    """Return how many matches each side has won today at this table, by its name."""
    if view.table.match_no == 1 and not view.match.is_over:
        return Counter()
    since = datetime.now(UTC) - TODAY
    return Counter(
        played.match.names[played.match.winner]
        for played in state.matches([view.code])
        if played.match.winner is not None and played.opened_at >= since
    )


def _side(view: TableView, side: int, *, won: int) -> dict[str, Any]:
    match = view.match
    total = match.totals[side]
    key = "needs_perdere" if match.rules.perdere else "needs"
    needed = needs(match)
    return {
        "name": view.names[side],
        "total": total,
        "made": match.scores[match.counted - 1].points[side] if match.hands else 0,
        "percent": min(100, max(0, round(100 * total / match.rules.target))),
        "has_won": match.winner == side,
        "leads": leader(match) == side,
        "match_point": any(need.side == side and need.points <= 1 for need in needed)
        and not match.rules.perdere,
        "needs": [t(key, n=need.points) for need in needed if need.side == side],
        "scope": view.scope[side],
        "deals": view.dealer == side,
        "won": won,
    }


def leader(match: Match) -> int | None:
    """Return the side that leads alone; None if none does or the match is over."""
    if match.is_over or not match.hands:
        return None
    return ahead(match.totals, match.rules)


def ahead(figures: Sequence[int], rules: Rules) -> int | None:
    """Return the side whose figure is best and shared with no other side; None if there is none."""
    best = (min if rules.perdere else max)(figures)
    return figures.index(best) if figures.count(best) == 1 else None


def _last_hand(match: Match) -> Markup | None:
    if not match.hands:
        return None
    return lines.strip(match.scores[match.counted - 1], match.names)


def _now(view: TableView) -> str:
    """Return the top line: the hand and whose pile is missing, or that the table is closed."""
    if view.table.is_closed:
        return t("closed_board")
    if view.is_kept:
        return t("error_DroppedRulesError")
    match = view.match
    dealer = view.names[view.dealer]
    n = len(seats.people([dealer]))
    hand = t("dealing", dealer=isolated(dealer), hand=view.hand_no, n=n)
    left = view.questions.missing_piles
    if len(left) == len(view.names):
        then = t("played_to", to=to_number(view.match.rules.target))
    elif left:
        then = t("still_to_snap", names=", ".join(isolated(view.names[side]) for side in left))
    else:
        then = t("all_snapped")
    tie = len(set(match.totals)) == 1 and match.totals[0] > 0
    level = [t("level_at", total=match.totals[0])] if tie else []
    return " · ".join([hand, then, *level])


def _won(view: TableView) -> str:
    totals = standings(map(isolated, view.names), view.match.totals)
    return t("winner_line", standings=totals, n=view.match.counted)


def _clock(view: TableView) -> tuple[str, bool, int, str] | None:
    """Return how long the match has lasted: label, whether it is running, its start in ms, "6 min".

    `board.js` advances a running clock. None if the table was closed before the end, or if the
    match lasted less than a minute.
    """
    begun = view.table.match.opened_at
    is_over = view.match.is_over
    end = view.row.hands[view.match.counted - 1].made_at if is_over else datetime.now(UTC)
    minutes = int((end - begun).total_seconds()) // 60
    if (is_over and not minutes) or (view.table.is_closed and not is_over):
        return None
    label = t("lasted" if is_over else "clock")
    return label, not is_over, round(begun.timestamp() * 1000), duration(minutes)


def duration(minutes: int) -> str:
    """Return a duration in minutes, from an hour on in hours and minutes.

    >>> duration(6), duration(65)
    ('6 min', '1:05 h')
    """
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"


def _coin(number: int) -> dict[str, object]:
    """Return a falling coin; coins differ in position, delay and size."""
    size = number % 4
    return {
        "left": f"{number * 61.8 % 94:.0f}",
        "delay": f"{number * 0.37 % 1.6:.2f}",
        "width": 34 + 8 * size,
        "height": 64 + 15 * size,
    }


def _how_it_ended(match: Match) -> list[str]:
    """Say what the totals do not show: why that side won, and hands that no longer count."""
    sentences = []
    ending = match.ending
    if ending is not None and ending.reason is not Reason.HIGHEST:
        points = " : ".join(map(str, match.scores[ending.hand_no].points))
        sentences.append(t(f"won_{ending.reason}", points=points))
    if match.counted < len(match.hands):
        sentences.append(t("after_end", hand=match.counted))
    return sentences
