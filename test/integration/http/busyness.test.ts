import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

/** `busy_max`, `include=busyness` and `include=freshness`. */

/** A Friday evening in Viet Nam. */
const NOW = "2026-11-20T19:30:00+07:00";

const always = (percent: number): PlaceDocument["popular_times"] =>
  Array.from({ length: 7 }, () => [
    { hour: 19, occupancy_percent: percent },
    { hour: 20, occupancy_percent: 100 - percent },
  ]);

const cafe = (number: number, facts: Partial<PlaceDocument>) =>
  buildPlace({ data_id: `0x1:0x${number}`, title: `Cafe ${number}`, type: "COFFEE", ...facts });

const PLACES = [
  cafe(1, { popular_times: always(40), confirmed_on: "2026-11-02" }),
  cafe(2, { popular_times: always(41) }),
  cafe(3, { popular_times: always(90) }),
  cafe(4, { popular_times: [] }),
  // Quiet on other days only.
  cafe(5, { popular_times: always(10).map((day, index) => (index === 4 ? always(80)[0]! : day)) }),
];

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(PLACES, { now: () => Temporal.Instant.from(NOW) });
});

afterAll(() => app[Symbol.asyncDispose]());

type Place = Record<string, unknown>;

const search = (rest: string) =>
  app.read<{ local_result: readonly Place[]; total?: number }>(
    `/api/maps/search?q=cafe&lat=10.7769&lng=106.7009${rest}`,
  );

async function namesOf(rest: string): Promise<string[]> {
  const { local_result } = await search(rest);
  return local_result.map(({ title }) => String(title)).toSorted();
}

describe("busy_max", () => {
  test.each(["-1", "101", "40.5", "40%", "", "quiet"])("is not %j", async (value) => {
    const answer = await app.ask(`/api/maps/search?q=cafe&busy_max=${encodeURIComponent(value)}`);
    expect(answer.body).toMatchObject({ errors: [{ parameter: "busy_max" }] });
  });

  test("leaves the places that are usually so quiet in this hour of this day, to the percent", async () => {
    for (const sort of ["relevance", "distance", "rating"]) {
      expect(await namesOf(`&sort=${sort}&busy_max=39`)).toStrictEqual([]);
      expect(await namesOf(`&sort=${sort}&busy_max=40`)).toStrictEqual(["Cafe 1"]);
      expect(await namesOf(`&sort=${sort}&busy_max=41`)).toStrictEqual(["Cafe 1", "Cafe 2"]);
    }
  });

  test("never matches a place whose busyness is unknown", async () => {
    expect(await namesOf("&busy_max=100")).toStrictEqual(["Cafe 1", "Cafe 2", "Cafe 3", "Cafe 5"]);
  });

  test("counts at open_at, of places that are open then", async () => {
    expect(await namesOf("&busy_max=100&open_at=2026-11-20T20:15%2B07:00")).toStrictEqual([]);
  });

  test("is part of the total", async () => {
    expect(await search("&busy_max=41&include=total")).toMatchObject({ total: 2 });
  });

  test("may be kept until the next minute only", async () => {
    const maxAge = async (rest: string) =>
      (await app.ask(`/api/maps/search?q=cafe${rest}`)).headers.get("cache-control");
    expect(await maxAge("&busy_max=50")).toContain("max-age=60,");
    expect(await maxAge("&include=busyness")).toContain("max-age=60,");
  });
});

describe("include=busyness", () => {
  test("says how busy each place is, in the language of the request, or null", async () => {
    const { local_result } = await search("&include=busyness&lang=en");
    const busyness = new Map(local_result.map((place) => [place["title"], place["busyness"]]));
    expect(busyness.get("Cafe 3")).toStrictEqual({
      hour: 19,
      occupancy_percent: 90,
      status: "Usually very busy",
    });
    expect(busyness.get("Cafe 4")).toBeNull();
  });

  test("changes nothing for one place, which has its popular times anyway", async () => {
    const target = `/api/maps/place?data_id=${PLACES[0]!.data_id}`;
    expect((await app.ask(`${target}&include=busyness`)).text).toBe((await app.ask(target)).text);
  });
});

describe("include=freshness", () => {
  test("says when the source confirmed a place, if it did, and when it was indexed", async () => {
    const before = Date.now();
    const { local_result } = await search("&include=freshness");
    const freshness = new Map(local_result.map((place) => [place["title"], place["freshness"] as Place]));
    expect(freshness.get("Cafe 1")).toMatchObject({ confirmed_on: "2026-11-02" });
    expect(freshness.get("Cafe 2")).toMatchObject({ confirmed_on: null });
    const indexedAt = Date.parse(String(freshness.get("Cafe 2")?.["indexed_at"]));
    expect(indexedAt).toBeLessThanOrEqual(before);
    expect(indexedAt).toBeGreaterThan(before - 600_000);
  });

  test("says the same of one place and of several", async () => {
    const [{ data_id: id }] = PLACES as [PlaceDocument];
    const { local_result } = await search("&include=freshness&busy_max=40");
    const { place_result } = await app.read<{ place_result: Place }>(
      `/api/maps/place?data_id=${id}&include=freshness`,
    );
    const { place_results } = await app.read<{ place_results: readonly Place[] }>(
      `/api/maps/places?data_id=${id}&include=freshness`,
    );
    expect(place_result["freshness"]).toStrictEqual(local_result[0]!["freshness"]);
    expect(place_results[0]!["freshness"]).toStrictEqual(place_result["freshness"]);
  });
});
