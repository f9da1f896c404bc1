import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The absolute path of one of the project's programs. The bench runs programs, and never imports them. */
export const programPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * The Node arguments of an npm script of the project, so that programs run with the same memory limits as in
 * use.
 */
export function scriptArguments(name: "start" | "index" | "keys"): string[] {
  const { scripts } = JSON.parse(readFileSync(programPath("package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  const parts = (scripts[name] ?? "").split(" ");
  // Settings of the environment may stand before "node".
  const args = parts.slice(parts.indexOf("node") + 1);
  return args.map((arg) => (arg.endsWith(".ts") ? programPath(arg) : arg));
}

interface CommandOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs the indexer or the command for keys as their npm scripts do. Resolves to its standard output.
 * @throws {Error} that quotes its output when its exit status is not 0.
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

/** Debian has many servers in /usr/sbin, which is not on the path of every user. */
export const SYSTEM_PATH = `${process.env["PATH"] ?? ""}:/usr/sbin`;

/**
 * Whether the tests of a system program run: where it is installed, and always in CI, which installs it. Others may not want
 * Debian's package, which starts a server.
 */
export const isExpected = (program: string): boolean =>
  process.env["CI"] === "true" ||
  spawnSync("sh", ["-c", 'command -v "$1"', "sh", program], { env: { PATH: SYSTEM_PATH } }).status === 0;
