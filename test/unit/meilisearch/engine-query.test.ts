import { expect, test } from "vitest";
import { toEngineQuery } from "../../../src/meilisearch/lookup-query.ts";

// What its conditions find is shown by test/integration/place-index/lookups.test.ts.
test("a lookup reads only what ranking needs of a place, and never makes the engine sort by distance", () => {
  const query = toEngineQuery({ filter: {}, limit: 7 });
  expect(query).toMatchObject({
    limit: 7,
    attributesToRetrieve: ["title", "folded_names", "folded_rest", "ranking_fields"],
  });
  expect(query).not.toHaveProperty("sort");
});

test.each([
  { what: "everything", filter: {} },
  { what: "everything but some types", filter: { notTypes: ["HOTEL"] } },
  { what: "one of several", filter: { anyOf: [{ types: ["CAFE"] }, { notTypes: ["HOTEL"] }] } },
])("a lookup of $what finds nothing that describes the index", ({ filter }) => {
  expect(toEngineQuery({ filter, limit: 7 }).filter).toContain("type EXISTS");
});

test("a lookup of what only places have needs no other condition", () => {
  expect(toEngineQuery({ filter: { types: ["CAFE"] }, limit: 7 }).filter).toStrictEqual(['type IN ["CAFE"]']);
});
