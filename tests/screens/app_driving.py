"""How the tests of the screens open the app, lay piles out and read what a person would see."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import pytest
from playing import command, match_of, read, record_hand, write
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES, Card
from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from screens import board, look, state
from screens.parts import seats
from screens.words import refusal
from store import Place, Table, piles, tables, uploads
from table.access import SYSTEM
from table.actions import execute, parse_request
from table.hand.pile import Pile
from vision.photo import Photo, open_photo
from vision.reading import CardReading, Problem, Reading, Status
from web.auth import ORGANISER_COOKIE
from web.worker import process_next

# each AppTest looks for components in every installed package, which takes two seconds
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"

ANNA = (
    *("1d", "2d", "3d", "7d", "10d", "4d", "1c", "7c", "1s"),
    *("6b", "5s", "4s", "3b", "2b", "5c", "6c", "8c", "9c"),
)
"""A pile of 18 cards; Bruno has the others."""
BRUNO = tuple(code for code in CODES if code not in ANNA)


def app(screen: str = "home", **address: object) -> AppTest:
    """Return the app with one screen open, as somebody who typed the address has it."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in address.items():
        at.query_params[name] = str(value)
    return at.switch_page(f"screens/pages/{screen}.py").run()


def follow(at: AppTest, screen: str) -> AppTest:
    """Stay on the screen the app has just opened by itself, at the address it gave."""
    return at.switch_page(f"screens/pages/{screen}.py").run()


def sit_down(monkeypatch: pytest.MonkeyPatch, *names: str, first_dealer: int = 0) -> None:
    """Send the names of a new table, as the component of the first screen does."""
    typed = {"names": list(names), "dealer": first_dealer}
    usual = seats.usual_names("en")
    monkeypatch.setattr(
        "screens.parts.seats.seats", lambda *_, **__: seats.read_seats(typed, usual=usual)
    )


def rules_unfolded(at: AppTest) -> AppTest:
    """Unfolds the line of the first screen that says what is played."""
    return at.button(key="opening_rules").click().run()


def open_table(*names: str, rules: str = "silver-lake") -> Table:
    return command(
        state.store(), tables.open_table, names or ("Anna", "Bruno"), PRESETS[rules], device=""
    )


def lay(table: Table, *spread: Iterable[str] | Pile, hand_no: int = 1) -> None:
    """Put drafts at a table, as another phone would have done."""
    laid = [pile if isinstance(pile, Pile) else Pile(by_hand=tuple(pile)) for pile in spread]
    drafts = {side: pile.to_dict() for side, pile in enumerate(laid)}
    write(state.store(), piles.put_drafts, table, drafts, hand_no=hand_no)


def facts(*piles: Iterable[str], names: Sequence[str], scope: Sequence[int]) -> HandRecord:
    sides = zip(names, piles, scope, strict=True)
    return HandRecord(
        tuple(Side(name, tuple(map(Card.from_code, pile)), made) for name, pile, made in sides)
    )


def record(table: Table, *, scope: Sequence[int] = (0, 0), device: str = "") -> None:
    """Confirm a hand, as another phone would have done."""
    store = state.store()
    revision = match_of(store, table).revision
    hand = facts(ANNA, BRUNO, names=table.side_names, scope=scope)
    record_hand(store, table, hand, key=f"test-{revision}", expected=revision, device=device)


def drafts(table: Table, *, hand_no: int = 1) -> dict[int, Pile]:
    rows = read(state.store(), piles.drafts, table, hand_no=hand_no)
    return {row.side: Pile.from_dict(row.draft) for row in rows}


def visible(at: AppTest) -> str:
    """Return the text on the screen, tags taken out."""
    parts: list[str] = []
    for kind in ("html", "markdown", "header", "subheader", "caption"):
        parts += [str(getattr(element, "value", "")) for element in at.get(kind)]
    parts += [button.label for button in at.button]
    parts += [act["label"] for one in at.get("bidi_component") for act in acts_in(one)]
    if any(component.key == "forty" for component in at.get("bidi_component")):
        parts.append(counts(at))
    return words_of(" \n ".join(parts))


def words_of(html: str) -> str:
    """Return the text of a piece of HTML, tags taken out."""
    hidden = r'<style>.*?</style>|<details class="help".*?</details>'
    text = without_bdi(re.sub(hidden, " ", html, flags=re.DOTALL))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)))


def without_bdi(html: str) -> str:
    """Return a piece of HTML without the tags that isolate names."""
    return re.sub("</?bdi[^>]*>", "", html)


