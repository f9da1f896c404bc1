import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOpenAt } from "../../../src/place/time/open-state.ts";
import type { OpeningHours, OpenRange, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { createTestIndex, type TestIndex } from "../../support/test-index.ts";

interface Element {
  readonly title: string;
  readonly data_id: string;
  readonly open_state: { readonly is_open_now: boolean };
}

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const NEAR = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

type Week = OpeningHours["week"];
type SpecialDays = OpeningHours["special_days"];

const NEVER: Week = Array.from({ length: 7 }, () => []);
const daily = (...ranges: OpenRange[]): Week => Array.from({ length: 7 }, () => ranges);

/** A place that every search of this file finds by its name, with given hours. */
const placeOpen = (what: string, week: Week | null, special_days: SpecialDays = [], facts: PlaceFacts = {}) =>
  buildPlace({
    title: `Giờ Vàng ${what}`,
    opening_hours: week && { week, special_days },
    ...facts,
  });

/** All of them hold on the days around Wednesday, 18 November 2026. */
const PLACES: readonly PlaceDocument[] = [
  placeOpen("sáng", daily([420, 660])),
  placeOpen("đêm thứ ba", NEVER.with(1, [[1080, 1560]])),
  placeOpen("suốt", daily([0, 1440])),
  placeOpen("nghỉ lễ", daily([1080, 1560]), [{ date: "2026-11-18", ranges: [] }]),
  placeOpen("mở riêng", NEVER, [{ date: "2026-11-18", ranges: [[540, 720]] }]),
  placeOpen("đêm riêng", NEVER, [{ date: "2026-11-17", ranges: [[1320, 1680]] }]),
  placeOpen("Tokyo", daily([540, 600]), [], {
    location: { latitude: 35.68, longitude: 139.76, timezone: "Asia/Tokyo", country_code: "JP" },
  }),
  placeOpen("không rõ", null),
  placeOpen("tạm nghỉ", daily([0, 1440]), [], { business_status: "closed_temporarily" }),
  placeOpen("đã dẹp", daily([0, 1440]), [], { business_status: "closed_permanently" }),
];

let testIndex: TestIndex;
let app: TestApp;
const clock = { now: Temporal.Instant.from("2026-11-18T00:00:00Z") };

const inSaigon = (time: string): Temporal.Instant => Temporal.Instant.from(`${time}+07:00`);

async function start(places: readonly PlaceDocument[]): Promise<void> {
  testIndex = await createTestIndex(places);
  app = await startTestApp({ index: testIndex.index, now: () => clock.now });
  // With the first search the server learns of the time zones there are.
  await app.read(`/api/maps/search?q=x&${NEAR}`);
  for (let i = 0; i < 3; i += 1) await testIndex.index.readCensus();
}

async function search(query: string): Promise<Element[]> {
  return (await app.read<{ local_result: Element[] }>(`/api/maps/search?${query}&${NEAR}&limit=50`))
    .local_result;
}

const namesOf = (places: readonly Element[]): string[] =>
  places.map(({ title }) => title.replace("Giờ Vàng ", "")).toSorted();

describe("places with all kinds of hours", () => {
  beforeAll(() => start(PLACES));
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await testIndex[Symbol.asyncDispose]();
  });

  const query = `q=${encodeURIComponent("giờ vàng")}`;
  const openAt = async (moment: Temporal.Instant): Promise<string[]> =>
    namesOf(await search(`${query}&open_at=${moment.toString()}`));

  test("are all found without an opening filter", async () => {
    expect(await search(query)).toHaveLength(PLACES.length);
    expect(await search(`${query}&open_now=false`)).toHaveLength(PLACES.length);
  });

  test.each<[time: string, open: string[]]>([
    ["2026-11-18T00:59", ["suốt", "nghỉ lễ", "đêm riêng", "đêm thứ ba"]],
    ["2026-11-18T01:59", ["suốt", "nghỉ lễ", "đêm riêng", "đêm thứ ba"]],
    ["2026-11-18T02:00", ["suốt", "đêm riêng"]],
    ["2026-11-18T03:59:59.999", ["suốt", "đêm riêng"]],
    ["2026-11-18T04:00", ["suốt"]],
    ["2026-11-18T06:59:59", ["suốt"]],
    ["2026-11-18T07:00", ["suốt", "Tokyo", "sáng"]],
    ["2026-11-18T07:59", ["suốt", "Tokyo", "sáng"]],
    ["2026-11-18T08:00", ["suốt", "sáng"]],
    ["2026-11-18T09:00", ["suốt", "sáng", "mở riêng"]],
    ["2026-11-18T11:00", ["suốt", "mở riêng"]],
    ["2026-11-18T12:00", ["suốt"]],
    ["2026-11-18T19:00", ["suốt"]],
    ["2026-11-19T00:30", ["suốt"]],
    ["2026-11-19T09:30", ["suốt", "sáng"]],
    ["2026-11-19T18:00", ["suốt", "nghỉ lễ"]],
    ["2026-11-17T17:59", ["suốt"]],
    ["2026-11-17T18:00", ["suốt", "nghỉ lễ", "đêm thứ ba"]],
    ["2026-11-17T22:00", ["suốt", "nghỉ lễ", "đêm thứ ba", "đêm riêng"]],
  ])("at %s in Ho Chi Minh City these are open: %j", async (time, open) => {
    expect(await openAt(inSaigon(time))).toStrictEqual(open.toSorted());
  });

  test("open_now filters by the time of the request, and every result is open", async () => {
    for (const time of ["2026-11-18T06:59:59.999", "2026-11-18T07:00", "2026-11-18T01:30"]) {
      clock.now = inSaigon(time);
      const found = await search(`${query}&open_now=true`);
      expect(namesOf(found)).toStrictEqual(await openAt(clock.now));
      expect(found.every(({ open_state }) => open_state.is_open_now)).toBe(true);
    }
  });

  test("open_at finds exactly the places that are open at that time", async () => {
    const anyMoment = fc
      .integer({ min: -2 * 1440, max: 4 * 1440 })
      .map((minutes) => inSaigon("2026-11-18T00:00").add({ minutes }));
    await fc.assert(
      fc.asyncProperty(anyMoment, async (moment) => {
        const open = PLACES.filter((place) => isOpenAt(place, moment)).map(({ title }) => ({ title }));
        expect(await openAt(moment)).toStrictEqual(namesOf(open as Element[]));
      }),
      { numRuns: 40 },
    );
  });
});

