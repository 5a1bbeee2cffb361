// The board of a table or an evening. Server-sent events tell it of changes; then it fetches its content
// again. Its clocks run, a changed score counts up, and the screen stays awake, or the board says once
// which setting keeps it awake.
import { stayAwake } from "./awake.js";

const SILENT_MS = 10_000, // the server sends a beat every 4 s: after this the board says so
  DEAD_MS = 13_000, // and then it connects again
  SLEPT_MS = 10_000,
  RETRY_MS = 1_500 + 1_000 * Math.random(), // not all boards at once
  ANSWER_MS = 5_000,
  TICK_MS = 500,
  COUNT_MS = 400,
  PANEL_MS = 12_000;
const KNOWS_SLEEP = "settebello-sleep",
  YEAR_S = 31_536_000;

const { code } = document.body.dataset,
  language = document.documentElement.lang,
  board = document.querySelector("main");

let clock = 0; // how far the clock of this device is behind the server's, in ms

// Changes `old` into `next` only where they differ: animations go on, and what is open stays so. An
// element with another `data-key` is a new one.
function update(old, next) {
  if (old.isEqualNode(next)) return;
  const isSame =
    old.nodeType === Node.ELEMENT_NODE &&
    old.nodeName === next.nodeName &&
    old.dataset.key === next.dataset.key &&
    old.childNodes.length === next.childNodes.length;
  if (!isSame) return old.replaceWith(next);
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  const children = [...next.childNodes];
  [...old.childNodes].forEach((child, place) => update(child, children[place]));
}

const scores = () => [...board.querySelectorAll(".big")];

function countUp(before) {
  const places = scores(),
    totals = places.map((place) => Number(place.textContent));
  if (before.length !== totals.length || String(before) === String(totals)) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const begun = performance.now();
  const step = (now) => {
    const part = Math.min(1, (now - begun) / COUNT_MS);
    places.forEach((place, side) => {
      place.textContent = Math.round(before[side] + (totals[side] - before[side]) * part);
    });
    if (part < 1) frame = requestAnimationFrame(step);
  };
  step(begun);
}

let frame;

function show(html) {
  cancelAnimationFrame(frame);
  const before = scores().map((place) => Number(place.textContent));
  const next = board.cloneNode(false);
  next.innerHTML = html;
  update(board, next);
  countUp(before);
  moveClocks();
}

async function fetchBoard() {
  const signal = AbortSignal.timeout?.(ANSWER_MS);
  const address = `/board/${code}/fragment?lang=${language}`;
  const answer = await fetch(address, { cache: "no-store", signal });
  if (answer.status === 404) return location.reload(); // the page says that the table is gone
  if (!answer.ok) throw new Error(answer.statusText);
  clock = Date.parse(answer.headers.get("date")) - Date.now() || 0;
  show(await answer.text());
}

let isStale = false,
  isFetching = false;

async function refresh() {
  isStale = true;
  if (isFetching) return;
  isFetching = true;
  while (isStale && source) {
    isStale = false;
    await fetchBoard().catch(() => {
      isStale = true;
      return new Promise((done) => setTimeout(done, RETRY_MS));
    });
  }
  isFetching = false;
}

let source = null,
  connected = 0,
  heard = Date.now();

function connect() {
  source?.close();
  connected = Date.now();
  source = new EventSource(`/door/${code}/changes?beats=yes`);
  let revision = null; // each line begins with the current one
  source.onopen = () => (revision = null);
  source.onmessage = ({ data }) => {
    const news = JSON.parse(data);
    heard = Date.now();
    if (news.revision !== revision) refresh();
    revision = news.revision;
  };
  source.addEventListener("beat", () => (heard = Date.now()));
}

// A browser opens at most six connections to a server, so a hidden board holds none.
function follow(isSeen) {
  heard = Date.now();
  if (isSeen) return connect();
  source?.close();
  source = null;
}

// A connection may die silently, and a browser gives it up for good after an answer such as 502.
function watchLine(now) {
  if (!source) return;
  const isDead = now - Math.max(heard, connected) > DEAD_MS;
  const isOver = source.readyState === EventSource.CLOSED && now - connected > RETRY_MS;
  if (isDead || isOver) connect();
  const note = document.querySelector(".silent"),
    time = new Date(heard + clock).toLocaleTimeString(language, { timeStyle: "medium" });
  note.hidden = now - heard <= SILENT_MS;
  const sentence = note.dataset.sentence.replace("{time}", time);
  if (!note.hidden && note.textContent !== sentence) note.textContent = sentence;
}

const twoDigits = (number) => String(number % 60).padStart(2, "0");

function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function moveClocks() {
  const now = Date.now() + clock;
  for (const place of document.querySelectorAll(".clock .going")) {
    const minutes = Math.max(0, Math.floor((now - Number(place.dataset.begun)) / 60_000));
    const hours = `${Math.floor(minutes / 60)}:${twoDigits(minutes)} h`;
    write(place, minutes < 60 ? `${minutes} min` : hours);
  }
  for (const place of document.querySelectorAll("[data-until]")) {
    const seconds = Math.ceil((Number(place.dataset.until) - now) / 1000);
    const left = `${Math.floor(seconds / 60)}:${twoDigits(seconds)}`;
    write(place, seconds > 0 ? left : place.dataset.over);
  }
}

// The boards of an evening show one page after another, all at the same time.
function turnPanel() {
  const count = document.querySelectorAll(".panels > section").length;
  const panel = String(Math.floor((Date.now() + clock) / PANEL_MS) % Math.max(1, count));
  if (document.documentElement.dataset.panel !== panel)
    document.documentElement.dataset.panel = panel;
}

let ticked = Date.now();

function tick() {
  const now = Date.now();
  if (now - ticked > SLEPT_MS) follow(Boolean(source)); // the device slept: it was not deaf
  ticked = now;
  watchLine(now);
  moveClocks();
  turnPanel();
}

function tellOfSleep() {
  const note = document.querySelector(".sleeps");
  const kind = /iPad|iPhone|Macintosh/.test(navigator.userAgent)
    ? "apple"
    : /Android/.test(navigator.userAgent)
      ? "android"
      : "other";
  note.textContent = note.dataset[kind];
  note.hidden = Boolean(navigator.wakeLock || localStorage.getItem(KNOWS_SLEEP));
  note.onclick = () => {
    localStorage.setItem(KNOWS_SLEEP, "yes");
    note.hidden = true;
  };
}

function followMenu() {
  const menu = document.querySelector(".menu"),
    themes = menu.querySelector("[data-cookie]");
  if (!themes.querySelector("[aria-pressed=true]")) {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches; // as long as none is chosen
    themes.querySelector(`[value=${isDark ? "dark" : "light"}]`).ariaPressed = "true";
  }
  document.addEventListener("click", ({ target }) => menu.contains(target) || (menu.open = false));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && (menu.open = false));
  themes.onclick = ({ target: { value } }) => {
    if (!value) return;
    document.cookie = `${themes.dataset.cookie}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
    document.documentElement.dataset.theme = value;
    for (const button of themes.children) button.ariaPressed = String(button.value === value);
  };
}

document.addEventListener("visibilitychange", () => follow(!document.hidden));
addEventListener("pagehide", () => follow(false));
addEventListener("pageshow", () => follow(!document.hidden));
addEventListener("online", () => follow(!document.hidden));
setInterval(tick, TICK_MS);
stayAwake();
tellOfSleep();
followMenu();
tick();
