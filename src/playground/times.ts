import type { PlaceDetail } from "../client/answers.ts";
import { button, h, replace, section, svg } from "./dom.ts";
import { formatHour, formatRange, formatTime } from "./format.ts";
import { texts } from "./texts.ts";

interface LocalClock {
  /** 0 is Monday. */
  readonly dayIndex: number;
  readonly hour: number;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The local day of the week and hour in a time zone; the browser's own if it does not know the zone. */
function readLocalClock(timeZone: string, now = new Date()): LocalClock {
  const options = { weekday: "short", hour: "2-digit", hourCycle: "h23" } as const;
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = new Intl.DateTimeFormat("en", { ...options, timeZone }).formatToParts(now);
  } catch {
    parts = new Intl.DateTimeFormat("en", options).formatToParts(now);
  }
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  return { dayIndex: Math.max(0, DAYS.indexOf(part("weekday"))), hour: Number(part("hour")) };
}

/** The week of a place with today marked, in its local time. */
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
        ...(hours || texts.closedDay)
          .split(", ")
          .map((range) => h("span", { class: "range" }, formatRange(range))),
        special.has(index) && h("span", { class: "small muted" }, texts.specialDay),
      ),
    ),
  );
  return section(texts.hours, h("table", { class: "hours" }, h("tbody", {}, ...rows)));
}

type Day = PlaceDetail["popular_times"][number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const BAR_WIDTH = 14;
const CHART = { width: 24 * BAR_WIDTH, height: 84, floor: 66 };

/** How busy a place usually is, one day at a time, starting with today. */
export function renderPopularTimes({ popular_times: days, location }: PlaceDetail): HTMLElement | false {
  if (days.every(({ hours }) => hours.length === 0)) return false;
  const now = readLocalClock(location.timezone);
  const chart = h("div", { class: "chart" });
  const tabs = h("div", { class: "days", role: "group", "aria-label": texts.popularDay });
  const show = (dayIndex: number): void => {
    for (const [index, tab] of [...tabs.children].entries())
      tab.setAttribute("aria-pressed", String(index === dayIndex));
    const day = days[dayIndex];
    if (day) replace(chart, renderDay(day, dayIndex === now.dayIndex ? now.hour : undefined));
  };
  tabs.append(
    ...days.map(({ day }, index) => button({ class: "day", title: day }, () => show(index), shorten(day))),
  );
  show(now.dayIndex);
  return section(texts.popular, tabs, chart);
}

/** Short names: `T2` for `Thứ Hai`, `Mon` for `Monday`. */
const VIETNAMESE_DAYS: Readonly<Record<string, string>> = {
  "Thứ Hai": "T2",
  "Thứ Ba": "T3",
  "Thứ Tư": "T4",
  "Thứ Năm": "T5",
  "Thứ Sáu": "T6",
  "Thứ Bảy": "T7",
  "Chủ Nhật": "CN",
};
const shorten = (day: string): string => VIETNAMESE_DAYS[day] ?? day.slice(0, 3);

function renderDay({ day, hours }: Day, currentHour: number | undefined): Element {
  const [first] = hours;
  if (first === undefined) return h("p", { class: "muted chart-empty" }, texts.popularNone);
  const busiest = hours.reduce(
    (most, hour) => (hour.occupancy_percent > most.occupancy_percent ? hour : most),
    first,
  );
  const summary = texts.popularSummary(day, formatTime(`${busiest.hour}:00`), busiest.status);
  return h(
    "figure",
    {},
    svg(
      "svg",
      { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": summary },
      svg("path", { class: "floor", d: `M0 ${CHART.floor + 0.5}H${CHART.width}` }),
      ...HOURS.map((hour) =>
        renderBar(
          hour,
          hours.find((each) => each.hour === hour)?.occupancy_percent ?? 0,
          hour === currentHour,
        ),
      ),
      ...[0, 6, 12, 18].map((hour) =>
        svg("text", { x: hour * BAR_WIDTH + 1, y: CHART.height - 3 }, formatHour(hour)),
      ),
    ),
    h("figcaption", { class: "small muted" }, summary),
  );
}

function renderBar(hour: number, percent: number, isNow: boolean): SVGElement {
  const height = Math.max(percent > 0 ? 3 : 0, (percent / 100) * (CHART.floor - 6));
  return svg("rect", {
    class: isNow ? "bar now" : "bar",
    x: hour * BAR_WIDTH + 1.5,
    y: CHART.floor - height,
    width: BAR_WIDTH - 3,
    height,
    rx: 2.5,
  });
}
