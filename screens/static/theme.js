// Streamlit keeps a theme for each page. Sets all of them to match ours. Returns whether one did not, as
// that of a page new in an update: then the page must be opened again.
export function keepTheme(name, pages) {
  const theirs = JSON.stringify(name === "dark" ? "Dark" : "Light");
  const under = location.pathname.replace(/[^/]*$/, "");
  const keys = ["", ...pages].map((page) => `stActiveTheme-${under}${page}-v2`);
  const others = keys.filter((key) => localStorage.getItem(key) !== theirs);
  for (const key of others) localStorage.setItem(key, theirs);
  return others.some((key) => localStorage.getItem(key) === theirs);
}
