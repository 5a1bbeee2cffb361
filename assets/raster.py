"""The drawn cards as pixels, for training and for tests (needs resvg-py)."""

import cv2
import numpy as np
import numpy.typing as npt

from assets.deck import DRAWINGS, CardStyle, card_svg

Image = npt.NDArray[np.uint8]

PAPER_BGR = (242, 250, 253)
"""Fills the corners that the drawings round off: how round a card is, the scene decides."""


def card_image(code: str, *, style: CardStyle = CardStyle.ITALIAN, height_px: int = 512) -> Image:
    """Gives a card or the back as H x W x 3 uint8 BGR, its corners square and filled with paper.

    Raises:
        CardError: the code is neither a card's nor `back`.
    """
    from resvg_py import svg_to_bytes  # not needed by the app, which shows the SVG

    png = bytes(svg_to_bytes(svg_string=card_svg(code, style=style), height=height_px))
    decoded = np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), float)
    cover = decoded[..., 3:] / 255
    filled = decoded[..., :3] * cover + np.array(PAPER_BGR) * (1 - cover)
    return np.asarray(filled.round(), np.uint8)


def deck_images(*, height_px: int = 512) -> dict[CardStyle, dict[str, Image]]:
    """Gives every face and the back of every style, style -> code -> BGR."""
    return {
        style: {code: card_image(code, style=style, height_px=height_px) for code in DRAWINGS}
        for style in CardStyle
    }
