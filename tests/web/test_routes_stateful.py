"""Random interleavings of requests by phones, compared with a model of a table."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest
from acting import act, serving
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from playing import command, match_of, read

from scoring.cards import CODES
from scoring.rules import Rules
from store import Store, log, piles, tables
from table.access import Credentials, hash_link
from table.view import TableView, load_view
from web.auth import LINKS_COOKIE

pytestmark = [pytest.mark.slow, pytest.mark.long]

SIDES = st.integers(0, 1)
CARDS = st.sampled_from(CODES)
SOME_CARDS = st.sampled_from(CODES[:6])
"""A few only, so that several phones send requests for the same one."""


class Phones(RuleBasedStateMachine):
    """Two scorers' phones and a stranger's, which send requests again, or too late."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = Store(f"sqlite:///{self.folder.name}/settebello.db")
        self.link = uuid4().hex
        self.table = command(
            self.store,
            tables.open_table,
            ("Anna", "Bruno"),
            Rules(),
            link_hash=hash_link(self.link),
        )
        self.server = ExitStack()
        self.client = self.server.enter_context(serving(self.store))
        self.scope, self.cards, self.hands = [0, 0], dict[str, int](), 0
        self.done: list[dict[str, Any]] = []

    def teardown(self) -> None:
        self.server.close()
        self.store.close()
        self.folder.cleanup()

    @initialize()
    def opened(self) -> None:
        assert read(self.store, piles.scope_counts, self.table) == (0, 0)

    def send(self, request: Mapping[str, Any], *, link: str | None = None) -> dict[str, Any]:
        """Send a request with a link, by default the valid one."""
        self.client.cookies.clear()
        self.client.cookies.set(LINKS_COOKIE, f"{self.table.code}.{link or self.link}")
        content = json.dumps(request).encode()
        answer: dict[str, Any] = self.client.post(
            f"/door/{self.table.code}", content=content
        ).json()
        return answer

    def execute(self, *, hand: int | None = None, side: int = 0, **fields: Any) -> str:
        """Send a new request from the screen of a hand; return its outcome."""
        shown = {"match": 1, "hand": hand or self.hands + 1, "side": side, "me": side}
        request = {"key": uuid4().hex, **shown, **fields}
        answer = self.send(request)
        if answer["is"] == "done":
            self.done.append(request)
        return str(answer.get("error", answer["is"]))

    def view(self) -> TableView:
        return load_view(
            self.store, self.table.code, credentials=Credentials({self.table.code: self.link})
        )

    @rule(side=SIDES, delta=st.sampled_from([1, 1, 1, 2, -1]))
    def scopa(self, side: int, delta: int) -> None:
        outcome = self.execute(side=side, do="scopa", delta=delta)
        if self.scope[side] + delta < 0:
            assert outcome == "ScopeBelowZeroError"
        else:
            assert outcome == "done"
            self.scope[side] += delta

    @rule(side=SIDES, code=SOME_CARDS, is_in=st.booleans())
    def card(self, side: int, code: str, *, is_in: bool) -> None:
        assert self.execute(side=side, do="card", code=code, **{"in": is_in}) == "done"
        if is_in:
            self.cards[code] = side
        elif self.cards.get(code) == side:
            del self.cards[code]

    @rule(code=SOME_CARDS, owner=SIDES)
    def give(self, code: str, owner: int) -> None:
        assert self.execute(do="give", code=code, owner=owner) == "done"
        self.cards[code] = owner

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        """A phone without an answer sends the same request again, whatever has happened since."""
        request = data.draw(st.sampled_from(self.done))
        assert self.send(request)["is"] == "known"

    @precondition(lambda self: self.hands)
    @rule(side=SIDES, code=CARDS)
    def too_late(self, side: int, code: str) -> None:
        """A tap for a hand that is over counts in no other hand."""
        assert self.execute(hand=self.hands, side=side, do="scopa", delta=1) == "HandClosedError"
        outcome = self.execute(hand=self.hands, side=side, do="card", code=code, **{"in": True})
        assert outcome == "HandClosedError"

    @rule(side=SIDES, link=st.sampled_from(["guess", "x" * 22]))
    def stranger(self, side: int, link: str) -> None:
        tap = {"key": uuid4().hex, "match": 1, "hand": self.hands + 1, "side": side}
        answer = self.send({**tap, "do": "scopa", "delta": 1}, link=link)
        assert answer["error"] == "NotAllowedError"

    @rule()
    def renew(self) -> None:
        """A phone with the old link can only look from then on."""
        old, self.link = self.link, uuid4().hex
        credentials = Credentials({self.table.code: old})
        act(
            self.store,
            self.table.code,
            "renew_link",
            credentials=credentials,
            link=self.link,
            before=hash_link(old),
        )
        tap = {"key": uuid4().hex, "match": 1, "hand": self.hands + 1, "side": 0}
        answer = self.send({**tap, "do": "scopa", "delta": 1}, link=old)
        assert answer["error"] == "NotAllowedError"

    @precondition(lambda self: self.hands < 3)
    @rule(owner=SIDES, other=CARDS)
    def confirm(self, owner: int, other: str) -> None:
        """Two phones confirm the hand that both show, and it counts once."""
        for code in CODES:
            if code not in self.cards:
                self.give(code, owner)
        self.give(other, 1 - owner)
        shown = self.view()
        fields: dict[str, Any] = {
            "do": "confirm",
            "log": shown.row.revision,
            "revision": shown.table.revision,
            "facts": shown.facts.to_dict(),
        }
        hand = self.hands + 1
        outcome = self.execute(hand=hand, **fields)
        if outcome != "done":  # more scope than the cards of a side allow
            assert match_of(self.store, self.table).match.hands == shown.match.hands
            return
        self.execute(hand=hand, side=1, **fields)
        assert read(self.store, log.conflicts, self.table) == ()
        self.hands, self.scope, self.cards = hand, [0, 0], {}

    @invariant()
    def the_store_holds_what_was_done_once(self) -> None:
        view = self.view()
        assert len(view.match.hands) == self.hands
        if view.match.winner is None:
            assert list(view.scope) == self.scope
            held = {code: side for side in (0, 1) for code in view.piles[side].codes}
            assert held == self.cards


Phones.TestCase.settings = settings(
    max_examples=20, stateful_step_count=20, suppress_health_check=[HealthCheck.too_slow]
)
TestPhones = Phones.TestCase
