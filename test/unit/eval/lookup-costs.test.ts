import { expect, test } from "vitest";
import { createLookupCounter, formatLookups, roleOf } from "../../../tools/eval/lookup-costs.ts";

test("a lookup is named by what it looks for, where and how", () => {
  expect(roleOf({ filter: { names: ["kfc"], wordSets: [["kfc"]], cells: ["a"] }, limit: 8 })).toBe(
    "name + words (ring)",
  );
  expect(roleOf({ filter: { nameBeginning: "kfc" }, limit: 0 })).toBe(
    "count of beginning of the name (everywhere)",
  );
  expect(roleOf({ filter: {}, joinedName: "kfc", limit: 8 })).toBe("names with typos (everywhere)");
  const from = { latitude: 10.776, longitude: 106.7 };
  const order = { by: "distance", from } as const;
  expect(roleOf({ filter: { types: ["ATM"], areas: ["d1"] }, order, limit: 8 })).toBe(
    "by distance: type (everywhere, area)",
  );
  const named = { noneOf: [{ types: ["ATM"] }], anyOf: [{ names: ["atm"] }], cells: ["a"] };
  expect(roleOf({ filter: named, order, limit: 8 })).toBe("by distance: other types + one of several (ring)");
  expect(
    roleOf({
      filter: {
        wordSets: [
          ["a", "b"],
          ["a", "c"],
        ],
      },
      limit: 8,
    }),
  ).toBe("all words but one (everywhere)");
});

test("partitions are counted by kind of query and by why they were asked, lookups outside of searches not at all", async () => {
  const counter = createLookupCounter();
  await counter.inSearch("exact", async () => {
    counter.note({ filter: { cells: ["a"] }, limit: 8 }, { partitions: [0, 1], matching: 1 });
    counter.note({ filter: { names: ["kfc"] }, limit: 8 }, { partitions: [1, 2], matching: 1 });
  });
  await counter.inSearch("exact", async () =>
    counter.note({ filter: { names: ["kfc"] }, limit: 8 }, { partitions: [], matching: 0 }),
  );
  counter.note({ filter: { names: ["kfc"] }, limit: 8 }, { partitions: [0, 1, 2], matching: 3 });
  const costs = { whole: new Map([["name (everywhere)", 1]]), divided: new Map([["name (everywhere)", 3]]) };
  const rows = formatLookups({ counter, ...costs })
    .split("\n")
    .map((row) => row.split(/\s{2,}/));
  // Three partitions by the first search, none by the second: all, by cells, by names, by typos.
  expect(rows).toContainEqual(["exact", "1.50", "1.00", "1.00", "0.00"]);
  // One such lookup a search, of one partition on average, which has a match for half of them; two milliseconds more than with one index.
  expect(rows).toContainEqual(["name (everywhere)", "1.00", "1.00", "0.50", "1.00", "3.00", "2.00"]);
});
