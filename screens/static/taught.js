// The cards of a deck that is being taught: each as it was seen, with the card it is taken for. A
// tap opens a sheet with the forty cards and what else it may be; the server is told of the answer.
const WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]];

function draw(part) {
  const { box, data, answer } = part;
  const tiles = data.cards.map((card) => {
    const tile = make("button", "tile");
    tile.dataset.state = card.state;
    tile.dataset.view = card.view;
    tile.setAttribute("aria-label", card.label);
    const seen = document.createElement("img");
    seen.src = card.picture;
    seen.alt = "";
    tile.append(seen, make("span", "named", card.name));
    tile.onclick = () => {
      const cut = { photo: card.picture, width: data.wide, height: data.high, corners: WHOLE };
      const faces = data.faces.map((one) => ({ ...one, id: one.face }));
      const kept = card.code ? [{ id: card.code, label: card.right, kind: "primary" }] : [];
      const more = [...kept, { id: "out", label: data.out }, ...faces];
      const chosen = ({ id }) => answer({ view: card.view, code: id === "out" ? null : id });
      openSheet(box, { head: card.question, more }, { close: data.close, cut, chosen });
    };
    return tile;
  });
  box.querySelector(".tiles").replaceChildren(...tiles);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".taught");
  const answer = (said) => setTriggerValue("answered", said);
  draw({ box, data, answer });
}
