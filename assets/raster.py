"""The drawings as pixels, for training and for the samples; needs the `train` extra (resvg).

`python -m assets.raster` writes the icon's PNG files, the only pixels that are committed:
cards are rendered when they are needed, so that no picture can differ from its drawing.
"""

from io import BytesIO

import cv2
import numpy as np
import numpy.typing as npt
import PIL.Image

from assets.deck import ASSETS, DECKS, DRAWINGS, DeckName, card_svg

Image = npt.NDArray[np.uint8]

PAPER_BGR = (242, 250, 253)
"""Fills the corners that the drawings round off: how round a card is, the scene decides."""
ICON_SIZES_PX = (192, 512)
"""The sizes phones ask for when a page is put on the home screen."""


def rendered(svg: str, *, height_px: int) -> bytes:
    """Gives an SVG as a PNG file with transparency, at a height."""
    from resvg_py import svg_to_bytes  # kept out of the runtime: the screens show SVG

    return bytes(svg_to_bytes(svg_string=svg, height=height_px))


def card_image(code: str, *, deck: DeckName = "italian", height_px: int = 512) -> Image:
    """Gives a card or the back as H x W x 3 uint8 BGR, its corners square and filled with paper.

    Raises:
        CardError: the code is neither a card's nor `back`.
    """
    png = np.frombuffer(rendered(card_svg(code, deck=deck), height_px=height_px), np.uint8)
    decoded = np.asarray(cv2.imdecode(png, cv2.IMREAD_UNCHANGED), np.float64)
    cover = decoded[..., 3:] / 255
    filled = decoded[..., :3] * cover + np.array(PAPER_BGR) * (1 - cover)
    return np.asarray(filled.round(), np.uint8)


def deck_images(*, height_px: int = 512) -> dict[DeckName, dict[str, Image]]:
    """Gives every face and the back of both decks, deck name -> code -> BGR."""
    return {
        deck: {code: card_image(code, deck=deck, height_px=height_px) for code in DRAWINGS}
        for deck in DECKS
    }


if __name__ == "__main__":
    drawing = (ASSETS / "icon.svg").read_text(encoding="utf-8")
    for size_px in ICON_SIZES_PX:
        picture = PIL.Image.open(BytesIO(rendered(drawing, height_px=size_px)))
        few_colours = picture.quantize(64, method=PIL.Image.Quantize.FASTOCTREE)
        few_colours.save(ASSETS / f"icon-{size_px}.png", optimize=True)
