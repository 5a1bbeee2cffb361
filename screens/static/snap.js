// The camera for the next pile. What is taken or chosen is kept on the phone until the server has it.
import { noteAsked } from "./busy.js";
import { filled, make } from "./dom.js";
import * as outbox from "./outbox.js";
import { attach, detach, send } from "./part.js";
import { itemOf, pictureOf, take, taken } from "./taken.js";

// The first camera whose pile this phone has not photographed since the screen was drawn: without a
// line, only the phone knows.
function nextCamera(part) {
  const { cameras } = part.data;
  const sides = taken(part).map(({ side }) => side);
  return cameras.find(({ side }) => !sides.includes(side));
}

// A photo that the server refused, or whose hand is over.
function uploadRow(part, upload) {
  const { data } = part;
  const item = make("li", upload.kind, upload.text);
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

// A photo on its way, for screens that do not show the pile.
function takenRow(part, { key, side }) {
  const { data } = part;
  const item = make("li", "sending", filled(data.sending, { name: data.names[side] }));
  const image = make("img");
  image.src = pictureOf(part, key) ?? "";
  image.alt = "";
  const bar = make("progress");
  bar.value = itemOf(part, key)?.sent ?? 0;
  bar.setAttribute("aria-label", item.textContent);
  item.prepend(image);
  item.append(bar);
  return item;
}

function rows(part) {
  const { data } = part;
  const { code, ...context } = data.context;
  const kept = outbox.refused(code).filter(({ name }) => name !== undefined);
  const again = kept.map((photo) => {
    const item = make("li", "again");
    const button = make("button", "act", filled(data.again, { name: photo.name }));
    button.onclick = () => outbox.sendAgain(photo, context);
    item.append(button);
    return item;
  });
  const sending = data.uploads ? [] : taken(part).map((one) => takenRow(part, one));
  return [...again, ...sending, ...(data.uploads ?? []).map((upload) => uploadRow(part, upload))];
}

function draw(part) {
  const { box, data } = part;
  const camera = nextCamera(part);
  for (const name of ["camera", "files"]) {
    const label = box.querySelector(`.${name}`);
    label.hidden = !camera;
    label.querySelector("span").textContent = name === "camera" ? camera?.label : data.files;
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
      const camera = nextCamera(part);
      if (!files.length || !camera) return;
      const { side, replaces } = camera;
      take(part, files, side, replaces);
      noteAsked();
      setTriggerValue(`taken_${side}`, true); // the page follows; the photos are on their way
    };
  }
  return () => detach(part);
}
