// A sheet over the screen with actions to choose from: the cards that one may be, or a question.
import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

export function addTo(parent, name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.appendChild(node);
  return node;
}

// The part of a photo around a card, with a line around the card.
function cutOut({ photo, width, height, corners }) {
  const points = corners.map(([x, y]) => [x * width, y * height]);
  const [xs, ys] = [0, 1].map((k) => points.map((point) => point[k]));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const edge = 0.12 * Math.max(right - left, bottom - top);
  const svg = document.createElementNS(SVG, "svg");
  const wide = right - left + 2 * edge,
    high = bottom - top + 2 * edge;
  svg.setAttribute("viewBox", [left - edge, top - edge, wide, high].join(" "));
  svg.setAttribute("class", "cut");
  addTo(svg, "image", { href: photo, width, height });
  addTo(svg, "polygon", { points: points.map((point) => point.join()).join(" ") });
  return svg;
}

export function actButton(act, chosen) {
  const seat = act.side === null || act.side === undefined ? "" : `of-side side-${act.side + 1}`;
  const button = make("button", `act ${act.kind ?? ""} ${seat}`, act.face ? "" : act.label);
  button.dataset.act = act.id;
  if (act.face) {
    button.className = `face-act f${act.face} ${seat}`;
    button.setAttribute("aria-label", act.label);
    button.setAttribute("aria-pressed", act.pressed === true);
  }
  button.onclick = chosen;
  return button;
}

// Opens the sheet of an action; calls `chosen` with the action that the user taps.
export function openSheet(box, act, { close, cut, chosen }) {
  const sheet = make("dialog", "sheet");
  const gone = make("button", "shut", "×");
  gone.setAttribute("aria-label", close);
  gone.onclick = () => sheet.close();
  sheet.append(gone, make("h2", "", act.head));
  if (cut) sheet.append(cutOut(cut));
  for (const kind of ["acts", "faces"]) {
    const mine = act.more.filter((one) => Boolean(one.face) === (kind === "faces"));
    const isShort = mine.length > 20;
    const row = make("div", `${kind} row ${isShort ? "numbers" : ""}`);
    row.append(...mine.map((one) => actButton(one, () => (sheet.close(), chosen(one)))));
    if (mine.length) sheet.append(row);
  }
  sheet.onclick = (event) => event.target === sheet && sheet.close(); // a tap beside it
  sheet.onclose = () => sheet.remove();
  box.append(sheet);
  sheet.showModal();
}
