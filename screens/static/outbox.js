// Keeps every tap and photo of this phone until the server has it.
//
// Each item is sent at once and at the same time written to the phone's storage. It leaves the phone
// only when the server has answered: done, known, or refused. So a dropped line, a sleeping phone, a
// closed tab and a restarted server lose nothing. The server counts a key once, so sending an item again
// is safe. Taps and photos are sent in two lanes, each in order, so no tap waits for a photo. An item
// that fails while the server answers others is set aside with its reason, and the next one is sent.
//
// All components share one outbox, which starts as soon as a button is on the screen.
import { fit, shrink } from "./shrink.js";
import { openStorage } from "./storage.js";

const LANES = ["taps", "photos"];
const ANSWERS = ["done", "known", "refused"];
const FULL = ["QueueFullError", "IntakeFullError"]; // there is room for it once others are read
const FIRST_WAIT_MS = 400,
  LONGEST_WAIT_MS = 5000,
  PATIENCE_MS = 20000,
  MOST_SETTLED = 300;
const MOST_TRIES = 5,
  ASIDE_MS = 30000,
  MOST_KEEPALIVE = 60000;
const BUSY = [429, 503],
  LONGEST_BUSY_MS = 120000; // however long a busy server asks to wait
const SHOWN_MS = 150; // wait before a photo is shrunk, so that the screen can show it first
const PROXY_PIXELS = 1.5e6; // less than a megabyte, which all proxies let through

// The line to the server: "open"; "ill" if the server cannot keep anything now; "foreign" if something
// else answers, such as a login page; "closed".
async function lookAtWay() {
  try {
    const signal = AbortSignal.timeout?.(PATIENCE_MS);
    const response = await fetch("/health", { cache: "no-store", redirect: "manual", signal });
    const { is } = await response.json().catch(() => ({}));
    if (is === "well" || is === "ill") return is === "well" ? "open" : "ill";
    return response.status >= 500 || response.status === 429 ? "closed" : "foreign";
  } catch {
    return "closed";
  }
}

const storage = openStorage();
let known = []; // the items kept here, oldest first: being sent, set aside, or refused
let line = "open";
let reading = Promise.resolve(); // chosen photos are read one after the other
const gone = new Set(); // keys of items that left
const listeners = new Set();
const settled = []; // the last items that the server took, each with the table's revision after it
const standings = {}; // by the table's code: its last state from the server
const wake = {};
const notBefore = { taps: 0, photos: 0 }; // when a busy server wants the next try of each lane

function changed() {
  for (const listener of listeners) listener();
}

// Writes an item to the phone's storage; if that takes too long, the item is marked.
async function keep(item) {
  const { isUnkept, sent, tries, hasFailed, aside, file, ...plain } = item;
  const take = (number) => {
    Object.assign(item, { number, isUnkept: false });
    if (gone.has(item.key)) storage.remove(number);
    changed();
  };
  if (item.number !== undefined) return storage.put(plain);
  const number = await storage.add(plain, take);
  if (number !== null) return take(number);
  item.isUnkept = item.number === undefined;
  return changed();
}

async function drop(item) {
  gone.add(item.key);
  known = known.filter((one) => one.key !== item.key);
  if (item.number !== undefined) await storage.remove(item.number);
}

function makeKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID wants https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Keeps an action and sends it as soon as possible. If the action has an address, it is opened once the
 * server has the action, unless the user has left the screen.
 */
export async function deliver(code, action, to = "") {
  const item = { lane: "taps", code, key: makeKey(), action, to, from: location.pathname };
  known.push(item);
  changed();
  wake.taps?.();
  await keep(item);
  return item.key;
}

/** Keeps a photo and sends it as soon as possible. */
export async function deliverPhoto(code, action, file) {
  const item = {
    lane: "photos",
    code,
    key: makeKey(),
    action,
    name: file.name,
    size: file.size,
    file,
  };
  known.push(item);
  changed();
  await (reading = reading.then(() => readFile(item)));
  return item.key;
}

// Returns a copy of a file, which may change or go before it is sent.
async function readFile(item) {
  try {
    const copy = new Blob([await item.file.arrayBuffer()], { type: item.file.type });
    await new Promise((done) => setTimeout(done, SHOWN_MS));
    item.body = await fit(copy);
    item.file = undefined;
  } catch {
    item.aside = { reason: "unreadable", until: Infinity };
    return changed();
  }
  wake.photos?.();
  return keep(item);
}

/** Items of a table that are being sent, oldest first. */
export function waiting(code) {
  return known.filter((item) => item.code === code && !item.answer && !item.aside);
}

