// Leaves for the door, which gives this phone its pass and leads back, or for a board; once, however
// often it is drawn.
let entering = "";

export default function ({ data }) {
  if (entering === data.to) return;
  entering = data.to;
  sessionStorage.removeItem("settebello-seats"); // they have a table now
  location.replace(data.to);
}
