// Photos of a pile: taken or chosen here, kept on the phone until the server has them, then read.
import { noteAsked } from "./busy.js";
import { filled, make } from "./dom.js";
import * as outbox from "./outbox.js";
import { attach, detach, send } from "./part.js";

function sendFiles(part, files) {
  const { code, ...context } = part.data.context; // of the pile that was on the screen
  for (const file of files) outbox.deliverPhoto(code, context, file);
}

// A bar that shows how far a photo is: sent, opened, its cards found, named.
const STEPS = ["sent", "opening", "finding", "naming"];

function bar(label, value) {
  const drawn = make("progress");
  Object.assign(drawn, { max: STEPS.length + 1, value });
  drawn.setAttribute("aria-label", label);
  return drawn;
}

// A photo that the server has: how far it is, why it was refused, or that its hand is over.
function uploadRow(part, upload) {
  const { data } = part;
  const item = make("li", upload.kind, upload.text);
  const stage = outbox.stageOf(data.context.code, upload.id);
  if (stage) item.textContent = filled(data.stages[stage], upload);
  if (upload.kind === "waiting") {
    item.append(bar(item.textContent, 1 + STEPS.indexOf(stage ?? "sent")));
    return item;
  }
  const button = (kind, text, action) => {
    const made = make("button", kind, text);
    made.onclick = () => {
      item.remove();
      send(part, { do: action, upload: upload.id });
    };
    item.append(made);
    return made;
  };
  if (upload.kind === "late") button("act", data.take, "take");
  button("gone", "×", "forget").setAttribute("aria-label", data.forget);
  return item;
}

// Photos of the hand that are still being sent.
function onTheirWay({ data: { context } }) {
  return outbox
    .waiting(context.code)
    .filter((item) => item.name !== undefined && item.action.hand === context.hand);
}

function rows(part) {
  const { data } = part;
  const { code, ...context } = data.context;
  const here = onTheirWay(part);
  const sending = here.map(({ action: { side }, sent }) => {
    const percent = sent ? ` ${Math.round(100 * sent)} %` : "";
    const item = make("li", "sending", filled(data.sending, { name: data.names[side] }) + percent);
    item.append(bar(item.textContent, sent ?? 0));
    return item;
  });
  const kept = outbox.refused(code).filter(({ name }) => name !== undefined);
  const again = kept.map((photo) => {
    const item = make("li", "again");
    const button = make("button", "act", filled(data.again, { name: photo.name }));
    button.onclick = () => outbox.sendAgain(photo, context);
    item.append(button);
    return item;
  });
  return [...again, ...sending, ...data.uploads.map((upload) => uploadRow(part, upload))];
}

function draw(part) {
  const { box, data } = part;
  for (const name of ["camera", "files"]) {
    const label = box.querySelector(`.${name}`);
    label.hidden = !data.camera;
    label.querySelector("span").textContent = data[name];
  }
  box.querySelector("ul").replaceChildren(...rows(part));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".snap");
  const part = attach(box, data, draw);
  for (const input of box.querySelectorAll("input")) {
    input.onchange = () => {
      const files = [...input.files];
      input.value = "";
      if (!files.length) return;
      const { context, replaces } = part.data;
      if (replaces !== null) send(part, { do: "remove", photo: replaces });
      sendFiles(part, files);
      noteAsked();
      setTriggerValue("taken", context.side); // the page follows; the photos are on their way
    };
  }
  return () => detach(part);
}
