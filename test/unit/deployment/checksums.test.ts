import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { programPath } from "../../support/program.ts";

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(programPath("package-lock.json"), "utf8")) as {
  packages: Record<string, LockedPackage>;
};
const bootstrap = readFileSync(programPath("script/bootstrap"), "utf8");

const isForHere = ({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: LockedPackage): boolean =>
  os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");

test("every package that Linux x64 with glibc installs has a checksum; those without are optional", () => {
  const without = Object.entries(packages).filter(
    ([name, { link, integrity }]) => name !== "" && !link && !integrity,
  );
  expect(without.filter(([, locked]) => isForHere(locked) || !locked.optional)).toEqual([]);
  const threats = readFileSync(programPath("docs/threats.md"), "utf8");
  expect(threats).toContain(`${without.length} native packages of other platforms have no checksum`);
});

test("the installed Node is the one whose checksum the bootstrap script expects", async () => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(programPath("node_modules/node/bin/node")), hash);
  expect(bootstrap).toContain(`NODE_SHA256=${hash.digest("hex")}\n`);
});

test("a Node with another checksum is removed again, and the script fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-checksums-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "modules/node/bin"), { recursive: true });
  writeFileSync(join(folder, "modules/node/bin/node"), "something else");
  // The script's own functions, without what it does at its end.
  const functions = bootstrap
    .slice(0, bootstrap.indexOf('\ninstall_packages "$@"\n'))
    .replace(/^cd .*$/m, "");
  const { status, stderr } = spawnSync("sh", ["-c", `${functions}\ncheck_node modules`], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("has another checksum");
  expect(existsSync(join(folder, "modules"))).toBe(false);
});
