// Logs the organiser in by passphrase, which is stored nowhere on this device, or logs out.
export default function ({ data, parentElement }) {
  const form = parentElement.querySelector("form");
  const [label, input, button, note] = ["span", "input", "button", "p"].map((name) =>
    form.querySelector(name),
  );
  label.textContent = data.label;
  label.parentElement.hidden = input.disabled = data.inside;
  button.textContent = data.button;
  button.className = data.inside ? "leave" : "";
  form.onsubmit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    note.textContent = "";
    try {
      const options = data.inside ? { method: "DELETE" } : { method: "POST", body: input.value };
      const response = await fetch("/door/organiser", options);
      const answer = await response.json();
      if (answer.is === "done") return location.reload();
      const sentence = data.errors[answer.error] ?? data.errors.other;
      note.textContent = sentence.replace("{minutes}", answer.minutes ?? "");
    } catch {
      note.textContent = data.lost;
    }
    button.disabled = false;
  };
}
