// One tap is one step of the browser's Back button. If a button opens another screen, Streamlit makes
// two: the old screen at the new address, which only leads on again, and the new one. The step of the
// open menu (menu.js) is not kept either.
(() => {
  const push = history.pushState;
  let isMade = true; // the step exists: a screen that was loaded, gone back to, or led on from
  history.pushState = function (...step) {
    (isMade ? history.replaceState : push).apply(history, step);
    isMade = true;
  };
  for (const event of ["pointerdown", "click", "keydown", "change"])
    addEventListener(event, () => (isMade = Boolean(history.state?.isMenu)), true);
  addEventListener("popstate", () => (isMade = true), true);
})();
