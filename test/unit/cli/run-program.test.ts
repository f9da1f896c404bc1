import { describe, expect, test } from "vitest";
import { CommandError, Interrupted } from "../../../src/cli/errors.ts";
import { runOrPrint, runProgram, runToExitCode } from "../../../src/cli/run-program.ts";
import { PassThrough, Writable } from "node:stream";

/** Runs work that fails, with a signal that is aborted with `reason` or not at all. */
async function runFailing(error: unknown, { reason, json = false }: { reason?: Error; json?: boolean } = {}) {
  const told: string[] = [];
  const stdout = new PassThrough();
  const controller = new AbortController();
  if (reason) controller.abort(reason);
  const interruption = { signal: controller.signal, finishUndisturbed: () => {}, stop: () => {} };
  const stderr = { write: (text: string) => told.push(text) };
  const exitCode = await runOrPrint({ interruption, stdout, stderr }, json, () =>
    Promise.reject(error as Error),
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

describe("a program whose output is lost", () => {
  /** Every write to its standard output fails. The work of the program goes on. */
  async function runLosing(code: string) {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
    });
    const stderr = new PassThrough();
    const host = { stdout, stderr, exitCode: 0 };
    let isDone = false;
    await runProgram(async () => {
      stdout.write("places");
      await new Promise((resolve) => setImmediate(resolve));
      stdout.write("more places");
      host.exitCode = 0;
      isDone = true;
    }, host);
    return {
      isDone,
      exitCode: host.exitCode,
      stderr: (stderr.read() as Buffer | null)?.toString(),
    };
  }

  test("on a full disk says so and fails", async () => {
    expect(await runLosing("ENOSPC")).toStrictEqual({
      isDone: true,
      exitCode: 1,
      stderr: "Cannot write to standard output: ENOSPC. It is incomplete.\n",
    });
  });

  test("to a reader that stopped early, such as head, fails and says nothing", async () => {
    expect(await runLosing("EPIPE")).toStrictEqual({ isDone: true, exitCode: 1, stderr: undefined });
  });
});
