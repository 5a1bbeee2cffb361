// The messenger between this phone and its table. It hears how things stand there and shows it at
// once, and has the screen drawn anew; it says what is on its way, and what the server refused.
const HELD_S = 30 * 86400; // an evening would do, but for the return match
const PHONE = (window.settebelloPhone ??= Math.random().toString(36).slice(2));
const RETRY_MS = 2000, AGAIN_MS = 120, AFTER_TOUCH_MS = 600, LATE_MS = 900;

// A drawing cuts off one that is under way, and with it a tap that this one is about: so nothing is
// drawn anew while the page is at work, or just after somebody touched it.
let touched = 0;
for (const event of ["pointerdown", "keydown"]) {
  addEventListener(event, () => (touched = Date.now()), true);
}

function isCalm() {
  const page = document.querySelector("[data-testid=stApp]");
  const idle = page?.dataset.testScriptState !== "running";
  return idle && Date.now() - touched > AFTER_TOUCH_MS;
}

// Scores and scope that stand anywhere on the screen, as the server said last.
function showStanding(part) {
  const { code, revision } = part.data;
  const { standing } = part;
  if (!standing || standing.code !== code || standing.revision <= revision) return;
  for (const name of ["total", "scope"]) {
    for (const place of document.querySelectorAll(`[data-${name}]`)) {
      const text = String(standing[`${name}s`][Number(place.dataset[name])] ?? "");
      const number = place.querySelector("b") ?? place;
      if (number.textContent !== text) number.textContent = text;
      if (name === "scope") place.hidden = text === "0";
    }
  }
}

// A board shows scope and totals by itself, and is drawn anew only for what else it shows: every
// drawing costs the server more than all else does.
function isShown({ data, standing }) {
  if (data.board === null) return standing.revision === data.revision;
  return JSON.stringify(data.board) === JSON.stringify(standing.board);
}

function refusedNote(part, item) {
  const { data, outbox } = part;
  const { name, answer } = item;
  const sentence = data.errors[answer.error] ?? data.errors.other;
  const note = make("button", "note stop", `${filled(sentence, { name, ...answer })} ×`);
  note.onclick = () => (item.name === undefined ? outbox.letGo(item) : askToDrop(part, item));
  return note;
}

// A photo is dropped only after a question: on some phones it lies nowhere else.
function askToDrop(part, item) {
  const { data, outbox, box } = part;
  const more = [{ id: "drop", label: data.drop, kind: "wide" }];
  const chosen = () => outbox.letGo(item);
  const head = filled(data.dropHead, { name: item.name });
  openSheet(box, { head, more }, { close: data.close, chosen });
}

// Where the other phones of the table are, as long as they take in a pile.
function elsewhere({ data, outbox }) {
  if (data.pile === null) return [];
  const others = outbox.phonesAt(data.code).filter(({ phone }) => phone !== PHONE);
  const told = others.map(({ me, pile }) =>
    filled(data.names[me] === undefined ? data.unnamed : data.elsewhere, {
      name: data.names[me], pile: data.names[pile],
    }),
  );
  return [...new Set(told)];
}

function draw(part) {
  showStanding(part);
  const { data, outbox, box } = part;
  const count = outbox.waiting(data.code).length, now = Date.now();
  part.since = count ? (part.since ?? now) : null; // said only once it takes a while
  const isLate = count > 0 && now - part.since > LATE_MS;
  if (count && !isLate) setTimeout(() => draw(part), LATE_MS + 50);
  const refused = outbox.refused(data.code);
  const others = elsewhere(part);
  const written = JSON.stringify([isLate && count, data, others, refused.map(({ key }) => key)]);
  if (part.written === written) return;
  part.written = written;
  const lines = refused.map((item) => refusedNote(part, item));
  if (others.length) lines.push(make("div", "elsewhere", others.join(" · ")));
  if (isLate) {
    const way = make("div", "way", filled(data.waiting, { count }));
    way.setAttribute("role", "status");
    lines.unshift(way);
  }
  box.querySelector(".said").replaceChildren(...lines);
}

// Who holds this phone at a table is asked once.
function keepHolder({ holder, cookie }) {
  const kept = `${cookie}=${holder}`;
  if (holder === null || document.cookie.split("; ").includes(kept)) return;
  document.cookie = `${kept}; path=/; max-age=${HELD_S}; samesite=lax`;
}

function hear(part) {
  part.source?.close();
  const { code, pile, holder } = part.data;
  Object.assign(part, { code, pile, standing: null });
  const here = new URLSearchParams({ phone: PHONE });
  if (pile !== null) here.set("pile", pile);
  if (Number.isInteger(holder)) here.set("me", holder);
  part.source = new EventSource(`/door/${code}/changes?${here}`);
  part.source.onmessage = (event) => {
    part.standing = JSON.parse(event.data);
    part.tell();
    part.outbox.hear(code, part.standing);
  };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const part = attach(parentElement.querySelector(".messenger"), data, draw);
  keepHolder(data);
  part.tell = () => {
    clearTimeout(part.soon);
    part.soon = setTimeout(() => {
      if (!part.standing || isShown(part)) return;
      if (isCalm()) setTriggerValue("heard", part.standing.revision);
      else part.tell();
    }, AGAIN_MS);
  };
  if (part.code !== data.code || part.pile !== data.pile) hear(part);
  part.timer ??= setInterval(() => part.tell(), RETRY_MS); // where the last drawing failed
  return () => {
    part.source?.close();
    clearInterval(part.timer);
    clearTimeout(part.soon);
    detach(part);
  };
}
