// A photo with the outlines of its cards in their side's colour. A tap on one opens the cards that it may
// be, on the phone itself, and the answer shows at once.
import { addTo, openSheet } from "./choice.js";
import { attach, detach, doneSince, send } from "./part.js";

// The cards of the photo as the server last named them, with the answers given here since.
function cardsNow(part) {
  const { cards, names, out } = part.data;
  const answers = doneSince(part).filter(({ do: action }) => action === "answer");
  return cards.map((card) => {
    const of = JSON.stringify(card.seen);
    const answer = answers.findLast(({ seen }) => JSON.stringify(seen) === of);
    if (!answer) return card;
    const name = names[answer.code];
    return { ...card, label: name ?? out, kind: name ? "sure" : "out" };
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

function drawDrop(part) {
  const { box, data } = part;
  const button = box.querySelector(".drop");
  button.textContent = data.drop.label;
  button.setAttribute("aria-label", data.dropLabel);
  const chosen = (one) => send(part, one.action);
  button.onclick = () => openSheet(box, data.drop, { close: data.close, chosen });
}

function draw(part) {
  const { box, data } = part;
  const image = box.querySelector("img");
  if (image.getAttribute("src") !== data.src) image.src = data.src;
  image.alt = data.alt;
  image.style.aspectRatio = `${data.width} / ${data.height}`;
  drawDrop(part);
  const cards = cardsNow(part),
    written = JSON.stringify([cards, data.context.side, data.width]);
  if (part.written === written) return;
  part.written = written;
  const tall = (100 * data.height) / data.width;
  const svg = box.querySelector(".outlines");
  svg.setAttribute("class", `outlines side-${data.context.side + 1}`);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 100 ${tall}`);
  for (const card of cards) {
    const points = card.seen.corners.map(([x, y]) => `${x * 100},${y * tall}`).join(" ");
    addTo(svg, "polygon", { points, class: "under" });
    const attributes = {
      points,
      class: card.kind,
      role: "button",
      tabindex: 0,
      "aria-label": card.label,
    };
    const node = addTo(svg, "polygon", attributes);
    node.onclick = () => tap(part, card);
    node.onkeydown = (event) => ["Enter", " "].includes(event.key) && tap(part, card);
  }
}

export default function ({ data, parentElement }) {
  const part = attach(parentElement.querySelector(".shot"), data, draw);
  return () => detach(part);
}
