import type { Reading } from "../../../../src/search/reading/reading.ts";

/** One line that says what a reading means: `COFFEE [ca phe] open:now rated @Quận 3 by "ho guom" unread "nao"`. */
export function toSummary(reading: Reading): string {
  const { name, kinds, wishes, area, address, point, landmark, isNear, unread, respelled } = reading;
  const parts = [
    respelled && "~",
    name.words.length > 0 && `"${name.words.join(" ")}"`,
    ...kinds.map(({ codes, words }) => `${codes[0]} [${words.join(" ")}]`),
    wishes.opening && `open:${wishes.opening}`,
    wishes.price,
    wishes.isWellRated && "rated",
    ...wishes.features,
    area && `@${[area.name, ...area.within.map((outer) => outer.name)].join(" < ")}`,
    address && `house ${[address.number, address.lastNumber].filter(Boolean).join("-") || "none"}`,
    ...(address?.alleys.map((alley) => `alley ${alley}`) ?? []),
    address && `street "${address.street.words.join(" ")}"`,
    point && `point ${point.latitude.toFixed(3)} ${point.longitude.toFixed(3)}`,
    landmark && `by "${landmark.words.join(" ")}"`,
    isNear && "near",
    unread.length > 0 && `unread "${unread.join(" ")}"`,
  ];
  return parts.filter((part) => part !== undefined && part !== false).join(" ");
}
