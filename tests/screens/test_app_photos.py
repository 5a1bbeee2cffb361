"""Photos in the app: read, doubted, corrected, refused; answers stand in for the networks."""

import io
import json
import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from app_driving import (
    BRUNO,
    SAMPLES,
    Known,
    acts_of,
    app,
    camera_of,
    card_state,
    component_data,
    drafts,
    follow,
    has_act,
    has_button,
    label_of,
    lay,
    open_table,
    photo_of,
    read_all,
    record,
    refusals,
    send_action,
    send_photos,
    tap,
    tap_card,
    tap_seen,
    visible,
)
from PIL import Image
from playing import match_of, photo_at, undo_hand
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES
from scoring.locale import LANGUAGES
from screens import state
from screens.photos import crop, size_wh
from screens.words import error_text, refusal, t
from store import Table
from table.hand.pile import Pile
from vision.errors import (
    DamagedPhotoError,
    EmptyPhotoError,
    NotAPhotoError,
    PhotoError,
    PhotoTooLargeError,
)
from vision.photo import STORED_PX, Photo, open_photo
from vision.reading import CardReading, PhotoProblemKind, Problem, Reading, Region, Status
from web.worker import refusal_of

pytestmark = pytest.mark.slow

BACK = CardReading("back", Status.SURE, 0.9, ((5, 5), (60, 5), (60, 100), (5, 100)), {})
OTHERS = tuple(
    code
    for code in CODES
    if not any(code in Known().photos[f"anna-{number}.jpg"]["cards"] for number in (1, 2))
)
"""What the photos of Anna's pile do not show."""
STRANGER = CardReading("x", Status.SURE, 0.9, ((5, 5), (60, 5), (60, 100), (5, 100)), {})


def reads(monkeypatch: pytest.MonkeyPatch, reader: Known) -> None:
    monkeypatch.setattr(state, "reader", lambda: reader)


send = send_photos


def sample(name: str) -> tuple[str, bytes]:
    return name, (SAMPLES / name).read_bytes()


def test_photos_of_one_pile_are_read_and_shown_with_every_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    at = send(table, sample("anna-1.jpg"), sample("anna-2.jpg"))
    assert "18 here · 0 Bruno · 22 left" in visible(at)
    assert len(drafts(table)[0].photos) == 2
    assert camera_of(at)["label"] == "Bruno's pile"


def test_the_kept_photo_is_small_and_a_card_can_be_cut_out_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    send(table, sample("anna-1.jpg"))
    draft = drafts(table)[0]
    kept = photo_at(state.store(), draft.photos[0])
    assert max(size_wh(kept)) <= STORED_PX
    width, height = size_wh(crop(kept, draft.detected[0].corners))
    assert 20 < width < size_wh(kept)[0] / 2
    assert 20 < height < size_wh(kept)[1] / 1.5


def test_a_cut_out_outlines_the_card_meant() -> None:
    grey = io.BytesIO()
    Image.new("RGB", (200, 200), (90, 90, 90)).save(grey, "JPEG", quality=95)
    corners = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))
    shown = np.asarray(Image.open(io.BytesIO(crop(grey.getvalue(), corners))), int)
    colour = shown[..., 0] - shown[..., 2]
    edge = round(len(shown) * 0.12 / 1.24)
    assert colour[edge, len(shown) // 2] > 60
    assert abs(colour[len(shown) // 2, len(shown) // 2]) < 10


def test_photo_and_cards_use_the_language_of_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"6s": ("5s", "7s")}))
    table = open_table()
    rested(table)
    pile = drafts(table)[0]
    photo = pile.detected[pile.questions[0]].photo
    data = photo_of(app("settle", table=table.code, lang="de"), photo)
    assert data["alt"] == "Foto 1 vom Stapel von Anna, 9 Karten"
    said = [one["label"] for one in data["cards"] if one["kind"] == "ask"]
    assert said == ["Schwert-Sechs: zu klären"]


