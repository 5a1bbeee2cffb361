// What people do on this phone is kept here until the server has taken it in.
//
// Every delivery is written to IndexedDB before it is sent, photos too, and leaves it only when the
// server has answered: done, known, or refused. So a dropped line, a sleeping phone, a closed tab
// and a restarted server lose nothing. The server counts a key once, so sending again is safe.
// Taps and photos are sent in two lanes, each in order: a tap never waits for a photo.
//
// Every component's script begins with this file, so that it is there as soon as a button is; the
// first one starts the outbox, and all share it.

const DATABASE = "settebello", ITEMS = "outbox", LANES = ["taps", "photos"];
const ANSWERS = ["done", "known", "refused"];
const FIRST_WAIT_MS = 400, LONGEST_WAIT_MS = 5000, PATIENCE_MS = 20000, MOST_SETTLED = 300;

function startOutbox() {
  let opened; // the database; null where the browser has none
  let known = []; // the deliveries kept here, oldest first: on their way, or refused
  const gone = new Set(); // keys of those that left while the database was being read
  const listeners = new Set();
  const settled = []; // the last that were taken in, each with the table's revision after it
  const standings = {}; // by the table's code: how things stand there, as the server said last
  const wake = {};

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
    }).catch(() => null); // no room, or a private window: it is kept in memory
  }

  function changed() {
    for (const listener of listeners) listener();
  }

  // The item is shown at once and sent once it is kept; in memory alone where it cannot be kept.
  async function add(item) {
    known.push(item);
    changed();
    const number = await stored("readwrite", (items) => items.add({ ...item }));
    if (number !== null) item.number = number;
    item.kept = true;
    wake[item.lane]?.();
    return item.key;
  }

  async function drop(item) {
    gone.add(item.key);
    known = known.filter((one) => one.key !== item.key);
    if (item.number !== undefined) await stored("readwrite", (items) => items.delete(item.number));
  }

  async function update(item) {
    const { kept, sent, ...plain } = item;
    if (item.number !== undefined) await stored("readwrite", (items) => items.put(plain));
  }

  function makeKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID wants https
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /**
   * Keeps something that somebody did, and sends it as soon as that is possible. Where it leads to
   * an address, that is opened once the server has it, if the screen is still the one of the tap.
   */
  function deliver(code, told, to = "") {
    return add({ lane: "taps", code, key: makeKey(), told, to, from: location.pathname });
  }

  /** Keeps a photo, and sends it as soon as that is possible. */
  function deliverPhoto(code, told, file) {
    const body = file.slice(0, file.size, file.type); // a copy: the picker's file may go
    return add({ lane: "photos", code, key: makeKey(), told, name: file.name, size: file.size, body });
  }

  /** Deliveries of a table on their way, oldest first. */
  function waiting(code) {
    return known.filter((item) => item.code === code && !item.answer);
  }

  /** What somebody did at a table and a screen of a revision does not show yet, oldest first. */
  function since(code, revision) {
    const taken = settled.filter((item) => item.code === code && item.revision > revision);
    return [...taken, ...waiting(code)].map(({ told, key }) => ({ ...told, key }));
  }

  /** What the server refused, until somebody lets it go; its answer says why. */
  function refused(code) {
    return known.filter((item) => item.code === code && item.answer);
  }

  /** Lets go of something that was refused. */
  async function letGo(item) {
    await drop(item);
    changed();
  }

  /** Sends a photo that was refused once more, for another pile or hand. */
  async function sendAgain(item, told) {
    Object.assign(item, { told, key: makeKey(), answer: undefined });
    changed();
    await update(item);
    wake[item.lane]?.();
  }

  /** Takes up how things stand at a table, as the server has just said. */
  function hear(code, standing) {
    standings[code] = standing;
    changed();
  }

  /** How things stand in a hand of a table, if that is heard to be newer than a revision. */
  function heard(told, revision) {
    const standing = standings[told.code];
    const isOf = standing?.hand === told.hand && standing.match === told.match;
    return isOf && standing.revision > revision ? standing : null;
  }

  /** How far the server is with a photo that it has, where that was heard. */
  function stageOf(code, upload) {
    return standings[code]?.reading?.[upload];
  }

  /** The phones that take in a pile of a table now: { phone, me, pile } each. */
  function phonesAt(code) {
    return standings[code]?.phones ?? [];
  }

  /** Calls a function after every change; gives what ends that. */
  function listen(listener) {
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
        changed();
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
    const item = known.find((one) => one.lane === lane && one.kept && !one.answer);
    if (!item) return "idle";
    let answer;
    try {
      const response = await send(item);
      if (response.status >= 500 || response.status === 429) return "later";
      answer = await response.json();
      if (!ANSWERS.includes(answer.is)) return "later";
    } catch {
      return "later"; // no line, no server, or a page in between that is not ours
    }
    if (answer.is === "refused") {
      item.answer = answer;
      await update(item);
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

  // Takes up what another tab of this phone has put in or sent.
  async function refresh() {
    const found = await stored("readonly", (items) => items.getAll());
    if (found === null) return;
    const mine = new Map(known.map((item) => [item.key, item]));
    const others = found.filter((item) => !gone.has(item.key));
    const kept = others.map((item) => mine.get(item.key) ?? { ...item, kept: true });
    const unwritten = known.filter((item) => item.number === undefined);
    const now = [...kept, ...unwritten.filter((item) => !kept.includes(item))];
    const same = now.length === known.length && now.every((one, i) => one === known[i]);
    known = now;
    if (!same) changed();
  }

  function awaken() {
    for (const lane of LANES) wake[lane]?.();
  }

  addEventListener("online", awaken);
  document.addEventListener("visibilitychange", awaken);
  refresh().then(() => LANES.forEach(work));
  return {
    deliver, deliverPhoto, waiting, since,
    refused, letGo, sendAgain, hear, heard, stageOf, phonesAt, listen,
  };
}
