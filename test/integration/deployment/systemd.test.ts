import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isExpected, programPath, scriptArguments } from "../../support/program.ts";

const read = (name: string): string => readFileSync(programPath(`docs/deployment/${name}`), "utf8");
const documented = read("hereabouts.service");
const importing = read("hereabouts-import.service");

test("the unit starts what npm start starts", () => {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(documented) ?? [];
  const started = scriptArguments("start").map((arg) => arg.replace(programPath(""), ""));
  expect(command.split(" ").slice(1)).toEqual(started);
});

test("the nightly import starts what npm run index starts, with the sandbox of the server", () => {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(importing) ?? [];
  const started = scriptArguments("index").map((arg) => arg.replace(programPath(""), ""));
  expect(command.split(" ").slice(1)).toEqual([...started, "import", "--if-changed", "${SOURCE}"]);
  const sandbox = documented.slice(documented.indexOf("UMask="), documented.indexOf("[Install]")).trim();
  expect(importing.trim().endsWith(sandbox)).toBe(true);
});

describe.runIf(isExpected("systemd-analyze"))("systemd-analyze", () => {
  let unit: string;
  let folder: string;
  const analyze = (...args: readonly string[]) => spawnSync("systemd-analyze", args, { encoding: "utf8" });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hereabouts-systemd-"));
    unit = join(folder, "hereabouts.service");
    // The program has to exist where the unit is verified.
    writeFileSync(unit, documented.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("finds nothing to say about the unit", () => {
    const { status, stdout, stderr } = analyze("verify", unit);
    expect(stdout + stderr).toBe("");
    expect(status).toBe(0);
  });

  test("finds nothing to say about the nightly import and its timer", () => {
    const service = join(folder, "hereabouts-import.service");
    const timer = join(folder, "hereabouts-import.timer");
    writeFileSync(service, importing.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    writeFileSync(timer, read("hereabouts-import.timer"));
    const { status, stdout, stderr } = analyze("verify", service, timer);
    expect(stdout + stderr).toBe("");
    expect(status).toBe(0);
  });

  test("finds the service exposed to less than two of ten points", () => {
    const { stdout } = analyze("security", "--offline=true", "--no-pager", unit);
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
  });
});
