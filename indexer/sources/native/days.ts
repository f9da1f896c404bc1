import { dayName } from "../../../src/place/localized-texts.ts";
import { fold, joinWords } from "../../../src/text/fold.ts";

const DAY_INDEXES = [0, 1, 2, 3, 4, 5, 6];

/** Short forms people write besides the full names, Monday first. */
const SHORT_NAMES = [
  ["mon", "t2", "thu2"],
  ["tue", "tues", "t3", "thu3"],
  ["wed", "t4", "thu4"],
  ["thur", "thurs", "t5", "thu5"],
  ["fri", "t6", "thu6"],
  ["sat", "t7", "thu7"],
  ["sun", "cn"],
];

const normalize = (name: string): string => joinWords(fold(name));

/** The full names as our API writes them, which most records have, and every name in its folded form. */
const INDEX_OF_NAME: ReadonlyMap<string, number> = new Map(
  DAY_INDEXES.flatMap((index) => {
    const names = [dayName(index, "vi"), dayName(index, "en"), ...(SHORT_NAMES[index] ?? [])];
    return names.flatMap((name) => [[name, index] as const, [normalize(name), index] as const]);
  }),
);

/** The day of the week, 0 for Monday, by its Vietnamese or English name ("Thứ Hai", "thứ 2", "T2", "Mon"). */
export function parseDay(name: string): number | undefined {
  return INDEX_OF_NAME.get(name) ?? INDEX_OF_NAME.get(normalize(name));
}
