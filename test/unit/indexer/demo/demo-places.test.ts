import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDemoPlaces } from "../../../../indexer/demo/demo-places.ts";
import type { PlaceRecord } from "../../../../indexer/demo/place.ts";
import { worldFor } from "../../../../indexer/demo/cities.ts";
import { distanceMeters } from "../../../../src/place/geometry/coordinates.ts";
import { parseOpeningRanges } from "../../../../src/place/time/opening-hours.ts";
import { dayName } from "../../../../src/place/document/localized-texts.ts";
import { isTypeCode } from "../../../../src/place/document/type-codes.ts";

const WEEK = Array.from({ length: 7 }, (_, index) => dayName(index, "vi"));

function placesOf(options: { places: number; count?: number; seed?: number; lean?: boolean }): PlaceRecord[] {
  const { places, count = places, seed = 1, lean = false } = options;
  const demoPlaces = createDemoPlaces({ places, seed, lean });
  return Array.from({ length: count }, (_, index) => demoPlaces.placeAt(index + 1));
}

/** What is wrong with a record; an empty list for one that is well formed. */
function faultsOf(record: PlaceRecord): string[] {
  const { location, opening_hours: week, special_days: specialDays = [], pricing, rating, reviews } = record;
  const hours = [...week, ...specialDays].map((day) => day.hours);
  const faults = {
    title:
      record.title.trim() !== record.title || record.title === "" || /[{}]|undefined| {2}/.test(record.title),
    type: !isTypeCode(record.type),
    days: week.map(({ day }) => day).join() !== WEEK.join(),
    hours: hours.some((text) => parseOpeningRanges(text) === undefined),
    dates: specialDays.some(({ date }) => date !== "PH" && Number.isNaN(Date.parse(date))),
    rating:
      reviews === 0 ? rating !== 0 : rating < 1 || rating > 5 || rating * 10 !== Math.round(rating * 10),
    pricing: pricing.min > pricing.max || pricing.min % 1000 !== 0,
    decimals: !/^\d+\.\d{1,6} \d+\.\d{1,6}$/.test(`${location.latitude} ${location.longitude}`),
    city: !isInItsCity(record),
    address: Object.values(location.address).includes("") || /undefined/.test(location.address.full),
    stars: record.review_list?.some((review) => review.rating < 1 || review.rating > 5) ?? false,
    busyness:
      record.popular_times !== undefined && record.popular_times.map(({ day }) => day).join() !== WEEK.join(),
  };
  return Object.entries(faults).flatMap(([name, isFault]) =>
    isFault ? [`${record.source_id}: ${name}`] : [],
  );
}

const cities = worldFor(10_000_000).cities.map(({ city }) => city);

const isInItsCity = ({ location }: PlaceRecord): boolean =>
  cities.some(
    (city) =>
      city.province === location.address.city &&
      distanceMeters(city.centre, location) < city.radiusMeters + 200,
  );

describe("every record", () => {
  test.each([6000, 30_000, 2_000_000])("of %i places is well formed", (places) => {
    expect(placesOf({ places, count: 1500 }).flatMap(faultsOf)).toEqual([]);
  });

  const datasets = [
    createDemoPlaces({ places: 10_000, seed: 0, lean: false }),
    createDemoPlaces({ places: 50_000, seed: 0xffff_ffff, lean: false }),
    createDemoPlaces({ places: 10_000_000, seed: 12_345, lean: false }),
  ];
  test("is well formed, and the same whatever was made before it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...datasets),
        fc.integer({ min: 1, max: 10_000_000 }),
        (demoPlaces, number) => {
          const record = demoPlaces.placeAt(number);
          expect(faultsOf(record)).toEqual([]);
          demoPlaces.placeAt(number ^ 1);
          expect(demoPlaces.placeAt(number)).toEqual(record);
        },
      ),
    );
  });

  test("is numbered as its source calls it, and leaves the data id to the indexer", () => {
    const [first] = placesOf({ places: 1 });
    expect(first).toMatchObject({ source: "demo", source_id: "1" });
    expect(first).not.toHaveProperty("data_id");
  });

  test("is the same with --lean except for its long fields", () => {
    const full = placesOf({ places: 500 }).map(
      ({ review_list: _r, photos: _p, popular_times: _t, ...rest }) => rest,
    );
    expect(placesOf({ places: 500, lean: true })).toEqual(full);
  });
});

