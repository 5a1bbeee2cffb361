"""Actions at a table and a server in this process, as tests ask for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from playing import find_table
from starlette.applications import Starlette
from starlette.testclient import TestClient

from store import Store
from table.access import SYSTEM
from table.actions import Done, execute, parse_request
from table.registry import ACTIONS
from table.requests import Request
from vision.errors import ModelError
from vision.reader import Reader
from web.auth import Auth, Organiser
from web.middleware import middleware
from web.routes import EXCEPTION_HANDLERS, Api

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def act(store: Store, code: str, do: str, /, *, credentials: Any = SYSTEM, **fields: Any) -> Done:
    """Does an action from a screen of the hand being played, or of `match` and `hand`."""
    if not ACTIONS[do].over_http or ACTIONS[do].of == "evening":
        request = Request(do=do, payload=fields)
        return execute(store, code, request, credentials=credentials)
    table = find_table(store, code)
    place = {"match": table.match_no, "hand": table.hands + 1, "side": 0, "key": uuid4().hex}
    return execute(store, code, parse_request(place | fields | {"do": do}), credentials=credentials)


class _NoReader(Reader):
    def read_together(self, *_photos: object, **_options: object) -> Any:
        raise ModelError(Path("locate.onnx"), expected="a network", got="none in this test")


def no_reader() -> Reader:
    """Return a reader without networks."""
    return _NoReader()


@contextmanager
def serving(
    store: Store,
    *,
    auth: Auth | None = None,
    reader: Any = no_reader,
    base_url: str = "http://table.local:8501",
) -> Iterator[TestClient]:
    """The routes of a server in this process, with the middleware of app.py."""
    api = Api(
        lambda: store,
        reader,
        auth=auth or Auth(Organiser()),
        samples=SAMPLES,
        has_networks=lambda: True,
    )
    app = Starlette(
        routes=api.routes(),
        middleware=middleware(address="https://scopa.example", scripts=["run()"]),
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=api.lifespan,
    )
    with TestClient(app, base_url=base_url, follow_redirects=False) as client:
        yield client
