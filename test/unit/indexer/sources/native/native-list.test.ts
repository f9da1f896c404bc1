import { expect, test } from "vitest";
import { TOP_LIST } from "../../../../../indexer/sources/json.ts";
import { createNativeListReader } from "../../../../../indexer/sources/native/native.ts";
import { readAll } from "../../text-input.ts";

const place = (id: string) => ({ title: id, source_id: id, location: { latitude: 1, longitude: 2 } });
const RECORDS = [place("a"), { title: "no location" }, 3, place("b")];

test.each([
  ["the whole file", TOP_LIST, RECORDS],
  ["a field", "places", { count: 4, places: RECORDS, next: "x" }],
] as const)("records in a list that is %s are read one by one", async (_, field, content) => {
  const items = await readAll(createNativeListReader(field), JSON.stringify(content, undefined, 2));
  expect(items).toMatchObject([
    { position: { part: "element", number: 1 }, record: place("a"), draft: { source_id: "a" } },
    { position: { number: 2 }, rejected: { field: "location" } },
    { position: { number: 3 }, record: 3, rejected: { field: "record" } },
    { position: { number: 4 }, draft: { source_id: "b" } },
  ]);
});

test.each([
  [TOP_LIST, "[", "broken or cut off"],
  [TOP_LIST, JSON.stringify(RECORDS).slice(0, -1), "cut off soon after element 4 of the list"],
  [TOP_LIST, '{"places":[]}', "is not a JSON list"],
  ["places", '{"places":{}}', 'no "places" list'],
] as const)("an invalid or truncated list ends the import", async (field, content, message) => {
  await expect(readAll(createNativeListReader(field), content)).rejects.toThrow(message);
});
