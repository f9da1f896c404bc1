import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startHelper } from "../../../src/server/helper-programs.ts";
import { createLogBook } from "../../support/log-lines.ts";

/** The indexer does not know the option: it writes why, and ends. */
const startFailingHelper = () => {
  const { logger, lines } = createLogBook();
  return { stop: startHelper({ name: "replicas", args: ["replicas", "--unknown"] }, logger), logged: lines };
};

const LONGER_THAN_A_START_MS = 20_000;

test("a helper that ends while the server runs is an error in the log", async () => {
  const { stop, logged } = startFailingHelper();
  await expect.poll(() => logged("helper_ended").length, { timeout: LONGER_THAN_A_START_MS }).toBe(1);
  await stop();
});

test("a helper that ends shortly before the server stops is none", async () => {
  const { stop, logged } = startFailingHelper();
  await expect.poll(() => logged("replicas").length, { timeout: LONGER_THAN_A_START_MS }).toBeGreaterThan(0);
  // Ctrl-C ends the helper first.
  await sleep(1_000);
  await stop();
  expect(logged("helper_ended")).toStrictEqual([]);
});
