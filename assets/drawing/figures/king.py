"""Re: a bearded king to the front in a crown, an ermine collar and a gown to the ground."""

from assets.drawing.figures.dress import Dress
from assets.drawing.figures.face import king_head
from assets.drawing.figures.page import gripping_arm, ground, lifted_arm
from assets.drawing.palette import INK, SKIN, WHITE
from assets.drawing.svg import circle, group, moved, path


def king(dress: Dress, held: str, *, lifted: bool) -> str:
    """Gives the king of one suit with what he holds: lifted on his palm, or gripped upright.

    >>> from assets.drawing.figures.dress import DRESS
    >>> king(DRESS["d"], "<b/>", lifted=False).count("<b/>")
    1
    """
    arm = lifted_arm if lifted else gripping_arm
    return group(
        ground(),
        _mantle(dress),
        _gown(dress),
        _ermine(dress),
        arm(held, cloth=dress.cloak, puff=dress.cloak),
        _collar(),
        group(king_head(dress.hair, dress.cloak), transform=moved((118, 126), 1.08)),
        stroke=INK,
        stroke_width=3,
    )


def _mantle(dress: Dress) -> str:
    return path(
        "M84,176C50,220 34,340 20,432C50,442 76,440 96,432L166,408C182,412 200,410 212,402"
        "C202,330 190,220 154,176Z",
        dress.cloak,
    ) + path(
        "M52,290C44,340 38,390 34,424M62,250C56,290 50,340 47,420M186,290C191,330 196,364 200,398",
        stroke=dress.lining,
        stroke_width=4,
    )


def _gown(dress: Dress) -> str:
    return (
        path("M84,190C82,280 74,360 66,436H170C162,360 156,280 154,190Z", dress.cloth)
        + path(
            "M98,280C96,330 90,380 88,408M140,280C142,330 146,380 150,408",
            stroke=dress.fold,
            stroke_width=4,
        )
        + path("M110,196H128L132,408H106Z", dress.trim, stroke_width=2.5)
        + "".join(
            circle((119, y), 5.5, fill=dress.cloak, stroke_width=2) for y in range(222, 400, 28)
        )
        + path("M69,408H167L170,436H66Z", dress.trim)
        + path("M78,422H158", stroke=dress.cloak, stroke_width=7, stroke_dasharray="0 16")
        + path("M82,262H156V278H82Z", dress.cloak)
    )


def _ermine(dress: Dress) -> str:
    edge = "M84,188C70,260 52,360 44,438L66,440C72,370 84,280 98,200Z"
    spots = "M80,232 79,238M74,266 73,272M67,302 66,308M62,338 61,344M58,374 57,380M54,408 53,414"
    one = path(edge, WHITE) + path(spots, stroke_width=5)
    short = path(
        "M154,188C168,250 182,330 190,402C182,408 176,410 169,410C162,346 152,270 140,200Z", WHITE
    )
    short += path(
        "M158,232 159,238M164,266 165,272M171,302 172,308M176,338 177,344M180,374 181,380",
        stroke_width=5,
    )
    arm = (
        path(
            "M82,184C58,200 40,232 44,254C46,266 54,270 62,270L104,266V246L74,242"
            "C80,228 90,214 98,206Z",
            dress.cloak,
        )
        + path("M56,232C52,244 56,256 64,258", stroke=dress.lining, stroke_width=4)
        + path("M94,243 106,245V268L94,269Z", WHITE, stroke_width=2.5)
        + path("M104,248C118,244 126,250 126,256C126,264 116,268 104,265Z", SKIN)
    )
    return one + short + arm


def _collar() -> str:
    spots = "M82,180V185M96,194V199M112,200V205M128,200V205M143,194V199M156,180V185"
    return path(
        "M72,176C84,160 152,160 166,176C172,190 150,212 119,214C88,212 66,190 72,176Z", WHITE
    ) + path(spots, stroke_width=5)
