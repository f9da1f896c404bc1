import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import { BAR, CAFE, SAMPLE_PLACES, UNKNOWN_SHOP } from "../../support/sample-places.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

type Summary = Record<string, unknown> & {
  readonly data_id: string;
  readonly link_search_value: string;
  readonly link_place_detail: string;
};

const NEAR = "lat=10.7720&lng=106.6981";
/** A Wednesday, 19:30 in Ho Chi Minh City: the bar is open and so is the café. */
const EVENING = Temporal.Instant.from("2026-11-18T12:30:00Z");

const BRANCHES = Array.from({ length: 5 }, (_, i) =>
  buildPlace({ title: "Bánh mì Huynh Hoa", location: { latitude: 10.772 + i / 500 } }),
);

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver([...SAMPLE_PLACES, ...BRANCHES], { now: () => EVENING });
});

afterAll(() => app[Symbol.asyncDispose]());

async function search(query: string, headers: Record<string, string> = {}): Promise<Summary[]> {
  const body = await app.read<{ local_result: Summary[] }>(`/api/maps/search?${query}`, { headers });
  return body.local_result;
}

const one = async (query: string, headers?: Record<string, string>): Promise<Summary> => {
  const [first] = await search(query, headers);
  if (first === undefined) throw new Error(`${query} found nothing`);
  return first;
};

test("type=full adds hours and features, even to a place without them", async () => {
  const shop = await one(`q=${encodeURIComponent(UNKNOWN_SHOP.title)}&${NEAR}&type=full`);
  expect(shop["opening_hours"]).toHaveLength(7);
  expect(shop["features"]).toStrictEqual(UNKNOWN_SHOP.features);
});

test("no results are an empty list, logged at debug level without an exact location", async () => {
  const words = "xqzzkwv jjqqx";
  expect(await search(`q=${words}&lat=10.123456&lng=106.987654`)).toStrictEqual([]);
  expect(app.logBook.lines("search_empty")).toMatchObject([
    { level: "debug", query: words, latitude: 10.12, longitude: 106.99 },
  ]);
});

describe("languages", () => {
  const query = `q=${encodeURIComponent(BAR.title)}&${NEAR}&type=full`;
  const firstDay = async (extra: string, headers?: Record<string, string>): Promise<unknown> =>
    ((await one(query + extra, headers))["opening_hours"] as { day: string }[])[0]?.day;

  test.each([
    ["", {}, "Thứ Hai"],
    ["&lang=en", {}, "Monday"],
    ["", { "accept-language": "en-GB,en;q=0.9" }, "Monday"],
    ["&lang=vi", { "accept-language": "en" }, "Thứ Hai"],
    ["&lang=fr", {}, "Thứ Hai"],
  ])("lang %j with headers %j names the first day", async (extra, headers, expected) => {
    expect(await firstDay(extra, headers as Record<string, string>)).toBe(expected);
  });
});

test("an open place has a text for its state in the language of the request", async () => {
  const query = `q=${encodeURIComponent(BAR.title)}&${NEAR}`;
  const vi = (await one(query))["open_state"] as { is_open_now: boolean; text: string };
  const en = (await one(`${query}&lang=en`))["open_state"] as { is_open_now: boolean; text: string };
  expect([vi.is_open_now, en.is_open_now]).toStrictEqual([true, true]);
  expect(vi.text).not.toBe("");
  expect(en.text).not.toBe(vi.text);
});

test("explain returns the parts of the score, which add up to it", async () => {
  const bar = await one(`q=${encodeURIComponent(BAR.title)}&${NEAR}&include=explain`);
  const { text, distance, prominence, score } = bar["explanation"] as Record<string, number>;
  expect(text).toBeGreaterThan(0.9);
  expect(score).toBeCloseTo((text ?? 0) + (distance ?? 0) + (prominence ?? 0), 3);
});

test("match returns the parts of the title that match the query", async () => {
  const query = `q=${encodeURIComponent("ca phe tru")}&${NEAR}`;
  const cafe = await one(`${query}&include=match`);
  expect(cafe).toMatchObject({ title: "Cà phê Trứng Bà Sáu" });
  expect(cafe["match"]).toStrictEqual({
    title: [
      { offset: 0, length: 2 },
      { offset: 3, length: 3 },
      { offset: 7, length: 3 },
    ],
  });
  expect((await one(`q=Ba%20Sau%20Egg%20Coffee&${NEAR}&include=match`))["match"]).toStrictEqual({
    title: [
      { offset: 13, length: 2 },
      { offset: 16, length: 3 },
    ],
  });
});

test("periods adds opening hours for programs", async () => {
  const bar = await one(`q=${encodeURIComponent(BAR.title)}&${NEAR}&include=periods`);
  expect(bar).toMatchObject({ special_days: [], next_change_at: "2026-11-19T02:00:00+07:00" });
  expect((bar["opening_periods"] as unknown[])[6]).toStrictEqual({
    open: { day: 7, time: "18:00" },
    close: { day: 1, time: "02:00" },
  });
});

test("include adds fields and changes no others, in both types", async () => {
  for (const type of ["minimal", "full"]) {
    const query = `q=bar&${NEAR}&type=${type}`;
    const plain = await search(query);
    const rich = await search(`${query}&include=distance,periods,explain,match`);
    expect(rich).toMatchObject(plain);
    expect(rich.map((place) => Object.keys(place).length)).toStrictEqual(
      plain.map((place) => Object.keys(place).length + 6),
    );
  }
});

test("links to this service work and lead to the place", async () => {
  const cafe = await one(`q=${encodeURIComponent(CAFE.title)}&${NEAR}`);
  const searchLink = new URL(cafe.link_search_value);
  expect(searchLink.origin).toBe("https://places.example");
  expect(searchLink.search).toMatch(/lat=10,77\d*&lng=106,69\d*/);
  expect(await one(searchLink.search.slice(1))).toMatchObject({ data_id: CAFE.data_id });

  expect(cafe.link_place_detail).toContain(CAFE.data_id.replace(":", "%3A"));
  const detailLink = new URL(cafe.link_place_detail);
  const answer = await app.ask(detailLink.pathname + detailLink.search);
  expect(answer.body).toMatchObject({ place_result: { data_id: CAFE.data_id } });
});

test("HEAD has the headers of GET and no body", async () => {
  const target = `/api/maps/search?q=bar&${NEAR}`;
  const [get, head] = [await app.ask(target), await app.ask(target, { method: "HEAD" })];
  expect(head.status).toBe(200);
  expect(head.text).toBe("");
  expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
});

test.each([
  ["", "q"],
  ["q=a&q=b", "q"],
  ["q=%ff", "q"],
  ["q=a&sort=price", "sort"],
])("?%s is a 422 that names %s", async (query, parameter) => {
  const answer = await app.ask(`/api/maps/search?${query}`);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
  expect(answer.headers.has("x-ratelimit-remaining")).toBe(true);
});
