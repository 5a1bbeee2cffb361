// Buttons that each send one action, or open a sheet of more of them.
import { actButton, openSheet } from "./choice.js";
import * as outbox from "./outbox.js";
import { attach, detach, doneSince, send } from "./part.js";
import { taken } from "./taken.js";

function isSame(action, act) {
  return (
    action.do === act.action.do &&
    Object.entries(act.action).every(
      ([name, value]) =>
        name === "before" || JSON.stringify(action[name]) === JSON.stringify(value),
    )
  );
}

// The answer given here for a point since the screen was drawn, over the one drawn; null for none.
function saidSince(part, { point, before }) {
  const said = doneSince(part).filter((one) => one.do === "say" && one.point === point);
  return said.reduce((now, one) => one.figures.map((figure, i) => figure ?? now?.[i] ?? 0), before);
}

function isPressed(part, { action, side, pressed }) {
  const now = saidSince(part, action);
  if (now === action.before) return pressed;
  return side === null ? !now.some(Boolean) : now[side] > 0;
}

// A second tap on an answer that is being sent does nothing; a tap on another answer follows it.
function isUnderWay(part, act) {
  const last = doneSince(part).findLast((done) => part.acts.some((one) => isSame(done, one)));
  return last !== undefined && isSame(last, act);
}

// A user confirms what the screen shows, so not while the screen is about to be drawn again.
function isBehind(part, act) {
  const { context, revision } = part.data;
  const { do: name, number } = act.action;
  if (name !== "confirm" && (name !== "rest" || number === null)) return false;
  return (
    doneSince(part).some((one) => !isSame(one, act)) || outbox.heard(context, revision) !== null
  );
}

// One of the remaining cards may be on a photo on its way. The server offers none while it reads photos.
const isOffered = (part, { action }) => action.do !== "rest" || !taken(part).length;

function tap(part, act) {
  if (act.more?.length) {
    openSheet(part.box, act, { ...part.data, cut: part.data.cut, chosen: (one) => tap(part, one) });
  } else if (act.action.do && !isUnderWay(part, act)) {
    const seen = act.action.do === "say" ? { before: saidSince(part, act.action) } : {};
    send(part, { ...act.action, ...seen }, act.to);
  }
}

// The actions of a button, or of those on its sheets.
const leaves = (act) => (act.more?.length ? act.more.flatMap(leaves) : [act]);

function draw(part) {
  const { box, data } = part;
  const acts = data.acts.filter((act) => isOffered(part, act));
  const written = JSON.stringify(acts);
  if (part.written !== written) {
    part.written = written;
    part.acts = acts.flatMap(leaves);
    box.className = `acts ${data.row}`;
    box.querySelectorAll(":scope > .act").forEach((old) => old.remove());
    box.append(...acts.map((act) => actButton(act, () => tap(part, act))));
  }
  acts.forEach((act, i) => {
    const inside = leaves(act);
    const button = box.querySelectorAll(":scope > .act")[i];
    button.setAttribute(
      "aria-busy",
      inside.some((one) => isUnderWay(part, one)),
    );
    button.disabled = isBehind(part, act);
    if (act.pressed !== null) button.setAttribute("aria-pressed", isPressed(part, act));
  });
}

export default function ({ data, parentElement }) {
  const part = attach(parentElement.querySelector(".acts"), data, draw);
  return () => detach(part);
}
