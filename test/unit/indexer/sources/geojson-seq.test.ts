import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../src/cli/errors.ts";
import { readGeojsonSeq } from "../../../../indexer/sources/osm/geojson.ts";
import { readAll } from "../text-input.ts";

const feature = (name: string) => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [139.7, 35.68] },
  properties: { "@id": "node/1", name, amenity: "cafe" },
});

const text = (...features: unknown[]) => features.map((value) => JSON.stringify(value)).join("\n");

describe("readGeojsonSeq", () => {
  test.each([
    ["one feature a line", `${text(feature("A"), feature("B"))}\n`, "line"],
    ["no line end after the last", text(feature("A"), feature("B")), "line"],
    [
      "record separators, and line ends within a record",
      [feature("A"), feature("B")].map((value) => `\u001E${JSON.stringify(value, undefined, 2)}\n`).join(""),
      "element",
    ],
  ])("reads %s", async (_, content, part) => {
    expect(await readAll(readGeojsonSeq, content)).toMatchObject([
      { position: { part, number: 1 }, draft: { title: "A", type: "COFFEE", source_id: "node/1" } },
      { position: { part, number: 2 }, draft: { title: "B" } },
    ]);
  });

  test.each([
    ["in lines", (parts: string[]) => parts.join("\n")],
    ["in a sequence", (parts: string[]) => parts.map((part) => `\u001E${part}\n`).join("")],
  ])("a bad record %s is rejected and the next one read", async (_, join) => {
    const content = join([text(feature("A")), "{oops", text(feature("B")), "{}"]);
    expect(await readAll(readGeojsonSeq, content)).toMatchObject([
      { draft: { title: "A" } },
      {
        position: { number: 2 },
        rejected: { reason: "not JSON", value: expect.stringContaining("{oops") as string },
      },
      { draft: { title: "B" } },
      { skipped: "no coordinates" },
    ]);
  });

  test.each([text(feature("A")).slice(0, -3), `\u001E${text(feature("A"))}\n\u001E{"type": "Fea`])(
    "a file that breaks off ends the import: %.3j…",
    async (content) => {
      await expect(readAll(readGeojsonSeq, content)).rejects.toThrow(CommandError);
    },
  );
});
