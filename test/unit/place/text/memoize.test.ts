import { expect, test } from "vitest";
import { memoize } from "../../../../src/place/text/memoize.ts";

function counted() {
  const computed: string[] = [];
  const ask = memoize((text) => {
    computed.push(text);
    return { length: text.length };
  });
  return { ask, computed };
}

test("a text is computed once and its value is shared", () => {
  const { ask, computed } = counted();
  expect(ask("hồ tây")).toBe(ask("hồ tây"));
  expect(computed).toEqual(["hồ tây"]);
});

test("a long text is computed each time and not kept", () => {
  const { ask, computed } = counted();
  const long = "x".repeat(1_001);
  expect([ask(long), ask(long)]).toEqual([{ length: 1_001 }, { length: 1_001 }]);
  expect(computed).toEqual([long, long]);
});

test("with too many texts the cache is cleared", () => {
  const { ask, computed } = counted();
  for (let number = 0; number <= 1_000; number += 1) ask(`text ${number}`);
  ask("text 0");
  expect(computed.filter((text) => text === "text 0")).toHaveLength(2);
});

test("a cache may have another limit", () => {
  const computed: string[] = [];
  const ask = memoize((text) => computed.push(text), 2);
  for (const text of ["a", "b", "a", "c", "a"]) ask(text);
  expect(computed).toEqual(["a", "b", "c", "a"]);
});
