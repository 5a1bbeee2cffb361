// Sends a file to a route as soon as it is chosen, and tells the page the answer.
import { fit } from "./shrink.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const [label, status] = parentElement.querySelector(".file").children;
  const [text, input] = label.children;
  text.textContent = data.label;
  input.accept = data.accept;
  input.onchange = async () => {
    const [file] = input.files;
    input.value = "";
    if (!file || label.inert) return;
    label.inert = true;
    status.textContent = data.sending;
    try {
      const url = `${data.url}?name=${encodeURIComponent(file.name)}`;
      const answer = await fetch(url, { method: "PUT", body: await fit(file) });
      setTriggerValue("answer", await answer.json());
      status.textContent = "";
    } catch {
      status.textContent = data.failed; // the line is down, or a proxy refused the file
    }
    label.inert = false;
  };
}
