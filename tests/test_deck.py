"""The drawn cards: safe to show, told apart on the smallest screen, and renderable."""

import re
from itertools import combinations
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from assets.deck import ASSETS, DRAWINGS, SIZE_MM, CardStyle, card_svg, card_uri
from assets.raster import card_image
from scoring.cards import DECK, parse_card

FILES = {
    str(path.relative_to(ASSETS)): path.read_text(encoding="utf-8")
    for path in sorted(ASSETS.rglob("*.svg"))
}
MAX_BYTES = 12_000
MIN_DIFFERENT: dict[CardStyle, float] = {CardStyle.ITALIAN: 0.08, CardStyle.FRENCH: 0.02}
"""Share of pixels that must differ clearly; two of spades and of clubs differ least."""
SAFE_TAGS = {"svg", "title", "g", "defs", "use", "path", "circle", "ellipse", "rect"} | {
    "clipPath",
    "pattern",
}
every_deck = pytest.mark.parametrize("deck", CardStyle)


def elements(name: str) -> list[ET.Element]:
    return list(ET.fromstring(FILES[name]).iter())


def test_each_deck_has_forty_cards_and_a_back() -> None:
    assert set(FILES) == {f"{deck}/{code}.svg" for deck in CardStyle for code in DRAWINGS} | {
        "icon.svg"
    }


def test_svg_files_are_small_and_hold_only_shapes() -> None:
    for name, text in FILES.items():
        assert len(text.encode()) <= MAX_BYTES, name
        found = elements(name)
        assert {element.tag.rsplit("}", 1)[-1] for element in found} <= SAFE_TAGS, name
        attributes = [(key.rsplit("}", 1)[-1], v) for e in found for key, v in e.attrib.items()]
        assert all(value.startswith("#") for key, value in attributes if key == "href"), name
        assert not [key for key, _ in attributes if key.startswith("on")], name


def test_svg_references_have_one_target_and_ids_are_unique() -> None:
    """Pasted into one page, a card must never borrow another one's pips."""
    seen: dict[str, str] = {}
    for name, text in FILES.items():
        ids = [element.attrib["id"] for element in elements(name) if "id" in element.attrib]
        assert len(ids) == len(set(ids)), name
        assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', text)) <= set(ids), name
        for identity in ids:
            assert seen.setdefault(identity, name) == name


@every_deck
def test_a_card_has_the_shape_of_its_deck_and_its_name_as_title(deck: CardStyle) -> None:
    wide, tall = SIZE_MM[deck]
    for code in DRAWINGS:
        root = ET.fromstring(FILES[f"{deck}/{code}.svg"])
        box = root.attrib["viewBox"].split()
        assert float(box[2]) / float(box[3]) == pytest.approx(wide / tall, abs=0.001)
    for card in DECK:
        title = ET.fromstring(FILES[f"{deck}/{card}.svg"]).find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert parse_card(title.text or "") == card


@every_deck
@pytest.mark.parametrize("rank", range(2, 8))
def test_the_drawing_repeats_its_sign_for_every_pip(deck: CardStyle, rank: int) -> None:
    sign = {CardStyle.ITALIAN: f"#i{rank}d", CardStyle.FRENCH: f"#f{rank}d"}[deck]
    corner_signs = {CardStyle.ITALIAN: 0, CardStyle.FRENCH: 1}[deck]
    text = card_svg(f"{rank}d", style=deck)
    assert text.count(f'href="{sign}"') == rank + corner_signs


@every_deck
def test_the_data_uri_gives_the_drawing_back(deck: CardStyle) -> None:
    for code in DRAWINGS:
        uri = card_uri(code, style=deck)
        assert not re.search(r'["<>#\s]', uri.replace(" ", "")), "must be safe in an attribute"
        drawing = unquote(uri.removeprefix("data:image/svg+xml,"))
        assert ET.canonicalize(drawing) == ET.canonicalize(card_svg(code, style=deck))


@every_deck
def test_cards_differ_at_44_pixels(
    deck: CardStyle,
) -> None:
    height = round(44 * SIZE_MM[deck][1] / SIZE_MM[deck][0])
    pictures = {code: card_image(code, style=deck, height_px=height) for code in DRAWINGS}
    for a, b in combinations(DRAWINGS, 2):
        difference = np.abs(pictures[a].astype(int) - pictures[b].astype(int)).max(axis=2)
        clearly = (difference > 60).mean()
        assert clearly > MIN_DIFFERENT[deck], f"{a} and {b}: {clearly:.3f}"


def test_a_card_is_rendered_without_its_corners_cut() -> None:
    card = card_image("7d", style=CardStyle.ITALIAN, height_px=83)
    assert card.shape in {(83, 44, 3), (83, 45, 3)}
    assert card.dtype == np.uint8
    assert card[0, 0].min() > 200, "paper, not black"


@pytest.mark.parametrize("size_px", [192, 512])
def test_the_icon_is_there_at_the_sizes_phones_ask_for(size_px: int) -> None:
    head = (ASSETS / f"icon-{size_px}.png").read_bytes()[:24]
    assert int.from_bytes(head[16:20]) == size_px
