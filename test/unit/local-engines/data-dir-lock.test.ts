import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tryLockDataDir } from "../../../src/local-engines/data-dir.ts";
import { LocalEnginesError } from "../../../src/local-engines/engine-process.ts";

const MODULE = new URL("../../../src/local-engines/data-dir.ts", import.meta.url).href;

let dataDir = "";

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "hereabouts-lock-"));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** What a process of its own gets, with everything it prints. */
const lockElsewhere = (): string =>
  execFileSync(
    process.execPath,
    [
      "-e",
      `import(${JSON.stringify(MODULE)}).then((m) => console.log(m.tryLockDataDir(process.argv[1])))`,
      dataDir,
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );

test("a directory that is not there is an error for a person", () => {
  rmSync(dataDir, { recursive: true });
  expect(() => tryLockDataDir(dataDir)).toThrow(LocalEnginesError);
  expect(() => tryLockDataDir(dataDir)).toThrow("Is DATA_DIR writable?");
});

test("a held lock is refused in this process and in others", () => {
  const lock = tryLockDataDir(dataDir);
  expect(lock).toBeDefined();
  expect(tryLockDataDir(dataDir)).toBeUndefined();
  expect(lockElsewhere()).toBe("undefined\n");
  lock?.release();
});

test("a released lock can be had again, and a second release does not take it away", () => {
  const first = tryLockDataDir(dataDir);
  first?.release();
  const second = tryLockDataDir(dataDir);
  expect(second).toBeDefined();
  first?.release();
  expect(tryLockDataDir(dataDir)).toBeUndefined();
  second?.release();
});

test("a refused attempt does not loosen the lock", () => {
  const lock = tryLockDataDir(dataDir);
  tryLockDataDir(dataDir);
  expect(lockElsewhere()).toBe("undefined\n");
  lock?.release();
});

test("a process that ended holds nothing, and the lock leaves one small file", () => {
  expect(lockElsewhere()).toContain("release");
  const lock = tryLockDataDir(dataDir);
  expect(lock).toBeDefined();
  lock?.release();
  expect(readdirSync(dataDir)).toEqual(["lock.sqlite"]);
});
