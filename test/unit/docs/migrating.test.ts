import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLACE_FIELDS } from "../../../src/answers/chosen-fields.ts";
import { INCLUDED_NAMES } from "../../../src/answers/included-fields.ts";
import { PARAMETER_NAMES } from "../../../src/http/parameters.ts";
import { LANGUAGES } from "../../../src/place/document/localized-texts.ts";
import { buildOpenApiDocument } from "../../../src/openapi/document.ts";

const { paths } = buildOpenApiDocument({ publicBaseUrl: "", externalMapsUrl: "" }) as { paths: object };
/** The fields that are not of every place. */
const OTHERS = ["place_id", "distance_m", "opening_periods", "next_change_at", "value", "subtext"];
const KNOWN = new Set([
  ...PARAMETER_NAMES,
  ...PLACE_FIELDS,
  ...INCLUDED_NAMES,
  ...LANGUAGES,
  ...Object.keys(paths).map((path) => `GET ${path}`),
  ...OTHERS,
  "x-api-key",
  "code",
  "relevance",
  "prominence",
]);

/** The code in the last column of the tables, which says what something is called here. */
const names = readFileSync("docs/migrating.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => [...(line.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));

test("what the tables of migrating.md name exists", () => {
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !KNOWN.has(name.replace(/=.*/, "")))).toEqual([]);
});
