"""How people spread a pile: card positions on the table, before any camera."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from training.paint import Rng

OFFSET = (0.08, 0.5)
"""How far the cards of a trick squared up lie apart at most, in card heights."""


@dataclass(frozen=True)
class LaidCard:
    """Where one card lies; the unit of length is the height of a card."""

    x: float
    """Centre, to the right."""
    y: float
    """Centre, away from the upper edge of the table."""
    angle_deg: float
    """Clockwise turn; 0 is upright, 180 upside down."""


def _upright(rng: Rng, angle_deg: float, *, wobble_deg: float) -> float:
    """The angle with a little disorder and, half the time, the card upside down."""
    return angle_deg + rng.normal(0, wobble_deg) + (180.0 if rng.random() < 0.5 else 0.0)


def _turned(x: float, y: float, angle_deg: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return x * c - y * s, x * s + y * c


def _lines(
    rng: Rng, count: int, *, per_line: int, step: float, line_step: float, down: bool
) -> list[LaidCard]:
    """Cards along lines: `step` between neighbours, `line_step` between lines."""
    base, wobble = 0.0, float(rng.choice([0.5, 2.0, 5.0]))
    loose = float(rng.choice([0.004, 0.015, 0.04]))
    skew = rng.normal(0, 0.05)
    places = []
    for k in range(count):
        line, i = divmod(k, per_line)
        along = i * step + rng.normal(0, loose)
        across = line * line_step + i * skew * step + rng.normal(0, loose)
        x, y = (across, along) if down else (along, across)
        places.append(LaidCard(x, y, _upright(rng, base, wobble_deg=wobble)))
    return places


def grid(rng: Rng, count: int) -> list[LaidCard]:
    """Rows and columns that do not touch, or just."""
    columns = max(1, round(math.sqrt(count * rng.uniform(1.0, 3.0))))
    gap = rng.uniform(0.0, 0.25)
    return _lines(rng, count, per_line=columns, step=0.6 + gap, line_step=1.02 + gap, down=False)


def rows(rng: Rng, count: int) -> list[LaidCard]:
    """Rows in which each card covers part of the one before it."""
    per_line = int(rng.integers(3, 14))
    step = rng.uniform(0.16, 0.5)
    line_step = rng.choice([rng.uniform(0.55, 0.9), rng.uniform(1.02, 1.25)])
    return _lines(rng, count, per_line=per_line, step=step, line_step=line_step, down=False)


def columns(rng: Rng, count: int) -> list[LaidCard]:
    """Ladders: columns in which each card covers all but the top of the one above it."""
    per_line = int(rng.integers(3, 11))
    step = rng.uniform(0.18, 0.6)
    line_step = rng.choice([rng.uniform(0.4, 0.6), rng.uniform(0.64, 0.9)])
    return _lines(rng, count, per_line=per_line, step=step, line_step=line_step, down=True)


def fan(rng: Rng, count: int) -> list[LaidCard]:
    """One or more fans around a pivot below the cards."""
    places: list[LaidCard] = []
    per_fan = int(rng.integers(4, 15))
    for start in range(0, count, per_fan):
        n = min(per_fan, count - start)
        radius, step = rng.uniform(0.6, 2.2), rng.uniform(6.0, 22.0)
        shift = (start // per_fan) * rng.uniform(1.4, 2.0)
        lean = rng.normal(0, 25)
        flip = 180.0 if rng.random() < 0.3 else 0.0
        for i in range(n):
            angle = lean + (i - (n - 1) / 2) * step + rng.normal(0, 1.5)
            x, y = _turned(0.0, -radius, angle)
            places.append(LaidCard(x + shift * 1.3, y + shift * rng.normal(0, 0.1), angle + flip))
    return places


def heap(rng: Rng, count: int) -> list[LaidCard]:
    """A heap pushed apart: any angle, centres kept from lying on one another."""
    apart, spread = rng.uniform(0.25, 0.6), 0.35 * math.sqrt(count) * rng.uniform(0.9, 1.5)
    places: list[LaidCard] = []
    for _ in range(count):
        for attempt in range(30):
            x, y = rng.normal(0, spread, 2) * (1 + attempt * 0.06)
            if all((p.x - x) ** 2 + (p.y - y) ** 2 > apart**2 for p in places):
                break
        places.append(LaidCard(x, y, rng.uniform(0, 360)))
    return places


def scattered(rng: Rng, count: int) -> list[LaidCard]:
    """Cards far apart at any angle."""
    side = math.ceil(math.sqrt(count))
    step = rng.uniform(1.15, 1.9)
    cells = rng.permutation(side * side)[:count]
    return [
        LaidCard(
            cell % side * step + rng.normal(0, 0.08),
            cell // side * step + rng.normal(0, 0.08),
            rng.uniform(0, 360),
        )
        for cell in cells
    ]


def crosswise(rng: Rng, count: int) -> list[LaidCard]:
    """Overlapping rows in which the sweeps lie sideways."""
    return [
        LaidCard(p.x, p.y, p.angle_deg + 90 if rng.random() < 0.25 else p.angle_deg)
        for p in rows(rng, count)
    ]


def ladders(rng: Rng, count: int) -> list[LaidCard]:
    """Tight rows or columns: a fifth of each card shows, as wide or high as a printed index."""
    per_line, down = int(rng.integers(6, 13)), rng.random() < 0.5
    step = rng.uniform(0.18, 0.27) if down else rng.uniform(0.11, 0.17)
    line_step = rng.uniform(0.66, 0.95) if down else rng.uniform(1.02, 1.3)
    return _lines(rng, count, per_line=per_line, step=step, line_step=line_step, down=down)


def pairs(rng: Rng, count: int) -> list[LaidCard]:
    """Tricks squared up: of two or three cards each, those below stand out by a tenth to a half."""
    together = 2 if rng.random() < 0.7 else 3
    spots = (grid if rng.random() < 0.6 else scattered)(rng, -(-count // together))
    away, places = rng.uniform(1.0, 1.5), []
    toward = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 30)
    for k in range(count):
        spot, below = spots[k // together], k % together
        off = rng.uniform(*OFFSET) * below / (together - 1)
        x, y = _turned(0.0, off, spot.angle_deg + toward + rng.normal(0, 10))
        angle = spot.angle_deg + rng.normal(0, 2) + 180 * float(rng.random() < 0.5)
        places.append(LaidCard(spot.x * away + x, spot.y * away + y, angle))
    return places


SPREAD: dict[str, Callable[[Rng, int], list[LaidCard]]] = {
    "grid": grid,
    "rows": rows,
    "columns": columns,
    "fan": fan,
    "heap": heap,
    "scattered": scattered,
    "crosswise": crosswise,
}
"""Layouts in which most cards show enough of themselves, whatever is printed on them: name -> a
function that places so many cards, the first one lowest in the pile."""
CROWDED: dict[str, Callable[[Rng, int], list[LaidCard]]] = {"ladders": ladders, "pairs": pairs}
"""Layouts in which little but its index tells most cards."""
LAYOUTS = SPREAD | CROWDED
"""All of them."""


def lay(rng: Rng, name: str, count: int) -> list[LaidCard]:
    """`count` cards laid in the named way, the whole turned a little or by a right angle."""
    turn = float(rng.choice([0, 0, 0, 90, 180, 270])) + rng.normal(0, 8)
    squeeze = rng.uniform(0.92, 1.08)
    places = []
    for p in LAYOUTS[name](rng, count):
        x, y = _turned(p.x * squeeze, p.y, turn)
        places.append(LaidCard(x, y, p.angle_deg + turn))
    return places if rng.random() < 0.75 else places[::-1]
