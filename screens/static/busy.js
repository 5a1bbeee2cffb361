// Whether the page asked for another screen and the server has not begun to answer. Until it does, a
// second request would be for the old screen and be answered last, so the next screen would be lost.
const ASKED_MS = 8000; // after this, the tap is taken to have asked for no screen

let askedAt = 0;

export const noteAsked = () => (askedAt = Date.now());
export const noteAnswered = () => (askedAt = 0);
export const isAsked = () => Date.now() - askedAt < ASKED_MS;
