import { describe, expect, test } from "vitest";
import { createProgram, runProgram } from "../../../../src/cli/run-program.ts";
import { defineDemo } from "../../../../indexer/demo/main.ts";
import type { DemoOptions } from "../../../../indexer/demo/demo-places.ts";
import { runInProcess } from "../../../support/run-in-process.ts";

/** What the command would do, and how it ended. */
async function run(args: readonly string[]) {
  let options: DemoOptions | undefined;
  const ended = await runInProcess(
    (host) =>
      runProgram(
        () =>
          defineDemo(createProgram("demo-data", host), (given) => {
            options = given;
            return Promise.resolve();
          }).parseAsync(host.argv),
        host,
      ),
    args,
    {},
  );
  return { options, ...ended };
}

describe("the command line", () => {
  test.each([
    [["--places", "0"], "from 1 to"],
    [["--places", "-5"], "--places"],
    [["--places", "many"], "'many'"],
    [["--places", "1e3"], "'1e3'"],
    [["--places", "2.5"], "'2.5'"],
    [["--places", "4294967296"], "4294967295"],
    [["--places", ""], "''"],
    [["--places"], "--places"],
    [["--seed", "x"], "from 0 to"],
    [["--lean=yes"], "--lean"],
    [["--nope"], "--nope"],
    [["5000"], "argument"],
  ])("%j is refused by name, with a hint", async (args, message) => {
    const { options, exitCode, stdout, stderr } = await run(args);
    expect({ options, exitCode, stdout }).toEqual({ options: undefined, exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("--help");
  });

  test.each([
    [[], { places: 5000, seed: 1, lean: false, streets: false }],
    [["--places", "7", "--seed", "0", "--lean"], { places: 7, seed: 0, lean: true, streets: false }],
    [
      ["--places=10000000", "--seed=4294967295", "--streets"],
      { places: 10_000_000, seed: 4_294_967_295, lean: false, streets: true },
    ],
  ])("%j is accepted", async (args, options) => {
    expect(await run(args)).toEqual({ options, exitCode: 0, stdout: "", stderr: "" });
  });

  test.each([["--help"], ["-h"]])("%s names every option", async (...args) => {
    const { exitCode, stdout } = await run(args);
    expect(exitCode).toBe(0);
    for (const option of ["--places", "--seed", "--lean", "--version", "--help"])
      expect(stdout).toContain(option);
  });
});
