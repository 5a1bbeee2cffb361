// Shared by the components of a hand: each is drawn again after every change of the server's state or of
// the outbox.
import * as outbox from "./outbox.js";

// Keeps a component's data with its element, and draws it now and after every change.
export function attach(box, data, draw) {
  const part = (box.onPhone ??= { box });
  part.data = data;
  part.stop ??= outbox.listen(() => draw(part));
  draw(part);
  return part;
}

export function detach(part) {
  part.stop();
  part.box.onPhone = undefined;
}

// The actions in the hand on the screen that a state of the server does not contain: by default the one
// that the screen was drawn from.
export function doneSince(part, state = part.data) {
  const { context } = part.data;
  const done = outbox.since(context.code, state);
  return done.filter((one) => one.hand === context.hand && one.match === context.match);
}

export function send(part, act, to = "") {
  const { code, ...context } = part.data.context;
  return outbox.deliver(code, { ...context, ...act }, to);
}
