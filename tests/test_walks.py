"""The four walks of docs/architecture.md: the functions that it names are there, in this order."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scoring import uncertain
from scoring.match import Match
from scoring.record import HandRecord
from store import Store, log, uploads
from store.tables import idempotent
from table import access, actions, registry, requests, view
from table.hand import photos, piles, questions
from table.hand.pile import Pile, PileCard
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import CardReading
from web import worker
from web.events import EventHub
from web.routes import Api

WALKS: dict[str, Sequence[Callable[..., Any]]] = {
    "a photo's bytes to a reading": (
        Api.put_photo,
        access.authorize,
        actions.execute,
        actions.add_photo,
        uploads.add,
        worker.process_next,
        worker.process_upload,
        photos.read_upload,
        view.load_view,
        photos.add_photo,
        open_photo,
        Reader.read_together,
        Pile.add,
        PileCard.from_reading,
        registry.update_piles,
        EventHub.publish_stage,
    ),
    "+ scopa to the board": (
        Api.post_action,
        requests.read_fields,
        actions.execute,
        Store.write,
        access.authorize,
        idempotent,
        actions.add_scope,
        EventHub.wake,
        view.snapshot_of,
        view.load_view,
        view.snapshot,
        Api.stream_changes,
    ),
    "a confirmed hand to the log": (
        Api.post_action,
        actions.parse_request,
        HandRecord.from_dict,
        actions.execute,
        actions.confirm,
        log.append,
        Match.record,
        log.note_result,
        EventHub.wake,
    ),
    "piles to the next question": (
        piles.summarise,
        questions.open_questions,
        uncertain.analyse,
    ),
}
"""The steps of each walk; those of scoring and vision inside of one call are theirs."""

CALLS = (
    (Api.post_action, "parse_request", "_execute"),
    (Api.put_photo, "authorize", "_execute"),
    (actions.execute, "_do_at_table", "do("),
    (actions._do_at_table, "store.write", "authorize", "idempotent", ".run("),
    (worker.process_next, "process_upload"),
    (worker.process_upload, "_read(", "settle"),
    (photos.read_upload, "load_view", "add_photo"),
    (photos.add_photo, "open_photo", "read_together(", "store.write", ".add(", "update_piles"),
    (view.snapshot_of, "store.read", "load_view"),
    (vars(view.TableView)["summary"].func, "summarise"),
    (vars(view.TableView)["questions"].func, "open_questions", "self.summary"),
    (questions.open_questions, "summary.missing_piles", "_relevant"),
)
"""A function, and what it calls in this order."""


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_is_short_and_every_step_says_what_it_does(walk: str) -> None:
    most = {"a photo's bytes to a reading": 25, "+ scopa to the board": 16}.get(walk, 13)
    assert len(WALKS[walk]) <= most, "a third of what it was"
    assert all(inspect.getdoc(step) for step in WALKS[walk])


@pytest.mark.parametrize("calls", CALLS, ids=lambda calls: calls[0].__qualname__)
def test_a_step_calls_the_next_ones_in_order(calls: tuple[Any, ...]) -> None:
    function, *called = calls
    source = inspect.getsource(function)
    places = [source.find(name) for name in called]
    assert -1 not in places
    assert places == sorted(places)


def test_a_card_has_one_type_for_each_package_that_it_passes() -> None:
    parameters = inspect.signature(PileCard.from_reading).parameters
    assert parameters["card"].annotation is CardReading
