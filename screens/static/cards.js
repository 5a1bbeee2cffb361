// The forty cards: a tap shows at once, and is kept until the server has it.
import { filled, make } from "./dom.js";
import * as outbox from "./outbox.js";
import { attach, detach, doneSince, send } from "./part.js";

// The piles in the server's last state, with the taps here since: who has each card, and who has it
// only by a guess that a question is still open about.
function pilesNow(part) {
  const { context, piles: drawn, revision } = part.data;
  const newer = context.mending ? null : outbox.heard(context, revision);
  const said = newer?.piles ?? drawn;
  const owners = Object.fromEntries(part.data.cards.map(({ code }) => [code, new Set()]));
  said.held.forEach((codes, side) => codes.forEach((code) => owners[code].add(side)));
  const asked = said.asked.map((codes) => new Set(codes));
  const absent = new Set(said.absent);
  const give = (code, side) => {
    owners[code] = new Set(side === null ? [] : [side]);
    asked.forEach((codes) => codes.delete(code));
    absent.delete(code);
  };
  const idle = () => Object.keys(owners).filter((c) => !owners[c].size && !absent.has(c));
  for (const one of doneSince(part, newer ?? part.data)) {
    if (one.do === "card" && one.in) give(one.code, one.side);
    else if (one.do === "card") {
      owners[one.code].delete(one.side);
      asked[one.side].delete(one.code);
      const taker = said.rest === one.side ? null : said.rest;
      if (!owners[one.code].size) give(one.code, taker);
    } else if (one.do === "give") give(one.code, one.owner);
    else if (one.do === "rest") idle().forEach((code) => give(code, one.owner));
    else if (one.do === "absent") absent.add(one.code);
  }
  return { owners, asked, absent };
}

// Where a card is, relative to the pile on the screen, and its mark.
function stateOf(code, { owners, asked }, { context, signs }) {
  const sides = [...owners[code]];
  if (sides.length > 1) return ["two", "!"];
  if (asked[context.side].has(code)) return ["ask", "?"];
  if (owners[code].has(context.side)) return ["here", "✓"];
  return sides.length ? ["other", signs[sides[0]]] : ["none", ""];
}

function counted(part, { owners, absent }) {
  const { context, names, counts } = part.data;
  const all = Object.values(owners);
  const of = (side) => all.filter((sides) => sides.has(side)).length;
  const others = names.map((name, side) => [side, filled(counts.other[of(side)], { name })]);
  const none = Object.entries(owners).filter(([c, sides]) => !sides.size && !absent.has(c)).length;
  const rest = others.filter(([side]) => side !== context.side).map(([, text]) => text);
  return [counts.here[of(context.side)], rest.join(" · "), counts.missing[none]];
}

function tap(part, code) {
  const { owners, asked } = pilesNow(part);
  const { side } = part.data.context;
  const isIn = owners[code].has(side) && !asked[side].has(code);
  send(part, { do: "card", code, in: !isIn });
}

function draw(part) {
  const { box, data } = part;
  const row = box.querySelector(".picker");
  const now = pilesNow(part);
  row.className = `picker side-${data.context.side + 1}`;
  if (!row.children.length) {
    for (const { code } of data.cards) {
      const button = make("button", `card f${code}`);
      button.dataset.card = code;
      button.append(make("span", "mark"));
      button.onclick = () => tap(part, code);
      row.append(button);
    }
  }
  data.cards.forEach(({ code, name }, i) => {
    const [state, mark] = stateOf(code, now, data);
    const owner = data.names[[...now.owners[code]][0]] ?? "";
    const button = row.children[i];
    button.dataset.state = state;
    button.firstChild.textContent = mark;
    button.firstChild.className = `mark side-${[...now.owners[code]][0] + 1}`;
    const where = filled(data.states[state], { name: owner });
    button.setAttribute("aria-label", filled(data.label, { card: name, state: where }));
  });
  const [here, others, missing] = counted(part, now);
  const counts = box.querySelector(".counts");
  if (counts.textContent !== `${here} · ${others} · ${missing}`) {
    const parts = [make("span", "", ` · ${others}`), make("span", "", ` · ${missing}`)];
    counts.replaceChildren(make("b", "", here), ...parts);
  }
}

export default function ({ data, parentElement }) {
  const part = attach(parentElement.querySelector(".pile-cards"), data, draw);
  return () => detach(part);
}