describe("in a street where all but two places open at seven", () => {
  /** All of these have hours in the same part of the day as the one that opens earlier, and are nearer. */
  const LATE = Array.from({ length: 300 }, (_, i) =>
    buildPlace({
      title: `Quán ${i}`,
      type: "COFFEE",
      rating: 5,
      reviews: 500,
      opening_hours: { week: daily([420, 1320]), special_days: [{ date: "2027-02-06", ranges: [] }] },
      location: pointAt(CENTRE, i + 1, i * 13),
    }),
  );
  const EARLY = buildPlace({
    title: "Bánh mì sớm",
    type: "COFFEE",
    opening_hours: { week: daily([360, 1320]), special_days: [] },
    location: pointAt(CENTRE, 900, 90),
  });

  beforeAll(() => start([...LATE, EARLY]));
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await testIndex[Symbol.asyncDispose]();
  });

  test("the one that opens at six is found at half past six", async () => {
    const found = await search(`q=cafe&open_at=${inSaigon("2026-11-18T06:30").toString()}`);
    expect(found.map(({ data_id }) => data_id)).toStrictEqual([EARLY.data_id]);
  });

  test("the one that is open on a holiday is found then", async () => {
    const found = await search(`q=cafe&open_at=${inSaigon("2027-02-06T12:00").toString()}`);
    expect(found.map(({ data_id }) => data_id)).toStrictEqual([EARLY.data_id]);
  });

  test("no place is found before six", async () => {
    expect(await search(`q=cafe&open_at=${inSaigon("2026-11-18T05:59").toString()}`)).toStrictEqual([]);
  });

  test("all are found at seven", async () => {
    expect(await search(`q=cafe&open_at=${inSaigon("2026-11-18T07:00").toString()}`)).toHaveLength(50);
  });
});

test("the first search of a new server already filters by hours", async () => {
  await using index = await createTestIndex(PLACES);
  await using fresh = await startTestApp({ index: index.index });
  const open_at = inSaigon("2026-11-18T12:30").toString();
  const target = `/api/maps/search?q=${encodeURIComponent("giờ vàng")}&${NEAR}&open_at=${open_at}`;
  expect(await fresh.read(target)).toMatchObject({ local_result: [{ title: "Giờ Vàng suốt" }] });
});
