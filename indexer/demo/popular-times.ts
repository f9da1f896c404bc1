import type { Week } from "./opening-hours.ts";
import type { Random } from "./random.ts";

/** One day of the `popular_times` of a record. */
export interface BusyDay {
  readonly day: string;
  readonly hours: readonly { readonly hour: number; readonly occupancy_percent: number }[];
}

interface Shape {
  /** 24 digits, midnight first: 9 is as full as it gets. */
  readonly hours: string;
  /** How Saturday and Sunday compare with a working day. */
  readonly saturday: number;
  readonly sunday: number;
}

const SHAPES = {
  breakfast: { hours: "110001478988633212222211", saturday: 1.1, sunday: 1.2 },
  coffee: { hours: "210001357787654456668985", saturday: 1.1, sunday: 1.2 },
  lunch: { hours: "000000122236995323578631", saturday: 0.7, sunday: 0.5 },
  meals: { hours: "100000112234885434689962", saturday: 1.2, sunday: 1.25 },
  evening: { hours: "531000000001222333579998", saturday: 1.2, sunday: 1.05 },
  night: { hours: "998642100000111112234689", saturday: 1.25, sunday: 0.8 },
  snack: { hours: "000000011223334578766531", saturday: 1.1, sunday: 1.15 },
  shop: { hours: "000000012345544456788762", saturday: 1.2, sunday: 1.25 },
  store: { hours: "211112576566764456899864", saturday: 1.05, sunday: 1.05 },
  market: { hours: "112235898763222344321111", saturday: 1.15, sunday: 1.25 },
  office: { hours: "000000035798543776410000", saturday: 0.5, sunday: 0.1 },
  clinic: { hours: "000000268875434555677631", saturday: 1.1, sunday: 0.6 },
  gym: { hours: "000003676443332346899741", saturday: 0.85, sunday: 0.65 },
  worship: { hours: "000124654332222334676321", saturday: 1.2, sunday: 1.7 },
  visitors: { hours: "000000024688654577532211", saturday: 1.3, sunday: 1.4 },
} as const satisfies Record<string, Shape>;

/** The name of a curve of busyness over the day. */
export type BusyName = keyof typeof SHAPES;

/** A digit of a shape is worth so many percent; 9 on a fair day is then about 85. */
const PERCENT_PER_DIGIT = 9.5;

/** How full the place is in every hour in which it is open, by the shape of its kind and some chance. */
export function drawPopularTimes(name: BusyName, week: Week, random: Random): readonly BusyDay[] {
  const shape = SHAPES[name];
  const fame = 0.6 + 0.5 * random.fraction();
  return week.map(({ day, hours }, index) => {
    const dayFactor = index < 5 ? 1 : index === 5 ? shape.saturday : shape.sunday;
    const yesterday = week[(index + 6) % 7]!;
    return {
      day,
      hours: [...openHours(yesterday.hours).afterMidnight, ...openHours(hours).today].map((hour) => {
        const usual = Number(shape.hours[hour]) * PERCENT_PER_DIGIT * fame * dayFactor;
        const percent = Math.round(usual * (0.85 + 0.3 * random.fraction()));
        return { hour, occupancy_percent: Math.min(100, Math.max(3, percent)) };
      }),
    };
  });
}

interface OpenHours {
  readonly today: readonly number[];
  /** The hours of the following day that an overnight range reaches into. */
  readonly afterMidnight: readonly number[];
}

const hoursOfText = new Map<string, OpenHours>();

/** The hours of the day (0–23) in which the ranges of one day are open for some time. */
function openHours(text: string): OpenHours {
  const known = hoursOfText.get(text);
  if (known !== undefined) return known;
  const hours = text === "" ? [] : [...new Set(text.split(", ").flatMap(hoursOfRange))];
  const split = {
    today: hours.filter((hour) => hour < 24),
    afterMidnight: hours.filter((hour) => hour >= 24).map((hour) => hour - 24),
  };
  hoursOfText.set(text, split);
  return split;
}

/** The hours of `HH:MM–HH:MM`, counted on beyond 23 when it passes midnight. */
function hoursOfRange(range: string): number[] {
  const opens = Number(range.slice(0, 2));
  const closes = Number(range.slice(6, 8)) + (range.slice(9) === "00" ? 0 : 1);
  const last = closes <= opens ? closes + 24 : closes;
  return Array.from({ length: last - opens }, (_, index) => opens + index);
}
