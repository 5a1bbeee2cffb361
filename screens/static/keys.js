// A hand by the keyboard of a laptop: 1 to 6 choose a side, s is its scopa, p the camera or a file,
// space the red button, u undo. Never while somebody types, has a sheet open, or is at a button.
const BUSY = "input, textarea, select, [contenteditable], dialog, [role=dialog], [data-testid=stPopoverBody]";
const RED = '.act.primary, [data-testid="stBaseButton-primary"], .snap .camera';

const shown = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility?.());

function choose(side) {
  const tallies = [...document.querySelectorAll(".tally")];
  tallies.forEach((one, i) => one.toggleAttribute("data-chosen", i === side));
  document.querySelector(`.st-key-turn_${side} button`)?.click();
}

function pressed(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (target.closest?.(BUSY) || document.querySelector("dialog[open]")) return;
  const scopa = shown(".tally[data-chosen] .more") ?? shown(".tally .more");
  const acts = {
    s: () => scopa?.click(),
    p: () => shown(".snap label")?.click(),
    u: () => shown("[data-act=undo]")?.click(),
    " ": () => shown(RED)?.click(),
  };
  const act = /^[1-6]$/.test(key) ? () => choose(Number(key) - 1) : acts[key.toLowerCase()];
  if (!act) return;
  if (key === " " && target.closest?.("button, a, summary, [role=button]")) return; // it has its own
  event.preventDefault();
  act();
}

export default function ({ parentElement, data }) {
  parentElement.querySelector(".keys").textContent = data.hint;
  document.removeEventListener("keydown", window.settebelloKeys); // of the render before
  document.addEventListener("keydown", (window.settebelloKeys = pressed));
  return () => document.removeEventListener("keydown", pressed);
}