def test_doubtful_card_is_answered_by_one_tap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"6s": ("5s", "7s")}))
    table = open_table()
    at = rested(table)
    index = drafts(table)[0].questions[0]
    assert "1 of" not in visible(at)
    assert "Is this the six of swords?" in visible(at)
    assert any('class="crop"' in str(html.value) for html in at.html)
    tap(at, f"answer_{index}_5s")
    assert "5s" in drafts(table)[0].codes
    assert "6s" not in drafts(table)[0].codes
    assert "1 question" not in visible(at)


def test_a_question_about_no_card_of_the_pile_takes_one_tap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"6s": ("5s", "7s")}))
    table = open_table()
    at = rested(table)
    index = drafts(table)[0].questions[0]
    tap(at, f"answer_{index}_none")
    assert "6s" not in drafts(table)[0].codes
    assert not drafts(table)[0].questions


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ((), "1 card cannot be read: tap it on the photo"),
        ((BACK,), "2 cards lie face down: turn them"),  # one on each photo
    ],
    ids=["unread", "face down"],
)
def test_what_the_camera_saw_beside_a_missing_card_is_named(
    found: tuple[CardReading, ...], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch, Known(unread=("7d",), extra=found))
    table = open_table()
    send(table, sample("anna-1.jpg"))
    assert sentence not in visible(send(table, sample("anna-2.jpg"))), "it may not matter"
    lay(table, drafts(table)[0], OTHERS)
    at = app("settle", table=table.code)
    assert sentence in visible(at)
    assert "Whose is the seven of coins?" in visible(at)


def test_a_doubtful_card_can_be_any_other_of_the_forty(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, Known(doubts={"6s": ("5s", "7s")}))
    table = open_table()
    at = rested(table)
    tap(at, "choose_10b")
    assert "10b" in drafts(table)[0].codes
    assert not drafts(table)[0].questions


def test_card_that_another_box_has_is_never_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    at = follow(send(table, sample("anna-1.jpg")), "settle")
    [photo] = drafts(table)[0].photos
    first, second, *others = [card.guess for card in drafts(table)[0].detected]
    number = 2 + len(others)
    forty = {one["face"]: one for one in component_data(at, "photos")["forty"]}
    assert photo_of(at, photo)["cards"][0]["code"] == first, "the sheet marks it"
    assert {code for code, one in forty.items() if one["side"] == 0} == {first, second, *others}
    assert forty[second]["label"].endswith(": Anna's pile")
    tap_seen(at, photo, name=f"choose_{second}")
    assert component_data(at, "photos")["count"] == f"{number - 1} of {number}"
    assert photo_of(at, photo)["cards"][1]["kind"] == "ask"
    lay(table, drafts(table)[0], {*CODES} - {second, *others})
    at = app("settle", table=table.code)
    assert not has_button(at, "onward")
    tap(at, f"answer_1_{second}")
    assert label_of(at, f"answer_0_{second}").startswith("Yes"), "the later answer counts"
    tap(at, f"answer_0_{first}")
    assert drafts(table)[0].codes == {first, second, *others}
    assert not at.button(key="onward").disabled


def test_answer_from_the_other_pile_moves_the_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"7d": ("7c",), "7c": ("7d",)}))
    table = open_table()
    for side, names in enumerate(BOTH):
        send(table, *map(sample, names), side=side)
    at = app("settle", table=table.code)
    [index] = drafts(table)[0].questions
    assert label_of(at, f"answer_{index}_7c") == "seven of cups (now Bruno)"
    tap(at, f"answer_{index}_7c")
    assert "7c" in drafts(table)[0].certain
    assert drafts(table)[1].codes == {*OTHERS, "7d"} - {"7c"}


def test_an_answer_leaves_the_question_of_another_pile_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"6s": ("5s",)}))
    table = open_table()
    send(table, *map(sample, BOTH[0]))
    anna = drafts(table)[0]
    [doubt] = (card for card in anna.detected if card.is_open)
    others = tuple(code for code in OTHERS if code != "5s")
    lay(table, anna, Pile(by_hand=others, photos=(doubt.photo,), detected=(doubt,)))
    at = app("settle", table=table.code)
    asked = next(name for name in acts_of(at) if re.fullmatch(r"answer_\d+_6s", name))
    side = acts_of(at)[asked][1]["context"]["side"]
    tap(at, asked)
    assert "6s" in drafts(table)[side].certain
    assert drafts(table)[1 - side].questions


