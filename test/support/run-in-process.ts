import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ProgramProcess } from "../../src/cli/run-program.ts";

/** How a program has ended, and what it has printed. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end without a process of its own, which takes half a second to start. It gets nothing of this process: the
 * given arguments, environment and input are all it sees.
 * @throws when it would end the process at once, for example since it cannot print.
 */
export async function runInProcess(
  run: (host: ProgramProcess) => Promise<void>,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Buffer = "",
): Promise<Ended> {
  const stdin = new PassThrough();
  stdin.end(input);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const quit = Promise.withResolvers<never>();
  const host: ProgramProcess = Object.assign(new EventEmitter(), {
    argv: ["node", "program", ...args],
    env: { ...env },
    stdin,
    stdout,
    stderr,
    exitCode: 0,
    exit: (exitCode: number) => quit.reject(new Error(`the program ended its process with ${exitCode}`)),
  });
  const printed = Promise.all([text(stdout), text(stderr)]);
  try {
    await Promise.race([run(host), quit.promise]);
  } finally {
    stdout.end();
    stderr.end();
  }
  const [out, err] = await printed;
  return { exitCode: Number(host.exitCode), stdout: out, stderr: err };
}
