"""Who may do what: a link makes a scorer, and every action is refused to all roles but its own."""

from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from typing import Any

import pytest
from acting import act
from playing import command, find_table, open_again, query, read, revision_of, write

from scoring.errors import RulesError, ScoringError
from scoring.presets import PRESETS
from scoring.rules import Rules
from store import LinkTakenError, Store, Table, club, piles, tables
from table import opening, registry
from table.access import (
    ANONYMOUS,
    ORGANISERS,
    SCORERS,
    Credentials,
    NotAllowedError,
    NotOrganiserError,
    Role,
    TableClosedError,
    hash_link,
    new_link,
)
from table.actions import execute
from table.evening.replay import Plan
from table.evening.view import open_evening
from table.names import SameNameError
from table.registry import ACTIONS
from table.requests import Request
from table.view import load_view

MINE, OTHER = new_link(), new_link()


@pytest.fixture
def store() -> Store:
    return Store()


def opened(store: Store, *, link: str) -> Table:
    return opening.open_table(store, ("Anna", "Bruno"), rules=Rules(), link=link)


def test_a_table_is_opened_for_sides_that_its_rules_know(store: Store) -> None:
    names = ("Anna", "Bruno", "Carla", "Dario", "Elena")
    with pytest.raises(RulesError, match="scopone-scientifico is for 2 sides, got 3"):
        opening.open_table(store, names[:3], rules=PRESETS["scopone-scientifico"], link=MINE)
    with pytest.raises(SameNameError):
        opening.open_table(store, ("\u0130pek", "ipek"), rules=Rules(), link=MINE)
    five = opening.open_table(store, names, rules=Rules(), link=MINE)
    assert five.rules == Rules().for_sides(5)


@pytest.mark.parametrize(
    ("links", "role"),
    [
        ({}, Role.VIEWER),
        ({"{code}": ""}, Role.VIEWER),
        ({"{code}": "{part}"}, Role.VIEWER),
        ({"OTHER": "{link}"}, Role.VIEWER),
        ({"{code}": "{link}"}, Role.SCORER),
        (None, Role.ORGANISER),
    ],
    ids=["nobody", "was there", "most of the link", "another table's", "the link", "organiser"],
)
def test_the_role_follows_from_the_credentials(
    store: Store, links: dict[str, str] | None, role: Role
) -> None:
    link = new_link()
    table = opened(store, link=link)
    values = {"code": table.code, "link": link, "part": link[:-1]}
    held = {code.format(**values): one.format(**values) for code, one in (links or {}).items()}
    credentials = Credentials(held, is_organiser=links is None)
    assert credentials.role_at(table) is role
    assert load_view(store, table.code, credentials=credentials).role is role


def credentials_of(role: Role, code: str) -> Credentials:
    links = {Role.SCORER: MINE, Role.SUSPENDED: MINE}
    return Credentials({code: links.get(role, "")}, is_organiser=role is Role.ORGANISER)


@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.parametrize(
    ("held", "shown"),
    [
        *((held, shown) for held in ("link", "none") for shown in (None, "", "short", "foreign")),
        ("of an empty one", ""),
        ("of a short one", "short"),
    ],
)
def test_every_action_is_refused_without_the_right_link(
    store: Store, name: str, held: str, shown: str | None
) -> None:
    is_evening = ACTIONS[name].of == "evening"
    place = open_evening(store, PLAN, link=MINE) if is_evening else opened(store, link=MINE)
    hashes = {
        "link": hash_link(MINE),
        "of an empty one": sha256(b"").hexdigest(),
        "of a short one": sha256(b"short").hexdigest(),
    }
    with store.writing() as session:
        row = tables.find_place(session, place.code)
        row.link_hash = hashes.get(held)
    foreign = {"foreign": OTHER}
    links = {} if shown is None else {place.code: foreign.get(shown, shown), "ZZZZ": MINE}
    before = revision_of(store, place.code)
    with pytest.raises((NotAllowedError, NotOrganiserError)):
        execute(store, place.code, Request(do=name), credentials=Credentials(links))
    assert revision_of(store, place.code) == before


@pytest.mark.parametrize("name", [name for name in ACTIONS if ACTIONS[name].of != "evening"])
@pytest.mark.parametrize("shown", [None, "", "short", "foreign"])
def test_every_action_at_an_evenings_table_wants_a_right_link(
    store: Store, name: str, shown: str | None
) -> None:
    evening = open_evening(store, PLAN, link=MINE)
    table = opened(store, link=new_link())
    for hashes in ([hash_link(MINE)], [], [sha256(b"").hexdigest(), sha256(b"short").hexdigest()]):
        with store.write(table.code) as found:
            found.evening_code, found.player_hashes = evening.code, hashes
        link = {"foreign": OTHER}.get(shown or "", shown)
        links = {} if link is None else {evening.code: link, table.code: link}
        before = revision_of(store, table.code)
        with pytest.raises((NotAllowedError, NotOrganiserError)):
            execute(store, table.code, Request(do=name), credentials=Credentials(links))
        assert revision_of(store, table.code) == before


@pytest.mark.parametrize("link", ["", "short", "x" * 21])
def test_no_place_is_opened_with_a_short_link(store: Store, link: str) -> None:
    for open_it in (
        lambda: opened(store, link=link),
        lambda: open_evening(store, PLAN, link=link),
        lambda: act(store, opened(store, link=MINE).code, "renew_link", link=link, before=None),
    ):
        with pytest.raises(ValueError, match="expected a link of 22 characters"):
            open_it()


def test_a_draw_takes_no_link_that_is_not_the_evenings(store: Store) -> None:
    code = open_evening(store, PLAN, link=MINE).code
    for shown in ("", "short", OTHER):
        credentials = Credentials({code: shown}, is_organiser=True)
        with store.reading() as session:
            assert credentials.link_of(tables.find_place(session, code)) is None
    with store.reading() as session:
        assert Credentials({code: MINE}).link_of(tables.find_place(session, code)) == MINE


