// The board of an evening: one thing after the other, on all boards at the same time; the time that
// is left; and the screen stays awake where the browser allows it.
const PANEL_MS = 12000, BOARD_TICK_MS = 500;

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

async function stayAwake(board) {
  if (document.visibilityState !== "visible" || (board.lock && !board.lock.released)) return;
  try {
    board.lock = await navigator.wakeLock?.request("screen");
  } catch {
    board.lock = null; // a battery that runs low
  }
}

export default function ({ parentElement }) {
  const board = (parentElement.evening ??= {});
  const tick = () => (turnPage(), countDown());
  const wake = () => stayAwake(board);
  board.timer ??= setInterval(tick, BOARD_TICK_MS);
  document.addEventListener("visibilitychange", wake);
  tick();
  wake();
  return () => {
    clearInterval(board.timer);
    document.removeEventListener("visibilitychange", wake);
    board.lock?.release();
    parentElement.evening = undefined;
  };
}
