import { describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import type { AskedRecord } from "../../../src/same-place/likelihood.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { CENTRE, placeAt } from "../../support/memory-search.ts";
import { pointAt } from "../../support/points.ts";

const BANK = placeAt(0, "Ngân hàng Á Châu", {
  type: "BANK",
  contacts: { phone: "+84 28 3829 1111", website: "" },
});
const CAFE = placeAt(20, "Cà phê Trứng Bà Sáu", {
  type: "COFFEE",
  contacts: { phone: "+84 28 3829 0000", website: "https://basau.example/quan" },
  location: { address: { full: "42 Lê Lợi, Bến Thành", street: "42 Lê Lợi" } },
});
const BRANCHES = [2_000, 5_000].map((meters) => placeAt(meters, "Phúc Long", { type: "COFFEE" }));
const OTHERS = Array.from({ length: 40 }, (_, number) =>
  placeAt(30 + 5 * number, `Cửa hàng số ${number}`, { type: "SHOP" }),
);
const PLACES = [BANK, CAFE, ...BRANCHES, ...OTHERS];

const record = (more: Partial<AskedRecord>): AskedRecord => ({
  name: "",
  address: "",
  phone: "",
  website: "",
  ...more,
});

async function match(records: readonly Partial<AskedRecord>[], places: readonly PlaceDocument[] = PLACES) {
  const index = createMemoryIndex(places);
  const search = createPlaceSearch(index);
  await search.prepared;
  const { matches } = await search.match(records.map(record));
  return { matches, rounds: index.rounds };
}

const likeliest = async (more: Partial<AskedRecord>): Promise<string | undefined> => {
  const { matches } = await match([more]);
  return matches[0]?.place?.data_id;
};

describe("a record is found", () => {
  test.each([
    ["by its name and position", { name: "ca phe trung ba sau", location: pointAt(CENTRE, 90, 45) }],
    ["by a mistyped name and position", { name: "ca phe trug ba sau", location: CENTRE }],
    ["by its words in another order", { name: "Bà Sáu - cà phê trứng", location: CENTRE }],
    ["by its name alone", { name: "Cà phê Trứng Bà Sáu" }],
    ["by a mistyped name alone", { name: "ca phe trug ba sau" }],
    ["by name and address", { name: "Trứng Bà Sáu", address: "42 Lê Lợi, Q1" }],
    ["by its phone alone", { phone: "(028) 3829.0000" }],
    ["by its website alone", { website: "basau.example/quan/" }],
    ["by its address alone", { address: "Số 42 đường Lê Lợi, Quận 1" }],
  ])("%s", async (_, more) => {
    expect(await likeliest(more)).toBe(CAFE.data_id);
  });
});

test("records have their matches in their order, and each alone", async () => {
  const { matches } = await match([
    { phone: "028 3829 1111" },
    { name: "không có ở đây" },
    { name: "Bà Sáu", location: CENTRE },
  ]);
  expect(matches.map(({ place }) => place?.title)).toEqual([BANK.title, undefined, CAFE.title]);
});

test("a record that nothing is like has no match and no confidence", async () => {
  const { matches } = await match([{ name: "Xyzzy Plugh" }, { phone: "1900 1234" }]);
  expect(matches).toEqual([
    { confidence: 0, reasons: [] },
    { confidence: 0, reasons: [] },
  ]);
});

test("one of several branches is not sure, and the reasons say why", async () => {
  const { matches } = await match([{ name: "Phúc Long" }]);
  expect(matches[0]?.confidence).toBeLessThan(0.6);
  expect(matches[0]?.reasons).toContain("several_alike");
});

test("a place that the dataset has twice is sure", async () => {
  const twin = buildPlace({ ...CAFE, data_id: "0x1:0xfeed" });
  const asked = { name: CAFE.title, location: CAFE.location };
  const { matches } = await match([asked], [...PLACES, twin]);
  expect(matches[0]?.confidence).toBeGreaterThan(0.9);
  expect(matches[0]?.reasons).not.toContain("several_alike");
});

test("a hundred records take five requests for lookups, with at most five lookups a record", async () => {
  const asked = Array.from({ length: 100 }, (_, number) => ({
    name: `Cửa hàng số ${number}`,
    address: `${number} Lê Lợi`,
    phone: "028 3829 0000",
    website: "basau.example",
  }));
  const { rounds } = await match(asked);
  expect(rounds).toHaveLength(5);
  for (const lookups of rounds) expect(lookups.length).toBeLessThanOrEqual(100);
  for (const { limit } of rounds.flat()) expect(limit).toBeLessThanOrEqual(10);
});

test("no records take no request", async () => {
  expect(await match([])).toMatchObject({ matches: [], rounds: [] });
});

test("a very long name and address take no more than a few words", async () => {
  const long = Array.from({ length: 60 }, (_, number) => `chữ${number}`).join(" ");
  const { rounds } = await match([{ name: long, address: `12 ${long}` }]);
  expect(JSON.stringify(rounds).length).toBeLessThan(4_000);
});
