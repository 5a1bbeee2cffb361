// Keeps a visible screen awake if the browser allows it: over https, or on this computer itself.
// Returns a function that lets it sleep again.
export function stayAwake() {
  let lock = null;
  const wake = async () => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock?.request("screen");
    } catch {
      lock = null; // the battery is low, or the browser wants a tap first
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
