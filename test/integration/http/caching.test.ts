import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

const PLACE = buildPlace({
  title: "Phở Bò Sáng",
  opening_hours: { week: Array.from({ length: 7 }, () => [[420, 660]]), special_days: [] },
});
const NEAR = "lat=10.7769&lng=106.7009";
const TARGETS = [
  `/api/maps/search?q=pho+bo+sang&${NEAR}`,
  `/api/maps/search?q=pho+bo+sang&type=full&${NEAR}`,
  `/api/maps/place?data_id=${PLACE.data_id}`,
  `/api/maps/nearby?${NEAR}`,
  `/api/maps/reverse?${NEAR}`,
  `/api/maps/autocomplete?q=pho+b&${NEAR}`,
];

const clock = { now: Temporal.Instant.from("2026-11-18T09:00:00+07:00") };
let app: TestApp;

beforeAll(async () => {
  app = await startAppOver([PLACE], { now: () => clock.now });
});

afterAll(() => app[Symbol.asyncDispose]());

/** As a cache asks; `fetch` would add its own `Cache-Control`. Once more where a busy machine let the engine be late. */
async function ask(target: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
  const send = () => request(app.url + target, { method, headers: { "x-api-key": app.key, ...headers } });
  let reply = await send();
  if (reply.statusCode === 500) {
    await reply.body.dump();
    reply = await send();
  }
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

const maxAgeOf = (headers: Record<string, unknown>): number =>
  Number(/max-age=(\d+)/.exec(String(headers["cache-control"]))?.[1]);

describe.each(TARGETS)("%s", (target) => {
  test("returns 304 to a caller with the same ETag", async () => {
    clock.now = Temporal.Instant.from("2026-11-18T09:00:00+07:00");
    const first = await ask(target);
    expect(first.status).toBe(200);
    const again = await ask(target, { "if-none-match": String(first.headers["etag"]) });
    expect(again).toMatchObject({ status: 304, text: "" });
    for (const name of ["etag", "cache-control", "vary"])
      expect(again.headers[name]).toBe(first.headers[name]);
    expect(again.headers["content-type"]).toBeUndefined();
  });

  test("is sent to a caller with another ETag or with no-cache", async () => {
    const { headers } = await ask(target);
    expect(await ask(target, { "if-none-match": '"other"' })).toMatchObject({ status: 200 });
    const insistent = { "if-none-match": String(headers["etag"]), "cache-control": "no-cache" };
    expect(await ask(target, insistent)).toMatchObject({ status: 200 });
  });

  test("has the same ETag for HEAD as for GET", async () => {
    const [got, asked] = [await ask(target), await ask(target, {}, "HEAD")];
    expect(asked.headers["etag"]).toBe(got.headers["etag"]);
  });

  test("has another ETag in another language if texts differ, and varies by Accept-Language", async () => {
    const [vi, en] = [await ask(target), await ask(target, { "accept-language": "en" })];
    expect(vi.text === en.text).toBe(vi.headers["etag"] === en.headers["etag"]);
    expect(String(vi.headers["vary"])).toContain("Accept-Language");
  });
});

test.each(TARGETS.slice(0, 5))("%s has a new ETag as soon as the place closes", async (target) => {
  clock.now = Temporal.Instant.from("2026-11-18T10:59:59+07:00");
  const open = await ask(target);
  clock.now = Temporal.Instant.from("2026-11-18T11:00:00+07:00");
  const closed = await ask(target, { "if-none-match": String(open.headers["etag"]) });
  expect(closed.status).toBe(200);
  expect(closed.text).toContain('"is_open_now":false');
});

test.each([
  ["2026-11-18T09:00:00+07:00", 60, 300],
  ["2026-11-18T10:59:15.300+07:00", 44, 44],
  ["2026-11-18T10:59:59.900+07:00", 0, 0],
])(
  "at %s a search may be cached for %i seconds and a place for %i",
  async (moment, searchSeconds, placeSeconds) => {
    clock.now = Temporal.Instant.from(moment);
    expect(maxAgeOf((await ask(TARGETS[0] ?? "")).headers)).toBe(searchSeconds);
    expect(maxAgeOf((await ask(TARGETS[2] ?? "")).headers)).toBe(placeSeconds);
  },
);

test("a search with open_now may be cached until the next minute, when other places may open", async () => {
  clock.now = Temporal.Instant.from("2026-11-18T09:00:18+07:00");
  const { headers } = await ask(`${TARGETS[0] ?? ""}&open_now=true`);
  expect(maxAgeOf(headers)).toBe(42);
});

test.each([
  ["without a key", TARGETS[0] ?? "", { "x-api-key": "" }, 401],
  ["with a bad parameter", "/api/maps/search?q=", {}, 422],
  ["for a place nobody knows", "/api/maps/place?data_id=0x9:0x9", {}, 404],
  ["at a path there is not", "/api/maps", {}, 404],
])("an error %s is never cached and has no ETag", async (_, target, headers, status) => {
  const answer = await ask(target, { ...headers, "if-none-match": "*" });
  expect(answer.status).toBe(status);
  expect(answer.headers["cache-control"]).toBe("private, no-store");
  expect(answer.headers["etag"]).toBeUndefined();
});
