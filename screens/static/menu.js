// The menu is a sheet at the foot of the window. It marks the screen that is open, and a swipe down or
// the browser's Back closes it. While it is open, history.state says so (history.js).
const SWIPE_PX = 60;

// Closes the sheet when it is swiped down from its top.
function followSwipes(sheet, close) {
  let from, by;
  sheet.addEventListener("touchstart", ({ touches: [touch] }) => {
    [from, by] = [sheet.scrollTop > 0 ? null : touch.clientY, 0];
  });
  sheet.addEventListener(
    "touchmove",
    (event) => {
      if (from === null) return;
      by = event.touches[0].clientY - from;
      if (by > 0) event.preventDefault(); // the page below does not scroll
      sheet.style.translate = `0 ${Math.max(0, by)}px`;
    },
    { passive: false },
  );
  sheet.addEventListener("touchend", () => {
    sheet.style.translate = "";
    if (by > SWIPE_PX) close();
  });
}

const placeOf = ({ pathname, search }) => [pathname, ...search.split(/[?&]/).sort()].join();

export default function ({ parentElement }) {
  const sheet = parentElement.closest("[role=dialog]");
  if (sheet.isMenu) return;
  sheet.isMenu = true;
  const close = () => document.querySelector(".st-key-menu_open button").click();
  const goneBack = (event) => {
    event.stopImmediatePropagation(); // the screen stays: nothing is drawn again
    close();
  };
  history.pushState({ isMenu: true }, "");
  addEventListener("popstate", goneBack, { capture: true, once: true });
  followSwipes(sheet, close);
  for (const link of sheet.querySelectorAll("a")) {
    const isHere = link.closest("[class*=st-key-way_]:not(.st-key-way_home, .st-key-way_me)");
    if (isHere && link.pathname === location.pathname) link.setAttribute("aria-current", "page");
  }
  sheet.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (placeOf(link) === placeOf(location)) return close();
    if (!link.matches(".way")) return history.replaceState(null, ""); // it becomes the link's screen
    event.preventDefault();
    location.replace(link.href); // a page outside Streamlit replaces the history entry of the menu
  });
  return () => {
    removeEventListener("popstate", goneBack, { capture: true });
    if (!history.state?.isMenu) return;
    addEventListener("popstate", (event) => event.stopImmediatePropagation(), {
      capture: true,
      once: true,
    });
    history.back();
  };
}
