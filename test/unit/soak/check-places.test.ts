import { describe, expect, test } from "vitest";
import type { Build } from "../../soak/data/gazetteers.ts";
import { createFaultLog, type FaultKind } from "../../soak/faults/fault-log.ts";
import { createTally } from "../../soak/measure/tally.ts";
import { checkDetail, checkKnownAnswer } from "../../soak/traffic/check-places.ts";
import type { KnownQuestion } from "../../soak/traffic/corpus.ts";

const QUESTION: KnownQuestion = {
  operation: "search",
  text: "cafe",
  latitude: 10,
  longitude: 106,
  expected: { a: ["0x1:0x1", "0x1:0x2"], b: ["0x1:0x2", "0x1:0x3"] },
};

const place = (id: string, build: string) => ({
  data_id: id,
  contacts: { website: `https://${build}.soak.example/1` },
});

const answer = (...places: readonly (readonly [string, string])[]) => ({
  local_result: places.map(([id, build]) => place(id, build)),
});

function check(
  body: unknown,
  { fault, live = "a" }: { fault?: FaultKind; live?: Build } = {},
): string | undefined {
  const faults = createFaultLog();
  if (fault) faults.begin({ name: fault, kind: fault, server: undefined });
  const now = performance.now();
  const world = { faults, tally: createTally(), live: { build: live, since: now - 60_000 } };
  return checkKnownAnswer(QUESTION, body, world, { from: now, to: now + 10 });
}

const WHOLE_A = answer(["0x1:0x1", "a"], ["0x1:0x2", "a"]);
const PART_OF_A = answer(["0x1:0x1", "a"]);

test("the answer of the build that is live is right", () => expect(check(WHOLE_A)).toBeUndefined());

test("while the index is swapped a mix of what one build found and the other tells is right", () => {
  expect(check(answer(["0x1:0x2", "b"]), { fault: "swap" })).toBeUndefined();
});

describe("wrong is", () => {
  test.each([
    { what: "a part of an answer", body: PART_OF_A },
    { what: "another order", body: answer(["0x1:0x2", "a"], ["0x1:0x1", "a"]) },
    {
      what: "the answer of one build with the places of the other",
      body: answer(["0x1:0x1", "b"], ["0x1:0x2", "b"]),
    },
    { what: "no place where both builds have some", body: answer() },
    { what: "a place of no build", body: answer(["0x1:0x1", "c"], ["0x1:0x2", "a"]) },
  ])("$what", ({ body }) => expect(check(body)).toBeTypeOf("string"));

  test("an empty answer, also while the index is swapped", () => {
    expect(check(answer(), { fault: "swap" })).toBeTypeOf("string");
  });

  test("places of both builds in one answer, also while the index is swapped", () => {
    expect(check(answer(["0x1:0x1", "a"], ["0x1:0x2", "b"]), { fault: "swap" })).toBeTypeOf("string");
  });

  test("the answer of the build before, a minute after the swap", () => {
    expect(check(WHOLE_A, { live: "b" })).toContain("long after the swap");
  });
});

test("a detail must be of the place that was asked for, and of one of the builds", () => {
  expect(checkDetail("0x1:0x1", { place_result: place("0x1:0x1", "b") })).toBeUndefined();
  expect(checkDetail("0x1:0x1", { place_result: place("0x1:0x2", "b") })).toBeTypeOf("string");
  expect(checkDetail("0x1:0x1", { place_result: place("0x1:0x1", "c") })).toBeTypeOf("string");
});
