"""Payloads of phones with 0.2.0, with their recorded answers and effects on the table.

The outbox of a browser may still contain any of them, so each must be answered and executed as
before. In payloads.json "$log" and "$revision" stand for what the screen showed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acting import serving
from earlier import propose
from playing import command, read, revision_of, write
from starlette.testclient import TestClient

from assets.deck import CardStyle
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Store, Table, UploadState, log, piles, tables, uploads
from table.access import SYSTEM, hash_link
from table.evening.replay import Plan
from table.evening.view import load_evening, open_evening
from table.registry import ACTIONS
from table.view import load_view, piles_as_json, snapshot_of
from web.auth import LINKS_COOKIE

RECORDED = Path(__file__).with_name("payloads.json")
STEPS: list[dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
LINK = "x" * 22
PLAN = Plan(name="Sunday", seed=7).to_dict()


@pytest.fixture
def phone(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv("SETTEBELLO_READERS", "1")
    monkeypatch.setattr("web.worker.Worker.start", lambda _worker: None)  # photos stay in the queue
    with serving(store) as client:
        yield client


def state_of(store: Store, code: str) -> dict[str, Any]:
    """Return the snapshot that phones get, without what only orders snapshots."""
    state: dict[str, Any] = json.loads(json.dumps(snapshot_of(store, code)))
    view = load_view(store, code, credentials=SYSTEM)
    state |= {
        "proposals": len(read(store, log.conflicts, code)),
        "closed": int(view.table.is_closed),
        "cards": [*CardStyle].index(view.table.drawing),
        "missing": [*view.summary.missing_piles],
    }
    state["uploads"] = [
        [row.name, row.match_no, row.hand_no, row.side, row.state.value]
        for row in read(store, uploads.of_hand, code, hand_no=state["hand"])
    ]
    del state["revision"], state["keys"], state["code"]
    edited = load_view(
        store, code, credentials=SYSTEM, hand_no=1
    )  # the first hand, once it is confirmed
    sides = [[(len(side.pile), side.scope) for side in hand.sides] for hand in edited.match.hands]
    first = json.loads(json.dumps([piles_as_json(edited), edited.scope]))
    return state | {"hands": json.loads(json.dumps(sides)), "first": first}


def play(
    step: dict[str, Any], before: dict[str, Any], *, phone: TestClient, store: Store, table: Table
) -> tuple[list[Any], dict[str, Any]]:
    """Run a step; return status, answer, what it changed at the table, and the new state."""
    for side, pile in step.get("lay", {}).items():
        write(store, piles.put_drafts, table, {int(side): pile}, hand_no=step["hand"])
    if "late" in step:
        write(store, uploads.settle, table, step["late"], state=UploadState.LATE)
    if "propose" in step:
        propose(store, table, HandRecord.from_dict(step["propose"]))
    phone.cookies.clear()
    if step.get("as") != "viewer":
        phone.cookies.set(LINKS_COOKIE, f"{table.code}.{LINK}")
    if {"lay", "late", "propose"} & step.keys():
        before = state_of(store, table.code)
    seen = load_view(store, table.code, credentials=SYSTEM)
    values = {"$log": seen.row.revision, "$revision": seen.table.revision}
    if "put" in step:
        answer = phone.put(f"/door/{table.code}/photos/{step['put']}", content=b"pile")
    else:
        body = {
            name: values.get(value, value) if isinstance(value, str) else value
            for name, value in step["send"].items()
        }
        answer = phone.post(f"/door/{table.code}", content=json.dumps(body))
    body = answer.json()
    assert ("revision" in body) is (answer.status_code == 200)
    body.pop("revision", None)
    plain = json.loads(json.dumps(body).replace(table.code, "CODE"))
    after = state_of(store, table.code)
    changed = {name: value for name, value in after.items() if before[name] != value}
    return [answer.status_code, plain, changed], after


def test_every_recorded_payload_is_answered_and_done_as_it_was(
    phone: TestClient, store: Store
) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK))
    state = state_of(store, table.code)
    for number, step in enumerate(STEPS):
        came, state = play(step, state, phone=phone, store=store, table=table)
        assert came == step["came"], f"step {number}: {step.get('send') or step.get('put')}"


def test_every_action_was_recorded() -> None:
    recorded = {step["send"]["do"] for step in STEPS if "send" in step} - {"fly", "seat"}
    sent = {name for name, action in ACTIONS.items() if action.over_http}
    assert recorded | {f"evening_{do}" for do, *_ in EVENING} == sent


ORGANISER = "link-of-the-organisers-phone"

EVENING: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("player", {"name": "Bruno"}, {"name": 7}),
    ("player", {"name": "Anna"}, {}),
    ("here", {"player": 2, "here": False}, {"player": 0, "here": True}),
    ("here", {"player": 2, "here": True}, {"here": True}),
    ("pairs", {"pairs": [[1, 2]]}, {"pairs": [[1, 2, 3]]}),
    ("round", {}, {"log": None}),
    ("undo", {}, {"log": "1"}),
    ("round", {}, {"log": -1}),
    ("result", {"code": "$table", "points": [11, 4]}, {"code": "$table", "points": [11]}),
    ("result", {"code": "$table", "absent": 1}, {"code": "$table", "absent": 2}),
    ("end", {"over": False}, {}),
]
"""Each action of an evening, with valid and with invalid fields."""


def test_evening_payloads_respect_roles_and_keys(phone: TestClient, store: Store) -> None:
    code = open_evening(store, Plan.from_dict(PLAN), link=ORGANISER).code

    def post(do: str, number: int, sent: dict[str, Any], link: str) -> tuple[int, str]:
        found = load_evening(store, code, credentials=SYSTEM)
        seats = [seat.code for one in found.evening.rounds for seat in one.seats]
        body = {"do": f"evening_{do}", "key": f"{do}-{number}", "log": found.log.revision, **sent}
        if body.get("code") == "$table":
            body["code"] = seats[0]
        phone.cookies.clear()
        phone.cookies.set(LINKS_COOKIE, f"{code}.{link}")
        answer = phone.post(f"/door/{code}", content=json.dumps(body))
        return answer.status_code, answer.json()["is"]

    for number, (do, right, wrong) in enumerate(EVENING):
        revision = revision_of(store, code)
        if wrong:
            assert post(do, number, wrong, ORGANISER) == (400, "refused"), do
        assert post(do, number, right, "guess") == (403, "refused")
        assert revision_of(store, code) == revision, "what is refused leaves no trace"
        assert post(do, number, right, ORGANISER) == (200, "done"), do
        assert post(do, number, right, ORGANISER) == (200, "known"), do
    evening = load_evening(store, code, credentials=SYSTEM).evening
    assert [player.name for player in evening.players] == ["Bruno", "Anna"]
    assert evening.pairs == ((1, 2),)
    assert [len(one.seats) for one in evening.rounds] == [1]
    assert evening.meetings[0][0].absent == 1


def test_sign_up_by_phone_is_answered_with_what_to_do(phone: TestClient, store: Store) -> None:
    code = open_evening(store, Plan.from_dict(PLAN), link=ORGANISER).code
    sent = {"do": "evening_sign_up", "key": "k", "name": "Anna", "link": LINK}
    answer = phone.post(f"/door/{code}", content=json.dumps(sent))
    assert answer.status_code == 410
    assert answer.json()["error"] == "SignUpEndedError"
    assert not load_evening(store, code, credentials=SYSTEM).evening.players
