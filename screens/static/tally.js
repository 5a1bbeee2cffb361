// One side on the screen Play: its name, score and scope. A tap on "+ scopa" shows at once and is kept
// until the server has it. Holding a name edits it.
import { noteAsked } from "./busy.js";
import * as outbox from "./outbox.js";
import { attach, detach, doneSince, send } from "./part.js";

const HOLD_MS = 500;

function draw(part) {
  const { box, data } = part;
  const { context, seat } = data;
  const newer = context.mending ? null : outbox.heard(context, data.revision);
  const done = doneSince(part, newer?.revision).filter(
    (one) => one.do === "scopa" && one.side === context.side,
  );
  const stood = newer ? newer.scopes[context.side] : data.scope;
  const count = done.reduce((sum, one) => sum + one.delta, stood);
  box.className = `tally ${data.kind} side-${context.side + 1}`;
  const [name, less, more] = box.querySelectorAll("button");
  name.querySelector(".sign").className = `sign side-${context.side + 1}`;
  name.querySelector(".sign").textContent = data.sign;
  name.querySelector("span").textContent = data.name;
  name.setAttribute("aria-label", seat ? `${data.name}: ${seat.edit}` : data.name);
  name.disabled = !seat;
  if (seat) {
    const total = box.querySelector(".score span");
    total.dataset.total = context.side; // the messenger writes new totals into it
    if (total.drawn !== seat.total) total.textContent = total.drawn = seat.total;
    box.querySelector(".score small").textContent = seat.target;
    box.querySelector(".pile").textContent = seat.pile;
  }
  box.querySelector(".made").textContent = data.made;
  const shown = box.querySelector(".scope b");
  if (shown.textContent !== String(count)) {
    shown.textContent = count;
    shown.getAnimations().forEach((old) => old.cancel());
    if (part.isDrawn && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      shown.animate([{ transform: "scale(1.8)" }, { transform: "scale(1)" }], 400);
    }
  }
  part.isDrawn = true;
  more.textContent = data.more;
  less.textContent = "−";
  less.setAttribute("aria-label", data.less);
  less.disabled = count <= 0 && !done.length; // an action being sent may be counted already
}

// Calls a function when a button is held, or pressed by a key.
function onHold(button, act) {
  let timer;
  const stop = () => clearTimeout(timer);
  button.onpointerdown = () => (timer = setTimeout(act, HOLD_MS));
  button.onpointerup = button.onpointerleave = button.onpointercancel = stop;
  button.oncontextmenu = (event) => event.preventDefault();
  button.onclick = (event) => event.detail === 0 && act();
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".tally");
  const part = attach(box, data, draw);
  onHold(box.querySelector(".name"), () => {
    navigator.vibrate?.(15);
    noteAsked();
    setTriggerValue("held", data.context.side);
  });
  for (const [name, delta] of [
    ["more", 1],
    ["less", -1],
  ]) {
    box.querySelector(`.${name}`).onclick = () => {
      navigator.vibrate?.(15);
      send(part, { do: "scopa", delta });
    };
  }
  return () => detach(part);
}
