// Share a picture of a match as a PNG through the phone's share sheet, or save it.
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

async function send(data) {
  const image = new Image(data.width, data.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`;
  await image.decode();
  const png = await drawn(image, data.width, data.height);
  const file = new File([png], data.name, { type: "image/png" });
  if (!navigator.canShare?.({ files: [file] })) return save(file);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    if (error.name !== "AbortError") save(file); // whoever closed the sheet wants nothing
  }
}

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.send;
  button.onclick = () => send(data);
}
