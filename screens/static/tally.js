// The scope of one side: a tap shows at once and is kept until the server has taken it in.
function draw(part) {
  const { box, data, outbox } = part;
  const { told } = data;
  const newer = data.told.mending ? null : outbox.heard(told, data.revision);
  const done = doneSince(part, newer?.revision).filter(
    (one) => one.do === "scopa" && one.side === told.side,
  );
  const stood = newer ? newer.scopes[told.side] : data.scope;
  const count = done.reduce((sum, one) => sum + one.delta, stood);
  box.classList.toggle("named", data.row);
  box.querySelector(".made").textContent = data.made;
  box.querySelector("b").textContent = count;
  box.querySelector(".more").textContent = data.more;
  const less = box.querySelector(".less");
  less.textContent = data.less;
  less.disabled = count <= 0 && !done.length; // what is on its way may have been counted already
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".tally");
  const part = attach(box, data, draw);
  for (const [name, delta] of [["more", 1], ["less", -1]]) {
    box.querySelector(`.${name}`).onclick = () => {
      navigator.vibrate?.(15);
      send(part, { do: "scopa", delta });
    };
  }
  return () => detach(part);
}