def boards() -> TestClient:
    """Return a client of the boards and the files that their pages need."""
    return TestClient(
        Starlette(
            routes=[*board.routes(), *look.routes()],
            middleware=[Middleware(GZipMiddleware, compresslevel=6)],
        )
    )


def board_html(table: Place, *, scores: bool = False, **query: str) -> str:
    """Return the page of a board; `scores`: on a device that scores there."""
    client = boards()
    if scores:
        client.cookies.set(ORGANISER_COOKIE, state.auth().organiser.log_in("a passphrase"))
    answer = client.get(f"/board/{table.code}", params=query)
    assert answer.status_code == 200
    return answer.text


def board_words(table: Table, **query: str) -> str:
    """Return the text in the `main` of a board."""
    [main] = re.findall(r"<main>.*</main>", board_html(table, scores=False, **query), re.DOTALL)
    return words_of(main)


def entered(at: AppTest) -> str:
    """Return the address for which a screen leaves."""
    return str(component_data(at, "enter")["to"])


def luminance(colour: str) -> float:
    """Return how bright a colour such as #00ff7f is, from 0 to 1, as WCAG counts it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def has_button(at: AppTest, key: str) -> bool:
    return any(button.key == key for button in at.button)


def key_of(at: AppTest, kind: str, start: str) -> str:
    """Return the key of the one element of a kind whose key begins so."""
    [key] = [one.key for one in at.get(kind) if str(one.key).startswith(start)]
    return str(key)


class Known:
    """Reads the sample photos by their answers: the screens' tests need no networks.

    `doubts` makes cards doubtful (code -> what else it may be), `unread` ones cannot be read at
    all, `lost` ones are not found, `extra` adds cards to every photo.
    """

    def __init__(
        self,
        *,
        doubts: Mapping[str, Sequence[str]] | None = None,
        unread: Sequence[str] = (),
        lost: Sequence[str] = (),
        extra: Sequence[CardReading] = (),
        problems: Sequence[Problem] = (),
    ) -> None:
        answers: Any = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
        self.photos: dict[str, Any] = answers["photos"]
        self.doubts = dict(doubts or {})
        self.unread, self.lost = frozenset(unread), frozenset(lost)
        self.extra, self.problems = tuple(extra), tuple(problems)

    def open_photo(self, data: bytes, name: str = "photo") -> Photo:
        return open_photo(data, name)

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        assert len(photos) == len(piles)
        return [self.read(photo) for photo in photos]

    def read(self, photo: Photo) -> Reading:
        known = self.photos.get(photo.name, {"cards": [], "corners": []})
        cards = [
            self.found(code, [(float(x), float(y)) for x, y in corners])
            for code, corners in zip(known["cards"], known["corners"], strict=True)
            if code not in self.lost
        ]
        return Reading(photo.name, photo.size_wh, (*cards, *self.extra), self.problems)

    def found(self, code: str, corners: Sequence[tuple[float, float]]) -> CardReading:
        if code in self.unread:
            return CardReading("x", Status.DOUBTFUL, 0.1, tuple(corners), {code: 0.3})
        others = self.doubts.get(code, ())
        status = Status.DOUBTFUL if others else Status.SURE
        share = 0.4 / max(1, len(others))
        return CardReading(code, status, 0.6, tuple(corners), dict.fromkeys(others, share))


def read_all() -> None:
    """Read every photo that waits, as a worker does."""
    while process_next(state.store(), lambda: state.reader()):  # noqa: PLW0108  replaced by tests
        pass


def refusals(table: Table, *, hand_no: int = 1) -> str:
    """Return what the screen of the piles says of photos that were refused."""
    rows = read(state.store(), uploads.of_hand, table, hand_no=hand_no)
    return " ".join(refusal(row.refusal) for row in rows if row.refusal is not None)


def queue_photo(table: Table, name: str, data: bytes, *, side: int) -> None:
    """Send a photo of the hand being played; no worker has read it yet."""
    playing = match_of(state.store(), table)
    write(
        state.store(),
        uploads.add,
        table,
        data,
        key=uuid4().hex,
        name=name,
        match_no=playing.match_no,
        hand_no=len(playing.match.hands) + 1,
        side=side,
    )


def send_photos(table: Table, *files: tuple[str, bytes], side: int = 0) -> AppTest:
    """Send files as the pile of a side, as a phone does; return the screen that follows."""
    at = app("settle", table=table.code, side=side)
    for name, data in files:
        queue_photo(table, name, data, side=side)
    at.run()
    read_all()
    return at.run()


def component_data(at: AppTest, key: str) -> dict[str, Any]:
    """Return the data that a component on the phone is given."""
    [component] = [one for one in at.get("bidi_component") if one.key == key]
    data: dict[str, Any] = json.loads(component.proto.json)
    return data


def camera_of(at: AppTest, key: str = "snap") -> dict[str, Any]:
    """Return the camera that is red now, or another one: side, label and what it replaces."""
    cameras: list[dict[str, Any]] = component_data(at, key)["cameras"]
    return cameras[0] if cameras else {"side": None, "label": "", "replaces": None}


def photo_of(at: AppTest, photo: int) -> dict[str, Any]:
    """Return the data of a photo on the screen, with that of its component."""
    data: dict[str, Any] = component_data(at, "photos")
    found: dict[str, Any]
    [found] = [one for one in data["photos"] if one["id"] == photo]
    return {**data, **found}


def acts_of(at: AppTest) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Every act on the screen by its id, those on sheets too: the act, and its component's data."""
    return {
        one["id"]: (one, json.loads(component.proto.json))
        for component in at.get("bidi_component")
        for act in acts_in(component)
        for one in (act, *act["more"], *(inner for more in act["more"] for inner in more["more"]))
    }


