import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The absolute path of a program of the project. The bench runs programs, it never imports them. */
export const programPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What Node is given by one of the project's npm scripts, with the same limits of memory: a program is measured as it is run. */
export function scriptArguments(name: "start" | "index" | "keys"): string[] {
  const { scripts } = JSON.parse(readFileSync(programPath("package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  const [, ...args] = (scripts[name] ?? "").split(" ");
  return args.map((arg) => (arg.endsWith(".ts") ? programPath(arg) : arg));
}

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
