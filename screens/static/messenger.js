// The messenger between this phone and its table. It shows each new state of the table at once, and has
// the screen drawn again. It says what is being sent, what the server refused, and since when nothing
// has come.
import { isAsked } from "./busy.js";
import { openSheet } from "./choice.js";
import { filled, make } from "./dom.js";
import { listening } from "./listening.js";
import * as outbox from "./outbox.js";
import { attach, detach } from "./part.js";

const HELD_S = 30 * 86400; // for the return match
const PHONE = Math.random().toString(36).slice(2);
const RETRY_MS = 2000,
  AGAIN_MS = 120,
  AFTER_TOUCH_MS = 600,
  LATE_MS = 900,
  CLOCK_MS = 5 * 60000;
const SHORT = new Set(["open", "closed"]); // states of the line for which only the number of waiting items is shown

// A new run of a screen cuts off the current one, and a tap in it. So no screen is drawn again while one
// is being drawn or was asked for (`page.js`), or just after a touch or a photo.
let touched = 0;
for (const event of ["pointerdown", "pointerup", "keydown", "change"]) {
  addEventListener(event, () => (touched = Date.now()), true);
}

function isCalm() {
  const page = document.querySelector("[data-testid=stApp]");
  const idle = page?.dataset.testScriptState !== "running";
  return idle && !isAsked() && Date.now() - touched > AFTER_TOUCH_MS;
}

// Puts the server's last scores and scope into every place on the screen that shows them.
function showStanding({ data: { code, revision } }) {
  const standing = outbox.standing(code);
  if (!standing || standing.revision <= revision) return;
  for (const name of ["total", "scope"]) {
    for (const place of document.querySelectorAll(`[data-${name}]`)) {
      const text = String(standing[`${name}s`][Number(place.dataset[name])] ?? "");
      const number = place.querySelector("b") ?? place;
      if (number.textContent !== text) number.textContent = text;
      if (name === "scope") place.hidden = text === "0";
    }
  }
}

// On "Points", adds taps on scope at once to the figures that follow from them.
function showScope({ data: { code } }) {
  const sum = document.querySelector(".sum[data-worth]");
  const { match, hand, revision, keys, worth } = sum?.dataset ?? {};
  if (!Number(worth)) return;
  const taps = outbox
    .since(code, { revision: Number(revision), keys: keys.split(" ") })
    .filter(
      (one) => one.do === "scopa" && one.match === Number(match) && one.hand === Number(hand),
    );
  [...sum.children].forEach((box, side) => {
    const made = taps.filter((one) => one.side === side).reduce((n, one) => n + one.delta, 0);
    const [gain, after] = box.querySelectorAll("[data-points], [data-after]");
    const points = Number(gain.dataset.points) + made * worth;
    gain.textContent = points < 0 ? points : `+${points}`;
    after.textContent = Number(after.dataset.after) + made * worth;
    const figure = document.querySelectorAll(".lines [data-made]")[side];
    if (figure) figure.textContent = Number(figure.dataset.made) + made;
  });
}

// The screen of an evening is drawn again only for decisions and results, since drawing costs the server
// more than anything else.
function isShown({ data }, standing) {
  if (standing.revision <= data.revision) return true;
  return data.evening !== null && JSON.stringify(data.evening) === JSON.stringify(standing.evening);
}

function refusedNote(part, item) {
  const { data } = part;
  const { name, answer } = item;
  if (answer.error === "SavedElsewhereError") return versionNote(part, item);
  const sentence = data.errors[answer.error] ?? data.errors.other;
  const note = make("button", "note stop", `${filled(sentence, { name, ...answer })} ×`);
  note.onclick = () => (item.name === undefined ? outbox.letGo(item) : askToDrop(part, item));
  return note;
}

// Another phone saved this hand first. This phone's version stays in the outbox until the user
// replaces the saved one or discards this one.
function versionNote({ data: { versions } }, item) {
  const { answer, action } = item;
  const told = answer.device ? versions.named : answer.saved ? versions.saved : versions.unsaved;
  const accept = answer.saved ? versions.replace : versions.save;
  return choiceNote("ask", filled(`${told} ${versions.own}`, answer), [
    [accept, () => outbox.sendAgain(item, { ...action, saved: answer.saved })],
    [versions.discard, () => outbox.letGo(item)],
  ]);
}

// A note with a button for each choice.
function choiceNote(kind, text, choices) {
  const note = make("div", `note ${kind} aside`);
  note.setAttribute("role", "alert");
  note.append(make("span", "", text));
  for (const [label, chosen] of choices) {
    const button = make("button", "act", label);
    button.onclick = chosen;
    note.append(button);
  }
  return note;
}

// A photo is dropped only after a question, since some phones keep it nowhere else.
function askToDrop(part, item) {
  const { data, box } = part;
  const more = [{ id: "drop", label: data.drop, kind: "wide" }];
  const chosen = () => outbox.letGo(item);
  const head = filled(data.dropHead, { name: item.name });
  openSheet(box, { head, more }, { close: data.close, chosen });
}

