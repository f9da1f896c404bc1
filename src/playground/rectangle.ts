import { button, byId, h, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { L, type Leaflet } from "./leaflet.ts";
import { texts } from "./texts.ts";
import { type Box, toBox } from "./view.ts";

interface Rectangle {
  /** Shows the rectangle of the search, or none. */
  show(box: Box | undefined): void;
  readonly box: () => Box | undefined;
}

/** A smaller rectangle is a press. */
const MIN_PIXELS = 12;

/** The rectangle that a search is restricted to. It is drawn with a pointer, or takes the whole view. */
export function createRectangle(map: Leaflet.Map, onBox: (box: Box) => void): Rectangle {
  const start = byId<HTMLButtonElement>("draw-box");
  const container = map.getContainer();
  const shape = L.rectangle(L.latLngBounds([0, 0], [0, 0]), { interactive: false, className: "search-box" });
  let shown: Box | undefined;

  const show = (box: Box | undefined): void => {
    shown = box;
    if (box === undefined) shape.remove();
    else shape.setBounds(toBounds(box)).addTo(map);
  };
  const isDrawing = (): boolean => container.classList.contains("drawing");
  const setDrawing = (on: boolean): void => {
    container.classList.toggle("drawing", on);
    map.dragging[on ? "disable" : "enable"]();
    start.setAttribute("aria-pressed", String(on));
    showHint(on, { onView: () => end(map.getBounds()), onCancel: cancel });
  };
  const cancel = (): void => {
    setDrawing(false);
    show(shown);
    start.focus();
  };
  const end = (bounds: Leaflet.LatLngBounds): void => {
    setDrawing(false);
    onBox(toBox([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]));
  };
  start.addEventListener("click", () => (isDrawing() ? cancel() : setDrawing(true)));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isDrawing()) return;
    event.preventDefault();
    cancel();
  });
  watchDrags(map, {
    isWanted: isDrawing,
    onMove: (bounds) => shape.setBounds(bounds).addTo(map),
    onEnd: (bounds) => (bounds && isLargeEnough(map, bounds) ? end(bounds) : show(shown)),
  });
  return { show, box: () => shown };
}

interface DragOptions {
  readonly isWanted: () => boolean;
  readonly onMove: (bounds: Leaflet.LatLngBounds) => void;
  /** Without bounds when the drag was interrupted. */
  readonly onEnd: (bounds: Leaflet.LatLngBounds | undefined) => void;
}

/** Pointer events of the browser: Leaflet reports no drags by touch. */
function watchDrags(map: Leaflet.Map, { isWanted, onMove, onEnd }: DragOptions): void {
  const container = map.getContainer();
  let from: Leaflet.LatLng | undefined;
  container.addEventListener("pointerdown", (event) => {
    if (!isWanted() || !event.isPrimary) return;
    from = map.mouseEventToLatLng(event);
    container.setPointerCapture(event.pointerId);
  });
  container.addEventListener("pointermove", (event) => {
    if (from) onMove(L.latLngBounds(from, map.mouseEventToLatLng(event)));
  });
  const finish = (event: PointerEvent, isWhole: boolean): void => {
    if (from === undefined) return;
    const bounds = L.latLngBounds(from, map.mouseEventToLatLng(event));
    from = undefined;
    onEnd(isWhole ? bounds : undefined);
  };
  container.addEventListener("pointerup", (event) => finish(event, true));
  container.addEventListener("pointercancel", (event) => finish(event, false));
}

function isLargeEnough(map: Leaflet.Map, bounds: Leaflet.LatLngBounds): boolean {
  const [one, other] = [bounds.getNorthWest(), bounds.getSouthEast()].map((at) =>
    map.latLngToContainerPoint(at),
  );
  if (one === undefined || other === undefined) return false;
  return Math.min(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) >= MIN_PIXELS;
}

/** The bounds of a rectangle on the map; east of the antimeridian it goes on. */
export function toBounds([west, south, east, north]: Box): Leaflet.LatLngBounds {
  return L.latLngBounds([south, west], [north, east < west ? east + 360 : east]);
}

interface HintActions {
  readonly onView: () => void;
  readonly onCancel: () => void;
}

/** Says what to do, with a way for those who cannot drag. */
function showHint(isDrawing: boolean, { onView, onCancel }: HintActions): void {
  const hint = byId("draw-hint");
  hint.hidden = !isDrawing;
  if (!isDrawing) return replace(hint);
  replace(
    hint,
    h("span", { role: "status" }, texts.drawHint),
    button({ class: "quiet" }, onView, texts.drawView),
    button({ class: "quiet", "aria-label": texts.close }, onCancel, icon("close", 16)),
  );
}
