// What every component on the phone begins with: the outbox, which all of them share, and a way to
// be drawn anew when the server or the outbox has something new.

// Keeps a component's data and outbox with its box, and draws it now and after every change.
function attach(box, data, draw) {
  const outbox = (window.settebelloOutbox ??= startOutbox());
  const part = (box.onPhone ??= { box, outbox });
  part.data = data;
  part.stop ??= outbox.listen(() => draw(part));
  draw(part);
  return part;
}

function detach(part) {
  part.stop();
  part.box.onPhone = undefined;
}

// What somebody did in the hand on the screen, after what a standing of a revision shows.
function doneSince(part, revision = part.data.revision) {
  const { context } = part.data;
  const done = part.outbox.since(context.code, revision);
  return done.filter((one) => one.hand === context.hand && one.match === context.match);
}

function send(part, act, to = "") {
  const { code, ...context } = part.data.context;
  return part.outbox.deliver(code, { ...context, ...act }, to);
}

function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

function make(name, className = "", text = "") {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.textContent = text;
  return node;
}
