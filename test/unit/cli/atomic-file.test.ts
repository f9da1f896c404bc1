import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createAtomicFile, writeAtomically } from "../../../src/cli/atomic-file.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-whole-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a file that cannot be begun is an error with its name", () => {
  mkdirSync(join(folder, "taken"));
  expect(() => createAtomicFile(join(folder, "taken"))).toThrow(/Cannot write .*taken: it is a directory/);
  expect(() => createAtomicFile(join(folder, "no", "file"))).toThrow(/Cannot write .*there is no directory/);
});

test("a folder that disappears meanwhile is an error and no half file", () => {
  const file = createAtomicFile(join(folder, "full"));
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  file.write("x");
  expect(() => file.finish()).toThrow("Cannot write");
  expect(existsSync(join(folder, "full"))).toBe(false);
  file.discard();
});

test("a disk that fills up is an error, then and for good, and leaves no half file", () => {
  const path = join(folder, "large");
  symlinkSync("/dev/full", `${path}.${process.pid}.tmp`);
  const file = createAtomicFile(path);
  expect(() => file.write("x".repeat(100_000))).toThrow(/Cannot write .*large: ENOSPC/);
  expect(() => file.finish()).toThrow("ENOSPC");
  expect(file.isFinished()).toBe(false);
  file.discard();
  expect(readdirSync(folder).filter((name) => name.startsWith("large"))).toEqual([]);
});

test("until it is finished the file of that name stays as it was", () => {
  const path = join(folder, "file");
  writeFileSync(path, "old");
  const file = createAtomicFile(path);
  file.write("x".repeat(1_000_000));
  file.write("ở");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(file.isFinished()).toBe(false);
  file.finish();
  file.finish();
  file.discard();
  expect(readFileSync(path, "utf8")).toBe(`${"x".repeat(1_000_000)}ở`);
  expect(file.isFinished()).toBe(true);
});

test("discarded, it leaves nothing behind", () => {
  const file = createAtomicFile(join(folder, "unwanted"));
  file.write("x".repeat(100_000));
  file.discard();
  expect(readdirSync(folder).filter((name) => name.startsWith("unwanted"))).toEqual([]);
});

test("a small file gets its mode whatever the umask, also in place of an older one", () => {
  const path = join(folder, "key");
  writeFileSync(path, "old", { mode: 0o644 });
  writeAtomically(path, "new", 0o640);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder).filter((name) => name.startsWith("key"))).toEqual(["key"]);
});
