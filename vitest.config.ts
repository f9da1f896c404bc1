import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    env: { TZ: "UTC" },
    projects: [
      {
        extends: true,
        // Property tests take a second; on a machine that is busy with other work some take ten times as long.
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          globalSetup: ["test/support/engines.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Two cores: more workers only make the engine and the tests wait for each other.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/support/engines.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // A browser fills a core by itself, and pages that wait for it are not what is tested.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "relevance",
          include: ["test/relevance/**/*.test.ts"],
          globalSetup: ["test/support/engines.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // After all others: a search that has to wait for them gives up before it has found everything.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
