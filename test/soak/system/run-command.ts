import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { scriptArguments } from "../../bench/script-arguments.ts";

interface CommandOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs the indexer or the command for keys as their npm scripts do. Resolves to what it wrote on standard output.
 * @throws {Error} that quotes what it said when it ends with another status than 0.
 */
export async function runCommand(
  name: "index" | "keys",
  args: readonly string[],
  { folder, env, signal }: CommandOptions,
): Promise<string> {
  const command = spawn(process.execPath, [...scriptArguments(name), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
    env,
    signal,
  });
  const [output, said, [status]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, "close") as Promise<[number | null]>,
  ]);
  if (status !== 0) throw new Error(`${name} ${args[0]} ended with status ${status}: ${said.slice(-500)}`);
  return output.trim();
}
