"""Cookies, the passphrase and the rate limiter: what a phone proves, and who has to wait."""

import pytest
from playing import Store

from scoring.rules import Rules
from store import TableNotFoundError
from table.access import ANONYMOUS, Credentials, hash_link
from web.auth import (
    LINKS_COOKIE,
    MAX_TABLES,
    OPENED_TABLES,
    ORGANISER_COOKIE,
    ORGANISER_MAX_AGE_S,
    TABLES_COOKIE,
    Auth,
    Organiser,
    PassphraseError,
    TooManyTriesError,
    WrongPassphraseError,
    read_links,
    read_tables,
    with_link,
    with_table,
)

PASSPHRASE = "sette bello di denari"


NOT_OURS = ("", "~", "a b", "k7qf", "K7QF;x=1", "\r\n", "~" * 9999, "K7QF" * 9)


@pytest.mark.parametrize("text", [*NOT_OURS, "K7QF", "K7QF.", "K7QF.a b", "K7QF." + "a" * 65])
def test_a_cookie_that_is_not_ours_holds_no_link(text: str) -> None:
    assert read_links(text) == {}


@pytest.mark.parametrize("text", NOT_OURS)
def test_a_cookie_that_is_not_ours_names_no_table(text: str) -> None:
    assert read_tables(text) == ()


def test_a_phone_remembers_its_latest_tables() -> None:
    links = seen = ""
    for number in range(2 * MAX_TABLES):
        links = with_link(links, f"T{number}", link="a" * 22)
        seen = with_table(seen, f"T{number}")
    latest = f"T{2 * MAX_TABLES - 1}"
    assert (next(iter(read_links(links))), read_tables(seen)[0]) == (latest, latest)
    assert len(read_links(links)) == len(read_tables(seen)) == MAX_TABLES
    assert len(links) < 4000, "browsers keep no cookie of more than 4 KB"


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE], ids=["none set", "set"])
def test_a_wrong_passphrase_lets_nobody_in(passphrase: str) -> None:
    organiser = Organiser(passphrase)
    for typed in ("", "wrong", PASSPHRASE.upper(), "\x00", "à"):
        with pytest.raises(WrongPassphraseError):
            organiser.log_in(typed)
    assert not organiser.is_logged_in("")
    assert not organiser.is_logged_in("organiser")


def test_the_passphrase_lets_the_organiser_in_for_an_evening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    organiser = Organiser(PASSPHRASE)
    cookie = organiser.log_in(PASSPHRASE)
    held = Auth(Organiser(PASSPHRASE)).credentials({ORGANISER_COOKIE: cookie})
    assert held.is_organiser, "another process with the same passphrase knows the cookie"
    assert not Organiser("another passphrase").is_logged_in(cookie)
    assert not organiser.is_logged_in(cookie[:-1])
    assert PASSPHRASE not in cookie
    now = organiser._signer.get_timestamp()
    later = now + ORGANISER_MAX_AGE_S + 1
    monkeypatch.setattr(type(organiser._signer), "get_timestamp", lambda _: later)
    assert not organiser.is_logged_in(cookie)


def test_a_short_passphrase_is_refused_at_the_start() -> None:
    with pytest.raises(PassphraseError, match="8 characters or more, got 5"):
        Organiser("scopa")


def test_whoever_tries_codes_has_to_wait_and_whoever_scores_does_not() -> None:
    store, auth = Store("sqlite://"), Auth(Organiser())
    table = store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_link("link"))
    for _ in range(10):
        with pytest.raises(TableNotFoundError):
            auth.find_table(store, "ZZZZ", credentials=ANONYMOUS, address="10.0.0.9")
    with pytest.raises(TooManyTriesError) as caught:
        auth.find_table(store, table.code, credentials=ANONYMOUS, address="10.0.0.9")
    assert caught.value.minutes == 1
    scorer = Credentials({table.code: "link"})
    assert (
        auth.find_table(store, table.code, credentials=scorer, address="10.0.0.9").code
        == table.code
    )
    assert (
        auth.find_table(store, table.code, credentials=ANONYMOUS, address="10.0.0.8").code
        == table.code
    )
    store.close()


def test_right_codes_are_never_counted() -> None:
    store, auth = Store("sqlite://"), Auth(Organiser())
    code = store.open_table(("Anna", "Bruno"), Rules()).code
    for _ in range(100):
        assert auth.find_table(store, code, credentials=ANONYMOUS, address="10.0.0.9").code == code
    store.close()


def test_one_address_opens_no_endless_number_of_tables() -> None:
    auth = Auth(Organiser())
    most = int(OPENED_TABLES.split("/")[0])
    for _ in range(most):
        auth.limiter.count_opening("10.0.0.9")
    with pytest.raises(TooManyTriesError):
        auth.limiter.count_opening("10.0.0.9")
    auth.limiter.count_opening("10.0.0.8")


def test_what_a_phone_shows_is_read_from_its_cookies() -> None:
    auth = Auth(Organiser(PASSPHRASE))
    assert auth.credentials({}) == ANONYMOUS
    cookies = {LINKS_COOKIE: "K7QF.abc", TABLES_COOKIE: "H3XQ~K7QF"}
    held = auth.credentials(cookies | {ORGANISER_COOKIE: auth.organiser.log_in(PASSPHRASE)})
    assert held == Credentials({"K7QF": "abc", "H3XQ": ""}, is_organiser=True)
    assert [*held.links] == ["H3XQ", "K7QF"]
