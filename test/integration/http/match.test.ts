import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MatchAnswer } from "../../../src/answers/match-response.ts";
import { createClient } from "../../../src/client/client.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import type { Cost } from "../../../src/telemetry/request-cost.ts";
import { engineGone, fakePlaces } from "../../support/fake-places.ts";
import { BAR, CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startAppOver, startTestApp, type TestApp } from "../../support/test-app.ts";

/** `POST /api/maps/match`. */

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(SAMPLE_PLACES);
});

afterAll(() => app[Symbol.asyncDispose]());

const post = (body: unknown, by = app, headers: Readonly<Record<string, string>> = {}) =>
  by.askRetryingTimeouts("/api/maps/match", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const manyOf = (count: number): object[] =>
  Array.from({ length: count }, (_, id) => ({ id: `${id}`, name: CAFE.title }));

const leftOf = (answer: { readonly headers: Headers }): number =>
  Number(answer.headers.get("x-ratelimit-remaining"));

describe("it is refused", () => {
  test.each([
    ["no records", { records: [] }, 422, "invalid_parameter"],
    ["a hundred and one records", { records: manyOf(101) }, 413, "body_too_large"],
    ["a record without a usable field", { records: [{ id: "1" }] }, 422, "invalid_parameter"],
    ["a wrong position", { records: [{ lat: 200, lng: 0 }] }, 422, "invalid_parameter"],
    ["invalid JSON", '{"records":', 422, "invalid_record"],
    ["half a megabyte", `{"records":[{"name":"${"a".repeat(500_000)}"}]}`, 413, "body_too_large"],
  ])("with %s", async (_, body, status, code) => {
    expect((await post(body)).body).toMatchObject({ status, code });
  });

  test("with the number of the record and the field", async () => {
    const { body } = await post({ records: [{ name: "a" }, { name: "b", lat: "x", lng: 1 }] });
    expect(body).toMatchObject({ errors: [{ parameter: "records[1].lat", code: "malformed" }] });
  });

  test("without a key, and without the scope search", async () => {
    await using other = await startTestApp({ index: app.index, scopes: ["place"] });
    expect((await post({ records: manyOf(1) }, other)).body).toMatchObject({ code: "missing_scope" });
    expect((await post({ records: manyOf(1) }, app, { "x-api-key": "" })).body).toMatchObject({
      code: "missing_api_key",
    });
  });

  test("as a search is when the engine is gone", async () => {
    await using gone = await startTestApp(fakePlaces({ error: engineGone() }));
    expect((await post({ records: manyOf(1) }, gone)).body).toMatchObject({
      status: 500,
      code: "engine_unavailable",
    });
  });

  test("with another method", async () => {
    const answer = await app.ask("/api/maps/match");
    expect(answer.body).toMatchObject({ code: "method_not_allowed" });
    expect(answer.headers.get("allow")).toBe("POST");
  });
});

describe("the limits", () => {
  test("count every four records as one request", async () => {
    await using limited = await startTestApp({ index: app.index, perMinute: 100 });
    const first = leftOf(await post({ records: manyOf(1) }, limited));
    expect(first).toBe(99);
    expect(leftOf(await post({ records: manyOf(4) }, limited))).toBe(98);
    expect(leftOf(await post({ records: manyOf(5) }, limited))).toBe(96);
    expect(leftOf(await post({ records: manyOf(100) }, limited))).toBe(71);
  });

  test("count a refused request once", async () => {
    await using limited = await startTestApp({ index: app.index, perMinute: 100 });
    expect(leftOf(await post("{", limited))).toBe(99);
    expect(leftOf(await post({ records: manyOf(101) }, limited))).toBe(98);
  });

  test("charge what a request has cost, one that is refused nothing of the engine", async () => {
    const charged: Cost[] = [];
    const telemetry = { ...noTelemetry, requestCharged: (_: string, cost: Cost) => void charged.push(cost) };
    await using watched = await startTestApp({ index: app.index, telemetry });
    await post({ records: manyOf(50) }, watched);
    await post({ records: [] }, watched);
    expect(charged).toHaveLength(2);
    expect(charged[0]?.engineMs).toBeGreaterThan(0);
    expect(charged[1]?.engineMs).toBe(0);
  });

  test("refuse what they do not allow", async () => {
    await using limited = await startTestApp({ index: app.index, perMinute: 5 });
    expect((await post({ records: manyOf(60) }, limited)).body).toMatchObject({ code: "rate_limit_minute" });
  });
});

describe("a match", () => {
  test("has the place, the confidence, the reasons and the caller's id", async () => {
    const { body } = await post({
      records: [
        { id: "row 1", name: "ca phe trung ba sau", address: "42 Le Loi", lat: 10.7722, lng: 106.6981 },
        { id: "row 2", name: "Xyzzy Plugh", lat: 10.7722, lng: 106.6981 },
        { phone: "028 3829 0000" },
      ],
    });
    const { matches } = body as MatchAnswer;
    expect(matches[0]).toMatchObject({
      id: "row 1",
      match: {
        data_id: CAFE.data_id,
        title: CAFE.title,
        location: { latitude: CAFE.location.latitude, longitude: CAFE.location.longitude },
      },
      reasons: ["name_same", "address_same", "near"],
    });
    expect(matches[0]?.confidence).toBeGreaterThan(0.95);
    expect(matches[1]).toMatchObject({ id: "row 2", match: null });
    expect(matches[1]?.confidence).toBeLessThan(0.5);
    expect(matches[2]).toMatchObject({ match: { data_id: CAFE.data_id }, reasons: ["phone_same"] });
    expect(matches[2]).not.toHaveProperty("id");
  });

  test("that is not sure enough is null, with its confidence", async () => {
    const records = [{ name: "Trung Ba Sau cafe", lat: 10.7722, lng: 106.6981 }];
    const [any] = ((await post({ records, min_confidence: 0 })).body as MatchAnswer).matches;
    const [sure] = ((await post({ records, min_confidence: 1 })).body as MatchAnswer).matches;
    expect(any?.match?.data_id).toBe(CAFE.data_id);
    expect(sure).toEqual({ ...any, match: null });
  });

  test("of a hundred records is found in their order", async () => {
    const records = Array.from({ length: 100 }, (_, number) => ({
      id: String(number),
      name: number % 2 === 0 ? CAFE.title : BAR.title,
    }));
    const { matches } = (await post({ records })).body as MatchAnswer;
    expect(matches.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
    expect(new Set(matches.map(({ match }, number) => `${number % 2} ${match?.title}`))).toEqual(
      new Set([`0 ${CAFE.title}`, `1 ${BAR.title}`]),
    );
  });

  test("is the same through the client", async () => {
    const client = createClient({ baseUrl: app.url, apiKey: app.key });
    const { matches } = await client.match([{ id: "a", name: CAFE.title }], { minConfidence: 0.1 });
    expect(matches[0]).toMatchObject({ id: "a", match: { data_id: CAFE.data_id } });
    await expect(client.match([])).rejects.toMatchObject({ code: "invalid_parameter" });
  });
});

test("hostile texts are names like any other", async () => {
  const names = ['" OR 1 = 1', "a\u0000b", "😀😀", "\\\\", "]] IN [", "ﷺ".repeat(60), "🏳️‍🌈"];
  const answer = await post({
    records: names.map((name) => ({ name, address: name, phone: name, website: name })),
  });
  expect(answer.status).toBe(200);
  expect((answer.body as MatchAnswer).matches).toHaveLength(names.length);
});
