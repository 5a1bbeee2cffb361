// The phone of a scorer stays awake while a hand is played.
export default function ({ parentElement }) {
  parentElement.sleep ??= stayAwake();
  return () => {
    parentElement.sleep?.();
    parentElement.sleep = undefined;
  };
}
