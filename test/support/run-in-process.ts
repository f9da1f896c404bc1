import { EventEmitter, once } from "node:events";
import { PassThrough, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ProgramProcess } from "../../src/cli/run-program.ts";

/** How a program has ended, and what it has printed. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedProgram {
  readonly stdin: Writable;
  /** Sends a signal, which the program hears as that of its process. */
  readonly signal: (name: "SIGINT" | "SIGTERM") => void;
  /** Resolves once the text was written to standard error. */
  readonly hasSaid: (said: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

type Run = (host: ProgramProcess) => Promise<void>;
type Environment = Readonly<Record<string, string>>;

/**
 * Starts a program without a process of its own, which takes as much work as most of what programs do in tests. It gets nothing of
 * this process: the given arguments, environment and input are all it sees. Its end throws when it would end the process at once, for
 * example since it cannot print.
 */
export function startInProcess(run: Run, args: readonly string[], env: Environment): StartedProgram {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const quit = Promise.withResolvers<never>();
  const host = Object.assign(new EventEmitter(), {
    argv: ["node", "program", ...args],
    env: { ...env },
    stdin,
    stdout,
    stderr,
    exitCode: 0,
    exit: (exitCode: number) => quit.reject(new Error(`the program ended its process with ${exitCode}`)),
  });
  let said = "";
  stderr.on("data", (data: Buffer) => (said += data.toString()));
  const printed = Promise.all([text(stdout), text(stderr)]);
  const ended = Promise.race([run(host), quit.promise])
    .finally(() => {
      stdout.end();
      stderr.end();
    })
    .then(async () => {
      const [out, err] = await printed;
      return { exitCode: Number(host.exitCode), stdout: out, stderr: err };
    });
  return {
    stdin,
    ended,
    signal: (name) => void host.emit(name),
    async hasSaid(wanted) {
      while (!said.includes(wanted)) await once(stderr, "data");
    },
  };
}

/** Runs a program in this process to its end, with some text on the standard input. */
export function runInProcess(
  run: Run,
  args: readonly string[],
  env: Environment,
  input: string | Buffer = "",
): Promise<Ended> {
  const { stdin, ended } = startInProcess(run, args, env);
  stdin.end(input);
  return ended;
}
