// The board on a tablet: it does not fall asleep where the browser allows that, its clock goes on,
// and after a sleep it opens itself anew, since the lines of before may be dead without a word.
const TICK_MS = 5000, SLEPT_MS = 90000, AGAIN_MS = 2000, ANSWER_MS = 4000;

async function keepAwake(board) {
  if (document.visibilityState !== "visible" || (board.lock && !board.lock.released)) return;
  try {
    board.lock = await navigator.wakeLock?.request("screen");
  } catch {
    board.lock = null; // a battery that runs low, or a browser that asks for a tap first
  }
}

function tick() {
  const now = Date.now() + (window.settebelloClock ?? 0); // by the server's clock
  for (const clock of document.querySelectorAll(".clock .going")) {
    const minutes = Math.max(0, Math.floor((now - Number(clock.dataset.begun)) / 60000));
    clock.textContent = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  }
}

async function openAnew() {
  for (;;) {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS); // a dead line does not answer at all
      const answer = await fetch("/_stcore/health", { cache: "no-store", signal });
      if (answer.ok) return location.reload();
    } catch {
      // the network comes back a while after the screen
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

export default function ({ parentElement }) {
  const board = (parentElement.board ??= { seen: Date.now() });
  const wake = () => keepAwake(board);
  document.addEventListener("visibilitychange", wake);
  document.addEventListener("pointerdown", wake);
  board.timer ??= setInterval(() => {
    const slept = Date.now() - board.seen > SLEPT_MS;
    board.seen = Date.now();
    tick();
    if (slept && !board.opening) board.opening = openAnew();
  }, TICK_MS);
  wake();
  tick();
  return () => {
    clearInterval(board.timer);
    document.removeEventListener("visibilitychange", wake);
    document.removeEventListener("pointerdown", wake);
    board.lock?.release();
    parentElement.board = undefined;
  };
}
