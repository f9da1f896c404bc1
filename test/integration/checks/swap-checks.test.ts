import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { checkCountEarly, checkSwap, type SwapOptions } from "../../../indexer/checks/check-swap.ts";
import { startIndexBuild } from "../../../indexer/index/start-build.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { putMap } from "../../support/divided-index.ts";
import { readMap } from "../../../indexer/index/store-map.ts";
import { oneEngine, type Topology } from "../../../src/partitions/topology.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import {
  createTestIndex,
  createTestPrefix,
  removeTestIndex,
  testTopology,
  type TestIndex,
} from "../../support/test-index.ts";

const NAMES = ["Phở Sáng", "Bún Chả Hai", "Cà Phê Mưa", "Nhà Sách Lá", "Tiệm Vải Ngọc", "Lẩu Cua Đồng"];

/** So many places of a town, always the same ones for the same `salt`. */
const town = (count: number, facts: PlaceFacts = {}, salt = ""): PlaceDocument[] =>
  Array.from({ length: count }, (_, number) =>
    buildPlace({
      data_id: `0x1:0x${(number + 1).toString(16)}`,
      title: `${NAMES[number % NAMES.length]}${salt} ${number}`,
      contacts: { phone: "+84 28 3829 0000", website: "" },
      ...facts,
      location: { latitude: 10.7 + number / 1000, longitude: 106.7 },
    }),
  );

const TOWN = town(100);
const DEMO = town(100, { source: "demo" });

const kept = new Map<readonly PlaceDocument[], Promise<TestIndex>>();
afterAll(() => Promise.all([...kept.values()].map(async (made) => (await made)[Symbol.asyncDispose]())));

/** No check changes what is live: the same places are imported once for all. */
function keep(places: readonly PlaceDocument[]): Promise<TestIndex> {
  const made = kept.get(places) ?? createTestIndex(places);
  kept.set(places, made);
  return made;
}

/** The index of these places, or one that is not there. */
async function openLive(places: readonly PlaceDocument[] | undefined): Promise<Topology> {
  if (places) return (await keep(places)).topology;
  const prefix = createTestPrefix();
  onTestFinished(() => removeTestIndex(prefix));
  return testTopology(prefix);
}

/** Builds `next` beside `live` and compares the two. */
async function compare(
  live: readonly PlaceDocument[] | undefined,
  next: readonly PlaceDocument[],
  options: SwapOptions & { readonly liveVersion?: string } = {},
): Promise<string[]> {
  const engine = await openLive(live);
  if (options.liveVersion !== undefined) {
    const map = (await readMap(engine))!;
    const live = { ...map.live, index_version: options.liveVersion };
    await putMap(engine, { ...map, sequence: map.sequence + 1, live });
  }
  const build = await startIndexBuild(engine);
  await build.add(next);
  await build.finish();
  await build.completeForSearch();
  try {
    return await checkSwap(engine, options);
  } finally {
    await build.discard();
  }
}

describe("when the files are read, an import", () => {
  async function checkEarly(
    live: readonly PlaceDocument[] | undefined,
    read: number,
    answer?: boolean,
    force = false,
  ) {
    const engine = await openLive(live);
    const questions: string[] = [];
    const ask = async (question: string): Promise<boolean> => {
      questions.push(question);
      return answer === true;
    };
    const isForced = checkCountEarly(engine, { force, read, ask: answer === undefined ? undefined : ask });
    return { questions, isForced: await isForced };
  }

  test("ends when too many places would be lost and nobody can be asked", async () => {
    await expect(checkEarly(TOWN, 90)).rejects.toThrow(/90 places where the live index has 100, 10 % fewer/);
  });

  test("ends when a person says no, and goes on when they say yes", async () => {
    await expect(checkEarly(TOWN, 90, false)).rejects.toThrow("10 % fewer");
    const { questions, isForced } = await checkEarly(TOWN, 90, true);
    expect(questions).toEqual([expect.stringMatching(/10 % fewer.*Replace the live one\?$/)]);
    expect(isForced).toBe(true);
  });

  test.each<[string, readonly PlaceDocument[] | undefined, number]>([
    ["without a live index", undefined, 1],
    ["for a few places less", TOWN, 96],
    ["for a count that is within its estimate", TOWN, 94],
    ["onto a demo", DEMO, 1],
  ])("asks nothing %s", async (_, live, read) => {
    expect(await checkEarly(live, read, false)).toEqual({ questions: [], isForced: false });
  });

  test("asks nothing with --force", async () => {
    expect(await checkEarly(TOWN, 1, false, true)).toEqual({ questions: [], isForced: true });
  });
});

