#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The program `hereabouts`: all commands of this project in one, as the npm package has them.
// This file runs on any Node: it starts the one that is needed, which it downloads where the system has an older one.

const LEAST_NODE = 26;

/** How much memory each command may take: the numbers of the npm scripts (a test compares them). */
const MEMORY = {
  serve: ["--max-old-space-size=512", "--max-semi-space-size=8"],
  keys: ["--max-old-space-size=384"],
  index: ["--max-old-space-size=384", "--max-semi-space-size=8"],
} as const;

/** These end within a moment or hold nothing in memory. */
const SMALL = new Set(["", "help", "demo", "completion", "mcp"]);

/** The flags of Node for a command; the commands without a line above are those of the indexer. */
function flagsFor(command: string): readonly string[] {
  if (SMALL.has(command) || command.startsWith("-")) return [];
  return command === "serve" || command === "keys" ? MEMORY[command] : MEMORY.index;
}

/**
 * Node fixes its memory when it starts, so the process starts once more: as itself, with the same id, so that signals and exit codes
 * stay what they are. Takes 50 ms. A system that cannot do this (Windows) goes on with Node's own limits.
 */
function limitMemory(): void {
  const flags = flagsFor(process.argv[2] ?? "");
  const hasFlags = flags.every((flag) => process.execArgv.includes(flag));
  // A channel to the parent would not survive.
  if (hasFlags || process.channel !== undefined) return;
  process.execve?.(process.execPath, [
    process.execPath,
    ...process.execArgv,
    ...flags,
    ...process.argv.slice(1),
  ]);
}

/** What `--version` and `--help` print, by command: written when the package was made, for a Node that cannot run the commands. */
interface Texts {
  readonly version: string;
  readonly help: Readonly<Record<string, string>>;
}

/** Whether the arguments only ask for a text. */
async function printText(args: readonly string[]): Promise<boolean> {
  const { readFileSync } = await import("node:fs");
  const { version, help } = JSON.parse(readFileSync(new URL("texts.json", import.meta.url), "utf8")) as Texts;
  const isHelp = args[0] === "help" || args.includes("--help") || args.includes("-h");
  const words = args.filter((word) => word !== "help" && !word.startsWith("-"));
  const text = args[0] === "--version" || args[0] === "-V" ? `${version}\n` : isHelp && help[words.join(" ")];
  if (!text) return false;
  process.stdout.on("error", () => (process.exitCode = 1)).write(text);
  return true;
}

/** Runs the command on a Node that can, and ends as it does. */
async function runOnNode26(): Promise<void> {
  const { spawn } = await import("node:child_process");
  const { fetchPackages } = await import("../src/cli/fetch-packages.ts");
  const modules = await fetchPackages({
    name: "node",
    title: `Node ${LEAST_NODE} (94 MB), which hereabouts runs on (this is ${process.versions.node})`,
    source: new URL("node/", import.meta.url),
    unneeded: ["include", "share"],
  });
  const child = spawn(
    `${modules}/.bin/node`,
    ["--disable-warning=ExperimentalWarning", ...process.argv.slice(1)],
    {
      stdio: "inherit",
    },
  );
  // Ctrl-C reaches both; other signals only this process. It ends when its child does.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject).once("exit", (...how) => resolve(how));
  });
  if (code === MISSES_LIBRARY)
    console.error(
      "If a library is missing above: Node 26 needs libatomic1 (on Debian: apt-get install libatomic1).",
    );
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** How a process ends that the system cannot load. */
const MISSES_LIBRARY = 127;

if (Number.parseInt(process.versions.node, 10) >= LEAST_NODE) {
  limitMemory();
  const { runHereabouts } = await import("./commands.ts");
  await runHereabouts(process);
} else if (!(await printText(process.argv.slice(2)))) {
  await runOnNode26().catch((error: unknown) => {
    console.error(
      `hereabouts needs Node ${LEAST_NODE} or later, and npm could not download it: ${String(error)}`,
    );
    process.exit(1);
  });
}

export {};
