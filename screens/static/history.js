// One tap is one step of the browser's Back button. If a button opens another screen, Streamlit makes
// two history entries: the old screen at the new address, which is useless, and the new one. The entry
// of the open menu (menu.js) is replaced, too.
(() => {
  const push = history.pushState;
  let isMade = true; // the entry exists: the screen was loaded or gone back to, or has just pushed one
  history.pushState = function (...step) {
    (isMade ? history.replaceState : push).apply(history, step);
    isMade = true;
  };
  for (const event of ["pointerdown", "click", "keydown", "change"])
    addEventListener(event, () => (isMade = Boolean(history.state?.isMenu)), true);
  addEventListener("popstate", () => (isMade = true), true);
})();
