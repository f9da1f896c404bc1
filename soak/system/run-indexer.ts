import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { scriptArguments } from "../../bench/script-arguments.ts";

interface IndexerOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs the indexer as `npm run index` does. @throws {Error} that quotes what it said when it ends with another status than 0. */
export async function runIndexer(args: readonly string[], options: IndexerOptions): Promise<void> {
  const { folder, env, signal } = options;
  const indexer = spawn(process.execPath, [...scriptArguments("index"), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: folder,
    env,
    signal,
  });
  const [said, [status]] = await Promise.all([
    text(indexer.stderr),
    once(indexer, "close") as Promise<[number | null]>,
  ]);
  if (status !== 0) throw new Error(`index ${args[0]} ended with status ${status}: ${said.slice(-500)}`);
}
