"""Cookies, the passphrase, and the limits on attempts."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import httpx2
import pytest
from acting import serving
from playing import command, write
from sqlalchemy import func, select
from starlette.testclient import TestClient

from scoring.rules import Rules
from store import Store, Table, TableNotFoundError, sessions, tables
from store.models import EndedSession
from table.access import ANONYMOUS, Credentials, hash_link, known_tables, new_link
from web.auth import (
    LINKS_COOKIE,
    MAX_TABLES,
    ORGANISER_COOKIE,
    ORGANISER_MAX_AGE_S,
    TABLES_COOKIE,
    Auth,
    Organiser,
    PassphraseError,
    WrongPassphraseError,
    load_secret,
    read_links,
    with_link,
)
from web.limits import LIMITS, Purpose, RateLimiter, TooManyTriesError

PASSPHRASE = "sette bello di denari"
LINK = new_link()
NOT_OURS = ("", "~", "a b", "k7qf", "K7QF;x=1", "\r\n", "~" * 9999, "K7QF" * 9, "K7QF", "K7QF~H3XQ")
ADDRESS = "10.0.0.9"


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK))


@pytest.fixture
def engine_store(database: str) -> Iterator[Store]:
    """A store on each engine."""
    with closing(Store(database)) as opened:
        yield opened


@pytest.mark.parametrize(
    "text", [*NOT_OURS, "K7QF.", "K7QF.a b", "K7QF." + "a" * 21, "K7QF." + "a" * 65]
)
def test_foreign_cookie_grants_nothing(text: str) -> None:
    assert read_links(text) == {}
    assert Auth(Organiser()).read_tables(text) == ()
    assert Auth(Organiser()).read_tables(f"{text}.c2lnbmF0dXJl") == ()


def test_a_phone_remembers_its_latest_tables() -> None:
    auth = Auth(Organiser())
    links = seen = ""
    for number in range(2 * MAX_TABLES):
        links = with_link(links, f"T{number}", link="a" * 22)
        seen = auth.with_table(seen, f"T{number}")
    latest = f"T{2 * MAX_TABLES - 1}"
    assert (next(iter(read_links(links))), auth.read_tables(seen)[0]) == (latest, latest)
    assert len(read_links(links)) == len(auth.read_tables(seen)) == MAX_TABLES
    assert len(links) < 4000, "browsers keep no cookie of more than 4 KB"


def test_the_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    secret = load_secret(tmp_path / "home")
    assert len(secret) == 32
    assert load_secret(tmp_path / "home") == secret
    [file] = (tmp_path / "home").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    one, other = (Auth(Organiser(), secret=secret) for _ in range(2))
    assert other.read_tables(one.with_table("", "K7QF")) == ("K7QF",)
    assert Auth(Organiser(), secret=b"x" * 32).read_tables(one.with_table("", "K7QF")) == ()
    assert len(load_secret(file / "no folder")) == 32, "it holds until the server ends"


def test_tables_that_a_phone_names_by_itself_tell_it_nothing(store: Store, table: Table) -> None:
    auth = Auth(Organiser(PASSPHRASE))
    assert auth.credentials({}) == ANONYMOUS
    for cookies in (
        {TABLES_COOKIE: table.code},
        {TABLES_COOKIE: f"{table.code}.c2lnbmF0dXJl"},
        {LINKS_COOKIE: f"{table.code}.guessed"},
    ):
        credentials = auth.credentials(cookies)
        assert known_tables(store, credentials) == ()
        assert not credentials.knows(table)
    cookies = {LINKS_COOKIE: f"{table.code}.{LINK}", TABLES_COOKIE: auth.with_table("", "H3XQ")}
    credentials = auth.credentials(cookies)
    assert known_tables(store, credentials) == ("H3XQ", table.code)
    assert credentials == Credentials({table.code: LINK}, seen=("H3XQ",))
    cookies[ORGANISER_COOKIE] = auth.organiser.log_in(PASSPHRASE)
    assert auth.credentials(cookies).is_organiser


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE], ids=["none set", "set"])
def test_a_wrong_passphrase_lets_nobody_in(passphrase: str) -> None:
    organiser = Organiser(passphrase)
    for typed in ("", "wrong", PASSPHRASE.upper(), "\x00", "à"):
        with pytest.raises(WrongPassphraseError):
            organiser.log_in(typed)
    assert not organiser.is_logged_in("")
    assert not organiser.is_logged_in("organiser")


def test_a_logged_out_organiser_stays_so_after_a_restart(engine_store: Store) -> None:
    organiser = Organiser(PASSPHRASE)
    cookie, other = (organiser.log_in(PASSPHRASE) for _ in range(2))
    assert cookie != other, "each session is one of its own"
    organiser.log_out(engine_store, cookie)
    organiser.log_out(engine_store, "no session")
    restarted = Organiser(PASSPHRASE)
    restarted.read_ended(engine_store)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    spellings = {cookie, f"{cookie}=", *(cookie[:-1] + letter for letter in letters)}
    signed = [one for one in spellings if Organiser(PASSPHRASE).is_logged_in(one)]
    assert len(signed) > 1, "base64 has several spellings of a signature"
    for one in (organiser, restarted):
        assert not any(map(one.is_logged_in, spellings))
        assert one.is_logged_in(other)


def test_ended_sessions_are_forgotten_once_they_expire(
    engine_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    organiser = Organiser(PASSPHRASE)
    first, second = (organiser.log_in(PASSPHRASE) for _ in range(2))
    organiser.log_out(engine_store, first)
    with engine_store.reading() as session:
        assert len(sessions.ended(session)) == 1
    later = datetime.now(UTC) + timedelta(seconds=ORGANISER_MAX_AGE_S + 60)
    monkeypatch.setattr(sessions, "now", lambda: later)
    organiser.log_out(engine_store, second)
    with engine_store.reading() as session:
        assert session.scalars(select(func.count()).select_from(EndedSession)).one() == 1


def test_the_passphrase_lets_the_organiser_in_for_an_evening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    organiser = Organiser(PASSPHRASE)
    cookie = organiser.log_in(PASSPHRASE)
    other = Auth(Organiser(PASSPHRASE)).credentials({ORGANISER_COOKIE: cookie})
    assert other.is_organiser, "another process with the same passphrase knows the cookie"
    assert not Organiser("another passphrase").is_logged_in(cookie)
    assert not organiser.is_logged_in(cookie[:-1])
    assert PASSPHRASE not in cookie
    later = organiser._signer.get_timestamp() + ORGANISER_MAX_AGE_S + 1
    monkeypatch.setattr(type(organiser._signer), "get_timestamp", lambda _: later)
    assert not organiser.is_logged_in(cookie)
    with pytest.raises(PassphraseError, match="8 characters or more, got 5"):
        Organiser("scopa")


# Limits


@pytest.mark.parametrize("purpose", Purpose)
def test_each_purpose_is_counted_by_itself_for_each_address(purpose: Purpose) -> None:
    limiter = RateLimiter()
    most = int(LIMITS[purpose].split("/")[0])
    for _ in range(most):
        limiter.check(purpose, ADDRESS, is_right=False)
    for is_right in (False, True):
        with pytest.raises(TooManyTriesError):
            limiter.check(purpose, ADDRESS, is_right=is_right)
    limiter.check(purpose, "10.0.0.8", is_right=False)
    for other in set(Purpose) - {purpose}:
        limiter.check(other, ADDRESS, is_right=False)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1:2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.9", "10.0.0.9", True),
        ("10.0.0.9", "10.0.0.8", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
    ids=["one /64", "two /64", "mapped", "two of IPv4", "with a zone"],
)
def test_an_ipv6_network_counts_as_one_address(one: str, other: str, is_same: bool) -> None:
    limiter = RateLimiter()
    for _ in range(10):
        limiter.check(Purpose.CODE, one, is_right=False)
    refused: AbstractContextManager[object] = pytest.raises(
        TooManyTriesError, match="wait for 1 min"
    )
    with refused if is_same else nullcontext():
        limiter.check(Purpose.CODE, other, is_right=False)


def test_right_codes_and_known_phones_are_never_limited(store: Store, table: Table) -> None:
    auth = Auth(Organiser())

    def find(code: str, credentials: Credentials = ANONYMOUS, address: str = ADDRESS) -> str:
        return auth.find_table(store, code, credentials=credentials, address=address).code

    for _ in range(30):
        assert find(table.code) == table.code
    for _ in range(10):
        with pytest.raises(TableNotFoundError):
            find("ZZZZ")
    for code in ("ZZZZ", table.code):
        with pytest.raises(TooManyTriesError):
            find(code)
    assert find(table.code, address="10.0.0.8") == table.code
    for known in (Credentials({table.code: LINK}), Credentials(seen=(table.code,))):
        assert find(table.code, known) == table.code
    write(store, tables.close, table)
    assert find(table.code, Credentials({table.code: LINK})) == table.code


def test_parallel_tries_count_like_successive_ones(store: Store) -> None:
    """Many connections are opened before their bodies arrive. The right passphrase is the last."""
    auth = Auth(Organiser(PASSPHRASE))
    tries = [f"wrong {number}" for number in range(29)] + [PASSPHRASE]

    async def race(client: TestClient) -> list[int]:
        ready, waiting = asyncio.Event(), 0

        async def body(text: str) -> AsyncIterator[bytes]:
            nonlocal waiting
            waiting += 1
            if waiting == len(tries):
                ready.set()
            await ready.wait()
            if text == PASSPHRASE:
                await asyncio.sleep(0.5)
            yield text.encode()

        transport = httpx2.ASGITransport(client.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://table.local") as one:
            posts = [one.post("/door/organiser", content=body(text)) for text in tries]
            return [answer.status_code for answer in await asyncio.gather(*posts)]

    with serving(store, auth=auth) as client:
        answers = asyncio.run(race(client))
    assert answers.count(403) == 10
    assert answers.count(429) == 20

    limiter, allowed = RateLimiter(), list[int]()

    def open_table(number: int) -> None:
        try:
            limiter.count_opening(ADDRESS)
        except TooManyTriesError:
            return
        allowed.append(number)

    threads = [Thread(target=open_table, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(allowed) == 30
