// Leaves for the door, which gives this phone its pass and leads back, or for a board; once, however often drawn.
let entering = "";

export default function ({ data }) {
  if (entering === data.to) return;
  entering = data.to;
  sessionStorage.removeItem("settebello-seats"); // they sit at a table now
  location.replace(data.to);
}
