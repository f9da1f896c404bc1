import { byId } from "./dom.ts";
import { texts } from "./texts.ts";

/** A shorter way is a press, not a drag. */
const MIN_DRAG_PIXELS = 8;

/**
 * On a phone, the list is a sheet under the map: half the screen, or dragged or pressed up over the map. The map keeps its size. The
 * style sheet decides when the handle is there.
 */
export function watchSheet(): void {
  const sheet = byId("found");
  const handle = byId<HTMLButtonElement>("sheet-handle");
  let isFull = false;
  let drag: { readonly from: number; readonly base: number; moved: number } | undefined;

  const show = (full: boolean): void => {
    isFull = full;
    sheet.style.transform = "";
    sheet.classList.toggle("full", full);
    handle.setAttribute("aria-expanded", String(full));
    handle.setAttribute("aria-label", full ? texts.showMap : texts.showList);
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    drag = { from: event.clientY, base: isFull ? 0 : byId("map").clientHeight, moved: 0 };
  });
  handle.addEventListener("pointermove", (event) => {
    if (drag === undefined) return;
    drag.moved = event.clientY - drag.from;
    if (Math.abs(drag.moved) < MIN_DRAG_PIXELS) return;
    // As tall as the full sheet while it moves, so that no gap shows under it.
    sheet.classList.add("full");
    const offset = Math.min(byId("map").clientHeight, Math.max(0, drag.base + drag.moved));
    sheet.style.transform = `translateY(${offset}px)`;
  });
  handle.addEventListener("pointercancel", () => {
    drag = undefined;
    show(isFull);
  });
  // After a drag the browser reports a click too; `detail` is 0 for one by key.
  handle.addEventListener("click", (event) => {
    const moved = event.detail === 0 ? 0 : (drag?.moved ?? 0);
    drag = undefined;
    show(Math.abs(moved) < MIN_DRAG_PIXELS ? !isFull : moved < 0);
  });
  show(false);
}
