import { describe, expect, it } from "vitest";
import { isOpenThen, momentOf, type OpeningWish } from "../../../../src/place/time/open-state.ts";
import type { OpenRange } from "../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../support/build-place.ts";

/** A Wednesday, 21:00 in Viet Nam. */
const now = Temporal.Instant.from("2026-03-11T14:00:00Z");

const localMoment = (wish: OpeningWish, zone = "Asia/Ho_Chi_Minh", at = now): string | undefined =>
  momentOf(wish, at)?.(zone)?.toZonedDateTimeISO(zone).toPlainDateTime().toString();

describe("a wish for opening hours", () => {
  it("means the moment of the request when it says now", () => {
    expect(momentOf("now", now)?.("Asia/Tokyo")).toBe(now);
  });

  it.each([
    ["late", "2026-03-11T23:00:00"],
    ["early", "2026-03-11T06:30:00"],
    ["24h", "2026-03-11T03:00:00"],
    ["saturday", "2026-03-14T10:00:00"],
    ["sunday", "2026-03-15T10:00:00"],
  ] as const)("means an hour of the place's own clock when it says %s", (wish, moment) => {
    expect(localMoment(wish)).toBe(moment);
  });

  it("means this Sunday and the next Saturday on a Sunday, also where it is still Saturday in Greenwich", () => {
    const sunday = Temporal.Instant.from("2026-03-14T18:00:00Z");
    expect(localMoment("sunday", "Asia/Ho_Chi_Minh", sunday)).toBe("2026-03-15T10:00:00");
    expect(localMoment("saturday", "Asia/Ho_Chi_Minh", sunday)).toBe("2026-03-21T10:00:00");
  });

  it.each([
    ["Spain, two hours ahead of its longitude", "Europe/Madrid", "2026-07-01T12:00:00Z"],
    ["western China, three hours ahead of its longitude", "Asia/Shanghai", "2026-07-01T12:00:00Z"],
    ["India, half an hour off", "Asia/Kolkata", "2026-07-01T12:00:00Z"],
    ["a day on which the clock is changed", "Europe/Madrid", "2026-03-29T12:00:00Z"],
  ])("means eleven at night there when it says late: %s", (_, zone, at) => {
    const moment = localMoment("late", zone, Temporal.Instant.from(at));
    expect(moment).toBe(`${at.slice(0, 10)}T23:00:00`);
  });

  it("is met by no place of an unknown time zone", () => {
    const hours = { week: Array.from({ length: 7 }, (): OpenRange[] => [[0, 1440]]), special_days: [] };
    const place = buildPlace({ opening_hours: hours });
    const late = momentOf("late", now)!;
    expect(isOpenThen(place, late)).toBe(true);
    expect(isOpenThen({ ...place, location: { timezone: "Asia/Nowhere" } }, late)).toBe(false);
  });

  it("is left out without the moment of the request", () => {
    expect(momentOf("late", undefined)).toBeUndefined();
  });
});