def test_guess_held_by_the_other_pile_is_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"7d": ("7c",)}))
    table = open_table()
    bruno = {*OTHERS, "7d"} - {"7c"}
    lay(table, (), bruno)
    at = follow(send(table, *map(sample, BOTH[0])), "settle")
    index = drafts(table)[0].questions[0]
    assert "lies in two piles" not in visible(at)
    assert label_of(at, f"answer_{index}_7c") == "Yes, seven of cups"
    assert label_of(at, f"answer_{index}_7d") == "seven of coins (now Bruno)"
    assert not has_button(at, "onward")
    tap(at, f"answer_{index}_7c")
    assert drafts(table)[1].codes == bruno


class Wiser(Known):
    """Has no doubt about a photo that it is shown again with others."""

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        readings = super().read_together(photos, piles)
        return [
            self.again(photo) if photo.name.isdigit() else reading
            for photo, reading in zip(photos, readings, strict=True)
        ]

    def again(self, photo: Photo) -> Reading:
        known = self.photos["anna-1.jpg"]
        width, height = open_photo(SAMPLES / "anna-1.jpg").size_wh
        across, down = photo.size_wh[0] / width, photo.size_wh[1] / height
        cards = [
            CardReading(code, Status.SURE, 1.0, tuple((x * across, y * down) for x, y in box), {})
            for code, box in zip(known["cards"], known["corners"], strict=True)
        ]
        return Reading(photo.name, photo.size_wh, tuple(cards), ())


def test_what_another_pile_tells_of_an_earlier_photo_is_taken_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Wiser(doubts={"6s": ("5s",), "7d": ("7c",)}))
    table = open_table()
    send(table, sample("anna-1.jpg"))
    first, *_ = asked = drafts(table)[0].questions
    assert len(asked) == 2
    at = app("settle", table=table.code, side=0)
    code = drafts(table)[0].detected[first].guess
    data = photo_of(at, drafts(table)[0].photos[0])
    send_action(at, data, {"do": "answer", "seen": data["cards"][first]["seen"], "code": "none"})
    send(table, sample("bruno-1.jpg"), side=1)
    anna = drafts(table)[0]
    assert not anna.questions
    assert code not in anna.codes
    assert len(anna.detected) == len(Known().photos["anna-1.jpg"]["cards"])


def rested(table: Table) -> AppTest:
    """Anna's pile photographed, Bruno taking the rest."""
    at = follow(send(table, sample("anna-1.jpg"), sample("anna-2.jpg")), "settle")
    return tap(at, "rest")


def test_a_doubt_that_changes_nothing_is_never_mentioned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known(doubts={"8c": ("8b",)}))
    table = open_table()
    at = rested(table)
    assert drafts(table)[0].asked_codes == {"8c"}
    [photo, *_] = [card.photo for card in drafts(table)[0].detected if card.is_open]
    kinds = {one["kind"] for one in photo_of(at, photo)["cards"]}
    assert (kinds, card_state(at, "8c")) == ({"sure"}, "here"), "nothing is amber"
    assert "Is this" not in visible(at)
    at.button(key="onward").click().run()
    assert has_act(at, "confirm")


def test_rest_is_given_with_a_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    at = rested(table)
    assert drafts(table)[1].counted == 22
    assert not at.button(key="onward").disabled
    assert label_of(at, "count_None") == "Not 22 cards: count again"
    tap(at, "count_None")
    assert "Does Bruno have 22 cards?" in visible(at)
    assert not has_button(at, "onward")
    assert not has_act(app("points", table=table.code), "confirm")
    tap(at, "count_21")
    assert "Bruno has 21: 1 card of another pile was not seen" in visible(at)
    left = min(drafts(table)[1].codes)
    tap_card(at, left)
    assert "Does Bruno have" not in visible(at)
    assert not at.button(key="onward").disabled
    assert left in drafts(table)[0].codes


