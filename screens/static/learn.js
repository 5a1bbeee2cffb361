// How a rule set is played: steps to look at, tables to try, piles of which somebody guesses who has
// a point. All sentences and verdicts come with the data, so that it works while the line is down.
const SHOW_MS = 900; // how long the cards that go together are marked before they move
const MOVE_MS = 700;
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function face(part, code, tag = "span") {
  const card = make(tag, `face f${code}`);
  card.title = part.data.names[code];
  card.setAttribute(tag === "button" ? "aria-label" : "title", part.data.names[code]);
  return card;
}

function felt(part, { table, played }) {
  const cloth = make("div", "felt");
  cloth.translate = false;
  const [lying, hand, pile] = ["lying", "hand", "pile"].map((name) => make("div", name));
  lying.append(...table.map((code) => face(part, code)));
  if (played) hand.append(face(part, played));
  cloth.append(lying, hand, pile);
  return cloth;
}

function buttons(...made) {
  const row = make("div", "go");
  for (const [label, onclick, kind] of made) {
    const button = make("button", `plain ${kind ?? ""}`, label);
    button.onclick = onclick;
    row.append(button);
  }
  return row;
}

function sentences(lines) {
  const list = make("ul", "says");
  list.append(...lines.map((line) => make("li", "", line)));
  return list;
}

// Moves cards to another place on the cloth, from where they lie to where they then are.
function move(cards, place) {
  const from = cards.map((card) => card.getBoundingClientRect());
  place.append(...cards);
  if (isCalm()) return;
  cards.forEach((card, i) => {
    const to = card.getBoundingClientRect();
    const turned = getComputedStyle(card).transform;
    const rest = turned === "none" ? "" : turned;
    const [x, y] = [from[i].left - to.left, from[i].top - to.top];
    const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: rest || "none" }];
    card.animate(frames, { duration: MOVE_MS, easing: "ease-in-out" });
  });
}

// Plays a scene: first the cards that go together are marked, then they go to the pile.
function play(part, cloth, scene) {
  const [lying, hand, pile] = cloth.children;
  const played = hand.firstChild;
  const taken = [...lying.children].filter((card) => scene.taken.some((c) => card.matches(`.f${c}`)));
  [...taken, played].forEach((card) => card.classList.add("goes"));
  clearTimeout(part.soon);
  part.soon = setTimeout(() => {
    [...lying.children, played].forEach((card) => card.classList.remove("goes"));
    if (taken.length || scene.pile) {
      played.classList.toggle("crosswise", scene.scopa);
      move([...taken, played], pile);
    } else move([played], lying);
    if (!scene.last || !lying.children.length) return;
    part.soon = setTimeout(() => move([...lying.children], pile), isCalm() ? 0 : 2 * SHOW_MS);
  }, isCalm() ? 0 : SHOW_MS);
}

function count(part, { piles, lines }) {
  const box = make("div", lines.length ? "counted" : "counted few");
  for (const { name, codes } of piles) {
    const row = make("div", "held");
    row.translate = false;
    row.append(make("b", "", name), ...codes.map((code) => face(part, code)));
    box.append(row);
  }
  const table = make("table", "lines");
  for (const line of lines) {
    const row = table.insertRow();
    ["point", "who", "why"].forEach((name) => (row.insertCell().textContent = line[name]));
  }
  box.append(table);
  return box;
}

