// Draws the outlines over a photo and sends the place of the card that is tapped.
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
