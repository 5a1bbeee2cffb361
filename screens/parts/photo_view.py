"""The photo with every card outlined and named; a tap on a card says which one was meant."""

from collections.abc import Sequence

import streamlit as st

from table.draft import NOT_HERE, Seen

SHORT_RANKS: tuple[str, ...] = ("A", "2", "3", "4", "5", "6", "7", "F", "C", "R")
"""Rank 1 to 10 as the label on the photo writes it."""

SHORT_SUITS = {"d": "den", "c": "cop", "s": "spa", "b": "bas"}
"""Suit letter as the label on the photo writes it."""

CSS = """
[class*="st-key-shot_"] { position: relative; }
[class*="st-key-shot_"] img { border-radius: 12px; display: block; }
[class*="st-key-photo_"] { position: absolute; inset: 0; height: auto; }
.outlined, .outlined svg { position: absolute; inset: 0; width: 100%; height: 100%;
  touch-action: manipulation; }
.outlined polygon { fill: rgba(255,255,255,0.02); stroke: #fff; stroke-width: 0.45; cursor: pointer;
  vector-effect: none; stroke-linejoin: round; }
.outlined .under { stroke: rgba(0,0,0,.65); stroke-width: 0.9; fill: none; }
.outlined .ask { stroke: #ffb300; stroke-width: 1.3; fill: rgba(255,179,0,0.18); }
.outlined .out { stroke: #d22; stroke-dasharray: 1.5 1; fill: rgba(0,0,0,0.35); }
.outlined text { font: 700 3px system-ui, sans-serif; fill: #fff; text-anchor: middle;
  dominant-baseline: central; pointer-events: none; }
.outlined rect { pointer-events: none; rx: 0.9; }
.outlined .d { fill: #8a6100; } .outlined .c { fill: #a8322b; } .outlined .s { fill: #1f4e8c; }
.outlined .b { fill: #2b6a2e; } .outlined .n { fill: #333; }
"""
"""Style of the outlines; lengths are in hundredths of the photo's width."""

JS = """
const SVG = "http://www.w3.org/2000/svg";
function add(parent, name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.appendChild(node);
  return node;
}
function inside([x, y], shape) {
  let odd = false;
  shape.forEach(([x1, y1], i) => {
    const [x2, y2] = shape[(i + shape.length - 1) % shape.length];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) odd = !odd;
  });
  return odd;
}
function spot(shape, all, named) {
  // The middle, ends and corners of the card: where fewest others lie, far from other names.
  const mean = (points) => [0, 1].map((k) => points.reduce((s, p) => s + p[k], 0) / points.length);
  const middle = mean(shape);
  const inward = (point, part) => point.map((v, k) => v + part * (middle[k] - v));
  const places = [middle];
  shape.forEach((corner, i) => {
    places.push(inward(corner, 0.35));
    places.push(inward(mean([corner, shape[(i + 1) % 4]]), 0.35));
  });
  const rank = (place) => {
    const under = all.filter((other) => other !== shape && inside(place, other)).length;
    const gaps = named.map(([x, y]) => Math.hypot((x - place[0]) / 2, y - place[1]));
    return 3 * under - Math.min(8, ...gaps);
  };
  return places.reduce((best, place) => (rank(place) < rank(best) - 0.5 ? place : best));
}
export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".outlined");
  const tall = (100 * data.height) / data.width;
  const svg = box.querySelector("svg");
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 100 ${tall}`);
  for (const card of data.cards) {
    const at = card.corners.map(([x, y]) => [x * 100, y * tall]);
    const points = at.map((p) => p.join(",")).join(" ");
    add(svg, "polygon", { points, class: "under" });
    const shape = add(svg, "polygon", { points, class: card.kind, role: "button" });
    shape.setAttribute("aria-label", card.label);
    shape.onclick = () => setTriggerValue("tap", card.index);
  }
  const shapes = data.cards.map((card) => card.corners.map(([x, y]) => [x * 100, y * tall]));
  const named = [];
  // A name is at least 14 pixels high on a phone: a letter is 3 hundredths of the photo's width.
  const grown = Math.min(1.5, Math.max(1, 14 / (0.03 * (box.clientWidth || 358))));
  data.cards.forEach((card, i) => {
    const [x, y] = spot(shapes[i], shapes, named);
    named.push([x, y]);
    const wide = (1.75 * card.label.length + 1.6) * grown, high = 4.4 * grown;
    const place = { x: x - wide / 2, y: y - high / 2, width: wide, height: high };
    add(svg, "rect", { ...place, class: card.suit });
    const name = add(svg, "text", { x, y });
    name.style.fontSize = `${3 * grown}px`;
    name.textContent = card.label;
  });
}
"""
"""Draws the outlines and sends the place of the tapped card."""

_outlined = st.components.v2.component(
    "settebello_outlined",
    html='<div class="outlined"><svg role="group"></svg></div>',
    css=CSS,
    js=JS,
    isolate_styles=False,
)


def photo_view(
    photo: int, jpeg: bytes, *, seen: Sequence[tuple[int, Seen]], size_wh: tuple[int, int]
) -> int | None:
    """Shows one photo and gives the place (in the draft) of the card just tapped, else None."""
    marks = [_mark(index, one) for index, one in seen]
    data = {"width": size_wh[0], "height": size_wh[1], "cards": marks}
    with st.container(key=f"shot_{photo}"):
        st.image(jpeg, width="stretch")
        result = _outlined(key=f"photo_{photo}", data=data, on_tap_change=lambda: None)
    tap = result.get("tap")
    return None if tap is None else int(tap)


def _mark(index: int, seen: Seen) -> dict[str, object]:
    unclear = seen.is_open or seen.is_unread
    kind = "ask" if unclear else "out" if seen.code is None else "sure"
    return {
        "index": index,
        "corners": [list(corner) for corner in seen.corners],
        "label": _label(seen) + (" ?" if seen.is_open else ""),
        "suit": seen.code[-1] if seen.code else "n",
        "kind": kind,
    }


def _label(seen: Seen) -> str:
    if seen.is_unread:
        return "?"
    if seen.code:
        return f"{SHORT_RANKS[int(seen.code[:-1]) - 1]} {SHORT_SUITS[seen.code[-1]]}"
    return (
        {"back": "back", "x": "no card"}.get(seen.guess, "out")
        if seen.answer != NOT_HERE
        else "out"
    )