def test_a_count_of_more_cards_than_are_left_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, Known())
    at = rested(open_table())
    tap(at, "count_None")
    tap(at, "count_23")
    assert "1 card too many was seen in another pile" in visible(at)
    tap(at, "count_None")
    tap(at, "count_22")
    assert not at.button(key="onward").disabled


BOTH = (("anna-1.jpg", "anna-2.jpg"), ("bruno-1.jpg", "bruno-2.jpg"))
NO_CARD = CardReading(
    "x", Status.DOUBTFUL, 0.1, ((5, 5), (60, 5), (60, 100), (5, 100)), {"7d": 0.1}
)
"""A thing on the table that looks like a card and cannot be read."""


def test_a_hand_that_adds_up_raises_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = Problem(PhotoProblemKind.BLURRED, region=Region.LEFT)
    reads(monkeypatch, Known(extra=(NO_CARD, STRANGER, BACK), problems=(faulty,)))
    table = open_table()
    for side, names in enumerate(BOTH):
        at = follow(send(table, *map(sample, names), side=side), "settle")
        assert alarms(at) == []
    assert at.button(key="onward").label == "Points"
    at.button(key="onward").click().run()
    assert alarms(at) == []
    assert has_act(at, "confirm")


def alarms(at: AppTest) -> list[str]:
    """Everything on the screen that is amber or red, or advises another photo."""
    shown = " ".join(str(html.value) for html in at.html)
    notes = re.findall(r'class="note (?:ask|stop)".*?</div>|class="advice".*?</div>', shown)
    return notes + [name for name in acts_of(at) if name.startswith(("advice", "answer", "keep"))]


@pytest.mark.parametrize(
    ("answer", "owner"), [("same_theirs", 0), ("same_mine", 1)], ids=["Anna's", "Bruno's"]
)
@pytest.mark.parametrize("again", ["anna-1.jpg", "again.jpg"], ids=["same file", "another photo"])
def test_a_pile_photographed_for_two_sides_is_one_question(
    again: str, answer: str, owner: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Known(doubts={"6s": ("5s",)})
    reader.photos["again.jpg"] = reader.photos["anna-1.jpg"]
    reads(monkeypatch, reader)
    table = open_table()
    send(table, sample("anna-1.jpg"))
    picture = sample("anna-1.jpg")[1] if again == "anna-1.jpg" else sample("anna-2.jpg")[1]
    at = follow(send(table, (again, picture), side=1), "settle")
    assert "This looks like Anna's pile again" in visible(at)
    asked = [name for name in acts_of(at) if name.startswith(("answer", "keep", "same_"))]
    assert asked == ["same_theirs", "same_mine"]
    points = app("points", table=table.code)
    assert not has_act(points, "confirm")
    tap(at, answer)
    read_all()
    kept = drafts(table)
    assert kept[1 - owner].is_empty
    certain = set(reader.photos["anna-1.jpg"]["cards"]) - {"6s"}
    assert kept[owner].certain >= certain
    assert "looks like" not in visible(app("settle", table=table.code, side=1))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ((SAMPLES / "anna-1.jpg").read_bytes()[:40_000], "pile.jpg is damaged and cannot be read."),
        (
            b"II*\0\x10\0\0\0CR\2\0",
            "pile.jpg: this program cannot read that kind of file. Send a JPEG",
        ),
    ],
    ids=["truncated", "raw"],
)
def test_a_file_that_is_no_photo_is_said_and_nothing_is_lost(
    data: bytes, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    lay(table, ("7d",), BRUNO)
    at = send(table, ("pile.jpg", data))
    assert sentence in refusals(table)
    assert not at.exception
    assert drafts(table)[0].codes == {"7d"}


def test_of_two_files_the_good_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    at = send(table, ("notes.jpg", b"hello " * 30), sample("anna-1.jpg"))
    assert "notes.jpg: this program cannot read that kind of file" in refusals(table)
    assert len(drafts(table)[0].codes) == 9
    assert not at.exception


def test_without_the_networks_a_sentence_says_so_and_taps_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(state, "MODELS", tmp_path)
    state.reader.cache_clear()
    table = open_table()
    at = send(table, sample("anna-1.jpg"))
    state.reader().close()
    state.reader.cache_clear()
    assert "The camera's networks are not installed here" in refusals(table)
    assert len(drafts(table)[0].photos) == 1
    tap_card(follow(at, "settle"), "7d")
    assert drafts(table)[0].codes == {"7d"}


def test_a_photo_can_be_taken_away_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    send(table, sample("anna-1.jpg"))
    at = app("settle", table=table.code)
    tap(at, "drop_1")
    assert drafts(table)[0].is_empty


class Settling(Known):
    """Settles one card by another photo: alone it is in doubt."""

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        status = Status.SETTLED if len(set(piles)) > 1 else Status.DOUBTFUL
        card = CardReading("7s", status, 0.97, ((5, 5), (60, 5), (60, 100), (5, 100)), {"6s": 0.02})
        return [Reading(photo.name, photo.size_wh, (card,), ()) for photo in photos]


def test_what_a_photo_told_of_another_pile_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, Settling())
    table = open_table()
    send(table, sample("anna-1.jpg"))
    send(table, sample("bruno-1.jpg"), side=1)
    assert drafts(table)[0].certain == {"7s"}
    at = app("settle", table=table.code, side=1)
    tap(at, "drop_1")
    read_all()
    assert drafts(table)[0].asked_codes == {"7s"}
    assert drafts(table)[1].is_empty


