import { expect, test } from "vitest";
import { BoundedMap } from "../../../src/middleware/bounded-map.ts";

test("it forgets the oldest entry to make room for a new one", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("c", 3);
  expect([...map.keys()]).toStrictEqual(["b", "c"]);
});

test("a new value for a known key pushes nobody out", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3);
  expect([...map]).toStrictEqual([
    ["a", 3],
    ["b", 2],
  ]);
});