/** Items that neither the server nor the storage has: closing the page would lose them. */
export function unkept(code) {
  return waiting(code).filter((item) => item.isUnkept);
}

/** Items that fail although the server answers; each has a reason, and is tried again. */
export function setAside(code) {
  return known.filter((item) => item.code === code && !item.answer && item.aside);
}

/**
 * Actions at a table that a state of the server does not contain yet, oldest first. Its `keys` name the
 * last ones that it contains: the server may have taken an action whose answer is still to come.
 */
export function since(code, { revision, keys }) {
  const taken = settled.filter((item) => item.code === code && item.revision > revision);
  return [...taken, ...waiting(code)]
    .filter(({ key }) => !keys.includes(key))
    .map(({ action, key }) => ({ ...action, key }));
}

/** The line to the server, as `lookAtWay` finds it, or "busy" if the server asked to wait. */
export function way() {
  return line === "open" && LANES.some((lane) => leftMs(lane) > 0) ? "busy" : line;
}

/** Items that the server refused, until the user discards them; its answer says why. */
export function refused(code) {
  return known.filter((item) => item.code === code && item.answer);
}

/** Discards an item that was refused or failed. */
export async function letGo(item) {
  await drop(item);
  changed();
}

/** Sends a failed item again; with another `action`, a refused photo for another pile or hand. */
export async function sendAgain(item, action = item.action) {
  Object.assign(item, { action, answer: undefined, aside: undefined, tries: 0 });
  changed();
  if (item.file) return readFile(item);
  wake[item.lane]?.();
  return keep(item);
}

/** Takes a new state of a table from the server. */
export function hear(code, standing) {
  standings[code] = standing;
  changed();
}

/** The last state of a table from the server. */
export function standing(code) {
  return standings[code];
}

/** The state of a hand, if it is newer than a revision. */
export function heard({ code, hand, match }, revision) {
  const standing = standings[code];
  const isOf = standing?.hand === hand && standing.match === match;
  return isOf && standing.revision > revision ? standing : null;
}

/** How far the server has read a photo, if known. */
export function stageOf(code, upload) {
  return standings[code]?.reading?.[upload];
}

/** The phones that are counting a pile of a table: { phone, me, pile } each. */
export function phonesAt(code) {
  return standings[code]?.phones ?? [];
}

