// Who sits at a new table: how many sides, their names, who deals first. All of it is done on the
// phone, without waiting: Enter or a comma leads on to the next name, and a list of names that is
// pasted fills all fields. Names that were played here before are put in by a tap.
const KEPT = "settebello-seats", CHIPS = 12, SEPARATORS = /[,;\n\t]+/;

const plain = (text) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").trim().replace(/\s+/g, " ").toLowerCase();

const inputs = (box) => [...box.querySelectorAll(".seat:not([hidden]) input")];

const firstEmpty = (box) => inputs(box).find((input) => !input.value.trim());

// Nothing typed is thrown away: another theme, language or a reload finds it again.
function keep(seats) {
  const names = inputs(seats.box).map((input) => input.value);
  sessionStorage.setItem(KEPT, JSON.stringify({ names, dealer: seats.dealer }));
}

function findAgain(seats) {
  const { names, dealer } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (!names) return false;
  setCount(seats, names.length);
  inputs(seats.box).forEach((input, side) => (input.value = names[side] ?? ""));
  seats.dealer = dealer;
  return true;
}

function setCount(seats, count) {
  seats.count = Math.max(2, Math.min(seats.data.most, count));
  if (seats.dealer >= seats.count) seats.dealer = 0;
  draw(seats);
}

// Names from one text: each goes into a field of its own, from the field it was typed in on.
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

// The next field that is empty takes the keyboard; where none is, the keyboard folds away.
function leadOn(seats, input) {
  const fields = inputs(seats.box);
  const after = fields.slice(fields.indexOf(input) + 1);
  const next = after.find((one) => !one.value.trim()) ?? firstEmpty(seats.box);
  if (next && next !== input) next.focus();
  else input.blur();
}

function take(seats, name) {
  const active = inputs(seats.box).find((input) => input === document.activeElement);
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
  const active = fields.find((input) => input === document.activeElement);
  if (!active && !firstEmpty(seats.box)) return [];
  const begun = plain(active?.value ?? "");
  const sits = new Set(fields.filter((one) => one !== active).map((one) => plain(one.value)));
  const fits = (name) => name.split(" ").some((_, i, words) => words.slice(i).join(" ").startsWith(begun));
  return seats.data.known.filter((name) => {
    const told = plain(name);
    return !sits.has(told) && told !== begun && fits(told);
  });
}

function drawKnown(seats) {
  const known = seats.box.querySelector(".known");
  const names = offered(seats).slice(0, CHIPS);
  known.hidden = !names.length;
  known.replaceChildren(make("span", "hint", seats.data.knownLabel), ...names.map((name) => {
    const chip = make("button", "chip", name);
    chip.onpointerdown = (event) => event.preventDefault(); // the keyboard stays where it is
    chip.onclick = () => take(seats, name);
    return chip;
  }));
  known.setAttribute("aria-label", seats.data.knownLabel);
}

function draw(seats) {
  const { box, data, count, dealer } = seats;
  box.querySelector(".how-label").textContent = data.label;
  box.querySelector(".how-many").setAttribute("aria-label", data.label);
  [...box.querySelectorAll(".how-many button")].forEach((button, i) =>
    button.setAttribute("aria-pressed", String(i + 2 === count)));
  box.querySelector(".how-hint").textContent = data.hints[count - 2];
  [...box.querySelectorAll(".seat")].forEach((seat, side) => {
    const [input, deals] = [seat.querySelector("input"), seat.querySelector("button")];
    seat.hidden = side >= count;
    input.placeholder = data.usual[side];
    input.setAttribute("aria-label", data.name.replace("{number}", side + 1));
    input.enterKeyHint = side + 1 < count ? "next" : "done";
    deals.textContent = data.deals;
    deals.setAttribute("aria-pressed", String(side === dealer));
    deals.setAttribute("aria-label", `${data.deals}: ${input.value.trim() || data.usual[side]}`);
  });
  drawKnown(seats);
}

function seatOf(seats, side) {
  const [seat, input, deals] = [make("div", "seat"), make("input"), make("button", "deals")];
  Object.assign(input, { maxLength: 200, autocomplete: "off", spellcheck: false, name: `seat_${side}` });
  input.setAttribute("autocapitalize", "words");
  input.oninput = () => {
    keep(seats);
    if (SEPARATORS.test(input.value)) (spread(seats, input, input.value), seats.tell());
    drawKnown(seats);
  };
  input.onpaste = (event) => { // a field of one line would lose the ends of lines
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
  deals.onclick = () => ((seats.dealer = side), draw(seats), seats.tell());
  seat.append(input, deals);
  return seat;
}

function build(seats) {
  const { box, data } = seats;
  for (let count = 2; count <= data.most; count++) {
    const button = make("button", `count-${count}`, String(count));
    button.onclick = () => (setCount(seats, count), seats.tell());
    box.querySelector(".how-many").append(button);
  }
  for (let side = 0; side < data.most; side++) box.querySelector(".names").append(seatOf(seats, side));
}

export default function ({ data, parentElement, setStateValue }) {
  const box = parentElement.querySelector(".seats");
  const isNew = !box.seats;
  const seats = (box.seats ??= { box, count: 2, dealer: 0 });
  seats.data = data;
  seats.tell = () => {
    const names = inputs(box).map((input) => input.value);
    keep(seats);
    setStateValue("seats", { names, dealer: seats.dealer });
  };
  if (isNew) build(seats);
  const isFound = isNew && findAgain(seats);
  draw(seats);
  if (isFound) seats.tell();
}
