// Photos of a pile: taken or chosen here, kept on the phone until the server has them, then read.
const MOST_BYTES = 40e6, LOOK_AT_BYTES = 12e6, MOST_PIXELS = 50e6, SHRUNK_PIXELS = 20e6;

// Only what is too large is shrunk: a photo as the phone made it is read best.
async function fit(file) {
  if (file.size < LOOK_AT_BYTES) return file;
  try {
    const picture = await createImageBitmap(file);
    const pixels = picture.width * picture.height;
    if (file.size <= MOST_BYTES && pixels <= MOST_PIXELS) return file;
    const scale = Math.min(1, Math.sqrt(SHRUNK_PIXELS / pixels));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
    return blob ? new File([blob], file.name, { type: "image/jpeg" }) : file;
  } catch {
    return file; // the browser cannot open it: the server says what it is
  }
}

function row(text, kind) {
  const item = document.createElement("li");
  item.textContent = text;
  item.className = kind;
  return item;
}

function refusedRow(snap, { id, text }) {
  const item = row(text, "refused");
  const gone = document.createElement("button");
  gone.textContent = "×";
  gone.setAttribute("aria-label", snap.data.forget);
  gone.onclick = async () => {
    const { code, ...told } = snap.data.told;
    item.remove();
    (await snap.loading).deliver(code, { ...told, do: "forget", upload: id });
  };
  item.append(gone);
  return item;
}

function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

function draw(snap) {
  const { box, data, outbox } = snap;
  for (const name of ["camera", "files"]) {
    box.querySelector(`.${name} span`).textContent = data[name];
  }
  const list = box.querySelector("ul");
  list.replaceChildren();
  if (outbox) {
    outbox.shown(data.told.code, data.revision);
    for (const { told, name, sent } of outbox.state(data.told.code).waiting) {
      if (told.side !== data.told.side || name === undefined) continue;
      const percent = sent ? ` ${Math.round(100 * sent)} %` : "";
      list.append(row(filled(data.sending, { name }) + percent, "sending"));
    }
  }
  for (const upload of data.uploads) {
    const { text, kind } = upload;
    list.append(kind === "refused" ? refusedRow(snap, upload) : row(text, kind));
  }
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".snap");
  const snap = (box.snap ??= { box });
  snap.data = data;
  snap.loading ??= sharedOutbox(data.script).then((outbox) => {
    snap.outbox = outbox;
    snap.stop = outbox.listen(() => draw(snap));
    draw(snap);
    return outbox;
  });
  for (const input of box.querySelectorAll("input")) {
    input.onchange = async () => {
      const files = [...input.files];
      const { code, ...told } = snap.data.told; // of the pile that was on the screen
      input.value = "";
      const outbox = await snap.loading;
      for (const file of files) await outbox.deliverPhoto(code, told, await fit(file));
    };
  }
  draw(snap);
  return () => {
    snap.stop?.();
    box.snap = undefined;
  };
}
