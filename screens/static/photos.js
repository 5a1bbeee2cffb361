// The photos of a pile, each with the outlines of its cards in their side's colour. A photo that was taken
// here is there at once, with a ring for how far it is. A tap on a card opens the cards that it may be, on
// the phone itself, and the answer shows at once.
import { addTo, openSheet } from "./choice.js";
import { filled } from "./dom.js";
import * as outbox from "./outbox.js";
import { attach, detach, doneSince, send } from "./part.js";
import { forgetPicture, isFresh, itemOf, pictureOf, putBack, take, taken } from "./taken.js";

const UNDO_MS = 6500,
  COUNT_MS = 400;
const STAGES = ["opening", "finding", "naming"];
const SENT = 0.6; // the share of the ring that is full once the photo is sent

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The cards of a photo as the server last named them, with the answers given here since.
function cardsNow(part, photo) {
  const { named, out } = part.data;
  const answers = doneSince(part).filter(({ do: action }) => action === "answer");
  return photo.cards.map((card) => {
    const of = JSON.stringify(card.seen);
    const answer = answers.findLast(({ seen }) => JSON.stringify(seen) === of);
    if (!answer) return card;
    const name = named[answer.code];
    return { ...card, code: answer.code, label: name ?? out, kind: name ? "sure" : "out" };
  });
}

// Whether a photo was removed here, or given to another side, since the server named it.
function isGone(part, { id }) {
  const last = doneSince(part).findLast(({ photo }) => photo === id);
  return last?.do === "remove" || (last?.do === "move" && last.owner !== part.data.context.side);
}

// The photos to show: those that the server has read, and those on their way. A photo just taken on this
// screen is shown even if it is of another side, since the page is about to show that side.
function shown(part) {
  const { photos, waiting, context } = part.data;
  const own = taken(part),
    keys = new Set([...own, ...waiting].map(({ key }) => key));
  if (part.box.side !== context.side) Object.assign(part.box, { side: context.side, before: keys });
  const sent = waiting.filter(({ key }) => !own.some((one) => one.key === key));
  return [
    ...photos
      .filter((photo) => !isGone(part, photo))
      .map((photo) => ({ id: `photo-${photo.id}`, side: context.side, photo })),
    ...sent
      .filter(({ side }) => side === context.side)
      .map((upload) => ({ id: upload.key, side: upload.side, upload })),
    ...own
      .filter(
        ({ key, side }) => side === context.side || (isFresh(key) && !part.box.before.has(key)),
      )
      .map(({ key, side }) => ({
        id: key,
        side,
        item: itemOf(part, key),
        upload: waiting.find((one) => one.key === key),
      })),
  ];
}

// How far a photo is, from 0 to 1, and the words for it.
function progress({ data }, { side, item, upload }) {
  const name = data.sides[side];
  const stage = STAGES.indexOf(upload && outbox.stageOf(data.context.code, upload.id));
  if (item) return [SENT * (item.sent ?? 0), filled(data.sending, { name })];
  return [SENT + 0.1 * (stage + 1), upload?.text ?? filled(data.reading, { name })];
}

function tap(part, { src, width, height }, card) {
  const { data, box } = part;
  const cut = { photo: src, width, height, corners: card.seen.corners };
  const chosen = (one) => send(part, { do: "answer", seen: card.seen, code: one.action.code });
  const isNow = ({ action }) => action.code === card.code;
  const more = [...card.more, ...data.forty.map((one) => ({ ...one, pressed: isNow(one) }))];
  openSheet(box, { head: data.head, more }, { close: data.close, cut, chosen });
}

function drawOutlines(part, svg, photo) {
  const cards = photo ? cardsNow(part, photo) : [];
  const written = JSON.stringify([cards, photo?.id]);
  if (svg.written === written) return;
  svg.written = written;
  svg.replaceChildren();
  if (!photo) return;
  const tall = (100 * photo.height) / photo.width;
  svg.setAttribute("viewBox", `0 0 100 ${tall}`);
  for (const [at, card] of cards.entries()) {
    const points = card.seen.corners.map(([x, y]) => `${x * 100},${y * tall}`).join(" ");
    const style = `--at: ${(at * COUNT_MS) / cards.length}ms`;
    addTo(svg, "polygon", { points, class: "under", style });
    const attributes = {
      points,
      style,
      class: card.kind,
      role: "button",
      tabindex: 0,
      "aria-label": card.label,
    };
    const node = addTo(svg, "polygon", attributes);
    node.onclick = () => tap(part, photo, card);
    node.onkeydown = (event) => ["Enter", " "].includes(event.key) && tap(part, photo, card);
  }
}

// Writes how many cards the pile has; a larger number is counted up to.
function count(node, text) {
  const number = (said) => Number(said.match(/\d+/)?.[0] ?? 0);
  if (node.said === text) return;
  const from = number(node.said ?? text),
    to = number(text);
  node.said = text;
  const began = performance.now();
  const step = (now) => {
    const share = isStill() ? 1 : Math.min(1, Math.max(0, now - began) / COUNT_MS);
    if (node.said === text)
      node.textContent = text.replace(/\d+/, Math.round(from + share * (to - from)));
    if (share < 1 && node.said === text) requestAnimationFrame(step);
  };
  if (to > from) step(began);
  else node.textContent = text;
}

