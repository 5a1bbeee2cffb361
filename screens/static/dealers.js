// Who deals first at a new table: asked below the names (seats.js), among its other choices.
import { drawDealers } from "./seats.js";

export default function () {
  drawDealers();
}
