"""Random sequences of steps against the store, beside a model of what undo and redo mean."""

from contextlib import closing

import pytest
from hands import hand
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from playing import (
    change_rules,
    command,
    edit_hand,
    match_of,
    query,
    read,
    record_hand,
    redo_hand,
    undo_hand,
)

from scoring.record import HandRecord
from scoring.rules import Rules
from store import ConflictError, Store, log, tables

pytestmark = pytest.mark.slow

Model = tuple[tuple[HandRecord, ...], tuple[int, ...]]
"""The hands, and what the settebello is worth in each and in the next."""

facts = st.integers(0, 40).map(hand)
NEVER_RECORDED = hand(0, scope=7)


class Stepping(RuleBasedStateMachine):
    """Records, edits, changes rules, undoes, redoes; sends some steps twice and some too late."""

    store: Store

    @initialize()
    def open(self) -> None:
        self.code = command(
            self.store, tables.open_table, ("Anna", "Bruno"), Rules(target=999)
        ).code
        self.done: list[Model] = [((), (1,))]
        self.undone: list[Model] = []
        self.steps = 1

    def take(self) -> tuple[str, int]:
        """Return the key of the next step, and the revision that it has seen."""
        self.steps += 1
        return f"key-{self.steps}", self.steps - 1

    def went(self, hands: tuple[HandRecord, ...], worth: tuple[int, ...]) -> None:
        self.done.append((hands, worth))
        self.undone.clear()

    @rule(hand=facts, times=st.integers(1, 2))
    def record(self, hand: HandRecord, times: int) -> None:
        key, expected = self.take()
        for _ in range(times):
            record_hand(self.store, self.code, hand, key=key, expected=expected)
        hands, worth = self.done[-1]
        self.went((*hands, hand), (*worth, worth[-1]))

    @rule(now=st.integers(0, 3))
    def change_rules(self, now: int) -> None:
        key, expected = self.take()
        rules = Rules(target=999, settebello=now)
        change_rules(self.store, self.code, rules, key=key, expected=expected)
        hands, worth = self.done[-1]
        self.went(hands, (now,) * len(worth))

    @precondition(lambda self: self.done[-1][0])
    @rule(hand=facts, data=st.data())
    def edit(self, hand: HandRecord, data: st.DataObject) -> None:
        hands, worth = self.done[-1]
        index = data.draw(st.integers(0, len(hands) - 1))
        key, expected = self.take()
        edit_hand(self.store, self.code, hand, hand_no=index + 1, key=key, expected=expected)
        self.went((*hands[:index], hand, *hands[index + 1 :]), worth)

    @precondition(lambda self: len(self.done) > 1)
    @rule(times=st.integers(1, 2))
    def undo(self, times: int) -> None:
        key, expected = self.take()
        for _ in range(times):
            undo_hand(self.store, self.code, key=key, expected=expected)
        self.undone.append(self.done.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        key, expected = self.take()
        redo_hand(self.store, self.code, key=key, expected=expected)
        self.done.append(self.undone.pop())

    @precondition(lambda self: self.steps > 1)
    @rule()
    def record_too_late(self) -> None:
        with pytest.raises(ConflictError):
            record_hand(self.store, self.code, NEVER_RECORDED, key="late", expected=self.steps - 1)

    @invariant()
    def the_match_is_what_the_model_says_and_nothing_is_lost(self) -> None:
        row = match_of(self.store, self.code)
        hands, worth = self.done[-1]
        assert row.match.hands == hands
        given = [row.match.rules_of(number).settebello for number in range(len(worth))]
        assert given == [*worth]
        assert row.revision == len(read(self.store, log.steps, self.code)) == self.steps
        assert (row.can_undo, row.can_redo) == (len(self.done) > 1, bool(self.undone))
        [table] = query(self.store, tables.newest, codes=[self.code])
        match = row.match
        kept = (table.hands, table.totals, table.is_over, table.winner, table.rules)
        assert kept == (len(hands), match.totals, match.is_over, match.winner, match.rules)


STEPS = settings(
    max_examples=10,
    stateful_step_count=12,
    deadline=None,  # a disk syncs when it likes
    suppress_health_check=[HealthCheck.too_slow],
)


def test_any_steps_lead_to_what_the_model_says(database: str) -> None:
    with closing(Store(database)) as store:
        here = type("SteppingHere", (Stepping,), {"store": store})
        run_state_machine_as_test(here, settings=STEPS)
