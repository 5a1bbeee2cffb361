// The themes to choose from. The choice is stored in a cookie, so that the server sends its colours, and
// in the storage where Streamlit looks for its theme. Then the page is reloaded. Before a choice, the
// theme of the device is in force.
import { keepTheme } from "./theme.js";

const YEAR_S = 31536000;

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".themes");
  box.setAttribute("aria-label", data.label);
  box.replaceChildren();
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const inForce = data.chosen || (isDark ? "dark" : "light");
  for (const { name, label } of data.themes) {
    const button = document.createElement("button");
    button.textContent = label;
    button.className = `theme-${name}`;
    button.setAttribute("aria-pressed", String(name === inForce));
    button.onclick = () => {
      document.cookie = `${data.cookie}=${name}; path=/; max-age=${YEAR_S}; samesite=lax`;
      keepTheme(name, data.pages);
      location.reload();
    };
    box.append(button);
  }
}
