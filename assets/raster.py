"""The drawn cards as pixels, for training and tests (needs resvg-py)."""

import cv2
import numpy as np
import numpy.typing as npt

from assets.deck import DRAWINGS, CardStyle, card_svg

Image = npt.NDArray[np.uint8]

PAPER_BGR = (242, 250, 253)
"""The colour that fills the rounded corners of the drawings; a scene rounds its own cards."""


def card_image(code: str, *, style: CardStyle = CardStyle.ITALIAN, height_px: int = 512) -> Image:
    """Return a card or the back: H x W x 3, uint8, BGR, with square corners filled with paper.

    Raises:
        CardError: The code is neither a card's nor `back`.
    """
    from resvg_py import svg_to_bytes  # not needed by the app, which shows the SVG

    png = bytes(svg_to_bytes(svg_string=card_svg(code, style=style), height=height_px))
    decoded = np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), float)
    cover = decoded[..., 3:] / 255
    filled = decoded[..., :3] * cover + np.array(PAPER_BGR) * (1 - cover)
    return np.asarray(filled.round(), np.uint8)


def deck_images(*, height_px: int = 512) -> dict[CardStyle, dict[str, Image]]:
    """Return every face and the back of each style by style and code."""
    return {
        style: {code: card_image(code, style=style, height_px=height_px) for code in DRAWINGS}
        for style in CardStyle
    }
