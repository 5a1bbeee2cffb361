// Photos that were taken or chosen on this phone: how they are sent, and what they look like meanwhile.
import * as outbox from "./outbox.js";
import { doneSince, send } from "./part.js";

const pictures = new Map(); // by key: the address of a photo on this phone
const fresh = new Set(); // keys of the photos that were taken since the page was loaded

function deliver(code, action, file) {
  outbox.deliverPhoto(code, action, file);
  fresh.add(outbox.waiting(code).at(-1).key);
}

/** Sends photos of a side's pile; a photo on which nothing is seen goes for them. */
export function take(part, files, side, replaces = null) {
  const isGone = ({ do: action, photo }) => action === "remove" && photo === replaces;
  if (files.length && replaces !== null && !doneSince(part).some(isGone))
    send(part, { do: "remove", photo: replaces, side });
  const { code, ...context } = part.data.context; // of the hand that was on the screen
  for (const file of files) deliver(code, { ...context, side }, file);
}

/** Sends a photo after all that was removed before it was sent. */
export function putBack({ code, action, name, file, body }) {
  deliver(code, action, file ?? new File([body], name, { type: body.type }));
}

/** Whether a photo was taken since the page was loaded. */
export const isFresh = (key) => fresh.has(key);

/** The photos of the hand that a screen does not show yet: on this phone, or just sent from it. */
export function taken(part) {
  return doneSince(part).filter(({ do: action }) => action === undefined);
}

/** The item of a photo in the outbox, while it is there. */
export function itemOf(part, key) {
  return outbox.waiting(part.data.context.code).find((item) => item.key === key);
}

/** The address of a photo's picture on this phone; undefined if another phone sent it. */
export function pictureOf(part, key) {
  const item = itemOf(part, key);
  const file = item?.file ?? item?.body;
  if (file && !pictures.has(key)) pictures.set(key, URL.createObjectURL(file));
  return pictures.get(key);
}

/** Frees the picture of a photo that the server shows. */
export function forgetPicture(key) {
  URL.revokeObjectURL(pictures.get(key));
  pictures.delete(key);
}
