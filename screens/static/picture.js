// Shows the picture of a match, and shares it as a PNG through the phone's share sheet, or saves it.
function drawn(image, width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function send(image, data) {
  await image.decode();
  const png = await drawn(image, data.width, data.height);
  const file = new File([png], data.name, { type: "image/png" });
  if (!navigator.canShare?.({ files: [file] })) return save(file);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    if (error.name !== "AbortError") save(file); // the user closed the sheet
  }
}

export default function ({ parentElement, data }) {
  const image = parentElement.querySelector("img");
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`;
  if (image.src !== source) image.src = source;
  image.alt = data.alt;
  const button = parentElement.querySelector("button");
  button.textContent = data.send;
  button.onclick = () => send(image, data);
}
