// What the browser must know of every screen: its language, its theme, its deck, what a translation must not
// touch, and that Streamlit's own dialog of a lost connection, for which `.lost` stands, is in the
// way.
const UNTRANSLATED = ["me", "turn", "keep", "go_on", "recent", "answer", "likely"]
  .map((key) => `[class*="st-key-${key}_"]:not([translate]), .st-key-${key}:not([translate])`)
  .join();
const STREAMLITS_DIALOG =
  '[data-testid="stDialog"]:not(:has([data-testid="stVerticalBlock"])) button[aria-label="Close"]';

function tidy() {
  for (const named of document.querySelectorAll(UNTRANSLATED)) named.translate = false;
  document.querySelector(STREAMLITS_DIALOG)?.click();
}

export default function ({ data }) {
  const root = document.documentElement;
  root.lang = data.language;
  root.dataset.deck = data.deck;
  if (data.theme) root.dataset.theme = data.theme;
  if (data.theme && keepTheme(data.theme, data.pages)) location.reload();
  const watch = new MutationObserver(tidy);
  watch.observe(document.body, { childList: true, subtree: true });
  tidy();
  return () => watch.disconnect();
}
