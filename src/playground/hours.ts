import type { PlaceDetail } from "../client/answers.ts";
import { h } from "./dom.ts";
import { readLocalClock } from "./local-clock.ts";
import { section } from "./part.ts";
import { texts } from "./texts.ts";

/** The week of a place with today marked, by the clock of the place. */
export function renderHours(place: PlaceDetail): HTMLElement | false {
  if (place.opening_periods === null || place.opening_hours.every(({ hours }) => hours === "")) return false;
  const today = readLocalClock(place.location.timezone).dayIndex;
  const special = new Set(
    (place.special_days ?? []).map(({ date }) => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7),
  );
  const rows = place.opening_hours.map(({ day, hours }, index) =>
    h(
      "tr",
      index === today ? { class: "today", "aria-current": "date" } : {},
      h("th", { scope: "row" }, day, index === today && h("span", { class: "badge" }, texts.today)),
      h(
        "td",
        {},
        ...(hours || texts.closedDay).split(", ").map((range) => h("span", { class: "range" }, range)),
        special.has(index) && h("span", { class: "small muted" }, texts.specialDay),
      ),
    ),
  );
  return section(texts.hours, h("table", { class: "hours" }, h("tbody", {}, ...rows)));
}
