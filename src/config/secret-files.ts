import { existsSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Variables that hold secrets. Each may come from a file, named by the variable with `_FILE` at its end, as containers have it. */
const SECRET_VARIABLES = ["API_KEYS", "MEILISEARCH_KEY", "REDIS_URL"] as const;

interface SecretsRead {
  readonly values: NodeJS.ProcessEnv;
  /** One line for each file that is wrong; no line holds a secret. */
  readonly complaints: readonly string[];
}

/** The environment with the secrets that lie in files. A file is taken without the white space around its text. */
export function readSecretFiles(env: NodeJS.ProcessEnv): SecretsRead {
  const values = { ...env };
  const complaints: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) complaints.push(`${name} must not be set together with ${name}_FILE`);
    const text = readSecret(path);
    if ("problem" in text) complaints.push(`${name}_FILE ${text.problem}`);
    else values[name] = text.secret;
  }
  return { values, complaints };
}

function readSecret(path: string): { secret: string } | { problem: string } {
  try {
    const secret = readFileSync(path, "utf8").trim();
    return secret === "" ? { problem: `must name a file that is not empty, and ${path} is` } : { secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: `must name a file that can be read, and ${path} cannot (${code})` };
  }
}

/** Whoever writes the file starts at the same time as we do: an engine that has to start first takes seconds. */
const WAIT_MS = 30_000;

const POLL_MS = 200;

interface WaitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Told once, of the files that are not there yet. */
  readonly onWait: (paths: readonly string[]) => void;
}

/** Waits while a file of secrets is not there yet, or is empty. Says nothing when the time is over: reading it will. */
export async function waitForSecretFiles(
  env: NodeJS.ProcessEnv,
  { signal, timeoutMs = WAIT_MS, onWait }: WaitOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const findMissing = (): string[] => namedFiles(env).filter((path) => !isWritten(path));
  const missing = findMissing();
  if (missing.length > 0) onWait(missing);
  while (findMissing().length > 0 && performance.now() < deadline && !signal.aborted) await sleep(POLL_MS);
}

const namedFiles = (env: NodeJS.ProcessEnv): string[] =>
  SECRET_VARIABLES.flatMap((name) => env[`${name}_FILE`]?.trim() || []);

const isWritten = (path: string): boolean => existsSync(path) && statSync(path).size > 0;
