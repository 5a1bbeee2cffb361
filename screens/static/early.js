// The screen that the server drew, until Streamlit has drawn the same: what is typed and tapped here
// is carried over. It is in a shadow, where neither Streamlit's scripts nor ours look for a screen.
const STEP_MS = 50, PATIENCE_MS = 1500;

class Early extends HTMLElement {
  constructor() {
    super();
    this.root = this.attachInternals().shadowRoot;
    if (!this.root) return; // a browser that cannot do this shows the wordmark
    const { lang, dataset } = this.root.querySelector(".early");
    document.documentElement.lang = lang;
    document.documentElement.dataset.deck = dataset.deck;
    const nothing = () => {};
    this.stops = [...this.root.querySelectorAll("[data-component]")].map((box) =>
      ALIVE[box.dataset.component]({
        data: JSON.parse(box.dataset.json), parentElement: box, setStateValue: nothing, setTriggerValue: nothing,
      }));
    this.root.addEventListener("click", (event) => this.tapped(event.target.closest("button")));
    requestAnimationFrame(() => performance.mark("settebello-early"));
    this.look();
  }

  // The button of Streamlit's that was tapped last; it waits with a sign of that.
  tapped(button) {
    if (!button?.closest('[data-testid="stButton"], [data-testid="stPopover"]')) return;
    this.pressed?.removeAttribute("aria-busy");
    this.pressed = button;
    button.setAttribute("aria-busy", "true");
  }

  look() {
    const app = document.querySelector('[data-testid="stApp"]');
    const isDone = app?.dataset.testScriptState === "notRunning" && document.querySelector(".st-key-page");
    if (isDone && !document.querySelector('[data-testid="stSkeleton"]')) this.since ??= performance.now();
    const isLate = performance.now() - this.since > PATIENCE_MS;
    if (this.since && (isLate || this.isDrawn())) this.leave();
    else setTimeout(() => this.look(), STEP_MS);
  }

  // Whether the components that live here have been drawn by their scripts there.
  isDrawn() {
    const all = (box) => box.querySelectorAll("*").length;
    return [...this.root.querySelectorAll("[data-component]")].every((box) => {
      const there = this.there(box)?.querySelector('[data-testid="stBidiComponentRegular"]');
      return there && all(there) >= all(box);
    });
  }

  // The same piece of the screen as Streamlit drew it, by the class of its key.
  there(piece) {
    const key = piece.closest('[class*="st-key-"]')?.className.match(/st-key-[\w-]+/)[0];
    return key && document.querySelector(`.${key}`);
  }

  leave() {
    for (const stop of this.stops) stop?.();
    for (const box of this.root.querySelectorAll("[data-component]")) {
      this.there(box)?.querySelector('[data-testid="stBidiComponentRegular"] > * > * > *')?.dispatchEvent(new Event("carried"));
    }
    const main = document.querySelector('[data-testid="stMain"]');
    main?.scrollTo(0, this.root.querySelector(".early").scrollTop);
    for (const input of this.root.querySelectorAll(".stTextInput input")) this.carry(input);
    this.carryFocus();
    const button = this.pressed && this.there(this.pressed)?.querySelector("button");
    this.remove();
    performance.mark("settebello-drawn");
    button?.click();
  }

  carry(input) {
    const field = this.there(input)?.querySelector("input");
    if (!field || input.value === input.defaultValue) return; // nobody typed here
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, input.value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
    field.blur(); // Streamlit takes it then
  }

  carryFocus() {
    const input = this.root.activeElement;
    if (!input?.matches("input")) return;
    const there = this.there(input);
    const field = (input.name && there?.querySelector(`[name="${input.name}"]`)) ?? there?.querySelector("input");
    field?.focus();
    field?.setSelectionRange(input.selectionStart, input.selectionEnd);
  }
}

customElements.define("settebello-early", Early);
