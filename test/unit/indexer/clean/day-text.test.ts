import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDayText } from "../../../../indexer/clean/day-text.ts";
import { mergeRanges } from "../../../../src/place/time/opening-hours.ts";
import type { OpenRange } from "../../../../src/place/document/place-document.ts";

describe("a text without hours is refused", () => {
  test.each([
    "Open ⋅ Closes 10 PM",
    "Mở cửa ⋅ Đóng cửa lúc 22:00",
    "Hours might differ",
    "25:00–26:00",
    "13–10 PM",
    "0–10 PM",
    "7 AM",
    "7–10",
    "7:75 AM–9 PM",
    "–",
    "9 AM–5 PM–7 PM",
    `${"9".repeat(290)} PM`,
    "7 AM–8 PM, ".repeat(40),
  ])("%s", (text) => {
    expect(parseDayText(text)).toBeUndefined();
  });
});

test.each<[string, OpenRange[]]>([
  ["", []],
  ["Closed", []],
  ["CLOSED", []],
  ["Đóng cửa", []],
  ["Đóng cửa".normalize("NFD"), []],
  ["Open 24 hours", [[0, 1440]]],
  ["Open\u00A024\u202Fhours", [[0, 1440]]],
  ["Mở cửa cả ngày", [[0, 1440]]],
  ["Mở cửa 24 giờ", [[0, 1440]]],
  ["24시간", [[0, 1440]]],
  ["24hrs", [[0, 1440]]],
  ["12:00+", [[720, 1440]]],
  ["7g30 - 22g", [[450, 1320]]],
  ["10時～22時", [[600, 1320]]],
  ["10時30分〜22時", [[630, 1320]]],
  [
    "8:00-12:00 / 13:00-17:00",
    [
      [480, 720],
      [780, 1020],
    ],
  ],
  ["9:00–18:00 (last order 17:30)", [[540, 1080]]],
  ["7 AM–9 PM\nHours might differ", [[420, 1260]]],
  ["Open 24 hours, Holiday hours", [[0, 1440]]],
  ["07:00 đến 23:00,Giờ làm việc có thể thay đổi", [[420, 1380]]],
  ["07:00 đến 23:00, ", [[420, 1380]]],
  ["7\u202FAM–8:30\u202FPM", [[420, 1230]]],
  ["7\u00A0AM\u2009–\u20098:30\u2009PM", [[420, 1230]]],
  ["5am–5:30pm", [[300, 1050]]],
  ["6 a.m. to 9 p.m.", [[360, 1260]]],
  ["07:00–22:00", [[420, 1320]]],
  ["07:00 — 22:00", [[420, 1320]]],
  ["07:00-22:00", [[420, 1320]]],
  ["7:00 SA–10:00 CH", [[420, 1320]]],
  ["7:00SA - 10:00CH", [[420, 1320]]],
  ["7 giờ sáng – 10 giờ tối", [[420, 1320]]],
  ["7 giờ 30 – 22 giờ", [[450, 1320]]],
  ["từ 7h30 đến 22h", [[450, 1320]]],
  ["8h-5h chiều", [[480, 1020]]],
  ["8h30 - 5h30 chiều", [[510, 1050]]],
  ["18h-2h sáng", [[1080, 1560]]],
  ["6h tối - 12h đêm", [[1080, 1440]]],
  ["12–10 PM", [[720, 1320]]],
  ["7–10 PM", [[1140, 1320]]],
  ["7:30–10 PM", [[1170, 1320]]],
  ["9–5 PM", [[540, 1020]]],
  ["6–2 AM", [[1080, 1560]]],
  ["9–9 PM", [[540, 1260]]],
  ["12:30–9:30 PM", [[750, 1290]]],
  ["12–5 AM", [[0, 300]]],
  ["6 PM–2 AM", [[1080, 1560]]],
  ["6 PM–12 AM", [[1080, 1440]]],
  ["12 AM–12 AM", [[0, 1440]]],
  [
    "11 AM–2 PM, 5–10 PM",
    [
      [660, 840],
      [1020, 1320],
    ],
  ],
  [
    "11:00–14:00\n17:00–22:00",
    [
      [660, 840],
      [1020, 1320],
    ],
  ],
  [
    "8–11 AM and 1–5 PM",
    [
      [480, 660],
      [780, 1020],
    ],
  ],
  ["8 AM–12 PM, 12–5 PM", [[480, 1020]]],
  ["5–10 PM, 11 AM–6 PM", [[660, 1320]]],
])("%j means %j", (text, ranges) => {
  expect(parseDayText(text)).toEqual(ranges);
});

const SPACES = ["", " ", "\u00A0", "\u202F", "\u2009"];
const DASHES = ["-", "–", "—", "‒", "−", " - ", " – ", "\u2009–\u2009", " to ", " đến "];
type Clock = (minute: number, space: string) => string;

const twelve = (minute: number): [string, boolean] => {
  const hour = Math.floor(minute / 60) % 24;
  return [`${hour % 12 || 12}:${String(minute % 60).padStart(2, "0")}`, hour < 12];
};
const CLOCKS: readonly Clock[] = [
  (minute) => `${String(Math.floor(minute / 60) % 24)}:${String(minute % 60).padStart(2, "0")}`,
  (minute) => `${String(Math.floor(minute / 60) % 24)}h${String(minute % 60).padStart(2, "0")}`,
  (minute, space) => `${twelve(minute)[0]}${space}${twelve(minute)[1] ? "AM" : "PM"}`,
  (minute, space) => `${twelve(minute)[0]}${space}${twelve(minute)[1] ? "a.m." : "p.m."}`,
  (minute, space) => `${twelve(minute)[0]}${space}${twelve(minute)[1] ? "SA" : "CH"}`,
];

const range = fc
  .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 1440 }))
  .map(([opens, length]): OpenRange => [opens, opens + length]);

test("a range in any notation is parsed", () => {
  fc.assert(
    fc.property(
      fc.array(range, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...CLOCKS),
      fc.constantFrom(...SPACES),
      fc.constantFrom(...DASHES),
      (ranges, clock, space, dash) => {
        const text = ranges
          .map(([opens, closes]) => clock(opens, space) + dash + clock(closes, space))
          .join(", ");
        expect(parseDayText(text)).toEqual(mergeRanges(ranges));
      },
    ),
  );
});

const PIECES = "7 12 :30 00 24 am PM sa CH giờ h – - to , ; \n đến từ open closed ( \u0000 \u202F 2 .".split(
  / /,
);

const pieces = fc.array(fc.constantFrom(" ", ...PIECES), { maxLength: 200 }).map((chosen) => chosen.join(""));

test("any text is parsed or refused", () => {
  fc.assert(
    fc.property(pieces, (text) => {
      const ranges = parseDayText(text) ?? [];
      expect(mergeRanges(ranges)).toEqual(ranges);
    }),
  );
});
