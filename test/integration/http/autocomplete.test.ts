import { afterAll, beforeAll, expect, test } from "vitest";
import { BAR, CAFE, SAMPLE_PLACES, UNKNOWN_SHOP } from "../../support/sample-places.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";
import { buildPlace } from "../../support/build-place.ts";

const CHAIN = Array.from({ length: 15 }, (_, i) =>
  buildPlace({ title: `Phở Hai Thiền ${i + 1}`, location: { latitude: 10.77 + i / 1000 } }),
);

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver([...SAMPLE_PLACES, ...CHAIN]);
});

afterAll(() => app[Symbol.asyncDispose]());

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
  ["q=a&limit=11", "limit"],
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

async function suggestQueries(query: string): Promise<Record<string, unknown>[]> {
  return suggest(`q=${encodeURIComponent(query)}&include=queries`);
}

test("include=queries adds the kind that is being typed, and marks every element with its type", async () => {
  const suggestions = await suggestQueries("quan ca ph");
  expect(suggestions[0]).toStrictEqual({
    type: "kind",
    value: "Quán cà phê",
    subtext: "Loại địa điểm",
    query: "Quán cà phê",
    category: "COFFEE",
  });
  for (const { type, query } of suggestions.slice(1))
    expect([type, typeof query]).toEqual(["place", "string"]);
});

test("a kind in a half-typed area is completed to the areas near the caller", async () => {
  const [first] = await suggestQueries("cafe qu");
  expect(first).toMatchObject({
    type: "kind",
    value: "cafe Quận 1",
    query: "cafe Quận 1",
    category: "COFFEE",
    area: { name: "Quận 1", level: "district" },
  });
});

test("an area is suggested with the area around it, in the language of the request", async () => {
  const [area] = await suggest(`q=district+1&include=queries&lang=en`);
  expect(area).toMatchObject({
    type: "area",
    value: "District 1",
    subtext: "District · Hồ Chí Minh City",
    query: "Quận 1",
  });
});

test("a kind or an area without any place is not suggested", async () => {
  expect(await suggestQueries("bowling")).not.toContainEqual(expect.objectContaining({ type: "kind" }));
  expect(await suggestQueries("cao bằng")).not.toContainEqual(expect.objectContaining({ type: "area" }));
});

test("kinds and areas take no more than half of the list while there are places", async () => {
  const suggestions = await suggestQueries("pho");
  expect(suggestions).toHaveLength(4);
  expect(suggestions.filter(({ type }) => type !== "place").length).toBeLessThanOrEqual(2);
});

test("the text of every suggested kind and area finds what it says", async () => {
  for (const typed of ["ca", "quan", "cafe qu", "phường bến", "chợ", "district"]) {
    const suggestions = await suggestQueries(typed);
    for (const { query, category, area } of suggestions.filter(({ type }) => type !== "place")) {
      const target = `/api/maps/search?q=${encodeURIComponent(String(query))}&lat=10.772&lng=106.698&include=explain`;
      const { understood } = await app.read<{ understood: { kinds: string[]; area?: string; name: string } }>(
        target,
      );
      expect(understood.name).toBe("");
      expect(understood.kinds).toEqual(category === undefined ? [] : [category]);
      expect(understood.area).toBe((area as { name: string } | undefined)?.name);
    }
  }
});

test("as GeoJSON there are places only", async () => {
  const target = "/api/maps/autocomplete?q=pho&include=queries&format=geojson&lat=10.772&lng=106.698";
  const { features } = await app.read<{ features: { properties: object }[] }>(target);
  expect(features).toHaveLength(4);
  for (const { properties } of features) expect(properties).toHaveProperty("data_id");
});

test("without names that begin so, the places that a search finds are suggested", async () => {
  const [first] = await suggest(`q=${encodeURIComponent("quán cà phê gần đây")}`);
  expect(first).toMatchObject({ data_id: CAFE.data_id });
});
