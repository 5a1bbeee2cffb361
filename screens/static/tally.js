// One side's scope. On the screen Play it is a tile with the side's score, and the whole tile is
// "+ scopa". A tap shows at once and is kept until the server has it.
import * as outbox from "./outbox.js";
import { attach, detach, doneSince, send } from "./part.js";

const MOST_DOTS = 5;

const buttons = (box) => ["more", "less"].map((name) => box.querySelector(`.${name}`));

function draw(part) {
  const { box, data } = part;
  const { context, seat } = data;
  const newer = context.mending ? null : outbox.heard(context, data.revision);
  const done = doneSince(part, newer ?? data).filter(
    (one) => one.do === "scopa" && one.side === context.side,
  );
  const stood = newer ? newer.scopes[context.side] : data.scope;
  const count = done.reduce((sum, one) => sum + one.delta, stood);
  box.className = `tally ${seat ? "played" : "named"} side-${context.side + 1}`;
  box.style.setProperty("--letters", data.letters);
  box.querySelector(".name .sign").className = `sign side-${context.side + 1}`;
  box.querySelector(".name .sign").textContent = data.sign;
  box.querySelector(".name span").textContent = data.name;
  if (seat) {
    const total = box.querySelector(".score span");
    total.dataset.total = context.side; // the messenger writes new totals into it
    if (total.drawn !== seat.total) total.textContent = total.drawn = seat.total;
    box.style.setProperty("--digits", seat.digits);
    box.querySelector(".score small").textContent = seat.target;
    box.querySelector(".pile").textContent = seat.pile;
  }
  const shown = box.querySelector(".scope b");
  box.querySelector(".made").textContent = data.made;
  if (shown.textContent !== String(count)) {
    shown.textContent = count;
    shown.dataset.dots = count > MOST_DOTS ? `×${count}` : Array(count).fill("●").join(" ");
    shown.getAnimations().forEach((old) => old.cancel());
    if (part.isDrawn && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      shown.animate([{ transform: "scale(1.8)" }, { transform: "scale(1)" }], 400);
    }
  }
  part.isDrawn = true;
  part.count = count;
  const [more, less] = buttons(box);
  more.firstElementChild.textContent = data.more;
  const named = `${data.name}, ${data.made} ${count}`;
  more.setAttribute("aria-label", `${data.more}: ${named}`);
  less.setAttribute("aria-label", `${data.less}: ${named}`);
  less.disabled = count <= 0;
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".tally");
  const part = attach(box, data, draw);
  buttons(box).forEach((button, number) => {
    const [delta, gain] = number ? [-1, "−1"] : [1, "+1"];
    button.onclick = () => {
      navigator.vibrate?.(15);
      send(part, { do: "scopa", delta });
      const { name, made } = part.data;
      box.querySelector("[role=status]").textContent = `${name} ${gain}, ${made} ${part.count}`;
    };
  });
  return () => detach(part);
}
