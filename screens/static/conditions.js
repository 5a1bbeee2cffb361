// Says why the app cannot work here. It needs nothing of Streamlit, which shows an empty page if it
// cannot open its socket.
const SENTENCES = JSON.parse(document.getElementById("conditions").textContent);
const LOOK_MS = 4000,
  ANSWER_MS = 5000;

function hasCookies() {
  document.cookie = "settebello_probe=1; path=/; samesite=lax";
  const isKept = navigator.cookieEnabled && document.cookie.includes("settebello_probe");
  document.cookie = "settebello_probe=; path=/; max-age=0";
  return isKept;
}

// Who answers at an address: "ours", "foreign" for another program, "none".
async function whoAnswers(address) {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(address, { cache: "no-store", redirect: "manual", signal });
    const { is } = await answer.json().catch(() => ({}));
    return is ? "ours" : answer.status >= 500 ? "none" : "foreign";
  } catch {
    return "none";
  }
}

function hasSocket() {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/_stcore/stream`, [
      "streamlit",
    ]);
    const done = (isOpen) => {
      clearTimeout(late);
      socket.close();
      resolve(isOpen);
    };
    const late = setTimeout(done, ANSWER_MS, false);
    socket.onopen = () => done(true);
    socket.onerror = () => done(false);
  });
}

async function condition() {
  const answers = await whoAnswers("/health");
  if (answers === "none") return navigator.onLine ? "lost_connection" : "no_network";
  if (answers === "ours") return (await hasSocket()) ? "" : "no_sockets";
  return (await whoAnswers("./health")) === "ours" ? "below_path" : "not_ours";
}

// A screen that was drawn says itself that its line is down (`.lost`).
const isDrawn = () =>
  document.querySelector("[data-testid=stApp][data-test-connection-state=CONNECTED], .lost");

function say(key) {
  document.querySelector(".condition")?.remove();
  if (!key) return;
  const asked = [new URLSearchParams(location.search).get("lang"), ...navigator.languages];
  const language =
    asked.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in SENTENCES) ?? "en";
  const note = document.createElement("div");
  note.className = "condition";
  note.setAttribute("role", "alert");
  note.textContent = SENTENCES[language][key];
  document.body.append(note);
}

async function look() {
  if (isDrawn()) return say("");
  const key = await condition();
  say(isDrawn() ? "" : key);
  setTimeout(look, LOOK_MS);
}

if (hasCookies()) setTimeout(look, LOOK_MS);
else say("no_cookies");
