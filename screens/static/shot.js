// A photo with the outlines of its cards: a tap on one opens the cards that it may be, here on the
// phone, and the answer shows at once.
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

// The cards of the photo, with what was answered here since the server said what they are.
function cardsNow(part) {
  const answers = doneSince(part).flatMap((told) =>
    told.do === "answer" ? [told] : told.do === "agree" ? told.answers : [],
  );
  return part.data.cards.map((card) => {
    const of = JSON.stringify(card.seen);
    const answer = answers.findLast(({ seen }) => JSON.stringify(seen) === of);
    if (!answer) return card;
    const code = part.data.labels[answer.code] ? answer.code : null;
    const label = code ? part.data.labels[code] : part.data.out;
    return { ...card, label, suit: code?.at(-1) ?? "n", kind: code ? "sure" : "out" };
  });
}

function tap(part, card) {
  const { data, box } = part;
  const { src: photo, width, height } = data;
  const more = [...card.more, ...data.forty];
  const cut = { photo, width, height, corners: card.seen.corners };
  const chosen = (one) => send(part, { do: "answer", seen: card.seen, code: one.action.code });
  openSheet(box, { head: data.head, more }, { close: data.close, cut, chosen });
}

function draw(part) {
  const { box, data } = part;
  const image = box.querySelector("img");
  if (image.getAttribute("src") !== data.src) image.src = data.src;
  image.alt = data.alt;
  image.style.aspectRatio = `${data.width} / ${data.height}`;
  const cards = cardsNow(part), written = JSON.stringify([cards, data.width, data.height]);
  const isWide = box.clientWidth;
  if (part.written === written && part.isWide === isWide) return;
  Object.assign(part, { written, isWide });
  const tall = (100 * data.height) / data.width;
  const svg = box.querySelector(".outlines");
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 100 ${tall}`);
  const shapes = cards.map(({ seen }) => seen.corners.map(([x, y]) => [x * 100, y * tall]));
  shapes.forEach((shape, i) => outline(part, svg, { card: cards[i], shape }));
  nameAll(svg, { cards, shapes, wide: isWide || 358 });
}

function outline(part, svg, { card, shape }) {
  const points = shape.map((point) => point.join(",")).join(" ");
  addTo(svg, "polygon", { points, class: "under" });
  const told = { points, class: card.kind, role: "button", tabindex: 0, "aria-label": card.label };
  const node = addTo(svg, "polygon", told);
  node.onclick = () => tap(part, card);
  node.onkeydown = (event) => ["Enter", " "].includes(event.key) && tap(part, card);
}

function nameAll(svg, { cards, shapes, wide }) {
  const named = [];
  // A name is at least 14 pixels high on a phone: a letter is 3 hundredths of the photo's width.
  const grown = Math.min(1.5, Math.max(1, 14 / (0.03 * wide)));
  cards.forEach((card, i) => {
    const [x, y] = spot(shapes[i], shapes, named);
    named.push([x, y]);
    const width = (1.75 * card.label.length + 1.6) * grown, height = 4.4 * grown;
    addTo(svg, "rect", { x: x - width / 2, y: y - height / 2, width, height, class: card.suit });
    const name = addTo(svg, "text", { x, y });
    name.style.fontSize = `${3 * grown}px`;
    name.textContent = card.label;
  });
}

export default function ({ data, parentElement }) {
  const part = attach(parentElement.querySelector(".shot"), data, draw);
  return () => detach(part);
}
