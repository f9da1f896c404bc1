import type { PlaceDetail } from "../client/answers.ts";
import { button, h, replace, svg } from "./dom.ts";
import { readLocalClock } from "./local-clock.ts";
import { section } from "./part.ts";
import { texts } from "./texts.ts";

type Day = PlaceDetail["popular_times"][number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const BAR_WIDTH = 14;
const CHART = { width: 24 * BAR_WIDTH, height: 84, floor: 66 };

/** How busy a place usually is, one day at a time, beginning with today. */
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

/** `Thứ Hai` is written `T2` wherever there is little room, `Monday` `Mon`. */
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
  const summary = texts.popularSummary(day, busiest.time_label, busiest.status);
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
        svg("text", { x: hour * BAR_WIDTH + 1, y: CHART.height - 3 }, `${hour}:00`),
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
