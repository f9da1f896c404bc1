import { defineConfig } from "vitest/config";

const tests = process.env["MUTATION_TESTS"] ?? "test/unit";

/** For script/mutate, which says where the tests of the changed folder or file are and runs them for each change. */
export default defineConfig({
  test: {
    env: { TZ: "UTC" },
    include: [tests.endsWith(".test.ts") ? tests : `${tests}/**/*.test.ts`],
    testTimeout: 30_000,
    isolate: false,
  },
});
