"""Random sequences of steps against the store, beside a model of what undo and redo mean."""

from contextlib import closing

import pytest
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
from playing import Store

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import ConflictError

pytestmark = pytest.mark.slow

facts = st.integers(0, 40).map(
    lambda cut: HandRecord((Side("Anna", DECK[:cut], 0), Side("Bruno", DECK[cut:], 0)))
)


class Stepping(RuleBasedStateMachine):
    """Records, edits, undoes, redoes; sends some steps twice and some too late."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store

    @initialize()
    def open(self) -> None:
        self.code = self.store.open_table(("Anna", "Bruno"), Rules(target=999)).code
        self.done: list[tuple[HandRecord, ...]] = [()]
        self.undone: list[tuple[HandRecord, ...]] = []
        self.steps, self.proposed = 1, 0

    def next_key(self) -> str:
        return f"key-{self.steps}"

    def went(self, hands: tuple[HandRecord, ...]) -> None:
        self.done.append(hands)
        self.undone.clear()
        self.steps += 1

    @rule(hand=facts, times=st.integers(1, 2))
    def record(self, hand: HandRecord, times: int) -> None:
        key, expected = self.next_key(), self.steps
        for _ in range(times):
            self.store.record_hand(self.code, hand, key=key, expected=expected)
        self.went((*self.done[-1], hand))

    @precondition(lambda self: self.done[-1])
    @rule(hand=facts, data=st.data())
    def edit(self, hand: HandRecord, data: st.DataObject) -> None:
        hands = self.done[-1]
        index = data.draw(st.integers(0, len(hands) - 1))
        self.store.edit_hand(
            self.code, hand, hand_no=index + 1, key=self.next_key(), expected=self.steps
        )
        self.went((*hands[:index], hand, *hands[index + 1 :]))

    @precondition(lambda self: len(self.done) > 1)
    @rule(times=st.integers(1, 2))
    def undo(self, times: int) -> None:
        key, expected = self.next_key(), self.steps
        for _ in range(times):
            self.store.undo_hand(self.code, key=key, expected=expected)
        self.undone.append(self.done.pop())
        self.steps += 1

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.store.redo_hand(self.code, key=self.next_key(), expected=self.steps)
        self.done.append(self.undone.pop())
        self.steps += 1

    @precondition(lambda self: self.steps > 1)
    @rule()
    def record_too_late(self) -> None:
        nobody_has = HandRecord((Side("Anna", (), 7), Side("Bruno", DECK, 0)))
        with pytest.raises(ConflictError):
            self.store.record_hand(
                self.code, nobody_has, key=f"late-{self.proposed}", expected=self.steps - 1
            )
        self.proposed += 1

    @invariant()
    def what_stands_is_what_the_model_says(self) -> None:
        row = self.store.match_of(self.code)
        assert row.match.hands == self.done[-1]
        assert (row.revision, row.can_undo, row.can_redo) == (
            self.steps,
            len(self.done) > 1,
            bool(self.undone),
        )

    @invariant()
    def how_it_stands_is_kept_beside_it(self) -> None:
        [table] = self.store.list_tables(codes=[self.code])
        match = self.store.match_of(self.code).match
        kept = (table.hands, table.totals, table.winner)
        assert kept == (len(match.hands), match.totals, match.winner)

    @invariant()
    def nothing_is_ever_lost(self) -> None:
        assert len(self.store.log_of(self.code)) == self.steps
        assert len(self.store.proposals(self.code)) == self.proposed


STEPS = settings(
    max_examples=15,
    stateful_step_count=12,
    deadline=None,  # a disk syncs when it likes
    suppress_health_check=[HealthCheck.too_slow],
)


def test_any_steps_lead_to_what_the_model_says(database: str) -> None:
    with closing(Store(database)) as store:

        class SteppingThere(Stepping):
            """At this store."""

            def __init__(self) -> None:
                super().__init__(store)

        run_state_machine_as_test(SteppingThere, settings=STEPS)
