"""The drawings: committed as the code draws them, safe to show, told apart, and renderable."""

import re
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from assets.deck import ASSETS, DECKS, DRAWINGS, SIZE_MM, DeckName, card_name, card_svg, card_uri
from assets.drawing.files import all_files
from assets.drawing.glyphs import STROKES, width
from assets.drawing.layout import FRENCH, LONG, ROUND
from scoring.cards import DECK, parse_card

FILES = all_files()
MAX_BYTES = 12_000
MIN_DIFFERENT: dict[DeckName, float] = {"italian": 0.08, "french": 0.02}
"""Share of pixels that must differ clearly; two of spades and of clubs differ least."""
SAFE_TAGS = {"svg", "title", "g", "defs", "use", "path", "circle", "ellipse", "rect"} | {
    "clipPath",
    "pattern",
}
every_file = pytest.mark.parametrize("name", FILES)
every_deck = pytest.mark.parametrize("deck", DECKS)


def root_of(name: str) -> ET.Element:
    return ET.fromstring(FILES[name])


def tag_of(element: ET.Element) -> str:
    return element.tag.rsplit("}", 1)[-1]


def test_there_are_forty_cards_and_a_back_in_each_deck_and_nothing_else() -> None:
    wanted = {f"{deck}/{code}.svg" for deck in DECKS for code in DRAWINGS} | {"icon.svg"}
    assert set(FILES) == wanted
    assert {str(path.relative_to(ASSETS)) for path in ASSETS.rglob("*.svg")} == wanted


@every_file
def test_the_committed_file_is_what_the_code_draws(name: str) -> None:
    committed = (ASSETS / name).read_text(encoding="utf-8")
    assert committed == FILES[name], "run: python -m assets.drawing"


@every_file
def test_a_file_is_small(name: str) -> None:
    assert len(FILES[name].encode()) <= MAX_BYTES


@every_file
def test_a_file_holds_shapes_only_no_script_no_font_no_link_outside(name: str) -> None:
    elements = list(root_of(name).iter())
    assert {tag_of(element) for element in elements} <= SAFE_TAGS
    links = [v for e in elements for k, v in e.attrib.items() if k.rsplit("}", 1)[-1] == "href"]
    assert all(link.startswith("#") for link in links)
    assert not [key for e in elements for key in e.attrib if key.startswith("on")]


@every_file
def test_every_reference_has_its_one_target(name: str) -> None:
    ids = [element.attrib["id"] for element in root_of(name).iter() if "id" in element.attrib]
    used = set(re.findall(r'(?:href="#|url\(#)([\w-]+)', FILES[name]))
    assert len(ids) == len(set(ids))
    assert used <= set(ids)


def test_no_two_files_share_an_identity() -> None:
    """Pasted into one page, a card must never borrow another one's pips."""
    seen: dict[str, str] = {}
    for name in FILES:
        for element in root_of(name).iter():
            if (identity := element.attrib.get("id")) is not None:
                assert seen.setdefault(identity, name) == name


@every_deck
def test_a_card_has_the_shape_of_its_deck(deck: DeckName) -> None:
    wide, tall = SIZE_MM[deck]
    for code in DRAWINGS:
        box = root_of(f"{deck}/{code}.svg").attrib["viewBox"].split()
        assert float(box[2]) / float(box[3]) == pytest.approx(wide / tall, abs=0.001)


@every_deck
@pytest.mark.parametrize("card", DECK, ids=str)
def test_the_title_of_a_drawing_names_its_card(deck: DeckName, card: object) -> None:
    title = root_of(f"{deck}/{card}.svg").find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert parse_card(title.text or "") == card


@pytest.mark.parametrize("layout", [ROUND, LONG, FRENCH], ids=["round", "long", "french"])
def test_a_pip_card_shows_as_many_pips_as_it_counts(layout: dict[int, tuple[object, ...]]) -> None:
    assert {rank: len(places) for rank, places in layout.items()} == {n: n for n in range(2, 8)}


@every_deck
@pytest.mark.parametrize("rank", range(2, 8))
def test_the_drawing_repeats_its_sign_for_every_pip(deck: DeckName, rank: int) -> None:
    sign = {"italian": f"#i{rank}d", "french": f"#f{rank}d"}[deck]
    corner_signs = {"italian": 0, "french": 1}[deck]
    text = card_svg(f"{rank}d", deck=deck)
    assert text.count(f'href="{sign}"') == rank + corner_signs


@pytest.mark.parametrize("text", [*STROKES, "10"])
def test_every_glyph_has_a_width(text: str) -> None:
    assert width(text) >= 22


@every_deck
def test_the_data_uri_gives_the_drawing_back(deck: DeckName) -> None:
    for code in DRAWINGS:
        uri = card_uri(code, deck=deck)
        assert not re.search(r'["<>#\s]', uri.replace(" ", "")), "must be safe in an attribute"
        drawing = unquote(uri.removeprefix("data:image/svg+xml,"))
        assert ET.canonicalize(drawing) == ET.canonicalize(card_svg(code, deck=deck))


@pytest.mark.parametrize("language", ["en", "it"])
@every_deck
def test_every_card_has_a_name_that_is_read_back(deck: DeckName, language: str) -> None:
    for card in DECK:
        name = card_name(card, language="it" if language == "it" else "en", deck=deck)
        assert parse_card(name) == card


@pytest.fixture(scope="module")
def thumbnails() -> dict[DeckName, dict[str, np.ndarray]]:
    """Every card as the smallest screen shows it: 44 pixels wide."""
    pytest.importorskip("resvg_py", reason="the renderer comes with the train extra")
    from assets.raster import card_image

    height = {deck: round(44 * SIZE_MM[deck][1] / SIZE_MM[deck][0]) for deck in DECKS}
    return {
        deck: {c: card_image(c, deck=deck, height_px=height[deck]) for c in DRAWINGS}
        for deck in DECKS
    }


@every_deck
def test_no_two_cards_look_alike_at_44_pixels(
    deck: DeckName, thumbnails: dict[DeckName, dict[str, np.ndarray]]
) -> None:
    for a, b in combinations(DRAWINGS, 2):
        one, other = (thumbnails[deck][code].astype(int) for code in (a, b))
        clearly = (np.abs(one - other).max(axis=2) > 60).mean()
        assert clearly > MIN_DIFFERENT[deck], f"{a} and {b}: {clearly:.3f}"


def test_a_card_is_rendered_without_its_corners_cut(
    thumbnails: dict[DeckName, dict[str, np.ndarray]],
) -> None:
    card = thumbnails["italian"]["7d"]
    assert card.shape in {(83, 44, 3), (83, 45, 3)}
    assert card.dtype == np.uint8
    assert card[0, 0].min() > 200, "paper, not black"


def test_the_icon_is_committed_at_the_sizes_phones_ask_for() -> None:
    from assets.raster import ICON_SIZES_PX

    for size_px in ICON_SIZES_PX:
        head = Path(ASSETS / f"icon-{size_px}.png").read_bytes()[:24]
        assert int.from_bytes(head[16:20]) == size_px
