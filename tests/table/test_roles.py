"""Who may do what: a link makes a scorer, and no command works for whoever may only look."""

import inspect
from contextlib import nullcontext
from types import SimpleNamespace
from typing import cast

import pytest

from scoring.errors import ScoringError
from scoring.presets import PRESETS
from scoring.rules import Rules
from store import LinkTakenError, Store, Table
from table import commands, photos
from table.roles import (
    HOUSE,
    NOBODY,
    NotAllowedError,
    NotOrganiserError,
    Pass,
    Role,
    TableClosedError,
    hash_of,
    new_link,
)
from table.sitting import sit

OPEN_TO_ALL = {"open_table", "take_over", "keep_rules", "forget_rules"}
"""Commands of no table of one's own: one opens it, one finds none taken, two are about rules."""


@pytest.fixture
def store() -> Store:
    return Store()


def opened(store: Store, *, link: str) -> Table:
    return commands.open_table(store, ("Anna", "Bruno"), rules=Rules(), link=link)


@pytest.mark.parametrize(
    ("shows", "role"),
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
def test_the_role_follows_from_what_the_phone_shows(
    store: Store, shows: dict[str, str] | None, role: Role
) -> None:
    link = new_link()
    table = opened(store, link=link)
    told = {"code": table.code, "link": link, "part": link[:-1]}
    links = {code.format(**told): shown.format(**told) for code, shown in (shows or {}).items()}
    shown = Pass(links, is_organiser=shows is None)
    assert shown.role_at(table) is role
    assert sit(store, table.code, held=shown).role is role


def test_a_table_without_a_link_has_no_scorer_until_somebody_takes_it_over(store: Store) -> None:
    table = store.open_table(("Anna", "Bruno"), Rules())
    assert Pass({table.code: ""}).role_at(table) is Role.VIEWER
    for _ in range(2):
        commands.take_over(store, table.code, link="mine")
    with pytest.raises(LinkTakenError):
        commands.take_over(store, table.code, link="too late")
    assert Pass({table.code: "mine"}).role_at(store.find_table(table.code)) is Role.SCORER


def test_a_renewed_link_leaves_the_old_one_to_look_only(store: Store) -> None:
    table = opened(store, link="old")
    sitting = sit(store, table.code, held=Pass({table.code: "old"}))
    commands.renew_link(store, sitting, link="new")
    assert sit(store, table.code, held=Pass({table.code: "old"})).role is Role.VIEWER
    assert sit(store, table.code, held=Pass({table.code: "new"})).role is Role.SCORER
    with pytest.raises(LinkTakenError):
        commands.renew_link(store, sitting, link="another")


def test_a_table_opened_twice_with_one_link_is_opened_once(store: Store) -> None:
    first = opened(store, link="same")
    assert opened(store, link="same").code == first.code
    assert opened(store, link="other").code != first.code


def test_links_are_of_128_bits_and_the_store_keeps_their_hash_alone(store: Store) -> None:
    link = new_link()
    table = opened(store, link=link)
    assert len({new_link() for _ in range(1000)}) == 1000
    assert len(link) * 6 >= 128
    assert table.link_hash == hash_of(link)
    assert link not in repr(table)
    assert hash_of(link) not in repr(table)


def public_commands() -> list[str]:
    return [
        name
        for module in (commands, photos)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__.startswith(module.__name__) and not name.startswith("_")
    ]


ORGANISERS = {"close_table", "open_again"}
"""Commands that are the organiser's alone; every other one is a scorer's too."""

OF_TABLES = sorted(set(public_commands()) - OPEN_TO_ALL)


def refusal_of(name: str, role: Role) -> type[ScoringError] | None:
    """The error with which a command refuses a role before it touches the store, if it does."""
    command = getattr(commands, name, None) or getattr(photos, name)
    others = list(inspect.signature(command).parameters)[2:]
    seen = SimpleNamespace(code="K7QF", role=role)
    try:
        command(cast("Store", None), seen, **dict.fromkeys(others))
    except (NotAllowedError, NotOrganiserError, TableClosedError) as error:
        return type(error)
    except (AttributeError, TypeError, IndexError):
        pass  # it was let in, and found neither a store nor a hand
    return None


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", OF_TABLES)
def test_every_command_lets_in_the_roles_that_may_and_refuses_all_others(
    name: str, role: Role
) -> None:
    shut_out: dict[Role, type[ScoringError]] = {
        Role.VIEWER: NotAllowedError,
        Role.RETIRED: TableClosedError,
    }
    refused: type[ScoringError] | None = shut_out.get(role)
    if name in ORGANISERS:
        refused = None if role is Role.ORGANISER else NotOrganiserError
    assert refusal_of(name, role) is refused


def test_every_command_there_is_was_walked() -> None:
    assert set(OF_TABLES) > ORGANISERS
    functions = {name for name in commands.__all__ if inspect.isfunction(getattr(commands, name))}
    assert functions - OPEN_TO_ALL < set(OF_TABLES)


def test_at_a_closed_table_scorers_only_look_until_it_is_opened_again(store: Store) -> None:
    table = opened(store, link="mine")
    scorer, organiser = Pass({table.code: "mine"}), Pass(is_organiser=True)
    with pytest.raises(NotOrganiserError):
        commands.close_table(store, sit(store, table.code, held=scorer))
    for _ in range(2):
        commands.close_table(store, sit(store, table.code, held=organiser))
    closed = store.find_table(table.code)
    assert closed.is_closed
    sitting = sit(store, table.code, held=scorer)
    assert sitting.role is Role.RETIRED
    assert not sitting.role.may_write
    with pytest.raises(TableClosedError):
        commands.add_scope(store, sitting, side=0, delta=1)
    assert store.scope_counts(table) == (0, 0)
    commands.add_scope(store, sit(store, table.code, held=organiser), side=0, delta=1)
    assert Pass({table.code: "another"}).role_at(closed) is Role.VIEWER
    with pytest.raises(NotOrganiserError):
        commands.open_again(store, sitting)
    commands.open_again(store, sit(store, table.code, held=organiser))
    commands.add_scope(store, sit(store, table.code, held=scorer), side=0, delta=1)
    assert store.scope_counts(table) == (2, 0)


@pytest.mark.parametrize(
    ("held", "is_led", "may"),
    [
        (NOBODY, False, True),
        (NOBODY, True, False),
        (Pass({"K7QF": "mine"}), True, False),
        (Pass(is_organiser=True), True, True),
    ],
    ids=["no organiser", "a visitor", "a scorer", "the organiser"],
)
def test_in_a_club_with_an_organiser_only_the_organiser_changes_rules_that_are_kept(
    held: Pass, is_led: bool, may: bool, store: Store
) -> None:
    old, new = Rules(name="Ours", target=16), Rules(name="Ours", target=21)
    commands.keep_rules(store, old, held=held, is_led=is_led)
    refused = nullcontext() if may else pytest.raises(commands.KeptRulesError)
    with refused:
        commands.keep_rules(store, new, held=held, is_led=is_led)
    assert store.house_rules() == {"Ours": new if may else old}
    with refused:
        commands.forget_rules(store, "Ours", held=held, is_led=is_led)
    assert bool(store.house_rules()) is not may


def test_a_closed_table_without_a_link_is_not_taken_over(store: Store) -> None:
    table = store.open_table(("Anna", "Bruno"), Rules())
    commands.close_table(store, sit(store, table.code, held=HOUSE))
    with pytest.raises(TableClosedError):
        commands.take_over(store, table.code, link="mine")


def test_the_house_goes_on_with_what_a_scorer_gave_it(store: Store) -> None:
    table = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"])
    commands.set_card(store, sit(store, table.code, held=HOUSE), code="7d", is_in=True)
    assert len(store.drafts(table)) == 1
