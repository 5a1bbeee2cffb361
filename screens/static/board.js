// The board on a tablet: it does not fall asleep, or says what keeps the tablet awake; its clock goes
// on; a score that changed counts up. After a sleep it opens itself anew, since the lines of before
// may be dead without a word.
const TICK_MS = 5000,
  SLEPT_MS = 90000,
  AGAIN_MS = 2000,
  ANSWER_MS = 4000,
  COUNT_MS = 400;
const KNOWS_SLEEP = "settebello-sleep";

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

// Lets the scores that changed count up from what this device showed before.
function countUp({ code, totals }) {
  const key = `settebello-board-${code}`;
  const before = JSON.parse(sessionStorage.getItem(key) ?? "null");
  sessionStorage.setItem(key, JSON.stringify(totals));
  if (!before || before.length !== totals.length || String(before) === String(totals)) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const begun = performance.now();
  const step = (now) => {
    const part = Math.min(1, (now - begun) / COUNT_MS);
    totals.forEach((total, side) => {
      const shown = document.querySelector(`.board .big[data-total="${side}"]`);
      if (shown && total !== before[side]) {
        shown.textContent = Math.round(before[side] + (total - before[side]) * part);
      }
    });
    if (part < 1) requestAnimationFrame(step);
  };
  step(begun);
}

// Where the browser cannot keep the screen on, the setting of the tablet that does, until it is read.
function tellOfSleep(box, data) {
  const note = box.querySelector(".sleeps");
  const knows = navigator.wakeLock || localStorage.getItem(KNOWS_SLEEP);
  const kind = /iPad|iPhone|Macintosh/.test(navigator.userAgent)
    ? "apple"
    : /Android/.test(navigator.userAgent)
      ? "android"
      : "other";
  note.textContent = knows ? "" : data.sleeps[kind];
  note.onclick = () => {
    localStorage.setItem(KNOWS_SLEEP, "yes");
    note.textContent = "";
  };
}

export default function ({ data, parentElement }) {
  const board = (parentElement.board ??= { seen: Date.now(), sleep: stayAwake() });
  board.timer ??= setInterval(() => {
    const slept = Date.now() - board.seen > SLEPT_MS;
    board.seen = Date.now();
    tick();
    if (slept && !board.opening) board.opening = openAnew();
  }, TICK_MS);
  tellOfSleep(parentElement, data);
  countUp(data);
  tick();
  return () => {
    clearInterval(board.timer);
    board.sleep();
    parentElement.board = undefined;
  };
}
