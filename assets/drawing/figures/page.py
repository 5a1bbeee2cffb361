"""Fante: a standing page in a short tunic, whose two legs are seen."""

from assets.drawing.figures.dress import Dress
from assets.drawing.figures.face import feather, page_head, ruff
from assets.drawing.palette import BROWN, GREEN_DARK, GREEN_LIGHT, INK, SKIN
from assets.drawing.svg import circle, group, moved, path


def ground() -> str:
    """Gives the strip of grass that the figures stand on.

    >>> ground().count("<path")
    2
    """
    return path(
        "M26,442C40,422 80,420 125,421C170,420 210,422 224,442Z", GREEN_LIGHT, stroke_width=3
    ) + path(
        "M44,437 48,428 52,437M196,437 200,428 204,437M112,438 116,431 120,438",
        stroke=GREEN_DARK,
        stroke_width=2.5,
    )


def page(dress: Dress, held: str, *, lifted: bool) -> str:
    """Gives the page of one suit with what he holds: lifted on his palm, or gripped upright.

    >>> from assets.drawing.figures.dress import DRESS
    >>> page(DRESS["d"], "<b/>", lifted=True).count("<b/>")
    1
    """
    arm = lifted_arm if lifted else gripping_arm
    return group(
        ground(),
        _legs(dress),
        _hip_arm(dress),
        _tunic(dress),
        group(ruff(), transform=moved((118, 166))),
        group(
            feather(dress.trim),
            page_head(dress.hair, dress.cloak),
            transform=moved((118, 124), 1.08, mirror=True),
        ),
        arm(held, cloth=dress.cloth, puff=dress.cloak),
        stroke=INK,
        stroke_width=3,
    )


def _legs(dress: Dress) -> str:
    left = "M84,290C82,340 84,380 86,418H112C114,380 118,340 120,296Z"
    right = "M118,296C124,340 130,380 134,418H160C160,380 158,340 154,290Z"
    shoe = "M0,0H26V16H-22C-22,6-10,4 0,0Z"
    return (
        path(left, dress.cloak)
        + path(right, dress.cloth)
        + path("M98,318C97,350 98,380 98,404", stroke=dress.lining, stroke_width=3)
        + path("M142,318C144,350 147,380 147,404", stroke=dress.fold, stroke_width=3)
        + path(shoe, BROWN, transform=moved((86, 414)))
        + path(shoe, BROWN, transform=moved((160, 414), mirror=True))
    )


def _tunic(dress: Dress) -> str:
    skirt = (
        "M80,238H158C164,266 174,292 182,314C160,326 140,318 119,326C98,318 78,326 56,314"
        "C64,292 74,266 80,238Z"
    )
    hem = (
        "M60,300C80,310 98,304 119,311C140,304 158,310 178,300L183,315C160,327 140,319 119,327"
        "C98,319 78,327 55,315Z"
    )
    return (
        path("M80,176C94,162 144,162 158,176L156,246H82Z", dress.cloth)
        + path(skirt, dress.cloth)
        + path(
            "M96,250 84,300M110,250 106,302M128,250 132,302M142,250 154,300",
            stroke=dress.fold,
            stroke_width=3,
        )
        + path(hem, dress.trim)
        + path("M119,178V236", stroke=dress.fold, stroke_width=3)
        + path("M96,178 108,236M142,178 130,236", stroke=dress.trim, stroke_width=5)
        + path("M79,236H159V250H79Z", dress.cloak)
        + path("M112,234H126V252H112Z", dress.trim)
    )


def _hip_arm(dress: Dress) -> str:
    return (
        path(
            "M88,172C66,174 52,200 38,226C34,238 40,246 50,248L84,262 90,246 66,232"
            "C76,216 86,204 96,198Z",
            dress.cloth,
        )
        + path("M60,232 82,256", stroke=dress.fold, stroke_width=3)
        + path("M92,166C66,166 52,190 50,206C62,216 80,214 92,206Z", dress.cloak)
        + path("M66,184 64,206M78,174 78,208", stroke=dress.lining, stroke_width=3)
        + circle((86, 254), 11, fill=SKIN)
    )


def lifted_arm(held: str, *, cloth: str, puff: str) -> str:
    """Gives the arm on the right, raised, and what stands on its palm at (198, 150).

    >>> lifted_arm("<b/>", cloth="a", puff="b").count("<b/>")
    1
    """
    return (
        path(
            "M150,186C170,200 180,208 186,206L184,166H208C212,190 214,214 206,226"
            "C192,238 166,226 150,214Z",
            cloth,
        )
        + path("M146,166C172,166 188,186 188,204C176,216 158,216 146,208Z", puff)
        + path("M160,176 162,210M173,182 177,206", stroke_width=2)
        + path("M183,164H209V174H183Z", "#fff", stroke_width=2.5)
        + group(held, transform=moved((196, 104)))
        + path("M184,162C178,148 186,144 190,152L196,150 204,146C214,144 212,158 208,164Z", SKIN)
    )


def gripping_arm(held: str, *, cloth: str, puff: str) -> str:
    """Gives the arm on the right, lowered, its fist closed on what stands at (200, 240).

    >>> gripping_arm("<b/>", cloth="a", puff="b").count("<b/>")
    1
    """
    return (
        group(held, transform=moved((202, 240)))
        + path("M150,182C172,192 190,206 206,226L192,250C176,234 164,224 150,220Z", cloth)
        + path("M146,166C174,166 188,184 190,200C178,214 158,216 146,208Z", puff)
        + path("M160,176 164,210M174,182 178,206", stroke_width=2)
        + path("M186,224 206,222 212,240 196,252Z", "#fff", stroke_width=2.5)
        + path("M192,230C206,222 218,230 216,242C214,254 200,256 194,250Z", SKIN)
        + path("M202,236H214M201,243H213", stroke_width=1.5)
    )
