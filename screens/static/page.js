// Runs first on every screen. It sets the page's language, theme and deck, keeps browsers from
// translating names, and closes Streamlit's dialog of a lost connection, which `.lost` replaces. It
// finds out whether the line is down, since a socket over a dropped line stays open for minutes, and
// whether a tap waits for a busy server.
import { noteAnswered, noteAsked } from "./busy.js";
import { keepTheme } from "./theme.js";

const LOOK_AGAIN_MS = 3000,
  ANSWER_MS = 4000,
  LATE_MS = 2000;
const APP = "[data-testid=stApp]",
  SCRIPT_STATE = "data-test-script-state",
  SCREEN = "[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]";
const STAYS = 2; // parts that every screen has: this script, and the messenger's place
const DRAWN_PX = 200,
  WHOLE_MS = 1000,
  HOLD_MS = 3500,
  LOOK_MS = 30;
const UNTRANSLATED = ["me", "turn", "keep", "go_on", "recent", "answer", "likely"]
  .map((key) => `[class*="st-key-${key}_"]:not([translate]), .st-key-${key}:not([translate])`)
  .join();
const STREAMLITS_DIALOG =
  '[data-testid="stDialog"]:not(:has([data-testid="stVerticalBlock"])) button[aria-label="Close"]';

const OF_SERVER = ["Button", "FormSubmitButton", "ButtonGroup", "PageLink", "Checkbox"]
  .map((name) => `[data-testid="st${name}"]`)
  .join();
const ONCE = '[data-testid="stButton"], [data-testid="stPageLink"]';

const root = document.documentElement;

// Browsers have it for https and localhost only.
navigator.serviceWorker
  ?.register(new URL("worker.js", import.meta.url), { scope: "/" })
  .catch(() => {}); // without it, the browser says that there is no connection

let isHeld = false, // the browser shows its picture of the last screen
  isOffline = false,
  lineTimer,
  lateTimer;

// Streamlit removes a screen before the next one is there, on a busy server for seconds. Until the next
// one is drawn, or a while after it has begun, the browser shows its own picture of the old screen,
// which can be neither tapped nor read aloud.
function holdScreen(records) {
  const screen = document.querySelector(SCREEN);
  if (!document.startViewTransition || isHeld || screen?.children.length > STAYS) return;
  const gone = records
    .filter(({ target }) => target === screen)
    .flatMap((one) => [...one.removedNodes]);
  if (!gone.some((node) => node.querySelector?.(".st-key-bar, .hero"))) return;
  isHeld = true;
  for (const node of gone) node.inert = true;
  screen.append(...gone); // until the next frame, which the picture shows
  const held = document.startViewTransition(async () => {
    for (const node of gone) node.remove();
    for (
      let end = Date.now() + HOLD_MS, isBegun;
      Date.now() < end && !isDrawn(screen);
      await pause(LOOK_MS)
    ) {
      if (screen.offsetHeight > DRAWN_PX && !isBegun)
        [isBegun, end] = [true, Math.min(end, Date.now() + WHOLE_MS)];
    }
  });
  held.ready.catch(() => {}); // a hidden browser takes no picture
  setTimeout(() => held.skipTransition(), HOLD_MS + LOOK_MS); // a browser that draws no frame waits no longer
  held.finished.then(() => (isHeld = false));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function isDrawn(screen) {
  return (
    screen.closest(APP).dataset.testScriptState === "notRunning" && screen.children.length > STAYS
  );
}

function tidy() {
  for (const named of document.querySelectorAll(UNTRANSLATED)) named.translate = false;
  document.querySelector(STREAMLITS_DIALOG)?.click();
}

// Attributes for the style sheets: `data-line` is "opening", "up" or "down"; `data-drawing` is set while
// the server draws, `data-no-network` while the device has no network.
function showState() {
  const { testConnectionState: state, testScriptState: script } =
    document.querySelector(APP).dataset;
  const line = { INITIAL: "opening", CONNECTED: "up" }[state] ?? "down";
  root.dataset.line = isOffline ? "down" : line;
  root.toggleAttribute("data-drawing", script === "running");
  root.toggleAttribute("data-no-network", !navigator.onLine);
}

// If the browser says that it has no network, the server is asked all the same: it may be this computer.
async function lookAtLine() {
  const signal = AbortSignal.timeout?.(ANSWER_MS);
  isOffline = await fetch("/health", { cache: "no-store", signal }).then(
    () => false,
    () => true,
  );
  showState();
  clearTimeout(lineTimer);
  if (isOffline || !navigator.onLine) lineTimer = setTimeout(lookAtLine, LOOK_AGAIN_MS);
}

// Says to wait if the server does not begin to answer a tap. The same button works only once until then.
function tapped(event) {
  const place = event.target.closest?.(OF_SERVER);
  if (!place) return;
  if (place.matches(ONCE)) {
    if (place.dataset.asked) return (event.stopImmediatePropagation(), event.preventDefault());
    forget();
    place.dataset.asked = "yes";
    setTimeout(() => delete place.dataset.asked, LATE_MS);
  }
  noteAsked();
  clearTimeout(lateTimer);
  lateTimer = setTimeout(() => root.toggleAttribute("data-late", true), LATE_MS);
}

function forget() {
  for (const place of document.querySelectorAll("[data-asked]")) delete place.dataset.asked;
}

function changed(records) {
  showState();
  if (!records.some(({ attributeName }) => attributeName === SCRIPT_STATE)) return;
  if (document.querySelector(APP).dataset.testScriptState === "notRunning") forget();
  clearTimeout(lateTimer);
  root.removeAttribute("data-late");
}

export default function ({ data }) {
  noteAnswered();
  root.lang = data.language;
  root.dataset.deck = data.deck;
  if (data.theme) root.dataset.theme = data.theme;
  if (data.theme && keepTheme(data.theme, data.pages)) location.reload();
  window.onoffline = window.ononline = lookAtLine;
  const watch = new MutationObserver((records) => (holdScreen(records), tidy())),
    wait = new MutationObserver(changed);
  watch.observe(document.body, { childList: true, subtree: true });
  wait.observe(document.querySelector(APP), {
    attributeFilter: [SCRIPT_STATE, "data-test-connection-state"],
  });
  addEventListener("click", tapped, true);
  addEventListener("popstate", noteAsked);
  showState();
  tidy();
  return () => {
    watch.disconnect();
    wait.disconnect();
    removeEventListener("click", tapped, true);
    removeEventListener("popstate", noteAsked);
  };
}