describe("an index does not go live", () => {
  test.each<[string, readonly PlaceDocument[], RegExp]>([
    ["when the count fell", town(100).slice(0, 90), /90 places where the live index has 100, 10 % fewer/],
    [
      "when a field collapsed",
      town(100, { contacts: { phone: "", website: "" } }),
      /0 % of its places have a phone number, of the live index's 100 %/,
    ],
    [
      "when the live index's places are not found by name any more",
      renumbered(town(100, {}, " Zzyzx Qwert")),
      /of the live index's places a search by name finds \d+ %, where the live index finds 100 %/,
    ],
  ])("%s", async (_, next, message) => {
    await expect(compare(TOWN, next)).rejects.toThrow(message);
  });

  test("when a case fails, even on the first import", async () => {
    const centre = { latitude: 10.7, longitude: 106.7 };
    const cases = [
      { query: "pho sang 0", centre, expect: "Phở Sáng 0", limit: 1 },
      { query: "pho sang", centre, expect: "Bánh Mì", limit: 1 },
    ];
    await expect(compare(undefined, town(10), { cases })).rejects.toThrow(
      /1 of 2 cases fail: "pho sang" should find Bánh Mì first; Phở Sáng 0 came first/,
    );
  });

  test("and all reasons are reported together", async () => {
    const next = town(50, { contacts: { phone: "", website: "" } });
    await expect(compare(TOWN, next)).rejects.toThrow(/50 % fewer.*\n.*phone number/);
  });
});

describe("an index goes live", () => {
  test.each<[string, readonly PlaceDocument[] | undefined, readonly PlaceDocument[]]>([
    ["when there is no live one", undefined, town(20)],
    ["when it is the same", TOWN, town(100)],
    ["when as few places are gone as five percent", TOWN, town(95)],
    ["when a tiny one loses a place", [...town(3)], town(2)],
    ["when its places have other ids and the same names", town(50), renumbered(town(50))],
    ["when the live one is the demo's", DEMO, renumbered(town(20, { source: "own" }, " Other"))],
  ])("%s", async (_, live, next) => {
    expect(await compare(live, next)).toEqual([]);
  });

  test("with --force, which lists the failed checks", async () => {
    expect(await compare(TOWN, town(50), { force: true })).toEqual([
      expect.stringContaining("50 places where the live index has 100"),
      expect.stringContaining("of the live index's places a search by name finds"),
    ]);
  });

  test("but a smaller demo does not replace a larger one", async () => {
    await expect(compare(town(40, { source: "demo" }), town(20, { source: "demo" }))).rejects.toThrow("50 %");
  });
});

test("a live index of another version is compared only by its number of places", async () => {
  const old = [...TOWN];
  const others = renumbered(town(100, { contacts: { phone: "", website: "" } }, " Other"));
  expect(await compare(old, others, { liveVersion: "0.9" })).toEqual([]);
  await expect(compare(old, others.slice(0, 80), { liveVersion: "0.9" })).rejects.toThrow("20 % fewer");
});

test("an index that cannot be compared does not go live", async () => {
  const engine = oneEngine({ url: "http://127.0.0.1:1", key: undefined });
  await expect(checkSwap(engine, {})).rejects.toThrow("it could not be compared with the live index");
});

function renumbered(places: readonly PlaceDocument[]): PlaceDocument[] {
  return places.map((place) => ({ ...place, data_id: place.data_id.replace(":0x", ":0xff") }));
}
