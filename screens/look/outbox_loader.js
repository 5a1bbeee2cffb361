// Loads the outbox, once for all components of the page; where the line is down, until it is there.
function loadOutbox(script, tries = 0) {
  const again = tries ? `?again=${tries}` : ""; // a browser may remember that a script failed
  return import(new URL(script, location.origin).href + again).catch(async () => {
    await new Promise((done) => setTimeout(done, 1000));
    return loadOutbox(script, tries + 1);
  });
}

function sharedOutbox(script) {
  return (window.settebelloOutbox ??= loadOutbox(script));
}

