import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  readRuntimeFile,
  removeRuntimeFile,
  writeRuntimeFile,
  type Runtime,
} from "../../../src/local-engines/data-dir.ts";

const runtime: Runtime = {
  state: "running",
  owner: { pid: process.pid, role: "server" },
  meilisearch: { url: "http://127.0.0.1:7700", key: "k", pid: 10 },
};

let dataDir = "";
let path = "";

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "hereabouts-runtime-"));
  path = join(dataDir, "runtime.json");
});

afterEach(() => rmSync(dataDir, { recursive: true }));

test.each([
  ["nothing", ""],
  ["half a file", JSON.stringify(runtime).slice(0, 40)],
  ["another shape", "[]"],
  ["an owner of no process", JSON.stringify({ ...runtime, owner: { pid: -1, role: "server" } })],
  ["an unknown role", JSON.stringify({ ...runtime, owner: { pid: process.pid, role: "cook" } })],
  ["an unknown state", JSON.stringify({ ...runtime, state: "dreaming" })],
])("a file that holds %s counts as none", (_, content) => {
  writeFileSync(path, content);
  expect(readRuntimeFile(dataDir)).toBeUndefined();
});

test("without a file there is no runtime, and removing it is fine", () => {
  expect(readRuntimeFile(dataDir)).toBeUndefined();
  removeRuntimeFile(dataDir);
  expect(readdirSync(dataDir)).toEqual([]);
});

test("what is written is read back", () => {
  writeRuntimeFile(dataDir, runtime);
  expect(readRuntimeFile(dataDir)).toEqual(runtime);
});

test("a file that others could read is replaced by one that only its user can", () => {
  writeFileSync(path, "old");
  chmodSync(path, 0o666);
  writeRuntimeFile(dataDir, runtime);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(["runtime.json"]);
});

test("a link that somebody left where the new file is prepared is not followed", () => {
  const victim = join(dataDir, "victim");
  writeFileSync(victim, "untouched");
  symlinkSync(victim, `${path}.${process.pid}`);
  writeRuntimeFile(dataDir, runtime);
  expect(statSync(victim).size).toBe("untouched".length);
  expect(readRuntimeFile(dataDir)).toEqual(runtime);
});
