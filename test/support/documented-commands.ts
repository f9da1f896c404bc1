import { globSync, readFileSync } from "node:fs";

/** One command from a ```sh block, as written in the document. */
export interface DocumentedCommand {
  /** The path from the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly command: string;
}

/** In the order in which a new user reads. */
const DOCUMENTS = [
  "README.md",
  "docs/guide/*.md",
  "docs/*.md",
  "docs/!(guide)/**/*.md",
  "*.md",
  "{indexer,program,script,src,test,tools}/**/README.md",
];

/** All Markdown files of the repository. */
export const listDocuments = (): string[] => [
  ...new Set(DOCUMENTS.flatMap((pattern) => globSync(pattern).toSorted())),
];

/**
 * Every command in a document's `sh` blocks. Comments are not commands; a here document belongs to its
 * command.
 */
export function readCommands(file: string): DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  const lines = readFileSync(file, "utf8").split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== "```sh") continue;
    for (at++; lines[at] !== "```"; at++) {
      const command = readWhole(lines, at);
      if (!/^(?:#.*)?$/.test(command)) commands.push({ file, line: at + 1, command });
      at += command.split("\n").length - 1;
    }
  }
  return commands;
}

/** A command with its continuation lines, or with the here document that follows it. */
function readWhole(lines: readonly string[], at: number): string {
  const first = lines[at] ?? "";
  const mark = /<<(\w+)$/.exec(first)?.[1];
  let last = at;
  if (mark !== undefined) last = lines.indexOf(mark, at);
  while (mark === undefined && lines[last]?.endsWith("\\") === true) last++;
  return lines.slice(at, last + 1).join("\n");
}
