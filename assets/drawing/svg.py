"""SVG elements as text: the least that the drawings need, with short numbers."""

from math import cos, hypot, pi, sin

Point = tuple[float, float]


def number(value: float) -> str:
    """Gives a number as SVG text, one decimal at most.

    >>> number(3.04), number(-0.02), number(2.55)
    ('3', '0', '2.5')
    """
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """Gives one element; underscores in names become hyphens, attributes of None are left out.

    >>> element("circle", r=4.0, stroke_width=2)
    '<circle r="4" stroke-width="2"/>'
    >>> element("g", element("rect"), id="a")
    '<g id="a"><rect/></g>'
    """
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    text = "".join(
        f' {key}="{value if isinstance(value, str) else number(value)}"'
        for key, value in pairs
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{text}>{inner}</{name}>" if inner else f"<{name}{text}/>"


def path(d: str, fill: str = "none", **attributes: str | float | None) -> str:
    """Gives a path.

    >>> path("M0,0H9", stroke="red")
    '<path d="M0,0H9" fill="none" stroke="red"/>'
    """
    return element("path", d=d, fill=fill, **attributes)


def circle(center: Point, r: float, **attributes: str | float | None) -> str:
    """Gives a circle.

    >>> circle((1, 2), 3, fill="red")
    '<circle cx="1" cy="2" r="3" fill="red"/>'
    """
    return element("circle", cx=center[0], cy=center[1], r=r, **attributes)


def ellipse(center: Point, radii: Point, **attributes: str | float | None) -> str:
    """Gives an ellipse with its two radii, x then y.

    >>> ellipse((1, 2), (3, 4))
    '<ellipse cx="1" cy="2" rx="3" ry="4"/>'
    """
    return element("ellipse", cx=center[0], cy=center[1], rx=radii[0], ry=radii[1], **attributes)


def rect(corner: Point, size_wh: Point, **attributes: str | float | None) -> str:
    """Gives a rectangle from its top left corner.

    >>> rect((1, 2), (3, 4), rx=1)
    '<rect x="1" y="2" width="3" height="4" rx="1"/>'
    """
    (x, y), (width, height) = corner, size_wh
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def group(*children: str, **attributes: str | float | None) -> str:
    """Gives the children in one group.

    >>> group("<rect/>", fill="red")
    '<g fill="red"><rect/></g>'
    """
    return element("g", *children, **attributes)


def moved(to: Point, scale: float = 1, *, turn_deg: float = 0, mirror: bool = False) -> str:
    """Gives the value of a `transform`: where the drawing's origin goes, how large, how turned.

    >>> moved((10, 20), 0.5, turn_deg=90)
    'translate(10 20)rotate(90)scale(.5)'
    >>> moved((10, 20), mirror=True)
    'translate(10 20)scale(-1 1)'
    """
    text = f"translate({number(to[0])} {number(to[1])})"
    if turn_deg:
        text += f"rotate({number(turn_deg)})"
    size = f"{scale:.3f}".strip("0").rstrip(".") or "1"
    if mirror:
        return f"{text}scale(-{size or 1} {size or 1})"
    return text if scale == 1 else f"{text}scale({size})"


def use(identity: str, to: Point, *, scale: float = 1, turn_deg: float = 0) -> str:
    """Gives another instance of a drawing defined in the same file.

    >>> use("p", (10, 20))
    '<use href="#p" transform="translate(10 20)"/>'
    """
    return element("use", href=f"#{identity}", transform=moved(to, scale, turn_deg=turn_deg))


def around(radius: float, count: int, *, start_deg: float = -90) -> tuple[Point, ...]:
    """Gives points evenly round the origin, the first at the top unless told.

    >>> [(round(x), round(y)) for x, y in around(10, 4)]
    [(0, -10), (10, 0), (0, 10), (-10, 0)]
    """
    turns = (start_deg / 180 * pi + 2 * pi * i / count for i in range(count))
    return tuple((radius * cos(turn), radius * sin(turn)) for turn in turns)


def leaf(root: Point, tip: Point, *, fill: str, width: float, **attributes: str | float) -> str:
    """Gives a leaf or feather: pointed at its root, round near its tip.

    >>> leaf((0, 0), (0, 10), fill="green", width=4)
    '<path d="M0,0C-2.4,4-2,9.6 0,10C2,9.6 2.4,4 0,0Z" fill="green"/>'
    """
    (x, y), (dx, dy) = root, (tip[0] - root[0], tip[1] - root[1])
    length = hypot(dx, dy)
    sx, sy = -dy / length * width, dx / length * width

    def off(along: float, across: float) -> str:
        px, py = x + dx * along + sx * across, y + dy * along + sy * across
        return f"{number(px)},{number(py)}"

    d = f"M{off(0, 0)}C{off(0.4, 0.6)} {off(0.96, 0.5)} {off(1, 0)}"
    d += f"C{off(0.96, -0.5)} {off(0.4, -0.6)} {off(0, 0)}Z"
    return path(d.replace(",-", "-").replace(" -", "-"), fill, **attributes)


def document(size_wh: Point, *children: str, title: str) -> str:
    """Gives a whole SVG file whose lines are round by default.

    >>> document((2, 3), title="an empty card").startswith('<svg xmlns=')
    True
    """
    width, height = size_wh
    return (
        element(
            "svg",
            element("title", title),
            group(*children, stroke_linejoin="round", stroke_linecap="round"),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=width,
            height=height,
        )
        + "\n"
    )
