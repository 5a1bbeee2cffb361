// The client of `stream.js` in a tab: it says which table this tab follows, and since when the server
// has sent nothing.
import { openStreams } from "./stream.js";

const WISH_MS = 2000,
  SILENT_MS = 10000,
  NO_WORKER_MS = 15000;

function startListening() {
  const listening = { code: null, query: "", tell() {}, changed() {}, heard: Date.now(), clock: 0 };
  let answered = Date.now(),
    ticked = Date.now(),
    isAway = false,
    post;

  function take(news) {
    answered = Date.now();
    if (news.code !== listening.code) return;
    if (news.standing) {
      listening.heard = Date.now();
      return listening.tell(news.standing);
    }
    listening.heard = Math.max(listening.heard, news.heard);
    if (news.heard) listening.clock = news.clock;
  }

  function runHere() {
    const answer = (listening.streams ??= openStreams());
    post = (wish) => answer(take, wish);
  }

  function runInWorker() {
    try {
      const worker = new SharedWorker(new URL("./stream.js", import.meta.url), {
        type: "module",
      });
      worker.onerror = runHere;
      worker.port.onmessage = ({ data }) => take(data);
      post = (wish) => worker.port.postMessage(wish);
    } catch {
      runHere(); // the browser allows no SharedWorker here
    }
  }

  function say() {
    if (!post && typeof SharedWorker === "undefined") runHere();
    else if (!post) runInWorker();
    const { code, query } = listening;
    post(document.hidden || isAway ? { code: null } : { code, query });
  }

  function tick() {
    const now = Date.now();
    if (now - ticked > 2 * WISH_MS + 1000) listening.heard = answered = now; // the device slept
    ticked = now;
    if (!document.hidden && now - answered > NO_WORKER_MS) runHere();
    say();
    listening.changed();
  }

  /** Since when nothing has come, by the server's clock; null while all is well. */
  listening.silentSince = () => {
    const isSilent = !document.hidden && Date.now() - listening.heard > SILENT_MS;
    return isSilent ? listening.heard + listening.clock : null;
  };
  /** Follows a table from now on. */
  listening.to = ({ code, query, tell, changed }) => {
    if (listening.code !== code) listening.heard = Date.now();
    Object.assign(listening, { code, query, tell, changed });
    say();
  };
  setInterval(tick, WISH_MS);
  const seen = (isSeen) => {
    isAway = !isSeen;
    listening.heard = Date.now();
    if (listening.code) say();
  };
  addEventListener("pagehide", () => seen(false));
  for (const event of ["pageshow", "online"]) addEventListener(event, () => seen(true));
  document.addEventListener("visibilitychange", () => seen(true));
  return listening;
}

// One a window: the messenger of each screen takes it over.
export const listening = startListening();
