// Whether the board of this device reads scores aloud: at first it does not.
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector(".aloud button");
  const draw = () => {
    button.textContent = data.label;
    button.setAttribute("aria-pressed", String(localStorage.getItem(ALOUD) === "yes"));
  };
  button.onclick = () => {
    localStorage.setItem(ALOUD, localStorage.getItem(ALOUD) === "yes" ? "no" : "yes");
    draw();
    sayAloud(data.sample, data.language); // and lets the browser speak later: it wants a tap first
  };
  draw();
}
