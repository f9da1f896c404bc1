import { afterAll, beforeAll, expect, test } from "vitest";
import { BAR, CAFE, SAMPLE_PLACES, UNKNOWN_SHOP } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { createTestIndex, type TestIndex } from "../../support/test-index.ts";
import { buildPlace } from "../../support/build-place.ts";

const CHAIN = Array.from({ length: 15 }, (_, i) =>
  buildPlace({ title: `Phở Hai Thiền ${i + 1}`, location: { latitude: 10.77 + i / 1000 } }),
);

let testIndex: TestIndex;
let app: TestApp;

beforeAll(async () => {
  testIndex = await createTestIndex([...SAMPLE_PLACES, ...CHAIN]);
  app = await startTestApp({ index: testIndex.index });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await testIndex[Symbol.asyncDispose]();
});

async function suggest(query: string): Promise<Record<string, unknown>[]> {
  const target = `/api/maps/autocomplete?${query}&lat=10.772&lng=106.698`;
  return (await app.read<{ suggestions: Record<string, unknown>[] }>(target)).suggestions;
}

test("a suggestion has a name, a location and a data_id", async () => {
  expect(await suggest(`q=${encodeURIComponent("cà phê trứng")}`)).toContainEqual({
    value: CAFE.title,
    subtext: CAFE.location.address.full,
    latitude: 10.7721,
    longitude: 106.698,
    data_id: CAFE.data_id,
    place_id: "ext-0001",
  });
});

test("without an address, the subtext is the kind of place and its area, if known", async () => {
  const [bar] = await suggest(`q=${encodeURIComponent("mây lang")}&lang=en`);
  expect(bar).toMatchObject({ value: BAR.title, subtext: "Bar · Phường Sài Gòn, Thành phố Hồ Chí Minh" });
  const [shop] = await suggest(`q=${encodeURIComponent("tạp hóa cô")}&lang=en`);
  expect(shop).toMatchObject({ value: UNKNOWN_SHOP.title, subtext: "Place" });
  expect(shop).not.toHaveProperty("place_id");
});

test("the last word may be incomplete", async () => {
  expect(await suggest(`q=${encodeURIComponent("mây lang th")}`)).toMatchObject([{ data_id: BAR.data_id }]);
});

test("returns at most four, or up to ten on request", async () => {
  expect(await suggest("q=pho")).toHaveLength(4);
  expect(await suggest("q=pho&limit=10")).toHaveLength(10);
});

test.each([
  ["", "q"],
  ["q=a&q=b", "q"],
  ["q=a&limit=11", "limit"],
  ["q=a&lat=north", "lat"],
  ["q=a&lng=", "lng"],
  ["q=a&lang=%00", "lang"],
  ["q=a&include=everything", "include"],
])("?%s is a 422 that names %s", async (query, parameter) => {
  const answer = await app.ask(`/api/maps/autocomplete?${query}`);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
});

test("offset, type and the filters of search have no effect", async () => {
  const plain = await suggest("q=pho");
  expect(plain).toHaveLength(4);
  const refined =
    "offset=x&type=y&category=NOPE&open_now=1&open_at=x&min_rating=5&max_price=x&radius=1&sort=z";
  expect(await suggest(`q=pho&${refined}`)).toStrictEqual(plain);
});

test("include=match returns the typed parts of a suggestion", async () => {
  const [bar] = await suggest(`q=${encodeURIComponent("may la")}&include=match`);
  expect(bar).toMatchObject({
    value: BAR.title,
    match: {
      value: [
        { offset: 0, length: 3 },
        { offset: 4, length: 2 },
      ],
    },
  });
});

test("other values of include have no effect", async () => {
  expect(await suggest("q=pho&include=distance,periods,explain")).toStrictEqual(await suggest("q=pho"));
});
