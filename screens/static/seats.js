// Who sits at a new table: names, seats in their order, teams, who deals first. All of it is done on
// the phone, without waiting: Enter or a comma leads on to the next name, and a list of names that
// is pasted fills all fields. Names that were played here before are put in by a tap.
import { filled, make } from "./dom.js";

const KEPT = "settebello-seats",
  CHIPS = 6,
  SEPARATORS = /[,;\n\t]+/;

const plain = (text) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").trim().replace(/\s+/g, " ").toLowerCase();

const inputs = (box) => [...box.querySelectorAll(".seat:not([hidden]) input")];

const firstEmpty = (box) => inputs(box).find((input) => !input.value.trim());

// Nothing typed is thrown away: another theme, language or a reload finds it again.
function keep(seats) {
  const names = inputs(seats.box).map((input) => input.value);
  const { dealer, teams } = seats;
  sessionStorage.setItem(KEPT, JSON.stringify({ names, dealer, teams }));
}

function findAgain(seats) {
  const { names, dealer, teams } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (!names) return false;
  setCount(seats, names.length);
  inputs(seats.box).forEach((input, side) => (input.value = names[side] ?? ""));
  Object.assign(seats, { dealer, teams: teams ?? 0 });
  return true;
}

function setCount(seats, count) {
  seats.count = Math.max(2, Math.min(seats.data.most, count));
  if (seats.dealer >= seats.count) seats.dealer = 0;
  if (!waysInTeams(seats).includes(seats.teams)) seats.teams = 0;
  draw(seats);
}

// The numbers of teams that so many players can form; players of a team sit opposite each other.
const waysInTeams = ({ count }) => ({ 4: [2], 6: [2, 3] })[count] ?? [];

// The sides of the table: the players, or teams of those who sit opposite each other.
function sides(seats) {
  const names = inputs(seats.box).map((input) => input.value);
  if (!seats.teams) return names;
  return [...Array(seats.teams).keys()].map((team) => {
    const members = names.filter((name, seat) => seat % seats.teams === team && name.trim());
    const letters = Math.floor((seats.data.letters - 3 * (members.length - 1)) / members.length);
    return members.map((name) => name.trim().slice(0, letters)).join(" + ");
  });
}

// A player leaves; those after move up.
function leave(seats, seat) {
  const names = inputs(seats.box).map((input) => input.value);
  names.splice(seat, 1);
  inputs(seats.box).forEach((input, i) => (input.value = names[i] ?? ""));
  setCount(seats, seats.count - 1);
  seats.tell();
}

// Moves a player to another seat; the dealer stays the same player.
function move(seats, from, to) {
  if (to < 0 || to >= seats.count || to === from) return;
  const fields = inputs(seats.box);
  const order = fields.map((input, seat) => [input.value, seat === seats.dealer]);
  order.splice(to, 0, ...order.splice(from, 1));
  order.forEach(([name, deals], seat) => {
    fields[seat].value = name;
    if (deals) seats.dealer = seat;
  });
  draw(seats);
}

// The handle of a seat: it is dragged to another one, or moved by the arrow keys.
function handleOf(seats, side) {
  const grip = make("button", "grip", "≡");
  const all = () => [...seats.box.querySelectorAll(".seat")];
  grip.onkeydown = (event) => {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(seats, side, side + step);
    seats.tell();
    all()[Math.max(0, Math.min(seats.count - 1, side + step))].querySelector(".grip").focus();
  };
  grip.onpointerdown = (event) => {
    grip.setPointerCapture(event.pointerId);
    seats.dragged = side;
  };
  grip.onpointermove = ({ clientX, clientY }) => {
    if (seats.dragged === undefined) return;
    const over = all().indexOf(document.elementFromPoint(clientX, clientY)?.closest(".seat"));
    if (over < 0 || over >= seats.count) return;
    move(seats, seats.dragged, over);
    seats.dragged = over;
  };
  grip.onlostpointercapture = () => {
    seats.dragged = undefined;
    draw(seats);
    seats.tell();
  };
  return grip;
}

// Splits a text into names and puts each into its own field, starting with the field of the text.
function spread(seats, input, text) {
  const from = inputs(seats.box).indexOf(input);
  const names = text.split(SEPARATORS).map((name) => name.trim());
  const isOpen = names.length > 1 && !names.at(-1); // a separator typed after a name
  const given = names.filter(Boolean);
  setCount(seats, Math.max(seats.count, from + given.length + (isOpen ? 1 : 0)));
  const fields = inputs(seats.box);
  input.value = "";
  given.slice(0, fields.length - from).forEach((name, i) => (fields[from + i].value = name));
  const next = Math.min(from + given.length - (isOpen ? 0 : 1), fields.length - 1);
  fields[Math.max(from, next)].focus();
}

// Focuses the next empty field; if there is none, the keyboard closes.
function leadOn(seats, input) {
  const fields = inputs(seats.box);
  const after = fields.slice(fields.indexOf(input) + 1);
  const next = after.find((one) => !one.value.trim()) ?? firstEmpty(seats.box);
  if (next && next !== input) next.focus();
  else input.blur();
}

function take(seats, name) {
  const active = inputs(seats.box).find((input) => input.matches(":focus"));
  const field = active ?? firstEmpty(seats.box);
  if (!field) return;
  field.value = name;
  if (active) leadOn(seats, active);
  draw(seats);
  seats.tell();
}

// The names to offer: those that begin as what is being typed, none that sits already.
function offered(seats) {
  const fields = inputs(seats.box);
  const active = fields.find((input) => input.matches(":focus"));
  if (!active && !firstEmpty(seats.box)) return [];
  const begun = plain(active?.value ?? "");
  const sits = new Set(fields.filter((one) => one !== active).map((one) => plain(one.value)));
  const fits = (name) =>
    name.split(" ").some((_, i, words) => words.slice(i).join(" ").startsWith(begun));
  return seats.data.known.filter((name) => {
    const typed = plain(name);
    return !sits.has(typed) && typed !== begun && fits(typed);
  });
}

