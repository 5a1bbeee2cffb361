const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text for a sentence or a label, between isolates if it has letters from right to left. */
export function isolated(text) {
  const isBare = RIGHT_TO_LEFT.test(text) && !String(text).includes("\u2068");
  return isBare ? `\u2068${text}\u2069` : text;
}

/** A sentence with its `{names}` replaced by values. */
export function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => isolated(values[name] ?? ""));
}

export function make(name, className = "", text = "") {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.textContent = text;
  return node;
}
