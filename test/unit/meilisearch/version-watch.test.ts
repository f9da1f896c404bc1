import { describe, expect, test } from "vitest";
import { INDEX_VERSION } from "../../../src/meilisearch/index-form.ts";
import { createVersionWatch } from "../../../src/meilisearch/index-state.ts";

function setUp(version: string | undefined) {
  const state = { version, looked: 0, nowMs: 0, isAway: false };
  const watch = createVersionWatch(
    async () => {
      state.looked += 1;
      if (state.isAway) throw new Error("away");
      return state.version;
    },
    () => state.nowMs,
  );
  return { state, ask: () => watch(() => Promise.resolve("an answer")) };
}

const REFUSED = { code: "engine_unavailable" };

describe("an index of another version", () => {
  test("never answers, from the first question on", async () => {
    const { ask } = setUp("0.9");
    await expect(ask()).rejects.toMatchObject(REFUSED);
    await expect(ask()).rejects.toMatchObject(REFUSED);
  });

  test("that is swapped in is noticed within a second", async () => {
    const { state, ask } = setUp(INDEX_VERSION);
    await ask();
    state.version = "0.9";
    state.nowMs = 1_000;
    await expect(ask()).rejects.toMatchObject(REFUSED);
  });

  test("is used with the next question once it is right", async () => {
    const { state, ask } = setUp("0.9");
    await expect(ask()).rejects.toMatchObject(REFUSED);
    state.version = INDEX_VERSION;
    await expect(ask()).resolves.toBe("an answer");
  });

  test("stays refused while nobody can say what it is", async () => {
    const { state, ask } = setUp("0.9");
    await expect(ask()).rejects.toMatchObject(REFUSED);
    state.isAway = true;
    await expect(ask()).rejects.toMatchObject(REFUSED);
  });
});

test("the version is looked at once in a second, however many ask", async () => {
  const { state, ask } = setUp(INDEX_VERSION);
  await Promise.all(Array.from({ length: 50 }, ask));
  await ask();
  expect(state.looked).toBe(1);
  state.nowMs = 1_000;
  await Promise.all(Array.from({ length: 50 }, ask));
  expect(state.looked).toBe(2);
});

test("a request is sent even when the version is unknown", async () => {
  const { state, ask } = setUp(undefined);
  await expect(ask()).resolves.toBe("an answer");
  state.isAway = true;
  await expect(ask()).resolves.toBe("an answer");
});
