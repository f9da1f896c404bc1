import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dateChangelog, isLater, readNotes } from "../../../script/release.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";

const CHANGELOG = `# Changelog

## Unreleased (0.1.0)

### Added

- A thing.
`;

test.each([
  ["0.2.0", "0.1.0", true],
  ["0.10.0", "0.9.9", true],
  ["1.0.0", "0.99.0", true],
  ["0.1.0", "0.1.0", false],
  ["0.1.9", "0.2.0", false],
  ["0.2", "0.1.0", false],
  ["0.2.0-rc.1", "0.1.0", false],
])("%s after %s: %s", (version, than, expected) => {
  expect(isLater(version, than)).toBe(expected);
});

describe("the changelog", () => {
  test("without anything unreleased stops a release", () => {
    expect(() => dateChangelog("# Changelog\n", "0.2.0", "2026-12-01")).toThrow("has no section Unreleased");
    expect(() => dateChangelog("## Unreleased\n\n## 0.1.0 – x\n- Old.", "0.2.0", "2026-12-01")).toThrow(
      "has nothing under Unreleased",
    );
  });

  test("gets the version and the date, and a new section", () => {
    const dated = dateChangelog(CHANGELOG, "0.2.0", "2026-12-01");
    expect(dated).toContain("## Unreleased\n\n## 0.2.0 – 2026-12-01\n\n### Added\n\n- A thing.\n");
    expect(readNotes(dated, "0.2.0")).toBe("### Added\n\n- A thing.");
    expect(readNotes(dated, "0.3.0")).toBe("");
  });
});

describe("in a clone", () => {
  let clone: string;
  const git = (...args: readonly string[]) =>
    spawnSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.example", ...args], { cwd: clone });
  const check = (version: string) =>
    spawnSync(process.execPath, ["script/release.ts", "--check", version], {
      cwd: clone,
      encoding: "utf8",
      env: { ...nodeEnvironment, PATH: process.env["PATH"] ?? "" },
    });

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), "hereabouts-release-"));
    mkdirSync(join(clone, "script"));
    cpSync("script/release.ts", join(clone, "script/release.ts"));
    symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
    writeFileSync(join(clone, "package.json"), '{ "type": "module", "version": "0.1.0" }');
    writeFileSync(join(clone, "CHANGELOG.md"), CHANGELOG);
    writeFileSync(join(clone, ".gitignore"), "node_modules\n");
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "All"],
    ])
      git(...args);
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  test("a version that is none, or not later, is refused", () => {
    expect(check("next")).toMatchObject({ status: 1, stderr: "next is not a version such as 0.2.0.\n" });
    expect(check("0.1.0")).toMatchObject({ status: 1, stderr: "0.1.0 is not later than 0.1.0.\n" });
  });

  test("so are changes that are not committed, and a tag that exists", () => {
    git("tag", "v0.2.0");
    expect(check("0.2.0").stderr).toBe("There is a tag v0.2.0 already.\n");
    writeFileSync(join(clone, "CHANGELOG.md"), `${CHANGELOG}- More.\n`);
    expect(check("0.2.0").stderr).toBe("There are changes that are not committed.\n");
  });

  test("otherwise nothing stands in its way, and nothing is changed", () => {
    expect(check("0.2.0")).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(clone, "CHANGELOG.md"), "utf8")).toBe(CHANGELOG);
  });
});
