// What the components of a hand share: each is drawn again when the server or the outbox has
// something new.
import * as outbox from "./outbox.js";

// Keeps a component's data with its box, and draws it now and after every change.
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

// What somebody did in the hand on the screen, after what a standing of a revision shows.
export function doneSince(part, revision = part.data.revision) {
  const { context } = part.data;
  const done = outbox.since(context.code, revision);
  return done.filter((one) => one.hand === context.hand && one.match === context.match);
}

export function send(part, act, to = "") {
  const { code, ...context } = part.data.context;
  return outbox.deliver(code, { ...context, ...act }, to);
}
