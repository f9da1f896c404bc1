import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findLicenceProblems, readInstalledPackages } from "../../../script/audit.ts";

const build = (licence: string | undefined, name = "some-package") => ({ name, version: "1.2.3", licence });

test.each([
  "GPL-3.0-only",
  "AGPL-3.0",
  "LGPL-3.0-only",
  "SEE LICENSE IN LICENSE.md",
  "UNLICENSED",
  "MIT AND GPL-2.0",
  "(MIT AND (GPL-2.0 OR SSPL-1.0))",
  "GPL-2.0 OR AGPL-3.0 AND MIT",
  "true OR",
  "mit-ish",
  "",
])("%j is not allowed", (licence) => {
  expect(findLicenceProblems([build(licence)])).toEqual([`some-package 1.2.3: ${licence}`]);
});

test("a package that states no licence is a problem", () => {
  expect(findLicenceProblems([build(undefined)])).toEqual(["some-package 1.2.3: no licence stated"]);
});

test.each([
  "MIT",
  "Apache-2.0",
  "MIT OR GPL-2.0",
  "(GPL-2.0 OR MIT)",
  "MIT AND ISC",
  "(MIT AND (BSD-3-Clause OR GPL-2.0))",
  "GPL-2.0 AND MIT OR ISC",
])("%j is allowed", (licence) => {
  expect(findLicenceProblems([build(licence)])).toEqual([]);
});

test("an exception for one package applies to no other", () => {
  const packages = [build("LGPL-3.0-only", "opening_hours"), build("LGPL-3.0-only", "another")];
  expect(findLicenceProblems(packages)).toEqual(["another 1.2.3: LGPL-3.0-only"]);
});

let modules = "";

beforeEach(() => {
  modules = join(mkdtempSync(join(tmpdir(), "hereabouts-licences-")), "node_modules");
});

afterEach(() => rmSync(join(modules, ".."), { recursive: true }));

function install(path: string, manifest: object): void {
  mkdirSync(join(modules, path), { recursive: true });
  writeFileSync(join(modules, path, "package.json"), JSON.stringify({ version: "1.0.0", ...manifest }));
}

test("packages are found in scopes and inside each other, with licences of every age", () => {
  install("plain", { name: "plain", license: "MIT" });
  install("plain/node_modules/inner", { name: "inner", license: { type: "ISC" } });
  install("@scope/one", { name: "@scope/one", licenses: [{ type: "MIT" }, { type: "GPL-2.0" }] });
  install("silent", { name: "silent" });
  install(".bin", { name: "no package" });
  expect(readInstalledPackages(modules).toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "@scope/one", version: "1.0.0", licence: "(MIT OR GPL-2.0)" },
    { name: "inner", version: "1.0.0", licence: "ISC" },
    { name: "plain", version: "1.0.0", licence: "MIT" },
    { name: "silent", version: "1.0.0", licence: undefined },
  ]);
});

test("where nothing is installed there is nothing to check", () => {
  expect(readInstalledPackages(modules)).toEqual([]);
});
