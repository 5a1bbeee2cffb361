"""Draws docs/pictures/architecture.svg from the code: `python -m docs.picture`.

A floor is a package at the top level, a room is a module or a package in it. Rooms stand in the
order in which the front door (the package's docstring) lists them, which is the order of the data.
An arrow from one floor to another means that something on the first imports something of the other.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

PICTURE = ROOT / "docs" / "pictures" / "architecture.svg"
"""Where the picture is kept."""

FLOORS = ("app", "screens", "door", "table", "vision", "scoring")
"""The floors from the street down: each may use those below it."""

WIDTH, MARGIN, GUTTER = 1180, 28, 210
"""Width of the picture, its margin, and the strip at the right in which the arrows run, in px."""

ROOM_HEIGHT, GAP, LETTER = 38, 10, 8.1
"""Height of a room, the space between rooms, and the width of a letter, in px."""

INK, PAPER, BAND, LINE, GREEN, TERRACOTTA = (
    "#1d2925", "#faf6ec", "#efe8d8", "#b9ae97", "#1c5a44", "#a63c22",
)  # fmt: skip
"""The colours of the app's light theme."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"
"""The typeface of the app."""


@dataclass(frozen=True)
class Floor:
    """A package at the top level, or app.py."""

    name: str
    title: str
    """The first sentence of its docstring."""
    rooms: tuple[str, ...]
    """Its modules and packages in the order of the data."""
    packages: frozenset[str]
    """Those rooms that are packages themselves."""
    uses: frozenset[str]
    """The other floors that it imports."""


