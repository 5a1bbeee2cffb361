// Photos that come with the app; a chosen one is sent as if the user had taken it.
import { openSheet } from "./choice.js";
import * as outbox from "./outbox.js";
import { attach, detach } from "./part.js";

async function sendSample(part, { label, url }) {
  const { code, ...context } = part.data.context; // of the pile that was on the screen
  const body = await (await fetch(url)).blob();
  const file = new File([body], `${label}.jpg`, { type: body.type });
  outbox.deliverPhoto(code, context, file);
}

function draw({ box, data }) {
  box.querySelector("button").textContent = data.label;
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".samples");
  const part = attach(box, data, draw);
  box.querySelector("button").onclick = () => {
    const chosen = (one) => sendSample(part, one);
    openSheet(box, part.data, { close: part.data.close, chosen });
  };
  return () => detach(part);
}
