const NAMES = ["PATH", "NODE_OPTIONS", "NODE_COMPILE_CACHE", "TEST_CLOCK_OFFSET_MS"];

/**
 * The part of the environment that each Node process of a test needs: programs, the run's clock, and compiled
 * code.
 */
export const nodeEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