def sources(name: str) -> list[Path]:
    """The files of a floor."""
    if name == "app":
        return [ROOT / "app.py"]
    return sorted((ROOT / name).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def floor(name: str) -> Floor:
    """A floor as its code and its front door say it."""
    front = ROOT / ("app.py" if name == "app" else f"{name}/__init__.py")
    text = ast.get_docstring(ast.parse(front.read_text(encoding="utf-8"))) or ""
    listed = re.findall(r"^(?:\d+\.|-) +((?:`\w+`(?:, )?)+)", text, flags=re.MULTILINE)
    rooms = tuple(room for line in listed for room in re.findall(r"`(\w+)`", line))
    used = {package for path in sources(name) for package in imported(path)}
    return Floor(
        name=name,
        title=text.split("\n")[0].split(". ")[0].rstrip(".").replace("`", ""),
        rooms=rooms if name != "app" else (),
        packages=frozenset(room for room in rooms if (ROOT / name / room).is_dir()),
        uses=frozenset(used & set(FLOORS)) - {name},
    )


def rows_of(rooms: Sequence[str]) -> list[list[str]]:
    """The rooms in rows that fit between the margin and the arrows."""
    rows: list[list[str]] = []
    left = 0.0
    for room in rooms:
        left -= width_of(room) + GAP
        if left < 0:
            rows.append([])
            left = WIDTH - 2 * MARGIN - GUTTER - 32 - width_of(room)
        rows[-1].append(room)
    return rows


def width_of(room: str) -> float:
    """The width of a room, by its name."""
    return len(room) * LETTER + 26


def label(x: float, y: float, text: str, style: str) -> str:  # noqa: PLR0917  x, y as in SVG
    """A line of text."""
    return f'<text x="{x:.0f}" y="{y:.0f}" {style}>{escape(text)}</text>'


def drawn_floor(one: Floor, top: float) -> tuple[list[str], float]:
    """The SVG of a floor whose upper edge lies at `top`, and its height."""
    rows = rows_of(one.rooms)
    height = 58 + len(rows) * (ROOM_HEIGHT + GAP) + (8 if rows else 0)
    right = WIDTH - 2 * MARGIN - GUTTER
    parts = [
        f'<rect x="{MARGIN}" y="{top:.0f}" width="{right}" height="{height}" rx="14" '
        f'fill="{BAND}" stroke="{LINE}"/>',
        label(MARGIN + 18, top + 35, "app.py" if one.name == "app" else f"{one.name}/",
              f'font-size="21" font-weight="700" fill="{GREEN}"'),
        label(MARGIN + 138, top + 34, one.title, f'font-size="15" fill="{INK}"'),
    ]  # fmt: skip
    for number, row in enumerate(rows):
        x, y = MARGIN + 16.0, top + 54 + number * (ROOM_HEIGHT + GAP)
        for room in row:
            parts += drawn_room(room, x=x, y=y, is_package=room in one.packages)
            x += width_of(room) + GAP
    return parts, height


def drawn_room(room: str, *, x: float, y: float, is_package: bool) -> list[str]:
    """The SVG of a room; a package has a second edge, as it has rooms of its own."""
    edge = GREEN if is_package else LINE
    parts = [drawn_box(room, x=x, y=y, inset=0, style=f'rx="8" fill="{PAPER}" stroke="{edge}"')]
    if is_package:
        inner = f'rx="6" fill="none" stroke="{GREEN}" stroke-opacity="0.45"'
        parts.append(drawn_box(room, x=x, y=y, inset=3, style=inner))
    middle = f'font-size="15" text-anchor="middle" fill="{INK}"'
    return [*parts, label(x + width_of(room) / 2, y + 24, room, middle)]


def drawn_box(room: str, *, x: float, y: float, inset: int, style: str) -> str:
    """The SVG of the edge of a room, or of one within it."""
    return (
        f'<rect x="{x + inset:.0f}" y="{y + inset:.0f}" width="{width_of(room) - 2 * inset:.0f}" '
        f'height="{ROOM_HEIGHT - 2 * inset}" {style}/>'
    )


def drawn_arrow(start: float, end: float, *, lane: int) -> str:
    """The SVG of an arrow from a floor to one below, in a lane of its own."""
    edge = WIDTH - MARGIN - GUTTER
    x = edge + 24 + 22 * lane
    return (
        f'<path d="M{edge} {start:.0f}H{x - 10}q10 0 10 10V{end - 10:.0f}q0 10 -10 10H{edge + 9}" '
        f'fill="none" stroke="{TERRACOTTA}" stroke-width="2" marker-end="url(#tip)"/>'
    )


def picture() -> str:
    """The whole picture as SVG."""
    floors = [floor(name) for name in FLOORS if sources(name)]
    parts: list[str] = []
    top, spans = 84.0, dict[str, tuple[float, float]]()
    for one in floors:
        drawn, height = drawn_floor(one, top)
        parts += drawn
        spans[one.name] = (top, height)
        top += height + 18
    parts += _arrows(floors, spans)
    tip = (
        '<marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{TERRACOTTA}"/></marker>'
    )
    heading = [
        label(MARGIN, 40, "Settebello, floor by floor",
              f'font-size="24" font-weight="700" fill="{INK}"'),
        label(MARGIN, 64, "An arrow: imports from. A double edge: a package with rooms of its own.",
              f'font-size="15" fill="{INK}"'),
    ]  # fmt: skip
    body = "\n".join([*heading, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + 10:.0f}" '
        f'font-family="{FONT}">\n<defs>{tip}</defs>\n'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def _arrows(floors: Sequence[Floor], spans: dict[str, tuple[float, float]]) -> list[str]:
    """The arrows between floors; each leaves and arrives at a height of its own."""
    pairs = [
        (FLOORS.index(one.name), FLOORS.index(used), one.name, used)
        for one in floors
        for used in one.uses
    ]
    pairs.sort(key=lambda pair: (pair[1] - pair[0], pair[0]))
    leaves = {name: [p for p in pairs if p[2] == name] for name in FLOORS}
    arrives = {name: [p for p in pairs if p[3] == name] for name in FLOORS}
    arrows = []
    for lane, pair in enumerate(pairs):
        _, _, start, end = pair
        outgoing, incoming = leaves[start], arrives[end]
        (from_top, from_height), (to_top, to_height) = spans[start], spans[end]
        down = (outgoing.index(pair) + 1) / (2 * len(outgoing) + 2)
        up = (len(incoming) - incoming.index(pair)) / (2 * len(incoming) + 2)
        leave, arrive = from_top + from_height * (0.5 + down), to_top + to_height * up
        arrows.append(drawn_arrow(leave, arrive, lane=lane))
    return arrows


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"drew {PICTURE.relative_to(ROOT)}")
