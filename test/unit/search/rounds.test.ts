import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { isAutocomplete, KINDS } from "../../../tools/eval/cases.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { makeCases } from "../../../tools/eval/make-cases.ts";
import { importDemoPlaces } from "../../support/imported-places.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { placeAt, searchAmong } from "../../support/memory-search.ts";
import { createRandom } from "../../support/random.ts";

/** Every round is a request to the engine that the response waits for. */
const MOST_ROUNDS = 3;
/** Lookups are most of what a search costs. */
const MOST_LOOKUPS = 18;
/** As many as a search may send in its third round, whatever it has sent before. */
const IN_LAST_ROUND = 7;
/** Words of opening wishes, of those below. */
const OPENING = /24|mở|open|khuya/u;
/** What a search takes on average, by the issue that asked for rounds. */
const AVERAGE_ROUNDS = 1.6;

const PLACES = 250;
const PAGE = 20;
const SUGGESTIONS = 5;
const QUERIES = 2_000;
const PER_KIND = 60;
const NOON = Temporal.Instant.from("2026-11-18T12:00:00+07:00");

const places = await importDemoPlaces(PLACES);
const random = createRandom("rounds");

function pointNearPlaces(): Coordinates {
  const { latitude, longitude } = random.pick(places).location;
  return { latitude, longitude };
}

interface Asked {
  readonly kind: string;
  readonly operation: "search" | "suggest";
  readonly query: string;
  readonly centre: Coordinates;
}

/** Names with and without typos, beginnings, kinds, areas, addresses, wishes and other scripts, as the evaluation makes them. */
const made = makeCases(createDataset(places.map(toTruePlace)), { kinds: KINDS, seed: 1, count: PER_KIND });
const generated = [...Map.groupBy(made, ({ kind }) => kind).values()].flatMap((cases) =>
  random
    .shuffle(cases)
    .slice(0, PER_KIND)
    .map(({ kind, query, centre }): Asked => {
      const operation = isAutocomplete(kind) ? "suggest" : "search";
      return { kind, operation, query, centre };
    }),
);

const SENTENCES = [
  "{kind} gần {name}",
  "{kind} đối diện {name} không",
  "gần {name} có {kind} nào ngon không nhỉ",
  "{kind} {wish} ở {area}",
  "{kind} {wish} gần {name} {area}",
  "tìm cho tôi {kind} {wish}",
  "{name} có {kind} không",
  "take me to the closest {name}",
  "where can i find a {kind} near {name} that is {wish}",
  "{kind} trên đường {street}",
  "số 12 {street} {area}",
  "{wish}",
  "{area}",
  "{name} {area}",
  "{kind} {name} {wish}",
];
const KINDS_SAID = [
  "quán cà phê",
  "cafe",
  "phở",
  "bún đậu mắm tôm",
  "nha thuoc",
  "hotel",
  "sân golf",
  "atm",
  "gym",
  "lẩu dê",
];
const WISHES = [
  "mở khuya",
  "24h",
  "đang mở cửa",
  "giá rẻ",
  "ngon",
  "có wifi",
  "yên tĩnh",
  "open now",
  "mở chủ nhật",
  "sang trọng",
];
const AREAS = [
  "quận 1",
  "q3",
  "bến thành",
  "thảo điền",
  "hà nội",
  "hoàn kiếm",
  "quận bình thạnh",
  "tp hcm",
  "thu duc",
];

const sentences = Array.from({ length: 400 }, (): Asked => {
  const { title, location } = random.pick(places);
  const street = location.address.street.replace(/^[\d/\p{L}]*\d\S*\s+/u, "");
  const parts: Readonly<Record<string, string>> = {
    kind: random.pick(KINDS_SAID),
    wish: random.pick(WISHES),
    area: random.pick(AREAS),
    name: title,
    street,
  };
  const query = random.pick(SENTENCES).replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part]!);
  return { kind: "sentence", operation: "search", query, centre: pointNearPlaces() };
});

const anyWord = fc.constantFrom(
  ..."quán cà phê quận 3 gần đây ngon 12/3 ngõ đường huế hà nội q1 24h open near the chợ bt có ở zzz bvbachmai 10.77,106.7".split(
    " ",
  ),
);
const garbage = fc
  .sample(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.array(anyWord, { maxLength: 10 }).map((parts) => parts.join(" ")),
    ),
    { numRuns: 250, seed: 1 },
  )
  .map((query, at): Asked => {
    const operation = at % 3 === 0 ? "suggest" : "search";
    return { kind: "garbage", operation, query, centre: pointNearPlaces() };
  });

interface Counted extends Asked {
  readonly rounds: number;
  readonly lookups: number;
  /** The largest limit of its lookups. */
  readonly mostPlaces: number;
}

/** The rounds that each query took. */
async function countRounds(queries: readonly Asked[]): Promise<Counted[]> {
  const index = createMemoryIndex(places);
  const search = createPlaceSearch(index, { deadlineMs: 60_000 });
  await search.prepared;
  const counted = [];
  for (const asked of queries) {
    const before = index.rounds.length;
    const { operation, query, centre } = asked;
    const limit = operation === "suggest" ? SUGGESTIONS : PAGE;
    await search[operation]({ query, centre, limit, offset: 0, now: NOON });
    const rounds = index.rounds.slice(before);
    const mostPlaces = Math.max(0, ...rounds.flat().map(({ limit }) => limit));
    counted.push({ ...asked, rounds: rounds.length, lookups: rounds.flat().length, mostPlaces });
  }
  return counted;
}

