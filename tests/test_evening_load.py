"""An evening under load: phones at six tables, a server killed in mid-round, every result once."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from evening_playing import LINK, NAMES, do, draw, now, opened, seen
from playing import query
from servers import running

from scoring.hand import Side
from scoring.record import HandRecord
from store import Store, season
from store.database import FILE_NAME
from table.access import SYSTEM
from table.evening.replay import Seat, Teams
from table.evening.standings import WIN
from table.view import load_view
from web.auth import LINKS_COOKIE

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(600)]

ROUNDS, HANDS = 4, ((5, 2), (4, 3), (4, 1))
"""The last of these hands wins."""


def hand(store: Store, seat: Seat, number: int) -> dict[str, Any]:
    """Return what a phone sends to confirm a hand; its key is that of the hand."""
    view = load_view(store, seat.code, credentials=SYSTEM)
    sides = zip(view.names, HANDS[number], strict=True)
    facts = HandRecord(tuple(Side(name, (), made) for name, made in sides))
    place = {"match": view.row.match_no, "hand": number + 1, "side": 0, "do": "confirm"}
    shown = {"log": view.row.revision, "revision": view.table.revision}
    return {**place, **shown, "facts": facts.to_dict(), "key": f"{seat.code}-{number}"}


def sent(address: str, seat: Seat, body: dict[str, Any], *, cookie: str) -> str:
    """Return how a tap was answered: done, known, or lost on the way, as an outbox counts it."""
    try:
        answer = httpx2.post(
            f"{address}/door/{seat.code}",
            json=body,
            headers={"cookie": f"{LINKS_COOKIE}={cookie}"},
            timeout=30,
        )
    except httpx2.HTTPError:
        return "lost"
    return str(answer.json()["is"])


def test_evening_survives_a_kill_during_a_round(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / FILE_NAME}")
    code = opened(store, *NAMES, teams=Teams.FIXED)
    do(store, code, "pairs", pairs=[(n, n + 1) for n in range(1, 24, 2)])
    organiser = f"{code}.{LINK}"

    taps = 0
    with ExitStack() as serving, ThreadPoolExecutor(6) as phones:
        server = serving.enter_context(running(tmp_path))

        def sent_by_all(bodies: Sequence[dict[str, Any]]) -> list[str]:
            return [
                *phones.map(
                    lambda seat, body: sent(server.address, seat, body, cookie=organiser),
                    seats,
                    bodies,
                )
            ]

        for number in range(ROUNDS):
            seats = draw(store, code)
            taps += 1
            for place in range(len(HANDS)):
                bodies = [hand(store, seat, place) for seat in seats]
                if number == 1 and place == 1:  # in mid-round: the server dies
                    serving.close()
                    assert sent_by_all(bodies) == ["lost"] * 6
                    server = serving.enter_context(running(tmp_path))
                assert sent_by_all(bodies) == ["done"] * 6
                if number == 1:  # an outbox that got no answer sends again
                    assert sent_by_all(bodies) == ["known"] * 6
    evening = now(store, code)
    assert taps == ROUNDS, "the organiser taps once a round"
    met = Counter(frozenset(seat.sides) for one in evening.rounds for seat in one.seats)
    assert set(met.values()) == {1}, "no two pairs met twice"
    assert all(meeting.is_over for meetings in evening.meetings for meeting in meetings)
    assert {meeting.points for meetings in evening.meetings for meeting in meetings} == {(13, 6)}
    assert sum(row.match_points for row in evening.standings) == ROUNDS * 6 * WIN
    assert sum(len(row.hands) for row in query(store, season.played)) == ROUNDS * 6 * len(HANDS)
    assert seen(store, code).log.can_undo
    store.close()