/** Calls a function after every change; returns a function that ends this. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Unlike fetch, it tells how much of a file is sent.
function sendFile(url, item) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.timeout = 10 * PATIENCE_MS;
    item.sent = 0;
    request.onloadend = () => (item.sent = undefined);
    request.upload.onprogress = ({ loaded, total }) => {
      item.sent = total ? loaded / total : 0;
      changed();
    };
    request.onload = () =>
      resolve({
        status: request.status,
        headers: { get: (name) => request.getResponseHeader(name) },
        json: async () => JSON.parse(request.responseText),
      });
    request.onerror = request.ontimeout = request.onabort = reject;
    request.send(item.body);
  });
}

async function send(item) {
  if (item.lane === "photos") {
    const query = new URLSearchParams({ name: item.name });
    for (const [field, value] of Object.entries(item.action)) {
      if (value !== null && value !== undefined) query.set(field, value);
    }
    return sendFile(`/door/${item.code}/photos/${item.key}?${query}`, item);
  }
  const body = JSON.stringify({ ...item.action, key: item.key });
  return fetch(`/door/${item.code}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout?.(PATIENCE_MS),
    keepalive: body.length < MOST_KEEPALIVE, // it arrives even if the page is closed
  });
}

// Milliseconds until a lane may be tried again.
const leftMs = (lane) => notBefore[lane] - Date.now();

// Waits as long as a busy server asks in Retry-After: seconds or a date.
function heed(lane, { status, headers }) {
  const asked = BUSY.includes(status) ? headers.get("retry-after") : null;
  if (asked === null) return;
  const seconds = Number(asked);
  const ms = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : 1000 * seconds;
  if (ms > 0) notBefore[lane] = Date.now() + Math.min(ms, LONGEST_BUSY_MS);
}

// The server's answer; if another program answered, its HTTP status; 0 if none did.
async function ask(item) {
  try {
    const response = await send(item);
    heed(item.lane, response);
    const answer = await response.json().catch(() => ({}));
    const { status } = response;
    if (!ANSWERS.includes(answer.is)) return { status };
    const isBusy = status === 429 || FULL.includes(answer.error);
    return status >= 500 || isBusy ? { status, isOurs: true, isBusy } : answer;
  } catch {
    return { status: 0 };
  }
}

// Shrinks a photo that is too large for a proxy, once.
async function makeSmaller(item) {
  const body = item.isShrunk ? null : await shrink(item.body, PROXY_PIXELS);
  if (!body || body.size >= item.body.size) return false;
  Object.assign(item, { body, isShrunk: true });
  await keep(item);
  return true;
}

// Finds out why an item failed. If the server answers, the item is set aside after some tries.
async function fail(item, { status, isOurs, isBusy }) {
  const isFirst = !item.hasFailed;
  item.hasFailed = true;
  if (isOurs) line = status === 503 && !isBusy ? "ill" : "open";
  else line = !status && isFirst ? "closed" : await lookAtWay(); // a dropped line usually comes back
  changed();
  if (line !== "open" || isBusy) return "later";
  if (status === 413 && item.body && (await makeSmaller(item))) return "next";
  item.tries = (item.tries ?? 0) + 1;
  const isFinal = status > 0 && status < 500 && status !== 429;
  if (!isFinal && (item.tries < MOST_TRIES || (!status && item.lane === "taps"))) return "later";
  const reason = { 401: "forbidden", 403: "forbidden", 407: "forbidden", 413: "too_large" }[status];
  item.aside = {
    reason: reason ?? (isFinal ? "foreign" : "unsent"),
    status,
    until: isFinal ? Infinity : Date.now() + ASIDE_MS,
  };
  changed();
  return "next";
}

const isDue = (item) =>
  !item.answer && (item.lane === "taps" || item.body) && !(item.aside?.until > Date.now());

async function deliverNext(lane) {
  if (leftMs(lane) > 0) return "later";
  const item = known.find((one) => one.lane === lane && isDue(one));
  if (!item) return "idle";
  if (lane === "photos" && line !== "open") {
    line = await lookAtWay(); // before all its bytes are sent in vain
    if (line !== "open") return "later";
  }
  const answer = await ask(item);
  if (!answer.is) return fail(item, answer);
  line = "open";
  if (gone.has(item.key)) return "next"; // discarded in the meantime
  item.aside = undefined;
  if (answer.is === "refused") {
    item.answer = answer;
    await keep(item);
  } else {
    settled.push({ ...item, body: null, revision: answer.revision });
    settled.splice(0, settled.length - MOST_SETTLED);
    await drop(item);
    if (item.to && item.from === location.pathname) location.assign(item.to);
  }
  changed();
  return "next";
}

async function work(lane) {
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const outcome = await locked(lane, () => deliverNext(lane));
    if (outcome === "next") {
      wait = FIRST_WAIT_MS;
      continue;
    }
    await new Promise((resolve) => {
      wake[lane] = resolve;
      setTimeout(resolve, Math.max(leftMs(lane), outcome === "idle" ? LONGEST_WAIT_MS : wait));
    });
    if (outcome === "later") wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    await refresh();
  }
}

// Two tabs of one phone share the outbox. Only one sends at a time, if the browser has locks and the
// other one is awake.
async function locked(lane, task) {
  if (!navigator.locks) return task();
  const signal = AbortSignal.timeout?.((lane === "photos" ? 11 : 2) * PATIENCE_MS);
  try {
    return await navigator.locks.request(`settebello-${lane}`, { signal }, task);
  } catch {
    return task();
  }
}

// Takes over what another tab of this phone has added or sent, and stores what could not be stored.
async function refresh() {
  const before = known.filter((item) => item.number !== undefined);
  const numbers = await storage.numbers();
  if (numbers === null) return;
  const mine = new Set(before.map((item) => item.number));
  const sent = new Set(before.filter((item) => !numbers.includes(item.number)));
  const added = [];
  for (const number of numbers.filter((one) => !mine.has(one)))
    added.push(await storage.get(number));
  const keys = new Set([...gone, ...known.map((item) => item.key)]);
  const others = added.filter((item) => item && !keys.has(item.key));
  for (const item of others) item.action ??= item.told; // as releases before 0.4 called it
  if (sent.size || others.length) {
    const rest = known.filter((item) => !sent.has(item));
    const isKept = (item) => item.number !== undefined;
    known = [...rest.filter(isKept), ...others, ...rest.filter((item) => !isKept(item))];
    changed();
  }
  for (const item of known.filter((one) => one.isUnkept)) await keep(item);
}

function awaken() {
  for (const lane of LANES) wake[lane]?.();
}

addEventListener("online", awaken);
addEventListener("pageshow", awaken);
document.addEventListener("visibilitychange", awaken);
addEventListener("beforeunload", (event) => {
  const isLost = (item) => !item.answer && !item.aside && (item.isUnkept || item.file);
  if (known.some(isLost)) event.preventDefault();
});
LANES.forEach(work);
refresh();
