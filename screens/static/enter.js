// Opens an address outside Streamlit: a route that sets a cookie and redirects back, or a board. It
// does so once, however often Streamlit draws it.
let entering = "";

export default function ({ data }) {
  if (entering === data.to) return;
  entering = data.to;
  sessionStorage.removeItem("settebello-seats"); // the names typed there belong to a table now
  location.replace(data.to);
}
