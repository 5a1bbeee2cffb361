// The changes of tables as the server streams them: one stream for all visible tabs of a browser, since
// a browser opens at most six connections to a server.
//
// This is the script of a SharedWorker with a port for each tab; without SharedWorkers each tab runs it.
// A visible tab sends { code, query } again and again, a hidden one { code: null }. It gets
// { heard, clock } in answer, and { code, standing } with every change.
const DEAD_MS = 13000,
  FIRST_RETRY_MS = 300,
  LONGEST_RETRY_MS = 5000,
  NO_TABLE_MS = 60000;
const GONE_MS = 20000,
  LOOK_MS = 1000;

// Reads the events of an address, and connects again whatever ends them, until it is stopped.
function readStream(address, tell) {
  let isOver = false,
    controller,
    begun,
    wait,
    retry;
  const stream = { heard: 0, clock: 0 }; // when something last came; how far this clock is behind

  async function read() {
    controller = new AbortController();
    begun = Date.now();
    const headers = { accept: "text/event-stream" };
    const response = await fetch(address, {
      headers,
      cache: "no-store",
      signal: controller.signal,
    });
    if (response.status === 404) wait = NO_TABLE_MS;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || !isStream) return controller.abort();
    stream.clock = Date.parse(response.headers.get("date")) - Date.now() || 0;
    const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { value, done } = await lines.read();
      if (done) return undefined;
      stream.heard = Date.now();
      wait = FIRST_RETRY_MS;
      const events = (text + value).split(/\r?\n\r?\n/);
      text = events.pop();
      for (const event of events) {
        const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
        if (data.length) tell(JSON.parse(data.map((line) => line.slice(5)).join("\n")));
      }
    }
  }

  async function run() {
    wait = FIRST_RETRY_MS;
    while (!isOver) {
      await read().catch(() => {}); // no connection, or one that was given up
      if (isOver) return;
      await new Promise((resolve) => {
        retry = resolve;
        setTimeout(resolve, wait * (0.75 + Math.random() / 2)); // not all tablets at once
      });
      wait = Math.max(wait, Math.min(2 * wait, LONGEST_RETRY_MS));
    }
  }

  // A connection may die silently: a sleeping tablet, another network.
  const looking = setInterval(() => {
    if (Date.now() - Math.max(stream.heard, begun) > DEAD_MS) controller.abort();
  }, LOOK_MS);
  run();
  return Object.assign(stream, {
    /** Connects now, without waiting. */
    hurry: () => retry?.(),
    stop() {
      isOver = true;
      clearInterval(looking);
      controller.abort();
      retry?.();
    },
  });
}

// The stream for the tabs; each tab is a function that gets messages.
export function openStreams() {
  const tabs = new Map(); // the wish of each: { code, query, at }, the newest last
  const standings = new Map(); // by code: the last state
  let stream = null,
    address = "";

  function hear(standing) {
    standings.set(standing.code, standing);
    for (const [tab, { code }] of tabs) if (code === standing.code) tab({ code, standing });
  }

  function settle() {
    for (const [tab, { at }] of tabs) if (Date.now() - at > GONE_MS) tabs.delete(tab);
    const newest = [...tabs.values()].at(-1);
    const codes = new Set([...tabs.values()].map(({ code }) => code));
    for (const code of standings.keys()) if (!codes.has(code)) standings.delete(code);
    codes.delete(newest?.code);
    const also = [...codes]
      .sort()
      .map((code) => `&also=${code}`)
      .join("");
    const wanted = newest ? `/door/${newest.code}/changes?${newest.query}${also}` : "";
    if (wanted === address) return;
    stream?.stop();
    address = wanted;
    stream = wanted ? readStream(wanted, hear) : null;
  }

  setInterval(settle, LOOK_MS);
  return function take(tab, { code, query }) {
    const before = tabs.get(tab);
    const isNew = before?.code !== code || before.query !== query;
    if (isNew) tabs.delete(tab);
    if (code) tabs.set(tab, { code, query, at: Date.now() });
    if (isNew) settle();
    if (!code || !stream) return;
    const standing = isNew && standings.get(code);
    if (standing) tab({ code, standing });
    if (isNew) stream.hurry();
    tab({ code, heard: stream.heard, clock: stream.clock });
  };
}

if (typeof SharedWorkerGlobalScope !== "undefined") {
  const take = openStreams();
  onconnect = ({ ports: [port] }) => {
    const tab = (news) => port.postMessage(news);
    port.onmessage = ({ data }) => take(tab, data);
  };
}
