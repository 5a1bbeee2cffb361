// One tap is one step of the browser's Back button. If a button opens another screen, Streamlit makes
// two history entries: the old screen at the new address, which is useless, and the new one. The entry
// of the open menu (menu.js) is left for that of its screen if the screen gets a new address, as for
// another language, or if the page is loaded there, as for another theme. A link of the menu replaces it.
(() => {
  const push = history.pushState;
  const isMenu = () => Boolean(history.state?.isMenu);
  let isMade = true, // the entry exists: the screen was loaded or gone back to, or has just pushed one
    next; // what the screen's entry becomes
  const leave = () => history.pushState(null, "");
  history.pushState = function (...step) {
    if (isMenu()) {
      if (!next) history.back();
      next = step;
      return;
    }
    (isMade ? history.replaceState : push).apply(history, step);
    isMade = true;
  };
  for (const event of ["pointerdown", "click", "keydown", "change"])
    addEventListener(event, () => (isMade = isMenu()), true);
  addEventListener(
    "popstate",
    (event) => {
      isMade = true;
      if (next) history.replaceState(...next);
      next = undefined;
      if (!isMenu()) return;
      event.stopImmediatePropagation();
      leave(); // the browser's Forward led here, and the menu is closed
    },
    true,
  );
  if (isMenu()) leave();
})();
