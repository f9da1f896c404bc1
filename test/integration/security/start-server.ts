import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findDeadPort } from "../../support/dead-servers.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";

const MAIN = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/** Less than a test may take, so that what the server wrote is shown. */
const PATIENCE_MS = 40_000;

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  /** Everything it has written so far. */
  readonly output: () => string;
  /** Resolves when it answers `/readyz` with this status. Fails when it ends before. */
  readonly answersReadiness: (status: number) => Promise<void>;
  /** Resolves once the text was written. */
  readonly hasSaid: (text: string) => Promise<void>;
}

/** The server as a process, in an environment that has nothing but what is given. `await using` ends it. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const port = await findDeadPort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [MAIN], {
    env: { ...nodeEnvironment, PORT: String(port), ...env },
    stdio: "pipe",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  const ended = once(child, "close");

  const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (child.exitCode !== null) throw new Error(`the server has ended: ${output}`);
      if (performance.now() > deadline) throw new Error(`the server has not done it: ${output}`);
      await sleep(50);
    }
  };
  return {
    url,
    output: () => output,
    answersReadiness: (status) =>
      until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === status),
    hasSaid: (text) => until(() => output.includes(text)),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