function drawKnown(seats) {
  const known = seats.box.querySelector(".known");
  const names = offered(seats).slice(0, CHIPS);
  known.hidden = !names.length;
  known.replaceChildren(
    ...names.map((name) => {
      const chip = make("button", "chip", name);
      chip.onpointerdown = (event) => event.preventDefault(); // the keyboard stays where it is
      chip.onclick = () => take(seats, name);
      return chip;
    }),
  );
  known.setAttribute("aria-label", seats.data.knownLabel);
}

// Buttons of which one is chosen.
function drawChoice(box, label, choices, chosen, choose) {
  box.setAttribute("aria-label", label);
  const cells = make("div", "switch");
  cells.append(
    ...choices.map(([value, text], i) => {
      const button = make("button", `choice-${i}`, text);
      button.setAttribute("aria-pressed", String(value === chosen));
      button.onclick = () => choose(value);
      return button;
    }),
  );
  box.replaceChildren(make("span", "hint", label), cells);
}

function draw(seats) {
  const { box, data, count } = seats;
  const fields = [...box.querySelectorAll(".seat input")];
  const called = (seat) => fields[seat].value.trim() || data.usual[seat];
  [...box.querySelectorAll(".seat")].forEach((seat, side) => {
    const [sign, input, grip, gone] = seat.children;
    seat.hidden = side >= count;
    const sideOf = seats.teams ? side % seats.teams : side;
    sign.className = `sign side-${sideOf + 1}`;
    sign.textContent = data.signs[sideOf];
    input.placeholder = data.usual[side];
    input.setAttribute("aria-label", data.name.replace("{number}", side + 1));
    input.enterKeyHint = side + 1 < count ? "next" : "done";
    gone.hidden = grip.hidden = count <= 2;
    seat.classList.toggle("dragged", side === seats.dragged);
    grip.setAttribute("aria-label", filled(data.move, { name: called(side) }));
    gone.setAttribute("aria-label", filled(data.leave, { name: called(side) }));
  });
  const add = box.querySelector(".add");
  add.textContent = data.add;
  add.hidden = count >= data.most;
  const ways = waysInTeams(seats);
  const teams = box.querySelector(".teams");
  teams.hidden = !ways.length;
  drawChoice(
    teams,
    data.teamsLabel,
    [0, ...ways].map((n) => [n, data.teams[n]]),
    seats.teams,
    (n) => ((seats.teams = n), draw(seats), seats.tell()),
  );
  const hint = box.querySelector(".how-hint");
  hint.textContent = data.hints[count] ?? "";
  hint.hidden = !hint.textContent;
  drawDealers();
  drawKnown(seats);
}

// Who deals first is asked elsewhere on the screen (dealers.html), if at all.
function drawDealers() {
  const dealers = document.querySelector(".dealers"),
    { seats } = document.querySelector(".seats:not(.dealers)") ?? {};
  if (!dealers || !seats) return;
  const { data } = seats;
  const seated = inputs(seats.box).map((input, seat) => [
    seat,
    input.value.trim() || data.usual[seat],
  ]);
  const choose = (seat) => ((seats.dealer = seat), draw(seats), seats.tell());
  drawChoice(dealers, data.deals, seated, seats.dealer, choose);
}

function seatOf(seats, side) {
  const [seat, sign, input, gone] = [
    make("div", "seat"),
    make("i"),
    make("input"),
    make("button", "gone-seat", "×"),
  ];
  sign.setAttribute("aria-hidden", "true");
  Object.assign(input, {
    maxLength: 200,
    autocomplete: "off",
    spellcheck: false,
    name: `seat_${side}`,
  });
  input.setAttribute("autocapitalize", "words");
  input.oninput = () => {
    keep(seats);
    if (SEPARATORS.test(input.value)) (spread(seats, input, input.value), seats.tell());
    drawKnown(seats);
  };
  input.onpaste = (event) => {
    // a field of one line would lose the ends of lines
    const text = event.clipboardData.getData("text");
    if (!SEPARATORS.test(text.trim())) return;
    event.preventDefault();
    spread(seats, input, text.trim());
    draw(seats);
    seats.tell();
  };
  input.onkeydown = (event) => {
    if (event.key === "Enter" && !event.isComposing) leadOn(seats, input);
  };
  input.onfocus = () => drawKnown(seats);
  input.onblur = () => setTimeout(() => draw(seats));
  input.onchange = () => seats.tell();
  gone.onclick = () => leave(seats, side);
  seat.append(sign, input, handleOf(seats, side), gone);
  return seat;
}

function build(seats) {
  const { box, data } = seats;
  for (let side = 0; side < data.most; side++)
    box.querySelector(".names").append(seatOf(seats, side));
  box.querySelector(".add").onclick = () => {
    setCount(seats, seats.count + 1);
    inputs(box).at(-1).focus();
    seats.tell();
  };
}

export default function ({ data, parentElement, setStateValue }) {
  const box = parentElement.querySelector(".seats:not(.dealers)");
  if (!box) return drawDealers();
  const isNew = !box.seats;
  const seats = (box.seats ??= { box, count: 2, dealer: 0, teams: 0 });
  seats.data = data;
  seats.tell = () => {
    keep(seats);
    const names = sides(seats);
    setStateValue("seats", { names, dealer: seats.dealer % names.length, teams: seats.teams });
  };
  if (isNew) build(seats);
  const isFound = isNew && findAgain(seats);
  draw(seats);
  if (isFound) seats.tell();
}
