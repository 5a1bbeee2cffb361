// The scope of one side: a tap shows at once and is kept until the server has taken it in.
function draw(part) {
  const { box, data, outbox } = part;
  const { told } = data;
  const newer = data.told.mending ? null : outbox.heard(told, data.revision);
  let count = newer ? newer.scopes[told.side] : data.scope;
  for (const one of doneSince(part, newer?.revision)) {
    if (one.do === "scopa" && one.side === told.side) count += one.delta;
  }
  box.classList.toggle("named", data.row);
  box.querySelector(".made").textContent = data.made;
  box.querySelector("b").textContent = count;
  box.querySelector(".more").textContent = data.more;
  const less = box.querySelector(".less");
  less.textContent = data.less;
  less.disabled = count <= 0;
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".tally");
  const part = attach(box, data, draw);
  for (const [name, delta] of [["more", 1], ["less", -1]]) {
    box.querySelector(`.${name}`).onclick = () => send(part, { do: "scopa", delta });
  }
  return () => detach(part);
}
