// One tap is one step of the browser's Back button. If a button opens another screen, Streamlit makes
// two history entries: the old screen at the new address, which is useless, and the new one. The entry
// of the open menu (menu.js) is left if the page is loaded there, as for another theme. A link of
// the menu, or another language, replaces it.
(() => {
  const push = history.pushState;
  const isMenu = () => Boolean(history.state?.isMenu);
  let isMade = true; // the entry exists: the screen was loaded or gone back to, or has just pushed one
  history.pushState = function (...step) {
    (isMade ? history.replaceState : push).apply(history, step);
    isMade = true;
  };
  for (const event of ["pointerdown", "click", "keydown", "change"])
    addEventListener(event, ({ isTrusted }) => isTrusted && (isMade = isMenu()), true);
  addEventListener(
    "popstate",
    (event) => {
      isMade = true;
      if (!isMenu()) return;
      event.stopImmediatePropagation();
      history.back(); // the browser's Forward led here, and the menu is closed
    },
    true,
  );
  if (!isMenu()) return;
  history.back();
})();
