// Leaves for the door, which gives this phone its pass and leads back, or for a board; once, however often drawn.
export default function ({ data }) {
  if (window.settebelloEntering === data.to) return;
  window.settebelloEntering = data.to;
  sessionStorage.removeItem("settebello-seats"); // they sit at a table now
  location.replace(data.to);
}
