// Streamlit stores a theme for each page. Sets all of them to ours. Returns whether one was different, as
// for a page that an update added: then the page must be reloaded.
export function keepTheme(name, pages) {
  const theirs = JSON.stringify(name === "dark" ? "Dark" : "Light");
  const under = location.pathname.replace(/[^/]*$/, "");
  const keys = ["", ...pages].map((page) => `stActiveTheme-${under}${page}-v2`);
  const others = keys.filter((key) => localStorage.getItem(key) !== theirs);
  for (const key of others) localStorage.setItem(key, theirs);
  return others.some((key) => localStorage.getItem(key) === theirs);
}
