import { describe, expect, it } from "vitest";
import { momentOf } from "../../../src/search/find-reading.ts";
import type { OpeningWish } from "../../../src/place/open-state.ts";

/** A Wednesday, 21:00 in Viet Nam. */
const now = Temporal.Instant.from("2026-03-11T14:00:00Z");
const HANOI = { latitude: 21.03, longitude: 105.85 };
const LISBON = { latitude: 38.72, longitude: -9.14 };

const localMoment = (wish: OpeningWish, centre = HANOI, zone = "Asia/Ho_Chi_Minh", at = now): string =>
  momentOf(wish, { now: at, centre })!.toZonedDateTimeISO(zone).toPlainDateTime().toString();

describe("a wish for opening hours", () => {
  it("means the moment of the request when it says now", () => {
    expect(momentOf("now", { now, centre: HANOI })).toBe(now);
  });

  it.each([
    ["late", "2026-03-11T23:00:00"],
    ["early", "2026-03-11T06:30:00"],
    ["24h", "2026-03-11T03:00:00"],
    ["saturday", "2026-03-14T10:00:00"],
    ["sunday", "2026-03-15T10:00:00"],
  ] as const)("means the hour of the caller's place when it says %s", (wish, moment) => {
    expect(localMoment(wish)).toBe(moment);
  });

  it("means this Sunday and the next Saturday on a Sunday, and the caller's Sunday where it is still Saturday in Greenwich", () => {
    const sunday = Temporal.Instant.from("2026-03-14T18:00:00Z");
    expect(localMoment("sunday", HANOI, "Asia/Ho_Chi_Minh", sunday)).toBe("2026-03-15T10:00:00");
    expect(localMoment("saturday", HANOI, "Asia/Ho_Chi_Minh", sunday)).toBe("2026-03-21T10:00:00");
  });

  it("follows the longitude in the west", () => {
    expect(localMoment("late", LISBON, "Etc/GMT+1")).toBe("2026-03-11T23:00:00");
  });

  it("is left out without the moment of the request", () => {
    expect(momentOf("late", { now: undefined, centre: HANOI })).toBeUndefined();
  });
});