describe("of two thousand queries of all kinds", async () => {
  const counted = await countRounds([...generated, ...sentences, ...garbage]);
  const all = counted.map(({ rounds }) => rounds);

  test("there are so many", () => {
    expect(counted.length).toBeGreaterThanOrEqual(QUERIES);
    expect(new Set(counted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(15);
    expect(Math.max(...all), "typos and landmarks take more rounds than one").toBeGreaterThan(1);
  });

  test("none takes more than three rounds", () => {
    const longer = counted.filter(({ rounds }) => rounds > MOST_ROUNDS);
    expect(longer.map(({ query, rounds }) => `${rounds}: ${query}`)).toStrictEqual([]);
  });

  test("none sends more than 18 lookups, a few more in the third round, and as many again where its opening wish is left out", () => {
    const most = ({ rounds }: { readonly rounds: number }): number =>
      MOST_LOOKUPS + (rounds === MOST_ROUNDS ? IN_LAST_ROUND : 0);
    const more = counted.filter((one) => one.lookups > most(one));
    expect(more.filter(({ query }) => !OPENING.test(query))).toStrictEqual([]);
    expect(Math.max(...more.map(({ lookups }) => lookups), 0)).toBeLessThanOrEqual(2 * MOST_LOOKUPS);
    const ofThird = counted.filter(({ query, lookups }) => lookups > MOST_LOOKUPS && !OPENING.test(query));
    expect(ofThird.length, "what is looked up last is looked up").toBeGreaterThan(0);
  });

  test("none looks up more places at once than three pages have", () => {
    expect(Math.max(...counted.map(({ mostPlaces }) => mostPlaces))).toBeLessThanOrEqual(3 * PAGE);
  });

  test("one takes 1.6 rounds at most on average", () => {
    expect(all.reduce((sum, one) => sum + one, 0) / all.length).toBeLessThanOrEqual(AVERAGE_ROUNDS);
  });
});

test("only rounds for later pages are bounded, and the first page is the same without them", async () => {
  const query = "quan ca phe nguyen trai phuong ben thanh xyzzy";
  const places = Array.from({ length: 900 }, (_, i) => placeAt(10 * i, `Quán Cà Phê Nguyễn Trãi ${i}`));
  const first = await searchAmong(places, query);
  const later = await searchAmong(places, query, { offset: 600 });
  expect(later.rounds.slice(0, first.rounds.length)).toStrictEqual(first.rounds);
  const deep = later.rounds.slice(first.rounds.length);
  const sizeOf = (lookups: readonly { readonly limit: number }[]): number =>
    lookups.reduce((sum, { limit }) => sum + limit, 0);
  const sizes = deep.map(sizeOf);
  expect(Math.max(...sizes)).toBeGreaterThan(Math.max(...first.rounds.map(sizeOf)));
  // What came whole before is not asked again.
  expect(deep.flat().length).toBeLessThan(first.rounds.flat().length / 2);
  // Each limit is rounded up.
  for (const [round, lookups] of deep.entries()) expect(sizes[round]).toBeLessThan(1_000 + lookups.length);
  expect(new Set([...first.titles, ...later.titles]).size).toBe(first.titles.length + later.titles.length);
});

test("a later page does not look again for landmarks that are mistyped or unsaid", async () => {
  const places = Array.from({ length: 900 }, (_, i) => placeAt(10 * i, `Quán Cà Phê Nguyễn Trãi ${i}`));
  const query = "nhàu quán cà";
  const first = await searchAmong(places, query);
  const later = await searchAmong(places, query, { offset: 600 });
  expect(first.rounds).toHaveLength(3);
  expect(later.rounds.slice(3)).toHaveLength(1);
});

test("a later page reads what is further away", async () => {
  const near = Array.from({ length: 150 }, (_, i) => placeAt(1 + i, `Cà Phê ${i}`, { type: "COFFEE" }));
  const far = Array.from({ length: 600 }, (_, i) =>
    placeAt(6_000 + 3 * i, `Cà Phê Xa ${i}`, { type: "COFFEE" }),
  );
  const others = Array.from({ length: 900 }, (_, i) =>
    placeAt(i / 10, `Hiệu sách ${i}`, { type: "BOOKSTORE" }),
  );
  const { titles, rounds } = await searchAmong([...far, ...near, ...others], "cà phê", { offset: 200 });
  const coffee = rounds.flat().filter(({ filter, limit }) => filter.types?.includes("COFFEE") && limit > 100);
  const [inner, outer] = coffee;
  expect(inner?.filter.cells?.length).toBeGreaterThan(0);
  expect(outer).toMatchObject({ filter: { types: inner?.filter.types }, limit: inner?.limit });
  expect(outer?.filter.cells).not.toStrictEqual(inner?.filter.cells);
  expect(titles).toStrictEqual(Array.from({ length: PAGE }, (_, i) => `Cà Phê Xa ${50 + i}`));
});
