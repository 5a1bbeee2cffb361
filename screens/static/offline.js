// In the page `offline`, not a module: says how much waits on this phone, and goes on once the server answers.
const SENTENCES = JSON.parse(document.getElementById("sentences").textContent);
const LOOK_MS = 2000;

const asked = [new URLSearchParams(location.search).get("lang"), ...navigator.languages];
const language =
  asked.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in SENTENCES) ?? "en";
document.documentElement.lang = language;
const theme = /(?:^|; )settebello_theme=(\w+)/.exec(document.cookie);
if (theme) document.documentElement.dataset.theme = theme[1];

function say(count) {
  const { offline, waiting_here: waiting } = SENTENCES[language];
  const lines = count ? [offline, waiting.replace("{count}", count)] : [offline];
  document.querySelector("[role=status]").textContent = lines.join(" ");
}

// How many taps and photos the outbox holds (storage.js).
function countWaiting() {
  const opening = indexedDB.open("settebello");
  opening.onupgradeneeded = () => opening.transaction.abort(); // nothing was ever kept
  opening.onsuccess = () => {
    const items = opening.result.transaction("outbox").objectStore("outbox").count();
    items.onsuccess = () => say(items.result);
  };
}

async function look() {
  const { is } = await fetch("/health", { cache: "no-store" })
    .then((answer) => answer.json())
    .catch(() => ({}));
  if (is && location.pathname === "/offline") location.replace("/");
  else if (is) location.reload();
}

say(0);
countWaiting();
setInterval(look, LOOK_MS);
addEventListener("online", look);
