// Shares an address through the phone's share sheet, if there is one, and copies it. Over plain http
// browsers have neither, but can still copy selected text.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    Object.assign(field, { value: text, readOnly: true });
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}

export default function ({ parentElement, data }) {
  const [send, copy, status] = parentElement.querySelector(".share").children;
  send.hidden = !navigator.share;
  send.textContent = data.send;
  send.onclick = () => navigator.share({ title: data.title, url: data.url }).catch(() => {}); // closed
  copy.textContent = data.copy;
  copy.onclick = async () => (status.textContent = (await copied(data.url)) ? data.copied : "");
}