function drawStep(part, stage) {
  const { steps, words } = part.data;
  const step = steps[part.at.steps];
  const scene = step.scenes[part.scene ?? 0];
  const last = (part.scene ?? 0) + 1 >= step.scenes.length;
  stage.append(make("h3", "", `${part.at.steps + 1}/${steps.length} · ${step.head}`));
  const cloth = scene && felt(part, scene);
  stage.append(cloth ?? count(part, step.count), sentences(step.says));
  const again = () => ((part.scene = 0), draw(part));
  const next = () => {
    if (!last) part.scene = (part.scene ?? 0) + 1;
    else if (part.at.steps + 1 < steps.length) Object.assign(part, { scene: 0 }).at.steps += 1;
    else Object.assign(part, { scene: 0, mode: "tasks" }).at.steps = 0;
    draw(part);
  };
  const back = () => (Object.assign(part, { scene: 0 }).at.steps--, draw(part));
  stage.append(
    buttons(
      ...(part.at.steps ? [[words.back, back]] : []),
      ...(cloth ? [[words.again, again]] : []),
      [words.next, next, "primary"],
    ),
  );
  if (cloth) play(part, cloth, scene);
}

function verdict(stage, [kind, why], words) {
  stage.querySelector(".note")?.remove();
  const note = make("div", `note ${{ right: "", "not-best": "ask", "not-allowed": "stop" }[kind]}`);
  note.setAttribute("role", "status");
  note.append(make("b", "", words[kind]), ` ${why}`);
  stage.querySelector(".go").before(note);
}

function following(part, mode, many) {
  part.at[mode] = (part.at[mode] + 1) % many;
  draw(part);
}

function drawTask(part, stage) {
  const { tasks, whys, words } = part.data;
  const task = tasks[part.at.tasks];
  stage.append(make("h3", "", `${part.at.tasks + 1}/${tasks.length} · ${task.head}`));
  const cloth = felt(part, task);
  const tapped = task.table.map(() => false);
  const take = make("button", "plain primary");
  const label = () => (take.textContent = tapped.some(Boolean) ? words.take : words.lay);
  const cards = task.table.map((code, i) => {
    const card = face(part, code, "button");
    card.setAttribute("aria-pressed", "false");
    card.onclick = () => {
      tapped[i] = !tapped[i];
      card.setAttribute("aria-pressed", String(tapped[i]));
      label();
    };
    return card;
  });
  cloth.querySelector(".lying").replaceChildren(...cards);
  label();
  take.onclick = () => {
    const mask = tapped.reduce((sum, is, i) => sum + (is ? 2 ** i : 0), 0);
    const [kind, why] = task.verdicts[mask];
    verdict(stage, [kind, whys[why]], words);
  };
  const row = buttons([words.other_table, () => following(part, "tasks", tasks.length)]);
  row.prepend(take);
  stage.append(cloth, row);
}

function drawGuess(part, stage) {
  const { guesses, words } = part.data;
  const guess = guesses[part.at.guesses];
  stage.append(make("h3", "", `${part.at.guesses + 1}/${guesses.length} · ${guess.head}`));
  stage.append(count(part, { piles: guess.piles, lines: [] }));
  const answers = guess.answers.map((answer, i) => [
    answer,
    () => verdict(stage, [i === guess.right ? "right" : "not-allowed", guess.why], words),
  ]);
  const next = [words.other_piles, () => following(part, "guesses", guesses.length)];
  stage.append(buttons(...answers), buttons(next));
}

const DRAW = { steps: drawStep, tasks: drawTask, guesses: drawGuess };

function draw(part) {
  const { box, data } = part;
  clearTimeout(part.soon);
  const tabs = Object.keys(DRAW).map((mode) => {
    const tab = make("button", "plain", data.words[mode]);
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(mode === part.mode));
    tab.onclick = () => (Object.assign(part, { mode, scene: 0 }), draw(part));
    return tab;
  });
  box.querySelector(".parts").replaceChildren(...tabs);
  const stage = box.querySelector(".stage");
  stage.replaceChildren();
  DRAW[part.mode](part, stage);
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".learn");
  const written = JSON.stringify(data);
  if (box.lesson?.written === written) return; // the same lesson goes on where it was
  const at = { steps: 0, tasks: 0, guesses: 0 };
  const mode = box.lesson?.mode ?? "steps";
  box.lesson = { box, data, written, mode, scene: 0, at };
  draw(box.lesson);
}
