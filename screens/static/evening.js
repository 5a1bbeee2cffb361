// The board of an evening: one thing after the other, on all boards at the same time; the time that
// is left; and the screen stays awake where the browser allows it.
const PANEL_MS = 12000,
  BOARD_TICK_MS = 500;

function turnPage() {
  const count = document.querySelectorAll(".tonight .panels > section").length;
  const now = String(Math.floor(Date.now() / PANEL_MS) % Math.max(1, count));
  if (document.documentElement.dataset.panel !== now) document.documentElement.dataset.panel = now;
}

function countDown() {
  for (const place of document.querySelectorAll("[data-until]")) {
    const seconds = Math.ceil((Number(place.dataset.until) - Date.now()) / 1000);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const shown = seconds > 0 ? clock : place.dataset.over;
    if (place.textContent !== shown) place.textContent = shown;
  }
}

export default function ({ parentElement }) {
  const board = (parentElement.evening ??= { sleep: stayAwake() });
  const tick = () => (turnPage(), countDown());
  board.timer ??= setInterval(tick, BOARD_TICK_MS);
  tick();
  return () => {
    clearInterval(board.timer);
    board.sleep();
    parentElement.evening = undefined;
  };
}
