// The themes to choose from. The choice is stored in a cookie, so that the server sends its colours, and
// in the storage where Streamlit looks for its theme. Then the page is reloaded.
import { keepTheme } from "./theme.js";

const YEAR_S = 31536000;

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".themes");
  box.setAttribute("aria-label", data.label);
  box.replaceChildren();
  for (const { name, label } of data.themes) {
    const button = document.createElement("button");
    button.textContent = label;
    button.className = `theme-${name}`;
    button.setAttribute("aria-pressed", String(name === data.chosen));
    button.onclick = () => {
      document.cookie = `${data.cookie}=${name}; path=/; max-age=${YEAR_S}; samesite=lax`;
      keepTheme(name, data.pages);
      location.reload();
    };
    box.append(button);
  }
}
