"""Cavallo: a rider on a prancing horse that faces left."""

from assets.drawing.figures.dress import Dress
from assets.drawing.figures.face import rider_head
from assets.drawing.figures.page import ground
from assets.drawing.palette import BROWN, GOLD, INK, SKIN, WHITE
from assets.drawing.svg import circle, group, moved, path

BODY = (
    "M72,196C70,186 74,176 78,172L84,192C108,204 118,236 128,262C146,270 166,268 182,262"
    "C206,258 222,276 220,304C219,326 208,336 208,352L214,366C210,384 210,396 212,408"
    "L216,424H190L192,406C192,392 192,380 190,368C180,352 166,344 160,328"
    "C144,338 122,338 108,328C110,348 108,362 104,374C104,390 104,398 106,408L110,424H84"
    "L86,406C86,392 86,384 84,372C80,356 76,342 74,326C62,312 58,292 64,272"
    "C68,256 66,246 62,240C56,242 52,244 48,248C44,262 28,266 22,256C18,246 26,236 32,228"
    "C38,214 50,200 72,196Z"
)
"""The outline of the horse: head low at the left, two legs on the ground."""


def cavalier(dress: Dress, held: str) -> str:
    """Gives the rider of one suit, who lifts what he holds over the horse's head at (64, 122).

    >>> from assets.drawing.figures.dress import DRESS
    >>> cavalier(DRESS["d"], "<b/>").count("<b/>")
    1
    """
    figure = group(
        _cape(dress),
        _far_legs(dress),
        _tail(dress),
        path(BODY, dress.horse),
        _harness(dress),
        _rider(dress),
        _arm(dress, held),
        group(rider_head(dress.hair, dress.cloak, plume=dress.trim), transform=moved((150, 124))),
        transform=moved((-6, 0)),
    )
    return group(ground(), figure, stroke=INK, stroke_width=3)


def _far_legs(dress: Dress) -> str:
    raised = (
        "M70,308C52,312 34,318 28,330C26,344 30,358 38,372L34,386 52,388 54,372"
        "C50,360 48,350 50,342C62,340 78,338 90,330Z"
    )
    hind = (
        "M170,318C176,340 172,356 164,368C160,384 160,396 160,408L156,424H182L180,408"
        "C182,392 184,382 188,370L202,330Z"
    )
    return (
        path(raised, dress.far)
        + path(hind, dress.far)
        + path("M34,384 52,386 50,396 30,394Z M159,412H181L184,424H155Z", INK)
    )


def _tail(dress: Dress) -> str:
    return path(
        "M212,272C234,262 244,292 238,324C234,350 236,364 228,382C230,362 218,352 220,332"
        "C221,312 222,296 208,288Z",
        dress.mane,
    )


def _harness(dress: Dress) -> str:
    mane = (
        "M80,180C104,184 118,208 134,264C126,268 120,262 118,252C112,256 108,248 108,240"
        "C102,242 98,234 100,224C92,226 90,216 92,208C86,206 80,200 80,180Z"
    )
    return (
        path(mane, dress.mane)
        + path("M82,178C72,176 64,184 58,202C66,200 72,204 78,196Z", dress.mane)
        + path("M87,410H107L110,424H84Z M193,410H213L216,424H190Z", INK)
        + circle((54, 214), 4, fill=INK)
        + path("M26,250C30,250 34,246 36,242", stroke_width=2)
        + path(
            "M38,222C46,232 50,240 52,246M64,198C68,214 68,228 62,240",
            stroke=dress.cloak,
            stroke_width=5,
        )
        + path("M62,268C76,284 94,290 116,286", stroke=dress.cloak, stroke_width=7)
        + path("M48,242C76,262 104,262 136,250", stroke=BROWN, stroke_width=4)
    )


def _cape(dress: Dress) -> str:
    return path("M172,172C206,184 236,230 238,286C222,276 204,272 178,276Z", dress.cloak) + path(
        "M196,206C212,226 222,250 226,270M188,220C198,240 204,256 206,268",
        stroke=dress.lining,
        stroke_width=4,
    )


def _rider(dress: Dress) -> str:
    return (
        path("M110,268C140,276 176,276 204,264L212,308C184,322 150,326 116,318Z", dress.cloak)
        + path("M114,306C150,314 184,310 210,296L212,308C184,322 150,326 116,318Z", dress.trim)
        + path(
            "M132,258C112,268 98,292 102,318L104,338 132,336C130,316 142,300 168,292L172,258Z",
            dress.cloth,
        )
        + path(
            "M101,318 131,314 134,352C132,362 120,364 110,362L84,364C80,352 92,346 104,342Z", BROWN
        )
        + path("M101,318 131,314 132,325 102,329Z", dress.trim)
        + path("M78,366H128", stroke=GOLD, stroke_width=5)
        + path("M120,178C132,164 168,164 180,178L182,264C170,276 132,276 120,264Z", dress.cloth)
        + path("M136,180 144,250M166,180 158,250", stroke=dress.trim, stroke_width=5)
        + path("M119,246H182V260H119Z", dress.cloak)
        + path(
            "M178,176C198,204 190,240 160,258L138,262 134,244 156,236C162,224 162,210 158,198Z",
            dress.cloth,
        )
        + path("M176,196C178,214 172,232 160,242", stroke=dress.fold, stroke_width=3)
        + path("M180,172C200,186 202,204 196,218C182,222 166,216 158,206Z", dress.cloak)
        + path("M146,240 136,243 139,264 149,261Z", WHITE, stroke_width=2.5)
        + circle((134, 254), 10, fill=SKIN)
    )


def _arm(dress: Dress, held: str) -> str:
    return (
        path("M134,178C114,186 98,182 82,164L66,174C76,200 104,216 132,208Z", dress.cloth)
        + path("M140,170C118,168 104,180 102,196C112,210 128,212 140,206Z", dress.cloak)
        + path("M126,176 124,206M114,184 112,200", stroke_width=2)
        + path("M62,168 80,156 88,166 70,180Z", WHITE, stroke_width=2.5)
        + group(held, transform=moved((66, 120)))
        + path("M60,166C54,156 60,148 66,154L76,148C86,150 84,158 80,162L68,172Z", SKIN)
    )
