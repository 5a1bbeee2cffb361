// The sample hand: its photo with outlines for a moment, then the cards fly into their points. Without
// motion both are there at once.
const LOOK_MS = 1500,
  FLIGHT_MS = 600,
  NEXT_MS = 50;

function fly(box) {
  const options = { duration: FLIGHT_MS, easing: "ease-in-out", fill: "backwards" };
  for (const row of box.querySelectorAll(".brings")) {
    row.animate([{ opacity: 0 }, { opacity: 1 }], { ...options, delay: LOOK_MS });
  }
  [...box.querySelectorAll(".brings .face")].forEach((face, number) => {
    const from = box.querySelector(`polygon[data-card="${face.dataset.card}"]`);
    if (!from) return; // it is on another photo of the pile
    const [start, end] = [from.getBoundingClientRect(), face.getBoundingClientRect()];
    const x = start.x + start.width / 2 - end.x - end.width / 2,
      y = start.y + start.height / 2 - end.y - end.height / 2;
    const begun = `translate(${x}px, ${y}px) scale(${start.height / end.height})`;
    face.animate(
      [{ opacity: 0, transform: begun }, { opacity: 1, transform: begun, offset: 0.1 }, {}],
      { ...options, delay: LOOK_MS + NEXT_MS * number },
    );
  });
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".sample");
  if (box.shown === data.html) return;
  box.innerHTML = box.shown = data.html;
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) fly(box);
}
