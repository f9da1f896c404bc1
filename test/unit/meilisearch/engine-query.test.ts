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
