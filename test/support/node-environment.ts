const NAMES = ["PATH", "NODE_OPTIONS", "NODE_COMPILE_CACHE", "TEST_CLOCK_OFFSET_MS"];

/** What each Node process of a test needs of this one's environment: programs, the clock of the run, and compiled code. */
export const nodeEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
