import { expect, inject, test } from "vitest";

test("the engines of the test run answer with the provided keys", async () => {
  const response = await fetch(`${inject("meilisearchUrl")}/version`, {
    headers: { authorization: `Bearer ${inject("meilisearchKey")}` },
  });
  expect(await response.json()).toMatchObject({ pkgVersion: "1.21.0" });
  expect(inject("redisUrl")).toMatch(/^redis:\/\/:[0-9a-f]{48}@127\.0\.0\.1:\d+$/);
});
