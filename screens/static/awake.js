// A screen that is looked at does not fall asleep, where the browser allows that: over https, or on
// the computer itself. Gives what lets it sleep again.
export function stayAwake() {
  let lock = null;
  const wake = async () => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock?.request("screen");
    } catch {
      lock = null; // a battery that runs low, or a browser that asks for a tap first
    }
  };
  document.addEventListener("visibilitychange", wake);
  document.addEventListener("pointerdown", wake);
  wake();
  return () => {
    document.removeEventListener("visibilitychange", wake);
    document.removeEventListener("pointerdown", wake);
    lock?.release();
  };
}
