// The scope of one side: a tap shows at once and is kept until the server has taken it in.
function draw(tally) {
  const { box, data, outbox } = tally;
  let count = data.scope;
  if (outbox) {
    outbox.shown(data.told.code, data.revision);
    const { waiting, settled } = outbox.state(data.told.code);
    for (const { told } of [...settled, ...waiting]) {
      const here = told.do === "scopa" && told.side === data.told.side;
      if (here && told.hand === data.told.hand && told.match === data.told.match) count += told.delta;
    }
  }
  box.querySelector(".made").textContent = data.made;
  box.querySelector("b").textContent = count;
  box.querySelector(".more").textContent = data.more;
  const less = box.querySelector(".less");
  less.textContent = data.less;
  less.disabled = count <= 0;
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".tally");
  const tally = (box.tally ??= { box });
  tally.data = data;
  for (const [name, delta] of [["more", 1], ["less", -1]]) {
    box.querySelector(`.${name}`).onclick = async () => {
      const outbox = await tally.loading;
      const { code, ...told } = tally.data.told;
      outbox.deliver(code, { ...told, do: "scopa", delta });
    };
  }
  tally.loading ??= sharedOutbox(data.script).then((outbox) => {
    tally.outbox = outbox;
    tally.stop = outbox.listen(() => draw(tally));
    draw(tally);
    return outbox;
  });
  draw(tally);
  return () => {
    tally.stop?.();
    box.tally = undefined;
  };
}
