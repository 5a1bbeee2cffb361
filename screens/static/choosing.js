// The forty cards to choose from: those on the table, and the played one. A tap shows at once; the
// server gets it a moment after the last one.
const TELL_MS = 120;

function tapped(choice, code) {
  const lies = choice.table.includes(code);
  if (choice.mode === "played") {
    if (lies) choice.table = choice.table.filter((one) => one !== code);
    choice.played = choice.played === code ? null : code;
  } else {
    if (choice.played === code) choice.played = null;
    choice.table = lies ? choice.table.filter((one) => one !== code) : [...choice.table, code];
  }
}

function draw(choice) {
  const { box, data } = choice;
  for (const mode of ["table", "played"]) {
    const button = box.querySelector(`.mode-${mode}`);
    const count = mode === "table" ? choice.table.length : choice.played ? 1 : 0;
    button.textContent = `${data[mode]} · ${count}`;
    button.setAttribute("aria-pressed", String(choice.mode === mode));
  }
  const clear = box.querySelector(".clear");
  clear.textContent = data.clear;
  clear.disabled = !choice.table.length && !choice.played;
  const grid = box.querySelector(".forty");
  if (!grid.children.length) {
    for (const { code } of data.cards) {
      const card = document.createElement("button");
      card.className = `f${code}`;
      card.dataset.code = code;
      grid.append(card);
    }
  }
  for (const { code, name } of data.cards) {
    const card = grid.querySelector(`[data-code="${code}"]`);
    const where = choice.table.includes(code) ? "table" : choice.played === code ? "played" : "";
    card.dataset.where = where;
    card.setAttribute("aria-label", where ? `${name}: ${data[where]}` : name);
    card.setAttribute("aria-pressed", String(Boolean(where)));
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const box = parentElement.querySelector(".choosing");
  const choice = (box.choice ??= { box, table: [], played: null, mode: "table" });
  choice.data = data;
  const tell = () => {
    draw(choice);
    clearTimeout(choice.soon);
    choice.soon = setTimeout(() => {
      setStateValue("chosen", { table: choice.table, played: choice.played });
    }, TELL_MS);
  };
  if (data.seen && data.seen.photo !== choice.photo) {
    choice.photo = data.seen.photo;
    choice.table = data.seen.table;
    if (choice.table.includes(choice.played)) choice.played = null;
    choice.mode = "played";
    tell();
  }
  for (const mode of ["table", "played"]) {
    box.querySelector(`.mode-${mode}`).onclick = () => ((choice.mode = mode), draw(choice));
  }
  box.querySelector(".clear").onclick = () => {
    Object.assign(choice, { table: [], played: null, mode: "table" });
    tell();
  };
  box.querySelector(".forty").onclick = (event) => {
    const { code } = event.target.dataset;
    if (code) (tapped(choice, code), tell());
  };
  draw(choice);
}
