import { NO_PAIRS } from "../../../src/meilisearch/word-pairs.ts";
import { expect, test } from "vitest";
import {
  createDensity,
  type Census,
  type IndexState,
  type PlaceIndex,
} from "../../../src/meilisearch/place-index.ts";
import { createCensusReader } from "../../../src/search/census-reader.ts";

const censusOf = (timezone: string, isWhole = true): Census => ({
  isWhole,
  places: 0,
  density: createDensity({}),
  types: new Map(),
  timezones: [timezone],
  words: { inNames: {}, inAddresses: {}, pairs: NO_PAIRS },
});
const readySince = (builtAt: string): IndexState => ({ state: "ready", places: 1, builtAt });

/** An index of two partitions, one of which is certainly there. */
const dividedWith = (state: "current" | "down"): IndexState => ({
  ...(readySince("1") as Extract<IndexState, { state: "ready" }>),
  division: {
    engines: [],
    partitions: [
      { number: 0, replicas: [{ engine: "one", state: "current" }] },
      { number: 1, replicas: [{ engine: "two", state }] },
    ],
  },
});

/** An index whose state and census a test changes, and a clock that it moves, in seconds. */
function readerOver(first: { state: IndexState; census: Census }) {
  const facts = { ...first, isAway: false, reads: 0, seconds: 0 };
  const index = {
    readState: async () => facts.state,
    readVocabulary: async () => undefined,
    readWords: async () => "",
    readCensus: async () => {
      facts.reads += 1;
      if (facts.isAway) throw new Error("gone");
      return facts.census;
    },
  } as PlaceIndex;
  const reader = createCensusReader(index, () => facts.seconds * 1_000);
  const readLater = async (seconds: number): Promise<readonly string[] | undefined> => {
    facts.seconds += seconds;
    reader.latest();
    await reader.settled();
    return reader.latest()?.timezones;
  };
  return { facts, reader, readLater };
}

test("no search waits for the first census", async () => {
  const { reader, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  expect(reader.latest()).toBeUndefined();
  expect(await readLater(0)).toStrictEqual(["UTC"]);
});

test("it is read again when the index was swapped, a second later at most", async () => {
  const { facts, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  await readLater(0);
  facts.state = readySince("2");
  facts.census = censusOf("Asia/Tokyo");
  expect(await readLater(0.9)).toStrictEqual(["UTC"]);
  expect(await readLater(0.1)).toStrictEqual(["Asia/Tokyo"]);
});

test("it is read at once for a search that finds nothing, which then knows that there is another", async () => {
  const { facts, reader, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  await readLater(0);
  const known = reader.latest();
  facts.seconds += 0.2;
  expect(await reader.isNewerThan(known)).toBe(false);
  facts.state = readySince("2");
  facts.census = censusOf("Asia/Tokyo");
  facts.seconds += 0.05;
  expect(await reader.isNewerThan(known), "not more than ten times a second").toBe(false);
  facts.seconds += 0.05;
  expect(await reader.isNewerThan(known)).toBe(true);
  expect(reader.latest()?.timezones).toStrictEqual(["Asia/Tokyo"]);
});

test("it is read again ten minutes later at most when changes added places", async () => {
  const { facts, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  await readLater(0);
  facts.state = { state: "ready", places: 1_000_000, builtAt: "1" };
  facts.census = censusOf("Asia/Tokyo");
  expect(await readLater(599)).toStrictEqual(["UTC"]);
  expect(await readLater(1)).toStrictEqual(["Asia/Tokyo"]);
  await readLater(600);
  expect(facts.reads).toBe(2);
});

test("what was counted without a lost partition is counted again when the partition is back", async () => {
  const { facts, readLater } = readerOver({ state: dividedWith("down"), census: censusOf("UTC", false) });
  expect(await readLater(0)).toStrictEqual(["UTC"]);
  facts.census = censusOf("Asia/Tokyo");
  expect(await readLater(10)).toStrictEqual(["UTC"]);
  facts.state = dividedWith("current");
  expect(await readLater(10)).toStrictEqual(["Asia/Tokyo"]);
  facts.state = dividedWith("down");
  await readLater(10);
  expect(facts.reads).toBe(2);
});

test("a partition that was lost only while places were counted is counted two seconds later", async () => {
  const { facts, readLater } = readerOver({ state: dividedWith("current"), census: censusOf("UTC", false) });
  await readLater(0);
  facts.census = censusOf("Asia/Tokyo");
  expect(await readLater(1.9)).toStrictEqual(["UTC"]);
  expect(await readLater(1)).toStrictEqual(["Asia/Tokyo"]);
  await readLater(10);
  expect(facts.reads).toBe(2);
});

test("an index that is the same is counted once", async () => {
  const { facts, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  for (let i = 0; i < 5; i += 1) await readLater(10);
  expect(facts.reads).toBe(1);
});

test("while the index is away the old census serves, and it is asked again every second", async () => {
  const { facts, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  await readLater(0);
  facts.state = readySince("2");
  facts.census = censusOf("Asia/Tokyo");
  facts.isAway = true;
  expect(await readLater(1)).toStrictEqual(["UTC"]);
  expect(await readLater(0.9)).toStrictEqual(["UTC"]);
  expect(facts.reads).toBe(2);
  expect(await readLater(0.1)).toStrictEqual(["UTC"]);
  expect(facts.reads).toBe(3);
  facts.isAway = false;
  expect(await readLater(1)).toStrictEqual(["Asia/Tokyo"]);
});

test("a swap during an outage is noticed a second after it", async () => {
  const { facts, readLater } = readerOver({ state: readySince("1"), census: censusOf("UTC") });
  await readLater(0);
  facts.state = { state: "unreachable" };
  facts.census = censusOf("Asia/Tokyo");
  expect(await readLater(10)).toStrictEqual(["UTC"]);
  facts.state = readySince("2");
  expect(await readLater(1)).toStrictEqual(["Asia/Tokyo"]);
});

test("a missing index has no census", async () => {
  const { readLater } = readerOver({ state: { state: "missing" }, census: censusOf("UTC") });
  expect(await readLater(0)).toBeUndefined();
});