class Beside(Known):
    """Notes how many photos it reads together."""

    def __init__(self) -> None:
        super().__init__()
        self.read_at_once: list[int] = []

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        self.read_at_once.append(len(photos))
        return super().read_together(photos, piles)


def test_the_same_photo_sent_again_is_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Beside()
    reads(monkeypatch, reader)
    table = open_table()
    for _ in range(2):
        at = send(table, sample("anna-1.jpg"))
    assert not at.exception
    assert "A photo of this pile came again" in refusals(table)
    assert len(drafts(table)[0].photos) == 1
    assert len(drafts(table)[0].detected) == 9
    assert reader.read_at_once == [1, 1]


class Overtaken(Known):
    """Reads while another phone takes the last hand back."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table, self.times = table, 0

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        self.times += 1
        if self.times == 1:
            revision = match_of(state.store(), self.table).revision
            undo_hand(state.store(), self.table, key="overtaken", expected=revision)
        return super().read_together(photos, piles)


def test_photo_of_a_removed_hand_stays_out_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    lay(table, BRUNO)
    record(table)
    reader = Overtaken(table)
    reads(monkeypatch, reader)
    at = send(table, sample("bruno-1.jpg"))
    assert not at.exception
    assert reader.times == 1
    assert drafts(table, hand_no=1)[0].photos == ()


def test_mending_a_hand_shows_the_photos_it_was_read_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, Known())
    table = open_table()
    at = rested(table)
    at.button(key="onward").click().run()
    tap(follow(at, "points"), "confirm")
    at = app("history", table=table.code)
    tap(at, "edit_1")
    assert len(drafts(table)[0].photos) == 2
    assert "18 here · 22 Bruno · 0 left" in visible(at)


@pytest.mark.models
def test_the_real_networks_read_a_sample() -> None:
    table = open_table()
    with closing(state.reader()):
        send(table, sample("anna-1.jpg"))
    right = set(Known().photos["anna-1.jpg"]["cards"])
    assert len(drafts(table)[0].codes & right) >= 5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "error",
    [
        EmptyPhotoError("a.jpg"),
        NotAPhotoError("a text file"),
        DamagedPhotoError("a.jpg"),
        PhotoTooLargeError("a.jpg", size_wh=(20_000, 10_000), limit_px=60_000_000),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_refusal_kept_as_data_says_what_the_error_said(
    error: PhotoError, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "language", lambda: language)
    kept = json.loads(json.dumps(refusal_of(error)))
    assert refusal(kept) == error_text(error) != t("error")
