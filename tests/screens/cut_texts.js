// Gives every visible text that is cut, beyond the window, a box with a ground or a frame, or a clip;
// every one that lies over another; and every one under a note that floats.
() => {
  const SLACK = 1.5, cut = [], laid = [];
  const isPainted = (style) =>
    (style.backgroundColor !== "rgba(0, 0, 0, 0)" && style.backgroundColor !== "transparent") ||
    parseFloat(style.borderLeftWidth) > 0;
  // A line as it is seen where an ellipsis says that it is cut.
  function shortened(line, element) {
    const box = getComputedStyle(element).textOverflow === "ellipsis" && element.getBoundingClientRect();
    if (!box) return line;
    const left = Math.max(line.left, box.left), right = Math.min(line.right, box.right);
    return new DOMRect(left, line.top, Math.max(0, right - left), line.height);
  }
  function fault(text, element) {
    const slide = element.closest(".slide"); // is swiped: the next one is beside the window
    const { left, right } = slide?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
    if (text.left < left - SLACK || text.right > right + SLACK) return slide ? "its slide" : "the window";
    for (let box = element; box && box !== document.documentElement; box = box.parentElement) {
      if (box === slide) break;
      const style = getComputedStyle(box);
      const edge = box.getBoundingClientRect();
      const beside = text.left < edge.left - SLACK || text.right > edge.right + SLACK;
      const below = text.top < edge.top - SLACK || text.bottom > edge.bottom + SLACK;
      if (style.display === "contents" || style.display === "inline") continue;
      const clips = style.overflowX !== "visible";
      if (beside && (clips || isPainted(style))) return box.className || box.tagName;
      const scrolls = ["auto", "scroll"].includes(style.overflowY);
      if (below && !scrolls && (clips || isPainted(style))) return box.className || box.tagName;
      if (scrolls || style.position === "fixed") break;
    }
    return null;
  }
  const floats = (e) => e && e.dataset.testid !== "stMain"
    && (["fixed", "sticky", "absolute"].includes(getComputedStyle(e).position) || floats(e.parentElement));
  const shared = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  // a letter fills some three fifths of the height of its line
  const isOver = (a, b) => shared(a, b, "left", "right") > SLACK
    && shared(a, b, "top", "bottom") > 0.2 * (a.height + b.height) + SLACK;
  const notes = [...document.querySelectorAll(".note, .lost, .late, .sleeps, .st-key-toast, .messenger .said > *")]
    .filter((note) => floats(note) && note.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((note) => [note, note.getBoundingClientRect()]);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, element = node.parentElement;
    if (!node.textContent.trim() || element.closest("style, script, noscript, title")) continue;
    // A badge reaches over its card; test_browser_season.py looks at the charts; Streamlit's own link
    // to the content slides in when it has the focus.
    if (element.closest(".mark, [class*=st-key-chart_], [data-testid=stSkipToContent]")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()]
      .map((line) => shortened(line, element))
      .filter((line) => line.width > 1);
    if (!floats(element)) {
      const under = laid.find((other) => lines.some((a) => other.lines.some((b) => isOver(a, b))));
      if (under) cut.push(`${node.textContent.trim().slice(0, 40)} | over ${under.node.textContent.trim().slice(0, 40)}`);
      laid.push({ node, lines });
    }
    const [note] = notes.find(([one, box]) => !one.contains(element) && lines.some((line) => isOver(line, box))) ?? [];
    if (note) cut.push(`${node.textContent.trim().slice(0, 40)} | under the note ${note.textContent.trim().slice(0, 40)}`);
    const found = lines.map((line) => fault(line, element)).find(Boolean);
    if (found) cut.push(`${node.textContent.trim().slice(0, 40)} | beyond ${found}`);
  }
  // what stands in a field until somebody types; letters twice as large leave it no room on a small phone
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[placeholder]:not([role=combobox])")) { // that shows its choice
    if (parseFloat(getComputedStyle(document.documentElement).fontSize) > 24) break;
    const style = getComputedStyle(field);
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    pen.font = style.font;
    if (field.checkVisibility() && pen.measureText(field.placeholder).width > room + SLACK) cut.push(`${field.placeholder} | beyond its field`);
  }
  return cut;
}