def acts_in(component: Any) -> list[dict[str, Any]]:
    """Return the buttons of a component on the phone."""
    data = json.loads(component.proto.json or "{}")
    acts: list[dict[str, Any]] = data.get("acts", [])
    return [*acts, *(photo["drop"] for photo in data.get("photos", ()))]


def has_act(at: AppTest, name: str) -> bool:
    return name in acts_of(at)


def act_named(at: AppTest, start: str) -> str:
    """Return the id of the one act on the screen whose id begins so."""
    [name] = [one for one in acts_of(at) if one.startswith(start)]
    return name


def label_of(at: AppTest, name: str) -> str:
    """Return what a button on the phone says."""
    return str(acts_of(at)[name][0]["label"])


def tap(at: AppTest, name: str) -> AppTest:
    """Delivers what a button on the phone does, as its script would; gives the screen after it."""
    act, data = acts_of(at)[name]
    send_action(at, data, act["action"])
    if not act["to"]:
        return at
    to = urlsplit(act["to"])
    at.query_params.clear()
    for parameter, value in parse_qsl(to.query):
        at.query_params[parameter] = value
    return at.switch_page(f"screens/pages{to.path}.py").run()


def tap_card(at: AppTest, code: str) -> AppTest:
    """Tap one of the forty cards."""
    data = component_data(at, "forty")
    side, piles = data["context"]["side"], data["piles"]
    is_in = code in piles["held"][side] and code not in piles["asked"][side]
    return send_action(at, data, {"do": "card", "code": code, "in": not is_in})


def card_state(at: AppTest, code: str) -> str:
    """Where one of the forty cards is, seen from the pile on the screen: a key of its states."""
    data = component_data(at, "forty")
    side, piles = data["context"]["side"], data["piles"]
    owners = [owner for owner, held in enumerate(piles["held"]) if code in held]
    if len(owners) > 1:
        return "two"
    if code in piles["asked"][side]:
        return "ask"
    return "none" if not owners else "here" if owners == [side] else "other"


def tap_scope(at: AppTest, side: int, *, delta: int = 1) -> AppTest:
    """Tap one more scopa of a side, or one less."""
    return send_action(at, component_data(at, f"tally_{side}"), {"do": "scopa", "delta": delta})


def tap_seen(at: AppTest, photo: int, *, name: str) -> AppTest:
    """Open the sheet of the first card outlined on a photo, and tap an answer there."""
    data = photo_of(at, photo)
    card = data["cards"][0]
    [act] = [one for one in (*card["more"], *data["forty"]) if one["id"] == name]
    return send_action(at, data, {**act["action"], "seen": card["seen"]})


def send_action(at: AppTest, data: Mapping[str, Any], action: Mapping[str, Any]) -> AppTest:
    """Executes an action as the route does, then reruns the screen as the messenger does.

    Raises:
        ScoringError: The table refuses it.
    """
    sent = {**data["context"], **action, "key": uuid4().hex}
    execute(state.store(), data["context"]["code"], parse_request(sent), credentials=SYSTEM)
    return at.run()


def counts(at: AppTest) -> str:
    """Return what stands above the forty cards, as the phone writes it."""
    data = component_data(at, "forty")
    side, piles = data["context"]["side"], data["piles"]
    others = [
        data["counts"]["other"][len(held)].format(name=name)
        for at_side, (name, held) in enumerate(zip(data["names"], piles["held"], strict=True))
        if at_side != side
    ]
    idle = set(CODES).difference(piles["absent"], *piles["held"])
    here = data["counts"]["here"][len(piles["held"][side])]
    return " · ".join([here, *others, data["counts"]["missing"][len(idle)]])
