import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findFailedCases, readRelevanceCases } from "../../../../indexer/checks/relevance-cases.ts";
import type { Probe } from "../../../../indexer/checks/probe.ts";
import { buildPlace } from "../../../support/build-place.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-cases-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string): string {
  const path = join(folder, "cases.jsonl");
  writeFileSync(path, text);
  return path;
}

describe("readRelevanceCases", () => {
  test("reads one case per line, with the API's default point and the first result by default", () => {
    const path = write(
      '\uFEFF{"q":" phở ","expect":"Phở Sáng"}\r\n\n{"q":"x","lat":1,"lng":2,"expect":"y","top":3}\n',
    );
    expect(readRelevanceCases(path)).toEqual([
      { query: "phở", centre: { latitude: 10.801671, longitude: 106.61744 }, expect: "Phở Sáng", limit: 1 },
      { query: "x", centre: { latitude: 1, longitude: 2 }, expect: "y", limit: 3 },
    ]);
  });

  test.each([
    ["nothing", "\n", "has no cases"],
    ["no JSON", '{"q":"a","expect":"b"}\nphở', "line 2 is not JSON"],
    ["another form", '{"q":"a"}', "line 1 is not a valid case: expect"],
    ["an unknown field", '{"q":"a","expect":"b","near":1}', "line 1 is not a valid case: near"],
    ["a point that is none", '{"q":"a","expect":"b","lat":91}', "line 1 is not a valid case: lat"],
  ])("refuses %s and says where", (_, text, message) => {
    expect(() => readRelevanceCases(write(text))).toThrow(message);
  });

  test("refuses a missing file", () => {
    expect(() => readRelevanceCases(join(folder, "none"))).toThrow("Cannot read the cases");
  });
});

describe("findFailedCases", () => {
  const place = buildPlace({ title: "Cà Phê Sữa", data_id: "0x1:0xab" });
  const probe: Pick<Probe, "search"> = {
    search: ({ query, limit }) =>
      Promise.resolve(query === "none" ? [] : [buildPlace({ title: "Other" }), place].slice(0, limit)),
  };
  const centre = { latitude: 10, longitude: 106 };

  test.each(["ca phe sua", "Cà Phê Sữa", "0x1:0xab", "0x7:0x00AB"])(
    "passes when %s comes",
    async (expected) => {
      expect(await findFailedCases([{ query: "q", centre, expect: expected, limit: 2 }], probe)).toEqual([]);
    },
  );

  test("reports the expected and the actual results", async () => {
    const cases = [
      { query: "q", centre, expect: "Cà Phê Sữa", limit: 1 },
      { query: "none", centre, expect: "0x1:0xab", limit: 3 },
    ];
    expect(await findFailedCases(cases, probe)).toEqual([
      '"q" should find Cà Phê Sữa first; Other came first',
      '"none" should find 0x1:0xab among the first 3; nothing came',
    ]);
  });
});