PLAN = Plan(name="Sunday", seed=7)


class ReachedError(RuntimeError):
    """The action was reached."""


@pytest.mark.parametrize("name", ACTIONS)
def test_each_action_is_limited_to_its_roles(
    store: Store, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reached(*_: Any) -> None:
        raise ReachedError

    monkeypatch.setattr(registry.ActionContext, "check", reached)
    monkeypatch.setattr("store.evening.has_key", reached)
    is_evening = ACTIONS[name].of == "evening"
    place = open_evening(store, PLAN, link=MINE) if is_evening else opened(store, link=MINE)
    code, by = place.code, ACTIONS[name].by
    for role in Role:
        if is_evening and role is Role.SUSPENDED:
            continue  # an evening cannot be closed
        if role is Role.SUSPENDED:
            write(store, tables.close, code)
        elif not is_evening:
            open_again(store, code)
        refusals: dict[Role, type[ScoringError]] = {
            Role.VIEWER: NotAllowedError,
            Role.SUSPENDED: TableClosedError,
        }
        expected = NotOrganiserError if by == ORGANISERS else refusals.get(role)
        before = revision_of(store, code)
        with pytest.raises(ReachedError if role in by else expected or NotAllowedError):
            execute(store, code, Request(do=name), credentials=credentials_of(role, code))
        assert revision_of(store, code) == before, "what is refused leaves no trace"


def test_only_the_organiser_closes_tables() -> None:
    own = {name for name, action in ACTIONS.items() if action.by == ORGANISERS}
    assert own == {"close", "reopen"}
    assert {ACTIONS[name].by for name in {*ACTIONS} - own} == {SCORERS}


def test_table_without_a_link_has_no_scorer_until_taken_over(store: Store) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
    assert Credentials({table.code: ""}).role_at(table) is Role.VIEWER
    act(store, table.code, "close")
    with pytest.raises(TableClosedError):
        opening.take_over(store, table.code, link=MINE)
    act(store, table.code, "reopen")
    for _ in range(2):
        opening.take_over(store, table.code, link=MINE)
    with pytest.raises(LinkTakenError):
        opening.take_over(store, table.code, link=OTHER)
    assert Credentials({table.code: MINE}).role_at(find_table(store, table.code)) is Role.SCORER


def test_a_renewed_link_leaves_the_old_one_to_look_only(store: Store) -> None:
    code = opened(store, link=MINE).code
    old, new = Credentials({code: MINE}), Credentials({code: OTHER})
    act(store, code, "renew_link", credentials=old, link=OTHER, before=hash_link(MINE))
    assert load_view(store, code, credentials=old).role is Role.VIEWER
    assert load_view(store, code, credentials=new).role is Role.SCORER
    with pytest.raises(LinkTakenError):
        act(store, code, "renew_link", credentials=new, link=new_link(), before=hash_link(MINE))


def test_a_table_opened_twice_with_one_link_is_opened_once(store: Store) -> None:
    first = opened(store, link=MINE)
    assert opened(store, link=MINE).code == first.code
    assert opened(store, link=OTHER).code != first.code


def test_links_have_128_bits_and_only_hashes_are_stored(store: Store) -> None:
    link = new_link()
    table = opened(store, link=link)
    assert len({new_link() for _ in range(1000)}) == 1000
    assert len(link) * 6 >= 128
    assert table.link_hash == hash_link(link)
    assert link not in repr(table)
    assert hash_link(link) not in repr(table)


def test_scorers_only_watch_a_closed_table(store: Store) -> None:
    code = opened(store, link=MINE).code
    scorer, organiser = Credentials({code: MINE}), Credentials(is_organiser=True)
    for _ in range(2):  # closed twice, it is closed once
        act(store, code, "close", credentials=organiser)
    assert find_table(store, code).is_closed
    assert not load_view(store, code, credentials=scorer).role.may_write
    with pytest.raises(TableClosedError):
        act(store, code, "scopa", credentials=scorer, delta=1)
    assert read(store, piles.scope_counts, code) == (0, 0)
    act(store, code, "scopa", credentials=organiser, delta=1)
    act(store, code, "reopen", credentials=organiser)
    act(store, code, "scopa", credentials=scorer, delta=1)
    assert read(store, piles.scope_counts, code) == (2, 0)


@pytest.mark.parametrize(
    ("credentials", "has_organiser", "may"),
    [
        (ANONYMOUS, False, True),
        (ANONYMOUS, True, False),
        (Credentials({"K7QF": MINE}), True, False),
        (Credentials(is_organiser=True), True, True),
    ],
    ids=["no organiser", "a visitor", "a scorer", "the organiser"],
)
def test_only_the_organiser_changes_saved_house_rules(
    credentials: Credentials, has_organiser: bool, may: bool, store: Store
) -> None:
    old, new = Rules(name="Ours", target=16), Rules(name="Ours", target=21)
    who = {"credentials": credentials, "has_organiser": has_organiser}
    opening.keep_rules(store, old, **who)  # type: ignore[arg-type]
    refused: AbstractContextManager[object] = nullcontext()
    if not may:
        refused = pytest.raises(opening.KeptRulesError)
    with refused:
        opening.keep_rules(store, new, **who)  # type: ignore[arg-type]
    assert query(store, club.saved_rules) == {"Ours": new if may else old}
    if not may:
        refused = pytest.raises(opening.KeptRulesError)
    with refused:
        opening.forget_rules(store, "Ours", **who)  # type: ignore[arg-type]
    assert bool(query(store, club.saved_rules)) is not may
