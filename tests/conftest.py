"""What every test may ask for: databases, the browser, the models, material kept elsewhere."""

import gc
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from engines import ENGINES, Postgres, postgres_or_skip, sqlite_url
from hypothesis import settings
from playing import query
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy import Engine

from screens import state
from store import Store, tables
from store import database as opening
from vision.networks import NETWORK_FILES

if TYPE_CHECKING:
    from browser_driving import Windows

    from vision.photo import Photo
    from vision.reader import Reader
    from vision.reading import Reading

settings.register_profile("quick", deadline=None, max_examples=25)  # a busy machine is no defect
settings.register_profile("thorough", deadline=None, max_examples=100)  # make slow
settings.load_profile("quick")

ROOT = Path(__file__).resolve().parent.parent
"""The checkout under test."""

SHARED = ROOT.parent / "shared"
"""Real photos and scanned decks, kept beside the repository: not ours to publish."""

MIGRATED = ("test_database", "test_migrations")
"""Files of tests in which migrations make every store."""

SHOWN_LOG = 8000
"""Characters of the server's log that a failed browser test shows."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Names a system Chromium goes by."""


def _browser_path() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _why_not() -> dict[str, str]:
    """Return the marks of tests that this machine cannot run, and what it lacks."""
    found = {}
    if _browser_path() is None and os.environ.get("SETTEBELLO_BROWSER_REQUIRED") != "1":
        found["browser"] = "no chromium on this machine (Debian: apt-get install chromium)"
    for name in NETWORK_FILES:
        if not (ROOT / "models" / name).is_file():
            found["models"] = f"models/{name} is missing: train it (docs/vision.md)"
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips, with its reason, what this machine cannot run; CI demands its browser instead."""
    why_not = _why_not()
    for item in items:
        if "training" in item.path.parts:  # `make smoke` runs them where torch is
            item.add_marker("slow")
        if isinstance(item, pytest.Function):
            if "postgresql" in item.name:
                item.add_marker("postgres")
            if getattr(item.obj, "is_hypothesis_test", False):
                item.add_marker("properties")
        for mark in why_not.keys() & item.keywords:
            item.add_marker(pytest.mark.skip(reason=why_not[mark]))
    # Playwright's loop runs to the end, and nobody is to wait for what takes long
    items.sort(key=lambda item: ("browser" in item.keywords, "long" not in item.keywords))


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the garbage collector need not walk it again and again."""
    gc.freeze()


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store in memory; tests of engines have their own."""
    with closing(Store()) as opened:
        yield opened


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a store in which nothing is, at the newest schema."""
    file = tmp_path_factory.mktemp("empty") / "settebello.db"
    Store(f"sqlite:///{file}").close()
    return file


