"""Passes and the guard: what a phone shows of itself, and who has to wait."""

import pytest

from scoring.rules import Rules
from store import Store, TableNotFoundError
from table.roles import NOBODY, Pass, hash_of
from web import guard as guarding
from web.guard import Guard, TooManyTriesError
from web.passes import (
    LINKS,
    MOST_TABLES,
    ORGANISER,
    ORGANISER_LASTS_S,
    SEEN,
    Organiser,
    PassphraseError,
    WrongPassphraseError,
    read_links,
    read_seen,
    with_link,
    with_seen,
)

PASSPHRASE = "sette bello di denari"


NOT_OURS = ("", "~", "a b", "k7qf", "K7QF;x=1", "\r\n", "~" * 9999, "K7QF" * 9)


@pytest.mark.parametrize("text", [*NOT_OURS, "K7QF", "K7QF.", "K7QF.a b", "K7QF." + "a" * 65])
def test_a_cookie_that_is_not_ours_holds_no_link(text: str) -> None:
    assert read_links(text) == {}


@pytest.mark.parametrize("text", NOT_OURS)
def test_a_cookie_that_is_not_ours_names_no_table(text: str) -> None:
    assert read_seen(text) == ()


def test_a_phone_remembers_its_latest_tables() -> None:
    links = seen = ""
    for number in range(2 * MOST_TABLES):
        links = with_link(links, f"T{number}", link="a" * 22)
        seen = with_seen(seen, f"T{number}")
    latest = f"T{2 * MOST_TABLES - 1}"
    assert (next(iter(read_links(links))), read_seen(seen)[0]) == (latest, latest)
    assert len(read_links(links)) == len(read_seen(seen)) == MOST_TABLES
    assert len(links) < 4000, "browsers keep no cookie of more than 4 KB"


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE], ids=["none set", "set"])
def test_a_wrong_passphrase_lets_nobody_in(passphrase: str) -> None:
    organiser = Organiser(passphrase)
    for typed in ("", "wrong", PASSPHRASE.upper(), "\x00", "à"):
        with pytest.raises(WrongPassphraseError):
            organiser.admit(typed)
    assert not organiser.knows("")
    assert not organiser.knows("organiser")


def test_the_passphrase_lets_the_organiser_in_for_an_evening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    organiser = Organiser(PASSPHRASE)
    cookie = organiser.admit(PASSPHRASE)
    held = Guard(Organiser(PASSPHRASE)).held({ORGANISER: cookie})
    assert held.is_organiser, "another process with the same passphrase knows the cookie"
    assert not Organiser("another passphrase").knows(cookie)
    assert not organiser.knows(cookie[:-1])
    assert PASSPHRASE not in cookie
    now = organiser._signer.get_timestamp()
    later = now + ORGANISER_LASTS_S + 1
    monkeypatch.setattr(type(organiser._signer), "get_timestamp", lambda _: later)
    assert not organiser.knows(cookie)


def test_a_short_passphrase_is_refused_at_the_start() -> None:
    with pytest.raises(PassphraseError, match="8 characters or more, got 5"):
        Organiser("scopa")


def test_whoever_tries_codes_has_to_wait_and_whoever_scores_does_not() -> None:
    store, guard = Store("sqlite://"), Guard(Organiser())
    table = store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_of("link"))
    for _ in range(10):
        with pytest.raises(TableNotFoundError):
            guard.find(store, "ZZZZ", held=NOBODY, address="10.0.0.9")
    with pytest.raises(TooManyTriesError) as caught:
        guard.find(store, table.code, held=NOBODY, address="10.0.0.9")
    assert caught.value.minutes == 1
    scorer = Pass({table.code: "link"})
    assert guard.find(store, table.code, held=scorer, address="10.0.0.9").code == table.code
    assert guard.find(store, table.code, held=NOBODY, address="10.0.0.8").code == table.code
    store.close()


def test_right_codes_are_never_counted() -> None:
    store, guard = Store("sqlite://"), Guard(Organiser())
    code = store.open_table(("Anna", "Bruno"), Rules()).code
    for _ in range(100):
        assert guard.find(store, code, held=NOBODY, address="10.0.0.9").code == code
    store.close()


def test_one_address_opens_no_endless_number_of_tables() -> None:
    guard = Guard(Organiser())
    most = int(guarding.OPENED_TABLES.split("/")[0])
    for _ in range(most):
        guard.opening("10.0.0.9")
    with pytest.raises(TooManyTriesError):
        guard.opening("10.0.0.9")
    guard.opening("10.0.0.8")


def test_what_a_phone_shows_is_read_from_its_cookies() -> None:
    guard = Guard(Organiser(PASSPHRASE))
    assert guard.held({}) == NOBODY
    cookies = {LINKS: "K7QF.abc", SEEN: "H3XQ~K7QF"}
    held = guard.held(cookies | {ORGANISER: guard.organiser.admit(PASSPHRASE)})
    assert held == Pass({"K7QF": "abc", "H3XQ": ""}, is_organiser=True)
    assert [*held.links] == ["H3XQ", "K7QF"]
