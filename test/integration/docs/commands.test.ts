import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClone, removeClone } from "./clone.ts";
import { adapt, findException, NOT_RUN, REPLACEMENTS } from "./exceptions.ts";
import { KEYS_FILE } from "./input-files.ts";
import { expectPromiseKept, hasPromise } from "./promises.ts";
import { listDocuments, readCommands, type DocumentedCommand } from "../../support/documented-commands.ts";
import { succeed, type Environment, type Outcome } from "./shell.ts";
import { runIndex } from "../import/run-index.ts";
import { runKeys } from "../keys/run-keys.ts";
import { startServer, type StartedServer } from "./started-server.ts";

/** One and the same server for all who read in turn. */
const START = "script/server";

const documents = listDocuments();
const all = documents.flatMap(readCommands);
const optionsOf = (command: string): string[] => adapt(command, "").match(/ --[a-z]+/g) ?? [];

/** It brings all it needs, and takes seconds: what another one with the same options, and more, shows too is not run. */
const isMeasuredElsewhere = ({ command }: DocumentedCommand, at: number): boolean =>
  command.startsWith("npm run -s eval") &&
  all.some(({ file, command: other }, otherAt) => {
    const isWider = optionsOf(other).length > optionsOf(command).length;
    const isSame = withoutComment(other) === withoutComment(command) && otherAt < at;
    const isRun = other.startsWith("npm run -s eval") && !findException(file, other);
    const has = new Set(optionsOf(other));
    return isRun && (isSame || (isWider && optionsOf(command).every((option) => has.has(option))));
  });
const withoutComment = (command: string): string => command.replace(/ +# .*$/, "");

/** npm takes a quarter of a second for what Node does itself: it runs each script once. */
const runByNpm = new Set<string>();
const withoutNpm = (command: string): string =>
  command.replaceAll(/npm run -s (\S+)/g, (call, script: string) => {
    if (runByNpm.has(script)) return `node_modules/.bin/node --run ${script}`;
    runByNpm.add(script);
    return call;
  });

/** The indexer or the command for keys alone, without a pipe or a file that the shell would write. */
const OURS = /^npm run -s (index|keys) -- ([\w-]+)[^|<>&;$]*$/;
const PROGRAMS: Readonly<Record<string, typeof runKeys>> = { index: runIndex, keys: runKeys };
const startedAs = new Set<string>();

/** The first command of each kind starts the program as a reader does; others run in this process, which has loaded it. */
function isShown(command: string): boolean {
  const [, program, subcommand] = OURS.exec(command) ?? [];
  if (program === undefined) return false;
  // The indexer loads each of its commands by itself, the command for keys has all of them.
  const name = program === "index" ? `${program} ${subcommand}` : program;
  const isKnown = startedAs.has(name);
  startedAs.add(name);
  return isKnown;
}

/** Runs such a command in this process, with the words that bash makes of its line. */
async function runShown(command: string, cwd: string, environment: Environment): Promise<Outcome> {
  const words = await succeed(`npm() { printf '%s\\0' "\${@:5}"; }\n${command}`, cwd, environment);
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const program = PROGRAMS[OURS.exec(command)?.[1] ?? ""]!;
    const { exitCode, stdout, stderr } = await program(words.stdout.split("\0").slice(0, -1), environment);
    if (exitCode !== 0) throw new Error(`${command}\nhas ended with ${exitCode}: ${stdout}${stderr}`);
    return { stdout, stderr, environment };
  } finally {
    process.chdir(before);
  }
}

const run = all.filter(
  (documented, at) =>
    !findException(documented.file, documented.command) &&
    documented.command !== START &&
    !isMeasuredElsewhere(documented, at),
);

test("the docs have commands", () => {
  expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/keys.md", "tools/bench/README.md"]));
  expect(run.length).toBeGreaterThan(30);
});

test("every command that is not run is in the docs and is covered by another test", () => {
  const used = new Set(all.map(({ file, command }) => findException(file, command)));
  expect(NOT_RUN.filter((entry) => !used.has(entry))).toEqual([]);
  expect(NOT_RUN.flatMap(({ shownBy }) => shownBy).filter((path) => !existsSync(path))).toEqual([]);
});

test("every replacement is used", () => {
  expect(REPLACEMENTS.filter(({ of }) => !run.some(({ command }) => of.test(command)))).toEqual([]);
});

test("commands are only in sh blocks", () => {
  const lines = documents.flatMap((file) => readFileSync(file, "utf8").split("\n"));
  expect(lines.filter((line) => /^ {4,}(?:npm|npx|node|curl|docker|script\/)/.test(line))).toEqual([]);
  expect(lines.filter((line) => /^```(?:bash|shell|console|zsh)/.test(line))).toEqual([]);
});

test("every command that is run has an outcome to expect", () => {
  expect(run.filter(({ command }) => !hasPromise(command))).toEqual([]);
});

/** Each import of the documents is one that a reader makes of a demo, not of what another example has left. */
const IMPORT = /index -- import /;
/** Pages whose commands build on each other: the demo is kept while they are followed. */
const FOLLOWED = new Set(["docs/guide/spreadsheet.md"]);

describe("in a clone", () => {
  let clone: string;
  let server: StartedServer;

  /** What no reader types runs in this process, which has loaded the indexer already. */
  const prepare = async (...args: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await runIndex(args, { DATA_DIR: join(clone, ".data") });
    if (exitCode !== 0) throw new Error(`${args.join(" ")} has ended with ${exitCode}: ${stderr}`);
  };

  beforeAll(async () => {
    clone = await createClone();
    server = await startServer(clone);
    await succeed(`npm run -s keys -- import ${KEYS_FILE}`, clone, server.environment);
  });
  afterAll(async () => {
    await server.interrupt();
    removeClone(clone);
  });

  test("script/server prints a key and three calls that work", async () => {
    const calls = server.printed.split("\n").filter((line) => line.startsWith("  curl "));
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      // The last shows the beginning of a long answer: curl is cut off.
      const { stdout } = await succeed(`set +o pipefail\n${call}`, clone, server.environment);
      expect(stdout).toMatch(/^\{"(?:local_result|suggestions)":\[\{/);
    }
  });

  test.each(["/", "/docs", "/docs/quick-start"])("%s is a page", async (path) => {
    const response = await fetch(server.address + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
  });

  const files = [...new Set(run.map(({ file }) => file))];
  describe.each(files)("%s", (file) => {
    let environment: Environment;
    beforeAll(() => {
      environment = server.environment;
    });
    if (FOLLOWED.has(file)) {
      const kept = (): string => join(clone, "kept-demo.jsonl");
      beforeAll(() => prepare("export", "-o", kept()));
      afterAll(() => prepare("import", kept(), "--force"));
    }
    const commands = run.filter((command) => command.file === file);
    test.each(commands)("line $line: $command", async ({ command }) => {
      const asTyped = adapt(command, server.address);
      const outcome = isShown(asTyped)
        ? await runShown(asTyped, clone, environment)
        : await succeed(withoutNpm(asTyped), clone, environment);
      expectPromiseKept({ ...outcome, command, cwd: clone });
      environment = outcome.environment;
      if (!FOLLOWED.has(file) && IMPORT.test(command)) await prepare("rollback");
    });
  });

  test("Ctrl-C ends the server", async () => {
    expect(await server.interrupt()).toBe(0);
  });
});
