// The messenger between this phone and its table. It hears of changes and has the screen drawn anew;
// it says what is on its way to the server, and what the server refused.
const RETRY_MS = 2000, AGAIN_MS = 120, AFTER_TOUCH_MS = 600;

// A drawing cuts off one that is under way, and with it a tap that this one is about: so nothing is
// drawn anew while the page is at work, or just after somebody touched it.
let touched = 0;
for (const event of ["pointerdown", "keydown"]) {
  addEventListener(event, () => (touched = Date.now()), true);
}

function calm() {
  const page = document.querySelector("[data-testid=stApp]");
  const idle = page?.dataset.testScriptState !== "running";
  return idle && Date.now() - touched > AFTER_TOUCH_MS;
}

function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

function draw(line) {
  const { data, outbox, box } = line;
  if (!outbox) return;
  for (const { answer, name } of outbox.takeRefusals(data.code)) {
    const sentence = data.errors[answer.error] ?? data.errors.other;
    line.notes.push(filled(sentence, { name, ...answer }));
  }
  const waiting = outbox.state(data.code).waiting.length;
  const texts = [...line.notes];
  box.replaceChildren();
  if (waiting && line.late) {
    const way = document.createElement("div");
    way.className = "way";
    way.setAttribute("role", "status");
    way.textContent = filled(data.waiting, { count: waiting });
    box.append(way);
  }
  for (const text of texts) {
    const note = document.createElement("button");
    note.className = "note stop";
    note.textContent = `${text} ×`;
    note.onclick = () => {
      line.notes.splice(line.notes.indexOf(text), 1);
      draw(line);
    };
    box.append(note);
  }
}

function hear(line) {
  line.source?.close();
  line.code = line.data.code;
  line.heard = null;
  line.source = new EventSource(`/door/${line.code}/changes`);
  line.source.onmessage = (event) => {
    line.heard = Number(event.data);
    line.tell();
  };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".messenger");
  const line = (box.line ??= { box, notes: [], heard: null, late: false });
  line.data = data;
  line.tell = () => {
    clearTimeout(line.soon);
    line.soon = setTimeout(() => {
      if (line.heard === null || line.heard === line.data.revision) return;
      if (calm()) setTriggerValue("heard", line.heard);
      else line.tell();
    }, AGAIN_MS);
  };
  if (line.code !== data.code) hear(line);
  line.timer ??= setInterval(() => line.tell(), RETRY_MS); // where the last drawing failed
  if (!line.outbox) {
    sharedOutbox(data.script).then((outbox) => {
      line.outbox = outbox;
      let since = null; // what is on its way is said only once it takes a while
      line.stop = outbox.listen(() => {
        const waiting = outbox.state(line.data.code).waiting.length;
        since = waiting ? (since ?? Date.now()) : null;
        line.late = since !== null && Date.now() - since > 900;
        if (waiting) setTimeout(() => ((line.late = since !== null), draw(line)), 1000);
        draw(line);
      });
      draw(line);
    });
  } else {
    draw(line);
  }
  return () => {
    line.source?.close();
    clearInterval(line.timer);
    clearTimeout(line.soon);
    line.stop?.();
    box.line = undefined;
  };
}
