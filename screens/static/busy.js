// Whether the page asked for another screen and the server has not begun to answer. Until it does, a
// second request would be for the old screen and come last, so the next screen would be lost.
const ASKED_MS = 8000; // no tap waits longer than this: it asked for nothing

let askedAt = 0;

export const noteAsked = () => (askedAt = Date.now());
export const noteAnswered = () => (askedAt = 0);
export const isAsked = () => Date.now() - askedAt < ASKED_MS;
