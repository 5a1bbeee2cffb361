// Keeps a scorer's phone awake while a hand is played.
import { stayAwake } from "./awake.js";

export default function ({ parentElement }) {
  parentElement.sleep ??= stayAwake();
  return () => {
    parentElement.sleep?.();
    parentElement.sleep = undefined;
  };
}
