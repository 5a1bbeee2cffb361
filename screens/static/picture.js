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

// An image may load nothing: the fonts go into the SVG. Without a connection it has the device's.
async function face({ family, src }) {
  const font = await (await fetch(src)).blob();
  const reader = new FileReader();
  const read = new Promise((done) => (reader.onload = done));
  reader.readAsDataURL(font);
  await read;
  return `@font-face{font-family:"${family}";font-weight:400 900;src:url(${reader.result})}`;
}

async function withFonts({ svg, fonts }) {
  const faces = await Promise.all(fonts.map(face)).catch(() => []);
  return svg.replace(">", `><style>${faces.join("")}</style>`);
}

async function send(data) {
  const image = new Image(data.width, data.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await withFonts(data))}`;
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
  const button = parentElement.querySelector("button");
  button.textContent = data.send;
  button.onclick = () => send(data);
}