// The other phones that are counting a pile at this table.
function elsewhere({ data }) {
  if (data.pile === null) return [];
  const others = outbox.phonesAt(data.code).filter(({ phone }) => phone !== PHONE);
  const lines = others.map(({ me, pile }) =>
    filled(data.names[me] === undefined ? data.unnamed : data.elsewhere, {
      name: data.names[me],
      pile: data.names[pile],
    }),
  );
  return [...new Set(lines)];
}

// The items that could not be sent, why, and what the user can do.
function asideNote({ data }, item) {
  const { reason, status } = item.aside;
  const name = item.name ?? data.oneTap;
  return choiceNote("stop", filled(data.aside[reason], { name, status }), [
    [data.again, () => outbox.sendAgain(item)],
    [data.letGo, () => outbox.letGo(item)],
  ]);
}

// The items that the server does not have yet, and why.
function wayLines(part) {
  const { data } = part;
  const way = outbox.way(),
    now = Date.now();
  const waits = outbox.waiting(data.code);
  // where a photo is shown, its ring says that it waits
  const count = waits.filter(({ lane }) => lane === "taps" || !SHORT.has(way)).length;
  const unkept = outbox.unkept(data.code).length;
  part.since = count ? (part.since ?? now) : null; // said only if it takes a while
  const isLate = count > 0 && now - part.since > LATE_MS;
  if (count && !isLate) setTimeout(() => draw(part), LATE_MS + 50);
  return [
    isLate && filled(data.ways[way], { count }),
    unkept > 0 && filled(data.unkept, { count: unkept }),
  ].filter(Boolean);
}

function silence({ data }) {
  const since = listening.silentSince();
  if (since === null) return [];
  if (!navigator.onLine) return [data.noNetwork];
  const time = new Date(since).toLocaleTimeString(document.documentElement.lang, {
    timeStyle: "medium",
  });
  return [filled(data.silent, { time })];
}

// Says once that the clock of this phone is wrong.
function clockNotes(part) {
  const { data } = part;
  const minutes = Math.round(Math.abs(listening.clock) / 60000);
  if (minutes * 60000 < CLOCK_MS || listening.isClockKnown) return [];
  const note = make("button", "note clock-off", `${filled(data.clock, { minutes })} ×`);
  note.onclick = () => {
    listening.isClockKnown = true;
    draw(part);
  };
  return [note];
}

function draw(part) {
  showStanding(part);
  showScope(part);
  const { data, box } = part;
  const refused = outbox.refused(data.code),
    aside = outbox.setAside(data.code);
  const others = elsewhere(part),
    ways = wayLines(part),
    silent = silence(part);
  const notes = [
    ...refused.map((item) => refusedNote(part, item)),
    ...aside.map((item) => asideNote(part, item)),
    ...clockNotes(part),
  ];
  const written = JSON.stringify([data, ways, silent, others, notes.map((note) => note.outerHTML)]);
  if (part.written === written) return;
  part.written = written;
  const said = [
    ...ways.map((text) => ["way", text]),
    ...silent.map((text) => ["way silent", text]),
  ];
  const lines = said.map(([kind, text]) => {
    const line = make("div", kind, text);
    line.setAttribute("role", "status");
    return line;
  });
  const isShort = SHORT.has(outbox.way()) || outbox.way() === "busy";
  const isSoonOver = !silent.length && !outbox.unkept(data.code).length && isShort;
  const way = make("div", isSoonOver ? "ways soon" : "ways");
  way.append(...lines);
  const there = make("div", "elsewhere", others.join(" · "));
  box
    .querySelector(".said")
    .replaceChildren(...(lines.length ? [way] : []), ...(others.length ? [there] : []), ...notes);
}

// Asks once who holds this phone at a table.
function keepHolder({ holder, cookie }) {
  const kept = `${cookie}=${holder}`;
  if (holder === null || document.cookie.split("; ").includes(kept)) return;
  document.cookie = `${kept}; path=/; max-age=${HELD_S}; samesite=lax`;
}

function listen(part) {
  const { code, pile, holder } = part.data;
  const here = new URLSearchParams({ phone: PHONE });
  if (pile !== null) here.set("pile", pile);
  if (Number.isInteger(holder)) here.set("me", holder);
  part.heard = (standing) => {
    outbox.hear(code, standing);
    part.tell();
  };
  const changed = () => draw(part);
  listening.to({ code, query: String(here), tell: part.heard, changed });
}

export default function ({ data, parentElement, setTriggerValue }) {
  const part = attach(parentElement.querySelector(".messenger"), data, draw);
  keepHolder(data);
  part.tell = () => {
    clearTimeout(part.soon);
    part.soon = setTimeout(() => {
      const standing = outbox.standing(part.data.code);
      if (!standing || isShown(part, standing)) return;
      if (isCalm()) setTriggerValue("heard", standing.revision);
      else part.tell();
    }, AGAIN_MS);
  };
  listen(part);
  part.timer ??= setInterval(() => part.tell(), RETRY_MS); // if the last run failed
  return () => {
    if (listening.tell === part.heard) listening.code = null; // otherwise another screen took it over
    clearInterval(part.timer);
    clearTimeout(part.soon);
    detach(part);
  };
}
