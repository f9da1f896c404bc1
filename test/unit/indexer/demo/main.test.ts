import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";

const MAIN = new URL("../../../../indexer/demo/main.ts", import.meta.url).pathname;

const run = (...args: string[]) => spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });

describe("the demo-data command", () => {
  test("prints usage errors to the error output and exits with 2", () => {
    const { status, stdout, stderr } = run("--places", "none");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("whole number from 1 to 4294967295");
    expect(stderr).toContain("--help");
  });

  test("writes one line per requested place", () => {
    const { status, stdout, stderr } = run("--places", "12", "--lean");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => (JSON.parse(line) as { source_id: string }).source_id)).toEqual(
      Array.from({ length: 12 }, (_, index) => `${index + 1}`),
    );
  });

  test("ends quietly when its reader closes", async () => {
    const child = spawn(process.execPath, [MAIN, "--places", "1000000"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [status] = (await once(child, "exit")) as [number | null];
    expect({ status, errors }).toEqual({ status: 1, errors: "" });
  });
});
