import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

interface Element {
  readonly data_id: string;
  readonly title: string;
  readonly rating: number;
  readonly distance_m: number;
}

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const NEAR = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

/** Cafés on a spiral of some kilometres, rated and known in an order that has nothing to do with their distance. */
const CAFES: readonly PlaceDocument[] = Array.from({ length: 240 }, (_, i) =>
  buildPlace({
    title: i % 6 === 0 ? "Cà phê Sáng" : `Góc Nhỏ ${i}`,
    type: "COFFEE",
    rating: i % 7 === 0 ? 0 : 1 + ((i * 37) % 41) / 10,
    reviews: i % 7 === 0 ? 0 : (i * 53) % 900,
    location: pointAt(CENTRE, 20 + i * 25, i * 47),
  }),
);
const OTHERS: readonly PlaceDocument[] = Array.from({ length: 60 }, (_, i) =>
  buildPlace({ title: `Hiệu sách ${i}`, type: "BOOKSTORE", location: pointAt(CENTRE, i * 40, i * 31) }),
);

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver([...CAFES, ...OTHERS]);
  // With the first search the server counts the places, after which its rings have other sizes.
  await app.read(`/api/maps/search?q=cafe&${NEAR}`);
  for (let i = 0; i < 3; i += 1) await app.index.readCensus();
});

afterAll(() => app[Symbol.asyncDispose]());

async function search(query: string): Promise<Element[]> {
  const target = `/api/maps/search?${query}&${NEAR}&include=distance`;
  return (await app.read<{ local_result: Element[] }>(target)).local_result;
}

/** All pages of one size, as far as a caller may go. */
async function walk(query: string, limit: number): Promise<Element[]> {
  const found: Element[] = [];
  for (let offset = 0; offset <= 200; offset += limit) {
    const page = await search(`${query}&limit=${limit}&offset=${offset}`);
    found.push(...page);
    if (page.length < limit) break;
  }
  return found;
}

const idsOf = (places: readonly { data_id: string }[]): string[] => places.map(({ data_id }) => data_id);

const QUERIES = [
  "q=cafe",
  "q=cafe&sort=distance",
  "q=cafe&min_rating=2&radius=5000",
  `q=${encodeURIComponent("góc nhỏ")}`,
  `q=${encodeURIComponent("goc nhp")}`,
];

describe.each(QUERIES)("%s", (query) => {
  test("pages of every size are parts of one list, without repeats", async () => {
    const [whole, other] = [await walk(query, 50), await walk(query, 17)];
    expect(new Set(idsOf(whole)).size).toBe(whole.length);
    const length = Math.min(other.length, whole.length);
    expect(length).toBeGreaterThan(120);
    expect(idsOf(other).slice(0, length)).toStrictEqual(idsOf(whole).slice(0, length));
  });

  test("the same request has the same order", async () => {
    for (const page of ["limit=50", "limit=20&offset=40", "limit=50&offset=200"]) {
      expect(idsOf(await search(`${query}&${page}`))).toStrictEqual(idsOf(await search(`${query}&${page}`)));
    }
  });
});

test("all places of a category are listed", async () => {
  expect(new Set(idsOf(await walk("q=cafe", 50)))).toStrictEqual(new Set(idsOf(CAFES)));
});

test("sorted by distance, the next place is never nearer, on any page", async () => {
  for (const query of ["q=cafe", `q=${encodeURIComponent("góc nhỏ")}`, "q=cafe&min_rating=3"]) {
    const distances = (await walk(`${query}&sort=distance`, 20)).map(({ distance_m }) => distance_m);
    expect(distances.length).toBeGreaterThan(60);
    expect(distances).toStrictEqual(distances.toSorted((a, b) => a - b));
  }
});

test("sorted by distance, no nearer place is missing", async () => {
  const nearest = [...CAFES].slice(0, 50);
  expect(idsOf(await search("q=cafe&sort=distance&limit=50"))).toStrictEqual(idsOf(nearest));
});

test("sorted by rating, the next place is never rated higher, on any page", async () => {
  for (const query of ["q=cafe", `q=${encodeURIComponent("góc nhỏ")}`]) {
    const ratings = (await walk(`${query}&sort=rating`, 20)).map(({ rating }) => rating);
    expect(ratings.length).toBeGreaterThan(60);
    expect(ratings).toStrictEqual(ratings.toSorted((a, b) => b - a));
  }
});

test("a page after the last place is empty", async () => {
  const query = `q=${encodeURIComponent("hiệu sách 7")}&radius=1000&category=BOOKSTORE`;
  expect((await search(`${query}&limit=50`)).length).toBeGreaterThan(0);
  expect(await search(`${query}&limit=50&offset=200`)).toStrictEqual([]);
});
