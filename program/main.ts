#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The program `hereabouts`: all commands of this project in one, as the npm package has them.
// This file runs on any Node, since it has to say which one is needed.

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

if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
  console.error(`hereabouts needs Node ${LEAST_NODE} or later; this is ${process.versions.node}.`);
  process.exit(1);
}
limitMemory();
const { runHereabouts } = await import("./commands.ts");
await runHereabouts(process);

export {};
