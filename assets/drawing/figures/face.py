"""Faces seen from the front, about the middle of the head: 48 wide, 66 tall."""

from assets.drawing.palette import GOLD, GOLD_LIGHT, INK, RED, SKIN, WHITE
from assets.drawing.svg import circle, ellipse, group, path


def face(*, brow: str = INK) -> str:
    """Gives a bare face: no hair, no beard.

    >>> face().count("<circle")
    4
    """
    return group(
        path("M-24,-14C-26,18-12,34 0,34C12,34 26,18 24,-14C22,-36-22,-36-24,-14Z", SKIN),
        group(
            circle((-14, 12), 5.5, fill="#eda183"),
            circle((14, 12), 5.5, fill="#eda183"),
            circle((-9.5, 0), 3, fill=INK),
            circle((9.5, 0), 3, fill=INK),
            stroke="none",
        ),
        path("M-15,-2Q-9,-7-4,-2M15,-2Q9,-7 4,-2M0,-1C-2,5-4,9-4,11Q0,14 4,11", stroke_width=2),
        path("M-16,-10Q-10,-14-4,-11M16,-10Q10,-14 4,-11", stroke=brow, stroke_width=3),
        path("M-6,20Q0,25 6,20", stroke=RED, stroke_width=3),
    )


def feather(fill: str) -> str:
    """Gives a feather that curls from the right side of a hat on a head about the origin.

    >>> feather("red").count("<path")
    2
    """
    return path(
        "M20,-30C40,-68 66,-62 80,-36C80,-26 74,-18 66,-16C70,-32 52,-40 26,-20Z", fill
    ) + path("M28,-27C44,-46 62,-50 72,-32", stroke_width=2)


def page_head(hair: str, hat: str) -> str:
    """Gives a page's head: bobbed hair and a soft beret.

    >>> page_head("a", "b").startswith("<path")
    True
    """
    return (
        path(
            "M-26,-22C-40,0-38,26-32,34C-24,40-16,34-14,28L14,28C16,34 24,40 32,34"
            "C38,26 40,0 26,-22Z",
            hair,
        )
        + face(brow=hair)
        + path("M-25,-12C-22,-22-12,-24 0,-22C12,-24 22,-22 25,-12C30,-30-30,-30-25,-12Z", hair)
        + path("M-32,-18C-52,-44-14,-62 8,-56C40,-54 48,-34 32,-18C14,-26-14,-26-32,-18Z", hat)
        + path("M-33,-17C-14,-27 14,-27 33,-17L31,-10C14,-20-14,-20-31,-10Z", GOLD)
    )


def rider_head(hair: str, helmet: str, *, plume: str) -> str:
    """Gives a knight's head: a round helmet with a brim, a moustache and a tall plume.

    >>> rider_head("a", "b", plume="c").startswith("<path")
    True
    """
    return (
        path("M-24,-20C-34,0-34,18-28,26L-14,24 14,24 28,26C34,18 34,0 24,-20Z", hair)
        + face(brow=hair)
        + path(
            "M0,16C-6,12-14,14-17,20C-10,22-4,21 0,18C4,21 10,22 17,20C14,14 6,12 0,16Z",
            hair,
            stroke_width=2,
        )
        + path("M2,-48C2,-78 36,-84 62,-62C72,-52 68,-36 58,-30C60,-46 40,-54 14,-44Z", plume)
        + path("M12,-50C26,-66 44,-64 56,-52", stroke_width=2)
        + path("M-27,-16C-30,-56 30,-56 27,-16C12,-24-12,-24-27,-16Z", helmet)
        + path(
            "M-38,-10C-20,-26 20,-26 38,-10C42,-18 30,-28 26,-28C10,-34-10,-34-26,-28"
            "C-30,-28-42,-18-38,-10Z",
            GOLD,
        )
    )


def king_head(hair: str, cap: str) -> str:
    """Gives a king's head: long curls, a beard and a tall open crown.

    >>> king_head("a", "b").startswith("<path")
    True
    """
    return (
        path(
            "M-24,-22C-44,-8-36,8-40,18C-44,34-36,46-26,46L-14,30 14,30 26,46C36,46 44,34 40,18"
            "C36,8 44,-8 24,-22Z",
            hair,
        )
        + face(brow=hair)
        + path(
            "M-24,2C-28,34-20,50-9,58L0,66 9,58C20,50 28,34 24,2C20,16 10,15 0,15"
            "C-10,15-20,16-24,2Z",
            hair,
        )
        + path("M-6,34Q0,48-2,56M6,34Q8,44 6,50M-13,32-9,46", stroke_width=1.5)
        + path("M-7,24Q0,20 7,24Q0,29-7,24Z", RED, stroke_width=1.5)
        + path(
            "M0,17C-8,13-16,18-18,24C-10,24-4,22 0,19C4,22 10,24 18,24C16,18 8,13 0,17Z",
            hair,
            stroke_width=1.5,
        )
        + crown(cap)
    )


def crown(cap: str) -> str:
    """Gives a crown that sits on the brow of a head about the origin.

    >>> crown("red").count("<circle")
    5
    """
    points = ((-38, -62), (-19, -72), (0, -78), (19, -72), (38, -62))
    return (
        path("M-28,-28C-26,-56 26,-56 28,-28Z", cap)
        + path(
            "M-28,-20-38,-60-23,-42-19,-69-8,-45 0,-75 8,-45 19,-69 23,-42 38,-60 28,-20"
            "C12,-28-12,-28-28,-20Z",
            GOLD,
        )
        + path("M-26,-27C-12,-34 12,-34 26,-27", stroke=GOLD_LIGHT, stroke_width=4)
        + "".join(circle(p, 4, fill=GOLD_LIGHT, stroke_width=2) for p in points)
    )


def ruff() -> str:
    """Gives a white pleated collar, its middle about the origin.

    >>> ruff().count("<ellipse")
    1
    """
    return ellipse((0, 0), (32, 11), fill=WHITE) + path(
        "M-22,-5V6M-11,-8V9M0,-9V10M11,-8V9M22,-5V6", stroke_width=1.5
    )
