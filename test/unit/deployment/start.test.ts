import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { readComposeFile, readImageCommand } from "./deployment-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAMS = ["src/main.ts", "indexer/main.ts", "src/key-commands/main.ts"];

/** Stands where a program is: says which one it is and how much V8 may take, and warns as an experimental feature does. */
const STAND_IN = `
import { getHeapStatistics } from "node:v8";
const heapMb = getHeapStatistics().heap_size_limit / 2 ** 20;
process.emitWarning("a feature", "ExperimentalWarning");
console.log(JSON.stringify({ program: process.argv[1].slice(process.cwd().length + 1), heapMb }));
`;

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hereabouts-start-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  for (const path of PROGRAMS) write(path, STAND_IN);
  write("script/bootstrap", "#!/bin/sh\n");
  for (const path of ["package.json", "script/server"]) cpSync(join(ROOT, path), join(folder, path));
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(process.execPath, join(folder, "node_modules/.bin/node"));
});

afterAll(() => rmSync(folder, { recursive: true }));

function start([program = "", ...args]: readonly string[]) {
  const file = program === "node" ? process.execPath : join(folder, program);
  const { stdout, stderr, status } = spawnSync(file, args, {
    cwd: folder,
    env: nodeEnvironment,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return { ...(JSON.parse(stdout) as { program: string; heapMb: number }), stderr };
}

const { services } = readComposeFile();

// V8 reports the old space and three semi-spaces.
describe("the server has 512 MB, semi-spaces of 8 MB and no warnings about experiments,", () => {
  test.each([
    ["started by npm start", ["node", "--run", "start"]],
    ["started by script/server", ["script/server"]],
    ["in its image", readImageCommand()],
  ])("%s", (_, command) => {
    expect(start(command)).toEqual({ program: "src/main.ts", heapMb: 512 + 3 * 8, stderr: "" });
  });
});

describe("the indexer has 384 MB and semi-spaces of 8 MB", () => {
  test.each([
    ["started by npm run index", ["node", "--run", "index"]],
    ["as a service of Compose", services["indexer"]?.entrypoint ?? []],
  ])("%s", (_, command) => {
    expect(start(command)).toMatchObject({ program: "indexer/main.ts", heapMb: 384 + 3 * 8 });
  });
});

// How large its semi-spaces are is left to V8, which goes by the machine.
test.each([
  ["started by npm run keys", ["node", "--run", "keys"], 384],
  ["as a service of Compose", services["keys"]?.entrypoint ?? [], 128],
])("the command for keys, %s, has a memory limit", (_, command, mostMb) => {
  const { program, heapMb } = start(command);
  expect(program).toBe("src/key-commands/main.ts");
  expect(heapMb).toBeGreaterThanOrEqual(mostMb);
  expect(heapMb).toBeLessThanOrEqual(mostMb + 3 * 32);
});
