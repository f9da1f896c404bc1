import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runIndex } from "../import/run-index.ts";
import { runKeys } from "../keys/run-keys.ts";
import { listDocuments, readCommands } from "../../support/documented-commands.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** All calls of our programs in the documents, also those in the middle of a sentence. */
function readCalls(): string[] {
  const calls = listDocuments().flatMap((file) => {
    const inline = [...readFileSync(file, "utf8").matchAll(/`(npm run -s [^`]+)`/g)];
    const commands = [
      ...inline.map(([, call = ""]) => call),
      ...readCommands(file).map(({ command }) => command),
    ];
    return commands.flatMap((command) => command.split("|")).map((part) => part.trim());
  });
  return calls.filter((call) => call.startsWith("npm run -s "));
}

/** `npm run -s index -- import places.jsonl` → `index import`. A word with a dot, a number or a dash is no command. */
function programOf(call: string): string {
  const [, name = "", first = ""] = /^npm run -s ([\w:-]+)(?: -- (\S+))?/.exec(call) ?? [];
  return /^[a-z]+(?:-[a-z]+)*$/.test(first) ? `${name} ${first}` : name;
}

const optionsOf = (call: string): string[] => call.match(/(?<= )--?[a-z][\w-]*/g) ?? [];

/** Those with many commands print their help in this process. */
const LOADED: Readonly<Record<string, typeof runKeys>> = { index: runIndex, keys: runKeys };

const readHelp = async (program: string): Promise<string> => {
  const [name = "", ...command] = program.split(" ");
  const run = LOADED[name];
  if (run !== undefined) return (await run([...command, "--help"], {})).stdout;
  const main = scripts[name]?.split(" ").at(-1) ?? "";
  return execFileSync(process.execPath, [main, ...command, "--help"], { encoding: "utf8", stdio: "pipe" });
};

const calls = readCalls();

test("every script in the docs exists", () => {
  const named = new Set(calls.map((call) => programOf(call).split(" ")[0] ?? ""));
  expect(named).toContain("bench");
  expect([...named].filter((name) => !(name in scripts))).toEqual([]);
});

describe("the help lists every option in the docs", () => {
  const ours = calls.filter((call) => optionsOf(call.replace(/ -s /, " ").replace(" -- ", " ")).length > 0);
  const programs = [...new Set(ours.map(programOf))].filter((program) => !program.startsWith("test"));
  test.each(programs)("of %s", async (program) => {
    const help = await readHelp(program);
    const given = ours
      .filter((call) => programOf(call) === program)
      .flatMap((call) => optionsOf(call.slice(11)));
    expect(help).toContain("Usage: ");
    expect(given.filter((option) => !help.includes(option))).toEqual([]);
  });
});
