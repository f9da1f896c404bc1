import type { Readable } from "node:stream";
import { ConfigError, type Config } from "../../config.ts";
import { KeyChangeError } from "../change-key.ts";
import { LocalEnginesError, type EngineEvent } from "../../local-engines/engine-process.ts";
import { type KeyStore, createKeyStore } from "../../redis/key-store.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { acquireRedis } from "../../local-engines/acquire-engines.ts";
import { createLogger } from "../../logger.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../redis/connection.ts";
import type { KeyRecord } from "../key-record.ts";

/** A command for keys cannot be done. The message is for the person at the terminal and needs no stack. */
export class KeysError extends Error {
  override readonly name = "KeysError";
}

/** What a command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  readonly stdin: Readable;
  /** `done` is called when the text is written, or cannot be. */
  readonly stdout: { write(text: string, done?: (error?: Error | null) => void): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Aborted with `Interrupted` by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** Runs a command in its process, to its exit status. */
export type Start = (run: (context: CommandContext) => Promise<number>) => Promise<void>;

const EXIT_DONE = 0;
const EXIT_FAILED = 1;

/** The reason a command is aborted with. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** As a shell counts it: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Interrupted.");
    this.exitCode = exitCode;
  }
}

/** The end of each command's help. */
export const COMMON_HELP = `
Redis: that of REDIS_URL, else that of the server that runs on DATA_DIR, else one that is started on
DATA_DIR for as long as the command takes: the next server there finds the keys.

Exit status: 0 done; 1 failed; 2 wrong usage or configuration; 130 or 143
interrupted by Ctrl-C or SIGTERM.`;

/** Runs with the keys, to the exit status; what it throws is told on standard error, and as JSON where that was asked for. */
export async function runWithStore(
  context: CommandContext,
  json: boolean,
  run: (store: KeyStore) => Promise<void>,
): Promise<number> {
  try {
    await withKeyStore(context, run);
    return EXIT_DONE;
  } catch (error) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : error;
    const text = toErrorText(reason);
    context.stderr.write(`${text}\n`);
    if (json) context.stdout.write(`${JSON.stringify({ error: text })}\n`);
    return reason instanceof Interrupted ? reason.exitCode : EXIT_FAILED;
  }
}

/** Errors that are written for a person. */
const FOR_PEOPLE = [ConfigError, LocalEnginesError, KeyChangeError, KeysError, Interrupted];

/** Whatever else fails here is Redis, or a file. */
function toErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return error.message;
  return `It did not work: ${error.message}\nWhether it was done all the same tells "list".`;
}

/** A Redis that is there answers within milliseconds, one that has just been started within a second. */
const REDIS_WAIT_MS = 2_000;

/** A backup of many thousand keys is one command. */
const COMMAND_TIMEOUT_MS = 10_000;

/**
 * Runs with the keys on Redis.
 * @throws {KeysError} when there is none, or it does not answer.
 */
async function withKeyStore(
  { config, stderr, signal }: CommandContext,
  run: (store: KeyStore) => Promise<void>,
): Promise<void> {
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const redis = await acquireRedis({
    dataDir: config.DATA_DIR,
    redisUrl: config.REDIS_URL,
    role: "keys",
    onEvent: (event) => tellOfTrouble(event, say),
    signal,
  });
  try {
    if (redis.url === undefined) throw noRedis(config.DATA_DIR);
    if (redis.isOwner) say(`No server runs on ${config.DATA_DIR}: its Redis is started for this command.`);
    await connect(redis.url, signal, run);
  } finally {
    await redis.stop();
  }
}

const noRedis = (dataDir: string): KeysError =>
  new KeysError(
    "There is no Redis to keep keys in. Set REDIS_URL to that of the servers, or install a redis-server " +
      `and start the server on ${dataDir} again.`,
  );

async function connect(
  url: string,
  signal: AbortSignal,
  run: (store: KeyStore) => Promise<void>,
): Promise<void> {
  const logger = createLogger({ level: "silent" });
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: COMMAND_TIMEOUT_MS });
  let lastError = "";
  redis.on("error", (error: Error & { code?: string }) => (lastError = error.message || (error.code ?? "")));
  try {
    const isUp = await Promise.race([waitForRedis(redis, REDIS_WAIT_MS), untilAborted(signal)]);
    signal.throwIfAborted();
    if (!isUp) throw noAnswer(url, lastError);
    await run(createKeyStore(redis));
  } finally {
    await closeRedisConnection(redis);
  }
}

async function untilAborted(signal: AbortSignal): Promise<false> {
  await sleep(REDIS_WAIT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  return false;
}

/** Without the password that the URL may hold. */
function noAnswer(url: string, reason: string): KeysError {
  const why = reason === "" ? "" : ` (${reason})`;
  return new KeysError(
    `Redis at ${new URL(url).host} does not answer${why}. Start it, or set REDIS_URL to the right one. Nothing was changed.`,
  );
}

/** A start and a stop are what was expected; of anything else the person at the terminal should know. */
function tellOfTrouble(event: EngineEvent, say: (text: string) => void): void {
  if (event.name === "engine_started" || event.name === "redis_unavailable") return;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  say(`${event.name.replaceAll("_", " ")}${reason}`);
}

export const unknownKey = (id: string): KeysError =>
  new KeysError(`No key has the id ${id}. "list" shows all there are.`);

/**
 * Changes one key in one step. Resolves to what `change` made of it in the end.
 * @throws {KeysError} when there is none, and what `change` throws.
 */
export async function changeOne<T extends { readonly record: KeyRecord }>(
  store: KeyStore,
  id: string,
  change: (record: KeyRecord) => T,
): Promise<T> {
  let changed: T | undefined;
  await store.change([id], (found) => {
    const record = found.get(id);
    if (!record) throw unknownKey(id);
    changed = change(record);
    return changed.record === record ? [] : [changed.record];
  });
  if (!changed) throw unknownKey(id);
  return changed;
}
