"""`python -m vision` and its neighbours: what they print and how they fail."""

import json
import weakref
from functools import partial
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
import pytest
from hostile_reader import SAMPLE, Hostile
from PIL import Image

from benchmarks import reading as bench
from scoring.locale import LANGUAGES
from vision import __main__ as command
from vision import evaluate
from vision.__main__ import as_data, main
from vision.errors import LabelError
from vision.evaluate import calibration_error, mark_reading, read_labels, summary
from vision.isolated import IsolatedReader
from vision.locale import sentence
from vision.photo import Photo, open_photo
from vision.reader import Reader
from vision.reading import (
    NOT_SCOPA,
    CardReading,
    PhotoProblemKind,
    Problem,
    Reading,
    Region,
    Status,
)
from vision.render import LONG_SIDE_PX, cut_out, outlined

QUAD = ((10.0, 10.0), (70.0, 10.0), (70.0, 106.0), (10.0, 106.0))


def found(card: str, status: str = "sure", confidence: float = 0.99) -> CardReading:
    return CardReading(card, Status(status), confidence, QUAD, {"6d": 0.2})


def reading(*cards: CardReading, problems: tuple[Problem, ...] = ()) -> Reading:
    return Reading("pile.jpg", (200, 150), cards, problems)


def photo_file(folder: Path, name: str = "pile.jpg") -> Path:
    path = folder / name
    cv2.imwrite(str(path), np.full((150, 200, 3), 120, np.uint8))
    return path


class OpensHere(Reader):
    """Reads in this process; that `IsolatedReader` does not is tested with it."""

    def close(self) -> None:
        pass


@pytest.fixture
def opens_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.__main__.IsolatedReader", OpensHere)