// Says for some seconds what was done, with a button that takes it back.
function offerUndo(part, text, undo) {
  const place = part.box.querySelector(".undo");
  const [said, button] = place.children;
  said.textContent = text;
  button.textContent = part.data.undo;
  place.hidden = false;
  clearTimeout(place.ends);
  place.ends = setTimeout(() => (place.hidden = true), UNDO_MS);
  button.onclick = () => {
    place.hidden = true;
    undo();
  };
}

function drop(part, { photo, side, item }) {
  const { dropped } = part.data;
  if (photo) {
    send(part, photo.drop.action);
    return offerUndo(part, dropped, () => send(part, { do: "move", photo: photo.id, owner: side }));
  }
  outbox.letGo(item);
  return offerUndo(part, dropped, () => putBack(item));
}

// Asks whose pile a photo is of, and moves it there.
function askWhose(part, { photo, side, item }) {
  const { box, data } = part;
  const more = data.owners.filter((one) => one.side !== side);
  const moved = (owner) => {
    if (photo) send(part, { do: "move", photo: photo.id, owner });
    else outbox.sendAgain(item, { ...item.action, side: owner });
  };
  const chosen = ({ side: owner }) => {
    moved(owner);
    offerUndo(part, filled(data.moved, { name: data.sides[owner] }), () => moved(side));
  };
  openSheet(box, { head: data.whose, more }, { close: data.close, chosen });
}

function drawPicture(part, slide, { id, photo }) {
  const image = slide.querySelector("img");
  image.alt = photo?.alt ?? "";
  slide.classList.toggle("gone", photo?.src === "");
  const source = photo ? photo.src : pictureOf(part, id);
  if (!source || slide.source === source) return;
  const own = slide.id === id ? null : slide.id; // the same photo as it was on this phone
  slide.source = source;
  const figure = image.parentElement;
  if (photo) figure.style.setProperty("--shape", photo.width / photo.height);
  const show = () => {
    if (slide.source !== source) return;
    image.src = source;
    if (own) forgetPicture(own);
  };
  image.onload = () => {
    figure.classList.add("there");
    figure.style.setProperty("--shape", image.naturalWidth / image.naturalHeight);
  };
  if (!own) return show();
  const next = new Image(); // until it is there, the phone's own picture stays
  next.onload = next.onerror = show;
  next.src = source;
}

function drawSlide(part, slide, one, place) {
  const { data } = part;
  const { photo, side, item, upload } = one;
  drawPicture(part, slide, one);
  slide.id = one.id;
  slide.one = one;
  slide.className = slide.className.replace(/ ?side-\d/, "") + ` side-${side + 1}`;
  drawOutlines(part, slide.querySelector(".outlines"), photo);
  const ring = slide.querySelector(".ring");
  ring.toggleAttribute("hidden", Boolean(photo));
  if (!photo) {
    const [share, text] = progress(part, one);
    ring.style.setProperty("--share", share);
    ring.setAttribute("aria-valuenow", Math.round(100 * share));
    ring.setAttribute("aria-label", text);
  }
  slide.querySelector("p").textContent = photo?.src === "" ? data.deleted : (upload?.wait ?? "");
  const isKept = item?.body && item.sent === undefined && outbox.way() !== "open";
  const isFree = Boolean(photo || isKept); // otherwise the server may get it this moment
  for (const [name, label, act] of [
    ["whose", data.whose, askWhose],
    ["drop", photo?.drop.label ?? data.drop, drop],
  ]) {
    const button = slide.querySelector(`.${name}`);
    button.hidden = !isFree;
    button.setAttribute("aria-label", label);
    button.onclick = () => act(part, slide.one);
  }
  slide.querySelector("bdi").textContent = data.sides[side];
  count(slide.querySelector(".count"), side === data.context.side ? data.count : "");
  slide.querySelector("small").textContent = place;
  for (const name of ["another", "files"]) {
    const label = slide.querySelector(`label.${name}`);
    label.querySelector("span").textContent = data[name];
    label.querySelector("input").onchange = ({ target }) => {
      take(part, [...target.files], side, side === data.context.side ? data.replaces : null);
      target.value = "";
    };
  }
  slide.oncontextmenu = (event) => {
    event.preventDefault(); // a long press
    if (isFree) askWhose(part, slide.one);
  };
}

function draw(part) {
  const { box, data } = part;
  const track = box.querySelector(".track"),
    all = shown(part),
    ids = new Set(all.map(({ id }) => id));
  const slides = new Map([...track.children].map((slide) => [slide.id, slide]));
  // A photo that was just read takes the place of the one on this phone.
  const read = [...slides.values()].filter(({ id, one }) => !ids.has(id) && !one.photo);
  const made = all.map((one) => {
    const known = slides.get(one.id);
    const slide =
      known ??
      (one.photo && read.find((before) => before.one.side === one.side)) ??
      box.querySelector("template").content.firstElementChild.cloneNode(true);
    if (read.includes(slide)) {
      read.splice(read.indexOf(slide), 1);
      slide.classList.add("found");
    }
    return [slide, one, known];
  });
  for (const [at, [slide, one]] of made.entries()) {
    if (track.children[at] !== slide) track.insertBefore(slide, track.children[at] ?? null);
    drawSlide(part, slide, one, made.length > 1 ? `${at + 1}/${made.length}` : "");
  }
  while (track.children.length > made.length) track.lastChild.remove();
  const added = made.findLast(([, one, known]) => one.item && !known);
  if (added) track.scrollLeft = added[0].offsetLeft - track.offsetLeft;
  box.classList.toggle("empty", !made.length);
}

export default function ({ data, parentElement }) {
  const part = attach(parentElement.querySelector(".photos"), data, draw);
  return () => detach(part);
}
