import { fileURLToPath } from "node:url";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";
import { createRandom } from "./test/support/random.ts";

/** A Wednesday morning in Vietnam with shops open. `TEST_MOMENT` begins the run at another moment, `TEST_SEED` shuffles it. */
const { TEST_MOMENT = "2026-11-18T10:07:00+07:00", TEST_SEED } = process.env;

const clock = fileURLToPath(new URL("test/support/clock.cjs", import.meta.url));
const offsetMs = Date.parse(TEST_MOMENT) - Date.now();
if (Number.isNaN(offsetMs))
  throw new Error(`TEST_MOMENT is no time with a zone or an offset: ${TEST_MOMENT}`);

/** Tests take a second, or ten; on a machine that is busy with other work some take ten times as long. */
const TEST_TIMEOUT_MS = 180_000;
const HOOK_TIMEOUT_MS = 120_000;

/** Tests of one engine or one page go on from where the last has ended: of those only the files are shuffled. */
const shuffle = (what: { files: boolean; tests: boolean }): { shuffle?: typeof what; seed?: number } =>
  TEST_SEED === undefined ? {} : { shuffle: what, seed: Number(TEST_SEED) };

/** The tests that take longest. vitest knows durations only from the second run on. */
const LONGEST = [
  "integration/docs/commands",
  "integration/process/workers",
  "integration/process/shutdown",
  "integration/process/write-kills",
  "integration/import/apply",
  "integration/import/sync",
  "integration/import/resume",
  "integration/import/if-changed",
  "integration/partitions/import",
  "integration/partitions/changes",
  "integration/partitions/interrupted",
  "integration/import/workers",
  "integration/local-engines/damaged-data",
  "integration/program-package",
  "integration/deployment/prometheus",
  "integration/http/redis-down",
  "browser/playground",
  "browser/playground-access",
  "browser/playground-states",
  "browser/playground-layout",
  "browser/components",
  "browser/docs",
].map((name) => `/test/${name}.test.ts`);

const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((path) => moduleId.endsWith(path));

/** Begins with the longest files, so that no worker is left with one of them at the end; with a seed, both parts are shuffled. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = TEST_SEED === undefined ? await super.sort(files) : createRandom(TEST_SEED).shuffle(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What tests have that use engines; the groups follow each other. */
const withEngines = (groupOrder: number) => ({
  globalSetup: ["test/support/engines.ts"],
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: HOOK_TIMEOUT_MS,
  // Two cores: more workers only make the engine and the tests wait for each other.
  maxWorkers: 2,
  // Engines, processes and pages take as long as the machine lets them. script/test names each test that needed the second try.
  retry: 1,
  sequence: { ...shuffle({ files: true, tests: false }), groupOrder },
});

export default defineConfig({
  test: {
    env: {
      TZ: "UTC",
      NODE_OPTIONS: `--require ${JSON.stringify(clock)}`,
      TEST_CLOCK_OFFSET_MS: String(offsetMs),
      // Halves the start of each command.
      NODE_COMPILE_CACHE: fileURLToPath(new URL(".vitest/compile-cache", import.meta.url)),
    },
    sequence: { ...shuffle({ files: true, tests: false }), sequencer: LongestFirst },
    // The default of one second is too short where something else keeps the machine busy.
    expect: { poll: { timeout: 20_000 } },
    // Tests that run beside each other wait most of the time.
    maxConcurrency: 16,
    // Node runs all of it as it is, with its own cache of compiled code; no test replaces a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
          // They leave nothing behind: libraries are loaded once for all, which halves the work.
          isolate: false,
          // By default one of two cores is left idle.
          maxWorkers: 2,
          sequence: shuffle({ files: true, tests: true }),
        },
      },
      {
        extends: true,
        test: {
          ...withEngines(1),
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: ["test/integration/http/**"],
          // What the first file of a process has loaded and compiled serves the others: they run commands in it, too.
          isolate: false,
          setupFiles: ["test/support/shared-process.ts"],
          environment: "./test/support/shared-environment.ts",
        },
      },
      {
        extends: true,
        test: {
          ...withEngines(2),
          name: "integration-http",
          include: ["test/integration/http/**/*.test.ts"],
          // They run the app in their own process: loading it for each file takes longer than most of them.
          isolate: false,
          setupFiles: ["test/support/shared-process.ts"],
          environment: "./test/support/shared-environment.ts",
        },
      },
      {
        extends: true,
        // A search that has to wait for others gives up before it has found everything.
        test: { ...withEngines(3), name: "relevance", include: ["test/relevance/**/*.test.ts"] },
      },
      {
        extends: true,
        // One worker for each core: a browser waits for its page about as long as it draws.
        test: {
          ...withEngines(4),
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          // They run the app in their own process, too, and share a browser.
          isolate: false,
          setupFiles: ["test/support/shared-process.ts"],
          environment: "./test/support/shared-environment.ts",
        },
      },
    ],
  },
});
