import { expect, test } from "vitest";
import { createLatest } from "../../../src/place-search/latest.ts";

test("an outdated response is dropped, in any order", async () => {
  const latest = createLatest();
  const slow = Promise.withResolvers<string>();
  const first = latest.run(() => slow.promise);
  const second = latest.run(async () => "newer");
  expect(await second).toBe("newer");
  slow.resolve("older");
  expect(await first).toBeUndefined();
});

test("an outdated task is aborted, and its failure is ignored", async () => {
  const latest = createLatest();
  let aborted = false;
  const first = latest.run(
    (signal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(new Error("aborted"));
        });
      }),
  );
  latest.cancel();
  expect(await first).toBeUndefined();
  expect(aborted).toBe(true);
});

test("the failure of the newest task is reported", async () => {
  const failing = createLatest().run(() => Promise.reject(new Error("engine down")));
  await expect(failing).rejects.toThrow("engine down");
});