@pytest.fixture
def reads_here(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads with networks that are loaded once a worker."""
    monkeypatch.setattr("vision.__main__.IsolatedReader", OpensHere)
    monkeypatch.setattr(OpensHere, "detections", staticmethod(reader.detections))


_SIZE = b"IHDR" + (30_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
BAD_FILES = {
    "a text file named .jpg": (b"hello", "cannot read that kind of file"),
    "an empty photo": (b"", "got an empty file"),
    "a truncated photo": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "got a damaged one"),
    "a 30,000 x 30,000 header": (
        b"\x89PNG\r\n\x1a\n\0\0\0\r" + _SIZE + crc32(_SIZE).to_bytes(4, "big") + b"\0\0\0\1IDAT",
        "at most 60 megapixels, got 30,000 x 30,000",
    ),
}


@pytest.mark.usefixtures("opens_here")
@pytest.mark.parametrize(("content", "said"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_bad_photo_ends_with_2_and_one_line(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pile.jpg"
    path.write_bytes(content)
    assert main(["--json", str(path)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert output.err.startswith("pile.jpg: ")
    assert said in output.err


@pytest.mark.usefixtures("opens_here")
def test_missing_photo_exits_with_2_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--json", str(tmp_path / "two\nlines.jpg")]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "no such file" in line


@pytest.mark.usefixtures("opens_here")
def test_missing_networks_end_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--models", str(tmp_path), str(photo_file(tmp_path))]) == 2
    assert capsys.readouterr().err.startswith("locate.onnx: expected")


def test_decoder_errors_become_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pile.webp"
    noise = np.random.default_rng(1).integers(0, 256, (150, 200, 3), np.uint8)
    Image.fromarray(noise).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:12] + bytes(len(whole) // 3) + whole[12 + len(whole) // 3 :])
    assert main(["--json", str(path)]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


@pytest.mark.models
@pytest.mark.xdist_group("readings")
@pytest.mark.usefixtures("reads_here")
def test_many_photos_are_held_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[weakref.ref[Photo]] = []
    most = 0

    def watched(_reader: OpensHere, path: Path) -> Photo:
        nonlocal most
        photo = open_photo(path)
        opened.append(weakref.ref(photo))
        most = max(most, sum(one() is not None for one in opened))
        return photo

    monkeypatch.setattr(OpensHere, "open_photo", watched)
    paths = [str(photo_file(tmp_path, f"{n}.jpg")) for n in range(5)]
    assert main(["--json", *paths]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 5
    assert 1 <= most <= 2  # the one being opened, and the one before it


@pytest.mark.usefixtures("opens_here")
def test_a_bad_photo_among_many_is_said_before_any_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Reader, "read", lambda *_: pytest.fail("a photo was read"))
    (tmp_path / "bad.jpg").write_bytes(b"hello")
    assert main([str(photo_file(tmp_path)), str(tmp_path / "bad.jpg")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("together", [[], ["--together"]], ids=["alone", "together"])
def test_stuck_network_exits_with_2_and_one_line(
    together: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stuck = tmp_path / "stuck in a network"
    stuck.write_bytes(SAMPLE.read_bytes())
    slow = partial(IsolatedReader, make=Hostile, limit_seconds=2.0)
    monkeypatch.setattr(command, "IsolatedReader", slow)
    assert main([*together, str(stuck)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert "read within 2 s" in output.err


@pytest.mark.models
@pytest.mark.xdist_group("readings")
@pytest.mark.usefixtures("reads_here")
def test_outlines_of_photos_of_one_name_are_kept_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = [tmp_path / side / "pile.jpg" for side in ("anna", "bruno")]
    for path in same:
        path.parent.mkdir()
        photo_file(path.parent)
    out = tmp_path / "out"
    assert main([*map(str, same), "--save-outlines", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["pile-2.jpg", "pile.jpg"]
    assert main([str(same[0]), "--save-outlines", str(same[0])]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_no_photo_at_all_ends_with_2_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.models
@pytest.mark.xdist_group("readings")
@pytest.mark.usefixtures("reads_here")
def test_an_empty_table_is_read_as_no_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--json", str(photo_file(tmp_path))]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["photo"], answer["cards"]) == ("pile.jpg", [])
    assert [problem["kind"] for problem in answer["problems"]] == ["nothing-found"]


def test_json_reading_has_a_sentence_for_each_problem() -> None:
    dark = Problem(PhotoProblemKind.DARK, (0.04, 0, 9, 9), Region.TOP_LEFT)
    plain = as_data(reading(found("7d", "doubtful", 0.61234567), problems=(dark,)))
    assert json.loads(json.dumps(plain)) == {
        "photo": "pile.jpg",
        "cards": [
            {
                "card": "7d",
                "status": "doubtful",
                "confidence": 0.6123,
                "corners": [[10.0, 10.0], [70.0, 10.0], [70.0, 106.0], [10.0, 106.0]],
                "alternatives": {"6d": 0.2},
            }
        ],
        "problems": [
            {
                "kind": "dark",
                "message": "It is too dark at the top left: take it in more light.",
                "area": [0.0, 0, 9, 9],
            }
        ],
    }


SENTENCES = {
    "the whole photo": (
        Problem(PhotoProblemKind.DARK),
        "No card can be seen, it is too dark: take it in more light.",
    ),
    "twice in one photo": (
        Problem(PhotoProblemKind.TWICE, cards=("7d",)),
        "7d is there twice, and a deck holds it once: say which reading is right.",
    ),
    "on two other photos": (
        Problem(PhotoProblemKind.TWICE, cards=("7d",), photos=("a.jpg", "b.jpg")),
        "7d is also on a.jpg, b.jpg, and a deck holds it once: say which reading is right.",
    ),
    "one missing": (
        Problem(PhotoProblemKind.MISSING, cards=("7d",)),
        "7d is in none of the piles: look for it, or add it to its pile.",
    ),
    "two missing": (
        Problem(PhotoProblemKind.MISSING, cards=("7d", "1s")),
        "7d 1s are in none of the piles: look for them, or add them to their piles.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("problem", "said"), SENTENCES.values(), ids=SENTENCES.keys())
def test_a_problem_has_a_sentence(problem: Problem, said: str) -> None:
    assert sentence(problem) == said


@pytest.mark.parametrize("kind", PhotoProblemKind)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_problem_has_a_sentence_in_every_language(
    kind: PhotoProblemKind, language: str
) -> None:
    said = sentence(Problem(kind, region=Region.TOP, cards=("7d",)), language=language)
    assert said.endswith(".")
    assert ":" in said


MARKED = {
    "nothing there, nothing read": ([], [], (0, 0, 0, 0)),
    "right": ([found("7d")], ["7d"], (1, 0, 0, 0)),
    "wrong and sure": ([found("6d")], ["7d"], (0, 1, 1, 1)),
    "wrong and doubtful": ([found("6d", "doubtful")], ["7d"], (0, 1, 1, 0)),
    "lost": ([], ["7d"], (0, 0, 1, 1)),
    "lost, and something there is in doubt": (
        [found("7d", "doubtful"), found("7d", "doubtful")], ["7d", "6d"], (1, 1, 1, 0),
    ),
    "lost, and pointed at as unreadable": ([found("x")], ["7d"], (0, 0, 1, 0)),
    "lost beside a true foreign card": ([found("x")], ["7d", "x"], (0, 0, 1, 1)),
    "a foreign card read as one of the deck": ([found("7d")], ["x"], (0, 1, 0, 1)),
    "a card twice": ([found("7d"), found("7d")], ["7d"], (1, 1, 0, 1)),
    "rank right, suit unknown": ([found("8s"), found("8d")], ["8?", "8?"], (2, 0, 0, 0)),
    "rank wrong, suit unknown": ([found("9s")], ["8?"], (0, 1, 1, 1)),
}  # fmt: skip


@pytest.mark.parametrize(("cards", "truth", "figures"), MARKED.values(), ids=MARKED.keys())
def test_a_reading_is_marked_card_by_card(
    cards: list[CardReading], truth: list[str], figures: tuple[int, int, int, int]
) -> None:
    one = mark_reading(reading(*cards), truth)
    assert (one.right, len(one.wrong), len(one.lost), one.silent) == figures
    assert one.exact == (figures[1] == figures[2] == 0)


def test_what_a_photo_to_be_taken_again_lost_is_not_silent() -> None:
    assert mark_reading(reading(problems=(Problem(PhotoProblemKind.DARK),)), ["7d"]).silent == 0
    of_one_place = Problem(PhotoProblemKind.DARK, (0.0, 0.0, 9.0, 9.0))
    assert mark_reading(reading(problems=(of_one_place,)), ["7d"]).silent == 1
    under, beside = ((2.0, 2.0, 8.0, 10.0), "7d"), ((12.0, 2.0, 18.0, 10.0), "2s")
    both = mark_reading(reading(problems=(of_one_place,)), ["7d", "2s"], boxes=[under, beside])
    assert (both.lost, both.silent) == (("2s", "7d"), 1)
    turned = Problem(PhotoProblemKind.FACE_DOWN, (0.0, 0.0, 9.0, 9.0))
    assert mark_reading(reading(problems=(turned,)), ["7d"], boxes=[under]).silent == 1


def test_a_confusion_names_both_cards() -> None:
    assert mark_reading(reading(found("7d"), found("6d")), ["7d", "6s"]).wrong == (("6s", "6d"),)


@pytest.mark.parametrize(
    ("pairs", "error"),
    [([], 0.0), ([(1.0, True)] * 9, 0.0), ([(0.9, True)] * 9 + [(0.9, False)], 0.0),
     ([(1.0, False)], 1.0)],
    ids=["nothing", "always right", "as sure as right", "always wrong"],
)  # fmt: skip
def test_calibration_error_is_the_mean_confidence_gap(
    pairs: list[tuple[float, bool]], error: float
) -> None:
    assert calibration_error(pairs) == pytest.approx(error, abs=1e-6)


def labelled(folder: Path, photos: object) -> Path:
    (folder / "labels.json").write_text(json.dumps({"about": "a test", "photos": photos}))
    return folder


def test_labels_are_read_with_their_groups(tmp_path: Path) -> None:
    label = {"cards": ["7d"], "layout": "fan", "deck": "ours", "tilt_deg": 31.0, "boxes": []}
    (photo,) = read_labels(labelled(tmp_path, {"a.jpg": label}))
    assert photo.path == tmp_path / "a.jpg"
    assert photo.cards == ("7d",)
    assert photo.groups == ("deck ours", "layout fan", "tilt_deg 30-45")


def test_the_outline_of_a_single_card_says_where_it_lies(tmp_path: Path) -> None:
    outline = [[30, 20], [12, 170], [96, 160], [104, 24]]
    (photo,) = read_labels(labelled(tmp_path, {"a.jpg": {"cards": ["7d"], "outline": outline}}))
    assert photo.boxes == (((12, 20, 104, 170), "7d"),)
    two = {"a.jpg": {"cards": ["7d", "1c"], "outline": outline}}
    with pytest.raises(LabelError, match="got something else"):
        read_labels(labelled(tmp_path, two))


@pytest.mark.parametrize("photos", [3, {"a.jpg": {}}], ids=["no mapping", "no cards"])
def test_broken_labels_are_refused(tmp_path: Path, photos: object) -> None:
    with pytest.raises(LabelError, match="got something else"):
        read_labels(labelled(tmp_path, photos))


def test_a_folder_without_labels_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate.main([str(tmp_path)]) == 2
    assert "labels.json: expected" in capsys.readouterr().err


def test_a_report_has_a_line_for_each_set() -> None:
    judged = [mark_reading(reading(found("7d"), found("6d")), ["7d", "6s"])]
    text = evaluate.as_text({"piles": summary(judged), "layout fan": {
        **summary([]),
    }})  # fmt: skip
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["set", "piles", "layout"]
    assert lines[3:] == ["confusions:", "  piles: 6s read as 6d x 1"]


@pytest.mark.models
def test_an_evaluation_counts_every_photo_or_every_second(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [photo_file(tmp_path, name).name for name in ("a.jpg", "b.jpg", "c.jpg")]
    folder = labelled(tmp_path, {name: {"cards": ["7d"]} for name in names})
    for options, count in (([], 3), (["--every", "2"], 2)):
        assert evaluate.main(["--json", *options, str(folder)]) == 0
        figures = json.loads(capsys.readouterr().out)[tmp_path.name]
        assert (figures["photos"], figures["cards"], figures["right"]) == (count, count, 0.0)


MORE_OR_FEWER = {
    "another": (["7d", "6d"], ["7d", "6s"], 0.0, 0.0),
    "too many": (["7d", "6d", "5d"], ["7d", "6s"], 0.5, 0.0),
    "missing": (["7d"], ["7d", "6s"], 0.0, 0.5),
}


@pytest.mark.parametrize(
    ("read", "there", "too_many", "missing"), MORE_OR_FEWER.values(), ids=MORE_OR_FEWER
)
def test_cards_too_many_are_told_from_cards_that_are_missing(
    read: list[str], there: list[str], too_many: float, missing: float
) -> None:
    figures = summary([mark_reading(reading(*map(found, read)), there)])
    assert (figures["too_many"], figures["missing"]) == (too_many, missing)


def test_the_bench_without_networks_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(["--models", str(tmp_path), str(photo_file(tmp_path))]) == 2
    assert "locate.onnx" in capsys.readouterr().err


@pytest.mark.models
@pytest.mark.slow
def test_the_bench_evaluates_folders_with_labels_of_whole_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in (
        ("whole", {"photos": {"pile.jpg": {"cards": []}}}),
        ("single", {"crops": []}),
    ):
        (tmp_path / name).mkdir()
        photo_file(tmp_path / name)
        (tmp_path / name / "labels.json").write_text(json.dumps(content))
    monkeypatch.setattr(bench, "PHOTOS", tmp_path)
    monkeypatch.setattr(bench, "PILES", tmp_path / "none")
    monkeypatch.setattr(bench, "TIMINGS", 1)
    assert bench.main(["--json", str(tmp_path / "whole" / "pile.jpg")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer["photos"]) == ["whole"]
    assert answer["times"]["pile"]["cards"] == 0


@pytest.mark.slow
def test_the_bench_makes_four_photos_of_twelve_megapixels() -> None:
    made = {name: open_photo(data, name) for name, data in bench.photos().items()}
    assert list(made) == ["20-small", "20-large", "40", "no-card"]
    assert {photo.size_wh for photo in made.values()} == {(4000, 3000)}


@pytest.mark.models
@pytest.mark.slow
def test_the_bench_photos_show_the_cards_that_their_names_say(models_dir: Path) -> None:
    reader = Reader(models_dir)
    for name, count in (("20-small", 20), ("no-card", 0)):
        cards = reader.read(open_photo(bench.photos()[name])).cards
        assert abs(sum(card.card != NOT_SCOPA for card in cards) - count) <= 4


def opened(tmp_path: Path, size_wh: tuple[int, int]) -> Photo:
    path = tmp_path / "large.png"
    cv2.imwrite(str(path), np.full((size_wh[1], size_wh[0], 3), 120, np.uint8))
    return open_photo(path)


@pytest.mark.parametrize("size_wh", [(200, 150), (4000, 3000)], ids=["small", "large"])
def test_outlines_mark_doubtful_cards_more_strongly(
    tmp_path: Path, size_wh: tuple[int, int]
) -> None:
    photo = opened(tmp_path, size_wh)
    scale = size_wh[0] / 200
    corners = tuple((x * scale, y * scale) for x, y in QUAD)
    sure, doubtful = (
        outlined(photo, reading(CardReading("7d", status, 0.9, corners)))
        for status in (Status.SURE, Status.DOUBTFUL)
    )
    assert max(sure.shape) == min(LONG_SIDE_PX, size_wh[0])
    assert (sure != 120).any(axis=2).sum() < (doubtful != 120).any(axis=2).sum()
    assert (photo.working_bgr == 120).all()


def test_a_card_is_cut_out_in_its_proportions(tmp_path: Path) -> None:
    assert cut_out(opened(tmp_path, (200, 150)), found("7d"), width_px=50).shape == (80, 50, 3)