@pytest.fixture(autouse=True)
def _copied_stores(
    request: pytest.FixtureRequest, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store in a new SQLite file is copied, and waits for no disk: tests cut no power.

    Not where opening a database is what is tested.
    """
    if request.path.stem in MIGRATED:
        return
    migrate, set_up = opening._migrate, opening._set_up_sqlite

    def copied(engine: Engine, place: str) -> None:
        file = engine.url.database
        if engine.dialect.name == "sqlite" and file and not _size(Path(file)):
            shutil.copyfile(empty_store, file)
        migrate(engine, place)

    def hasty(connection: sqlite3.Connection, record: object) -> None:
        set_up(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    monkeypatch.setattr(opening, "_migrate", copied)
    monkeypatch.setattr(opening, "_set_up_sqlite", hasty)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty SETTEBELLO_HOME: no test ever touches the tables of the person who runs it."""
    path = tmp_path / "home"
    monkeypatch.setenv("SETTEBELLO_HOME", str(path))
    monkeypatch.delenv("SETTEBELLO_DATABASE_URL", raising=False)
    return path


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine: what asks for it is tested on every one."""
    return str(request.param)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL for the whole run; skips where there is none."""
    found = postgres_or_skip()
    yield found
    found.close()


@pytest.fixture
def address(postgres: Postgres) -> Iterator[str]:
    """The address of a new database on PostgreSQL, at the newest schema."""
    with postgres.database(migrated=True) as made:
        yield made


@pytest.fixture
def empty_place(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a place where no store was yet."""
    if engine == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with request.getfixturevalue("postgres").database(migrated=False) as address:
        yield address


@pytest.fixture
def database(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database."""
    if engine == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with request.getfixturevalue("postgres").database(migrated=True) as address:
        yield address


@pytest.fixture
def free_port() -> int:
    """A port on which nothing listens."""
    import servers

    return servers.free_port()


@pytest.fixture
def shared() -> Path:
    """The folder of real photos and scanned decks; skips where it is not."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"no {SHARED.name}/data beside the checkout: real photos are not published")
    return SHARED


@pytest.fixture
def models_dir() -> Path:
    """The folder of the networks (mark the test `models`)."""
    return ROOT / "models"


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the system's Chromium (mark the test `browser`)."""
    path = _browser_path()
    if path is None:
        pytest.fail("chromium is demanded here and missing: apt-get install chromium")
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """A real browser, without its window, started once a worker."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=flags)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[tuple[Path, str]]":
    """Where the server of a worker keeps its tables, and its address."""
    from browser_driving import server

    place = tmp_path_factory.mktemp("server")
    with server(place) as address:
        yield place, address


@pytest.fixture
def base(shared_server: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a server that tests of a worker share; the test sees its tables."""
    place, address = shared_server
    monkeypatch.setenv("SETTEBELLO_HOME", str(place))
    return address


@pytest.fixture(scope="session")
def all_windows(browser: Browser) -> "Windows":
    """The windows of the browser, kept for the tests that follow."""
    from browser_driving import Windows

    return Windows(browser)


@pytest.fixture
def windows(all_windows: "Windows", shared_server: tuple[Path, str]) -> "Iterator[Windows]":
    """Windows of a real browser that no other test sees; with what the server logged meanwhile."""
    home, address = shared_server
    log = home / "server.log"
    before = log.stat().st_size
    yield all_windows
    all_windows.show_texts()
    print(log.read_bytes()[before:].decode(errors="replace")[-SHOWN_LOG:])
    all_windows.close_all(shared=address)


@pytest.fixture(autouse=True)
def _organisers_phone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of the screens hold a phone that was at every table and may write there.

    Tests of roles take another.
    """
    if "screens" not in request.path.parts:
        return
    from table.access import Credentials
    from web.auth import Auth, Organiser

    def credentials() -> Credentials:
        codes = (table.code for table in query(state.store(), tables.newest))
        return Credentials(seen=tuple(codes), is_organiser=True)

    auth = Auth(Organiser("a passphrase"))
    monkeypatch.setattr(state, "auth", lambda: auth)
    monkeypatch.setattr(state, "credentials", credentials)


@pytest.fixture(scope="session")
def sample_labels() -> dict[str, dict[str, Any]]:
    """What each sample photo shows, as samples/expected.json says it."""
    expected = json.loads((ROOT / "samples" / "expected.json").read_text(encoding="utf-8"))
    photos: dict[str, dict[str, Any]] = expected["photos"]
    return photos


@pytest.fixture(scope="session")
def sample_photos(sample_labels: dict[str, dict[str, Any]]) -> "dict[str, Photo]":
    """The sample photos, opened once a worker."""
    from vision.photo import open_photo

    return {name: open_photo(ROOT / "samples" / name) for name in sample_labels}


@pytest.fixture(scope="session")
def reader() -> "Reader":
    """The reader with the networks that are shipped, loaded once a worker."""
    from vision.reader import Reader

    return Reader()


@pytest.fixture(scope="session")
def readings(reader: "Reader", sample_photos: "dict[str, Photo]") -> "dict[str, Reading]":
    """Each sample photo read by itself, once a worker."""
    return {name: reader.read(photo) for name, photo in sample_photos.items()}
