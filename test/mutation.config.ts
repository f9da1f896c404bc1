import { defineConfig } from "vitest/config";

/** For script/mutate, which says where the tests of the changed folder are and runs them for each change. */
export default defineConfig({
  test: {
    env: { TZ: "UTC" },
    include: [`${process.env["MUTATION_TESTS"] ?? "test/unit"}/**/*.test.ts`],
    testTimeout: 30_000,
    isolate: false,
  },
});