describe("the reviews of a place", () => {
  const places = placesOf({ places: 5000 }).filter((place) => place.review_list !== undefined);

  test("are never more than it has, nor more than eight", () => {
    for (const { review_list: list, reviews } of places)
      expect(list!.length).toBeLessThanOrEqual(Math.min(8, reviews));
  });

  test("agree with its rating", () => {
    for (const { review_list: list, rating } of places) {
      const mean = list!.reduce((sum, review) => sum + review.rating, 0) / list!.length;
      // The mean of whole stars comes as near as half a star among all of them.
      expect(Math.abs(mean - rating)).toBeLessThanOrEqual(0.5 / list!.length + 0.051);
    }
  });
});

describe("the city", () => {
  const places = placesOf({ places: 12_000, lean: true });
  const centre = worldFor(1).cities[0]!.city.centre;
  const distancesKm = places.map(({ location }) => distanceMeters(centre, location) / 1000);
  const between = (from: number, to: number) => distancesKm.filter((km) => km >= from && km < to).length;

  test("is dense in the middle and thin at its edge", () => {
    // The ring from 10 to 13 km is seven times as large as the disc of 3 km, and still has fewer places.
    expect(between(0, 3)).toBeGreaterThan(2 * between(10, 13));
    expect(between(10, 13)).toBeGreaterThan(100);
    expect(between(20, 40)).toBeGreaterThan(0);
  });

  test("has chains with many branches, and mostly names of their own", () => {
    for (const chain of ["Highlands Coffee", "Circle K", "Long Châu", "WinMart+", "Vietcombank"]) {
      const branches = places.filter(({ title }) => title.includes(chain));
      expect({ chain, isLarge: branches.length > 10 }).toEqual({ chain, isLarge: true });
    }
    expect(new Set(places.map(({ title }) => title)).size).toBeGreaterThan(0.85 * places.length);
  });

  test("has its landmarks at their locations", () => {
    const market = places.find(({ title }) => title === "Chợ Bến Thành");
    expect(market).toMatchObject({ type: "MARKET", alternate_names: ["Ben Thanh Market"] });
    expect(distanceMeters(market!.location, { latitude: 10.7725, longitude: 106.698 })).toBeLessThan(50);
  });

  test("leaves a share unrated, and rates most others from 3.8 to 4.8", () => {
    const rated = places.filter(({ rating }) => rating > 0);
    expect(rated.length / places.length).toBeGreaterThan(0.7);
    expect(rated.length / places.length).toBeLessThan(0.88);
    const usual = rated.filter(({ rating }) => rating >= 3.8 && rating <= 4.8);
    expect(usual.length / rated.length).toBeGreaterThan(0.55);
  });

  test("has hours with a lunch break, overnight, around the clock, with a closed day, and unknown", () => {
    const weeks = places.map(({ opening_hours: week }) => week.map(({ hours }) => hours));
    const share = (isSo: (week: string[]) => boolean) => weeks.filter(isSo).length / weeks.length;
    expect(share((week) => week[0]!.includes(", "))).toBeGreaterThan(0.05);
    expect(share((week) => week[0]!.endsWith("–02:00"))).toBeGreaterThan(0.01);
    expect(share((week) => week[0] === "00:00–24:00")).toBeGreaterThan(0.03);
    expect(share((week) => week[6] === "" && week[0] !== "")).toBeGreaterThan(0.05);
    expect(share((week) => week.every((hours) => hours === ""))).toBeGreaterThan(0.1);
  });

  test("has some permanently or temporarily closed places", () => {
    const statuses = new Set(places.map((place) => place.business_status));
    expect(statuses).toEqual(new Set([undefined, "closed_permanently", "closed_temporarily"]));
  });
});

test("no phone number can belong to a real person", () => {
  const phones = placesOf({ places: 1500, lean: true }).map(({ contacts }) =>
    contacts.phone.replaceAll(" ", ""),
  );
  const invented = /^(?:$|(?:\+84|0)95\d{7}$|(?:\+84|0)281\d{7}$|19000\d{3}$)/;
  expect(phones.filter((phone) => !invented.test(phone))).toEqual([]);
});
