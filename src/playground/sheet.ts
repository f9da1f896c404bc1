import { byId } from "./dom.ts";
import { texts } from "./texts.ts";

/** A shorter way is a press, not a drag. */
const MIN_DRAG_PIXELS = 8;

/** Where the sheet stops: its head alone, half of the screen, and over the whole map. The style sheet knows how tall each is. */
const STOPS = ["peek", "half", "full"] as const;

type Stop = (typeof STOPS)[number];

/** The height of the head of the list, which `peek` shows. */
const PEEK_PIXELS = 104;

/** The part of the screen that the map has at `half`. */
const MAP_SHARE = 0.46;

/**
 * On a phone, the list is a sheet under the map with three stops; it is dragged or pressed from one to another, or moved with the arrow
 * keys. Over the map, the map keeps its size. The style sheet decides when the handle is there. Before the first search, the map has
 * most of the screen.
 */
export function watchSheet(isListWanted: boolean): void {
  const sheet = byId("found");
  const handle = byId<HTMLButtonElement>("sheet-handle");
  let stop: Stop = "half";
  let drag: { readonly from: number; readonly base: number; moved: number } | undefined;

  const show = (wanted: Stop): void => {
    stop = wanted;
    sheet.style.transform = "";
    document.body.dataset["sheet"] = wanted;
    handle.setAttribute("aria-expanded", String(wanted === "full"));
    handle.setAttribute("aria-label", wanted === "full" ? texts.showMap : texts.showList);
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    drag = { from: event.clientY, base: offsetOf(stop), moved: 0 };
  });
  handle.addEventListener("pointermove", (event) => {
    if (drag === undefined) return;
    drag.moved = event.clientY - drag.from;
    if (Math.abs(drag.moved) < MIN_DRAG_PIXELS) return;
    // As tall as the full sheet while it moves, so that no gap shows under it.
    document.body.dataset["sheet"] = "full";
    const offset = Math.min(offsetOf("peek"), Math.max(0, drag.base + drag.moved));
    sheet.style.transform = `translateY(${offset}px)`;
  });
  handle.addEventListener("pointercancel", () => {
    drag = undefined;
    show(stop);
  });
  // After a drag the browser reports a click too; `detail` is 0 for one by key.
  handle.addEventListener("click", (event) => {
    const moved = event.detail === 0 ? 0 : (drag?.moved ?? 0);
    const base = drag?.base ?? 0;
    drag = undefined;
    if (Math.abs(moved) < MIN_DRAG_PIXELS) show(stop === "half" ? "full" : "half");
    else show(stopAfter(stop, base + moved, moved));
  });
  handle.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowUp") show(neighbour(stop, 1));
    if (key === "ArrowDown") show(neighbour(stop, -1));
  });
  window.addEventListener("list-wanted", () => {
    if (stop === "peek") show("half");
  });
  show(isListWanted ? "half" : "peek");
}

/** How far under the top of the map the sheet begins, in pixels. */
function offsetOf(stop: Stop): number {
  const top = byId("head").getBoundingClientRect().bottom;
  if (stop === "full") return 0;
  return stop === "half" ? innerHeight * MAP_SHARE : innerHeight - top - PEEK_PIXELS;
}

const neighbour = (stop: Stop, steps: number): Stop =>
  STOPS[Math.min(STOPS.length - 1, Math.max(0, STOPS.indexOf(stop) + steps))] ?? stop;

/** The stop nearest to where the sheet was left, at least the next one in the direction of the drag. */
function stopAfter(stop: Stop, offset: number, moved: number): Stop {
  const next = neighbour(stop, moved < 0 ? 1 : -1);
  const distanceTo = (one: Stop): number => Math.abs(offsetOf(one) - offset);
  const others = STOPS.filter((one) => one !== stop);
  const nearest = others.reduce((best, one) => (distanceTo(one) < distanceTo(best) ? one : best), next);
  const isThatWay =
    (STOPS.indexOf(nearest) - STOPS.indexOf(stop)) * (STOPS.indexOf(next) - STOPS.indexOf(stop)) > 0;
  return isThatWay ? nearest : next;
}
