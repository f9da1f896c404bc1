import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(SAMPLE_PLACES);
  // As a server does at its start: otherwise the first text in Korean waits seconds for its dictionary.
  await app.index.warmUp();
});

afterAll(() => app[Symbol.asyncDispose]());

const OPERATIONS = ["/api/maps/search", "/api/maps/place", "/api/maps/autocomplete"];

describe.each(OPERATIONS)("%s", (path) => {
  test.each([
    "__proto__=1&__proto__=2",
    "__proto__[q]=a",
    "toString",
    "toString=1&toString=2",
    "constructor=1&hasOwnProperty=2&valueOf",
    "=1&==&&&",
    "%ff=%ff&%00=1",
  ])("ignores ?%s", async (hostile) => {
    const answer = await app.ask(`${path}?${hostile}`);
    expect(answer.body).toMatchObject({ status: 422, errors: [{ code: "missing" }] });
    expect(answer.text).not.toContain("__proto__");
  });

  test("reads fifteen kilobytes of nonsense as quickly as a word", async () => {
    const before = process.cpuUsage();
    for (const filler of ["q=a&", "q", "%20", "%C3%A9", "a=1&", "-1.", "0x1:", ",", "&"]) {
      const query = filler.repeat(Math.floor(15_000 / filler.length));
      for (const name of ["q", "lat", "data_id", "include", "lang", "category", "open_at", "radius"]) {
        const { status } = await app.ask(`${path}?${name}=${query}`);
        expect([200, 422]).toContain(status);
      }
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  test("bytes that are not UTF-8 are a 422", async () => {
    for (const name of ["q", "lat", "lng", "data_id"]) {
      const reply = await sendRaw(
        app.port,
        `GET ${path}?${name}=%ff%fe%c0%80 HTTP/1.1`,
        `x-api-key: ${app.key}\r\n`,
      );
      expect(reply.status).toBe(422);
    }
  });
});

/** Any text as q: found or not, but never a failure. */
const HOSTILE_QUERIES = [
  "' OR 1=1 --",
  '"unclosed phrase',
  "-minus -only",
  '""',
  "\\",
  "*",
  "_geoRadius(1,2,3)",
  "_cells IN [x]",
  "type = BAR",
  "{}[]()",
  "<script>alert(1)</script>",
  "../../indexes",
  "%00",
  "%s%n%x",
  "${jndi:ldap://x}",
  "🧋🧋🧋",
  "\u200B\u200D\u2060",
  "\u202Eebac",
  "ｃａｆｅ　ｃａｆｅ",
  "z̷̨̛͎͕̈́a̸l̴g̶o̷",
  "__proto__",
  "undefined",
  "null",
  "0",
];

async function expectJustAText(q: string): Promise<void> {
  const query = new URLSearchParams({ q }).toString();
  for (const path of ["/api/maps/search", "/api/maps/autocomplete"]) {
    expect(await app.askRetryingTimeouts(`${path}?${query}`)).toMatchObject({ status: 200 });
  }
}

test.each(HOSTILE_QUERIES)("q=%j is treated as plain text", expectJustAText);

test.each([
  { name: "letters that become eighteen when folded", q: "ﷺ".repeat(80) },
  { name: "128 words", q: "a ".repeat(128) },
  { name: "64 equal words", q: "phở ".repeat(64) },
  { name: "one word of 256 letters", q: "x".repeat(256) },
  { name: "256 letters outside of the basic plane", q: "\u{20000}".repeat(256) },
  { name: "256 marks on one letter", q: `a${"\u0301".repeat(255)}` },
])("$name are treated as plain text", ({ q }) => expectJustAText(q));

test("no text makes a search fail", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (q) => {
      const answer = await app.askRetryingTimeouts(
        `/api/maps/search?${new URLSearchParams({ q }).toString()}`,
      );
      expect([200, 422]).toContain(answer.status);
    }),
    { numRuns: 60 },
  );
});

test.each([
  { lat: "90", lng: "180" },
  { lat: "-90", lng: "-180" },
  { lat: "0", lng: "0" },
  { lat: "89.9999999999", lng: "-179,9999999999" },
  { lat: "-0", lng: "-0.0" },
])("a search may be centred at $lat, $lng", async ({ lat, lng }) => {
  const target = `/api/maps/search?q=bar&lat=${lat}&lng=${lng}&include=distance`;
  expect(await app.askRetryingTimeouts(target)).toMatchObject({ status: 200 });
});

const LONG = 4_000;

test.each([
  { name: "zeros", dataId: `0x${"0".repeat(LONG)}1:0x1` },
  { name: "digits", dataId: `0x1:0x${"f".repeat(LONG)}` },
  { name: "colons", dataId: `0x1${":".repeat(LONG)}0x1` },
])("a data_id of thousands of $name never reaches the engine", ({ dataId }) => expectMalformed(dataId));

test.each([
  "../../keys",
  "0x1:0x2/../../stats",
  "0x1:0x2%2F..%2F..%2Fkeys",
  "0x1:0x2?x=1",
  "0x1:0x2#x",
  "0x1\n:0x2",
  "0x1:0x2\0",
  "0x1:0x\u0661",
  "manifest",
])("data_id=%j never reaches the engine", expectMalformed);

async function expectMalformed(dataId: string): Promise<void> {
  const answer = await app.ask(`/api/maps/place?${new URLSearchParams({ data_id: dataId }).toString()}`);
  expect(answer.body).toMatchObject({ status: 422, errors: [{ parameter: "data_id", code: "malformed" }] });
}

test("headers may contain anything", async () => {
  const hostile = [
    "en;q=9,,;;,*;q=x",
    "a".repeat(8_000),
    ",".repeat(8_000),
    "en;".repeat(2_000),
    "__proto__",
  ];
  for (const language of hostile) {
    const headers = { "accept-language": language };
    expect(await app.askRetryingTimeouts("/api/maps/search?q=bar", { headers })).toMatchObject({
      status: 200,
    });
  }
});
