import { describe, expect, test } from "vitest";
import { CommandError, Interrupted } from "../../../src/cli/errors.ts";
import { printFailure, runToExitCode } from "../../../src/cli/run-program.ts";
import { PassThrough } from "node:stream";

/** Runs work that fails, with a signal that is aborted with `reason` or not at all. */
async function runFailing(error: unknown, { reason, json = false }: { reason?: Error; json?: boolean } = {}) {
  const told: string[] = [];
  const stdout = new PassThrough();
  const controller = new AbortController();
  if (reason) controller.abort(reason);
  const interruption = { signal: controller.signal, finishUndisturbed: () => {}, stop: () => {} };
  const stderr = { write: (text: string) => told.push(text) };
  const exitCode = await runToExitCode(
    { interruption },
    () => Promise.reject(error as Error),
    printFailure({ stdout, stderr }, json),
  );
  return { exitCode, stderr: told.join(""), stdout: (stdout.read() as Buffer | null)?.toString() };
}

describe("a command that fails", () => {
  test("ends with 1 and says why on standard error", async () => {
    expect(await runFailing(new CommandError("Fix the file."))).toStrictEqual({
      exitCode: 1,
      stderr: "Fix the file.\n",
      stdout: undefined,
    });
  });

  test("says why as JSON too, where that was asked for", async () => {
    const { stdout } = await runFailing(new CommandError("Fix the file."), { json: true });
    expect(stdout).toBe('{"error":"Fix the file."}\n');
  });

  test("after an interruption ends with the code of the signal, whatever failed meanwhile", async () => {
    const ended = await runFailing(new Error("socket closed"), { reason: new Interrupted(143) });
    expect(ended).toMatchObject({ exitCode: 143, stderr: "Interrupted.\n" });
  });
});

test("a command that does not fail ends with its own code", async () => {
  const { signal } = new AbortController();
  const interruption = { signal, finishUndisturbed: () => {}, stop: () => {} };
  expect(
    await runToExitCode(
      { interruption },
      () => Promise.resolve(3),
      () => {},
    ),
  ).toBe(3);
});
