// Whether the server was asked for another screen and has not begun to answer. Until then Streamlit
// calls the screen on which it was asked: another call would be for that one and come last, and the
// way to the next screen would be lost.
const ASKED_MS = 8000; // longer than this no tap waits: it asked for nothing

let askedAt = 0;

export const noteAsked = () => (askedAt = Date.now());
export const noteAnswered = () => (askedAt = 0);
export const isAsked = () => Date.now() - askedAt < ASKED_MS;
