// The camera of this device: what it sees, and a button that sends it as a photo of the pile.
const WANTED = { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } };
const QUALITY = 0.92;

function show(part, text = "") {
  const { box, data, stream } = part;
  const [open, take] = box.querySelectorAll("button");
  open.textContent = stream ? data.close : data.open;
  take.textContent = data.take;
  box.querySelector("p").textContent = text;
  for (const node of [take, box.querySelector("video")]) node.hidden = !stream;
}

function shut(part) {
  for (const track of part.stream?.getTracks() ?? []) track.stop();
  part.stream = null;
}

// The browser asks whoever holds the device only now.
async function toggle(part) {
  if (part.stream) {
    shut(part);
    return show(part);
  }
  try {
    part.stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
  } catch ({ name }) {
    return show(part, name === "NotAllowedError" ? part.data.denied : part.data.none);
  }
  part.box.querySelector("video").srcObject = part.stream;
  return show(part);
}

async function snapNow(part) {
  const video = part.box.querySelector("video"), canvas = document.createElement("canvas");
  const { code, ...context } = part.data.context; // of the pile that was on the screen
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
  if (!canvas.width) return; // it shows nothing yet
  canvas.getContext("2d").drawImage(video, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  const name = `${part.data.name} ${(part.count = (part.count ?? 0) + 1)}.jpg`;
  await part.outbox.deliverPhoto(code, context, new File([blob], name, { type: blob.type }));
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".live");
  const part = attach(box, data, (one) => show(one, one.box.querySelector("p").textContent));
  const [open, take] = box.querySelectorAll("button");
  open.onclick = () => toggle(part);
  take.onclick = () => snapNow(part);
  return () => {
    shut(part);
    detach(part);
  };
}
