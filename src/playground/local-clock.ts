interface LocalClock {
  /** 0 is Monday. */
  readonly dayIndex: number;
  readonly hour: number;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The day of the week and the hour that it is somewhere; where the browser does not know the zone, those of the browser. */
export function readLocalClock(timeZone: string, now = new Date()): LocalClock {
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
