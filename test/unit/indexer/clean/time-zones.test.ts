import { find } from "geo-tz/all";
import { describe, expect, test } from "vitest";
import { findTimeZone } from "../../../../indexer/clean/time-zones.ts";

describe("the time zone of a point", () => {
  test.each([
    [48.86, 2.35, "Europe/Paris"],
    [-33.87, 151.21, "Australia/Sydney"],
    [40.71, -74.01, "America/New_York"],
    [22.54, 114.05, "Asia/Shanghai"],
    [22.32, 114.17, "Asia/Hong_Kong"],
    // Two towns on a river, a kilometre apart.
    [65.835, 24.13, "Europe/Stockholm"],
    [65.845, 24.16, "Europe/Helsinki"],
    // A German town within Switzerland.
    [47.697, 8.69, "Europe/Busingen"],
  ])("%d, %d is %s", (latitude, longitude, zone) => {
    expect(findTimeZone({ latitude, longitude })).toBe(zone);
  });

  test.each([
    [0, -140, "Etc/GMT+9"],
    [0, -30, "Etc/GMT+2"],
    [-40, 80, "Etc/GMT-5"],
    [-5, -5, "Etc/GMT"],
  ])("%d, %d is on the high seas: %s", (latitude, longitude, zone) => {
    expect(findTimeZone({ latitude, longitude })).toBe(zone);
  });

  test.each([
    [90, 0],
    [-90, 180],
    [0, -180],
    [0, 180],
  ])("the end of the world, %d, %d, has one", (latitude, longitude) => {
    expect(() =>
      Intl.DateTimeFormat("en", { timeZone: findTimeZone({ latitude, longitude }) }),
    ).not.toThrow();
  });
});

test("the table says what the boundaries say, except within a cell of a border", () => {
  const points = [];
  for (let latitude = -55.3; latitude < 72; latitude += 1.7)
    for (let longitude = -179.1; longitude < 180; longitude += 2.1) points.push({ latitude, longitude });
  const onLand = points
    .map((point) => ({ point, zones: find(point.latitude, point.longitude) }))
    .filter(({ zones: [zone = ""] }) => !zone.startsWith("Etc/"));
  const differences = onLand.filter(({ point, zones }) => !zones.includes(findTimeZone(point)));
  expect(onLand.length).toBeGreaterThan(3_500);
  expect(differences.length).toBeLessThan(onLand.length / 500);
});
