import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

/** The programs of docs/guide/examples.md, as somebody would save them. */
const readExample = (language: string): string => {
  const text = readFileSync("docs/guide/examples.md", "utf8");
  const example = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(text)?.[1];
  if (example === undefined) throw new Error(`there is no example in ${language}`);
  return example;
};

const hasPython = spawnSync("python3", ["--version"]).status === 0;

const RUNS = [
  { language: "js", command: process.execPath, args: ["--input-type=module", "--eval"] },
  ...(hasPython ? [{ language: "python", command: "python3", args: ["-c"] }] : []),
];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ index: createMemoryIndex(SAMPLE_PLACES) });
});
afterAll(() => app[Symbol.asyncDispose]());

/** The server is in this process, which therefore must not wait for the program. */
const run = (command: string, args: readonly string[], key: string) =>
  promisify(execFile)(command, args, {
    env: { PATH: process.env["PATH"] ?? "", PYTHONIOENCODING: "utf-8", API: `${app.url}/api/maps`, KEY: key },
  });

test.each(RUNS)(
  "the example in $language fails with the code of the problem",
  async ({ language, command, args }) => {
    const ended = run(command, [...args, readExample(language)], "wrong-key-of-nobody");
    await expect(ended).rejects.toThrow("invalid_api_key");
  },
);

test.each(RUNS)("the example in $language prints what it found", async ({ language, command, args }) => {
  const { stdout } = await run(command, [...args, readExample(language)], app.key);
  const lines = stdout.trim().split("\n");
  expect(lines[0]).toMatch(new RegExp(`^${CAFE.title} \\d+ `));
  expect(stdout).toMatch(/^\d+ places around$/m);
  expect(stdout).toContain(`${CAFE.title} ${CAFE.location.address.full} [`);
});
