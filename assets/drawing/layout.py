"""Where the pips of each rank stand: traditional layouts of the southern Italian cards."""

from dataclasses import dataclass

from assets.drawing.svg import Point


@dataclass(frozen=True)
class Place:
    """One pip: the point its middle goes to, how large, how turned."""

    at: Point
    """The middle, in card units."""
    scale: float
    """1 is the size the pip was drawn at."""
    turn_deg: float = 0
    """Clockwise."""


def _places(scale: float, *points: Point) -> tuple[Place, ...]:
    return tuple(Place(at=point, scale=scale) for point in points)


def _pairs(xs: Point, *ys: float) -> tuple[Point, ...]:
    return tuple((x, y) for y in ys for x in xs)


ROUND: dict[int, tuple[Place, ...]] = {
    2: _places(1.56, (125, 128), (125, 342)),
    3: _places(1.16, (125, 100), (125, 235), (125, 370)),
    4: _places(0.96, *_pairs((74, 176), 122, 348)),
    5: _places(0.92, *_pairs((72, 178), 112, 358), (125, 235)),
    6: _places(0.86, *_pairs((72, 178), 108, 235, 362)),
    7: _places(0.78, *_pairs((67, 183), 103, 244, 366), (125, 174)),
}
"""Coins and cups, ranks two to seven, on a card of 250 x 470; corners stay free for numerals."""

LONG: dict[int, tuple[Place, ...]] = {
    2: (Place((125, 235), 1.95, 27), Place((125, 235), 1.95, -27)),
    3: _places(1.04, (125, 134), (76, 336), (174, 336)),
    4: _places(1.02, *_pairs((78, 172), 138, 332)),
    5: _places(0.94, *_pairs((67, 183), 140, 330), (125, 235)),
    6: _places(0.98, *_pairs((68, 182), 138, 340), (125, 130), (125, 332)),
    7: (
        *_places(0.86, *_pairs((68, 182), 132, 348), (125, 122), (125, 338)),
        Place((125, 235), 0.8, 90),
    ),
}
"""Swords and batons, ranks two to seven: the seventh lies across, between three and three."""

FRENCH: dict[int, tuple[Point, ...]] = {
    2: ((126, 66), (126, 286)),
    3: ((126, 66), (126, 176), (126, 286)),
    4: _pairs((81, 171), 66, 286),
    5: (*_pairs((81, 171), 66, 286), (126, 176)),
    6: _pairs((81, 171), 66, 176, 286),
    7: (*_pairs((81, 171), 66, 176, 286), (126, 121)),
}
"""French pips on a card of 252 x 352; those below the middle stand on their heads."""
