// What people do on this phone is kept here until the server has taken it in.
//
// Every delivery is written to IndexedDB before it is sent, photos too, and leaves it only when the
// server has answered: done, known, or refused. So a dropped line, a sleeping phone, a closed tab
// and a restarted server lose nothing. The server counts a key once, so sending again is safe.
// Taps and photos are sent in two lanes, each in order: a tap never waits for a photo.

const DATABASE = "settebello", ITEMS = "outbox", LANES = ["taps", "photos"];
const FIRST_WAIT_MS = 400, LONGEST_WAIT_MS = 5000, PATIENCE_MS = 20000;

let opened; // the database, or an array in its place where the browser has none
const memory = [];
const listeners = new Set();
const settled = []; // deliveries that were taken in, until a screen shows what came of them
const refusals = []; // what the server refused, until somebody has seen it
const wake = {};
let known = []; // the deliveries that are on their way, oldest first

function database() {
  opened ??= new Promise((resolve) => {
    try {
      const asked = indexedDB.open(DATABASE, 1);
      asked.onupgradeneeded = () =>
        asked.result.createObjectStore(ITEMS, { keyPath: "number", autoIncrement: true });
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opened;
}

async function stored(mode, work) {
  const db = await database();
  if (!db) return null;
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(ITEMS, mode);
    const request = work(transaction.objectStore(ITEMS));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

async function all() {
  const kept = await stored("readonly", (items) => items.getAll()).catch(() => null);
  return [...(kept ?? []), ...memory];
}

async function keep(item) {
  const number = await stored("readwrite", (items) => items.add(item)).catch(() => null);
  if (number === null) memory.push({ ...item, number: item.key }); // no room, or a private window
}

async function drop(item) {
  const at = memory.findIndex((one) => one.number === item.number);
  if (at >= 0) memory.splice(at, 1);
  else await stored("readwrite", (items) => items.delete(item.number));
}

function makeKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID wants https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function changed() {
  known = await all();
  for (const listener of listeners) listener();
}

async function add(item) {
  await keep(item);
  await changed();
  wake[item.lane]?.();
  return item.key;
}

/** Keeps something that somebody did, and sends it as soon as that is possible. */
export function deliver(code, told) {
  return add({ lane: "taps", code, key: makeKey(), told });
}

/** Keeps a photo, and sends it as soon as that is possible. */
export function deliverPhoto(code, told, file) {
  const body = file.slice(0, file.size, file.type); // a copy: the picker's file may go
  return add({ lane: "photos", code, key: makeKey(), told, name: file.name, size: file.size, body });
}

/** Deliveries of a table on their way, those taken in but not yet shown, and those refused. */
export function state(code) {
  const mine = (items) => items.filter((item) => item.code === code);
  return { waiting: mine(known), settled: mine(settled), refusals: mine(refusals) };
}

/** Forgets what was taken in at or before a revision: the screen shows it now. */
export function shown(code, revision) {
  for (let i = settled.length - 1; i >= 0; i -= 1) {
    if (settled[i].code === code && settled[i].revision <= revision) settled.splice(i, 1);
  }
}

/** Takes the refusals of a table, to be said once. */
export function takeRefusals(code) {
  const mine = refusals.filter((item) => item.code === code);
  for (const item of mine) refusals.splice(refusals.indexOf(item), 1);
  return mine;
}

/** Calls a function after every change; gives what ends that. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// fetch does not tell how much of a file is sent.
function sendFile(url, item) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.timeout = 10 * PATIENCE_MS;
    request.upload.onprogress = ({ loaded, total }) => {
      item.sent = total ? loaded / total : 0;
      for (const listener of listeners) listener();
    };
    request.onload = () =>
      resolve({ status: request.status, json: async () => JSON.parse(request.responseText) });
    request.onerror = request.ontimeout = request.onabort = reject;
    request.send(item.body);
  });
}

async function send(item) {
  if (item.lane === "photos") {
    const query = new URLSearchParams({ name: item.name });
    for (const [field, value] of Object.entries(item.told)) {
      if (value !== null && value !== undefined) query.set(field, value);
    }
    return sendFile(`/door/${item.code}/photos/${item.key}?${query}`, item);
  }
  const body = JSON.stringify({ ...item.told, key: item.key });
  const signal = AbortSignal.timeout?.(PATIENCE_MS);
  return fetch(`/door/${item.code}`, {
    method: "POST", body, signal, headers: { "content-type": "application/json" },
  });
}

async function deliverNext(lane) {
  const item = known.find((one) => one.lane === lane);
  if (!item) return "idle";
  let answer;
  try {
    const response = await send(item);
    if (response.status >= 500 || response.status === 429) return "later";
    answer = await response.json();
  } catch {
    return "later"; // no line, no server, or a page in between that is not ours
  }
  if (answer.is === "refused") refusals.push({ ...item, answer });
  else settled.push({ ...item, revision: answer.revision });
  await drop(item);
  await changed();
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
      setTimeout(resolve, outcome === "idle" ? LONGEST_WAIT_MS : wait);
    });
    if (outcome === "later") wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    await refresh();
  }
}

// Two tabs of one phone share the outbox: only one of them sends at a time, where that can be said.
function locked(lane, task) {
  return navigator.locks ? navigator.locks.request(`settebello-${lane}`, task) : task();
}

async function refresh() {
  const found = await all();
  const same = found.length === known.length && found.every((one, i) => one.key === known[i].key);
  if (!same) await changed();
}

function awaken() {
  for (const lane of LANES) wake[lane]?.();
}

addEventListener("online", awaken);
document.addEventListener("visibilitychange", awaken);
await changed();
LANES.forEach(work);
