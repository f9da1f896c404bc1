import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runIndexer } from "../../../indexer/main.ts";
import { runHereabouts } from "../../../program/commands.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { isExpected, programPath } from "../../support/program.ts";
import { runInProcess } from "../../support/run-in-process.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
};

const run = (...args: readonly string[]) => runInProcess(runHereabouts, args, {});

test("an unknown command is refused with the one that was meant", async () => {
  const { exitCode, stdout, stderr } = await run("improt");
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("Did you mean import?");
});

test("a wrong option of a command of keys is refused as the command itself does", async () => {
  const { exitCode, stderr } = await run("keys", "create", "--name", "x", "--scopes", "all");
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no "all".');
});

test("--version prints the version of the package", async () => {
  expect(await run("--version")).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each([[["--help"]], [["import", "--help"]], [["demo"]]])(
  "%j ends without a word when nobody reads it, as in a pipe to head",
  async (args) => {
    const child = spawn(process.execPath, [programPath("program/main.ts"), ...args]);
    child.stdout.destroy();
    const [stderr, [exitCode]] = await Promise.all([
      text(child.stderr),
      once(child, "close") as Promise<[number | null]>,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  },
);

test("the help lists the server, every command of the indexer, and the other programs", async () => {
  const { exitCode, stdout } = await run("--help");
  const { stdout: index } = await runInProcess(runIndexer, ["--help"], {});
  const commandsOf = (help: string): string[] =>
    [...help.matchAll(/^ {2}([a-z][\w-]*)(?= |$)/gm)].map(([, name = ""]) => name);
  expect(exitCode).toBe(0);
  expect(commandsOf(stdout).toSorted()).toEqual(
    ["serve", "keys", "demo", "mcp", "completion", ...commandsOf(index)].toSorted(),
  );
});

test.each([[["import"]], [["keys", "create"]], [["serve"]], [["demo"]], [["mcp"]]])(
  "the help of %j begins with how it is called",
  async (command) => {
    const { exitCode, stdout } = await run(...command, "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: hereabouts ${command.join(" ")} `));
  },
);

/** Prints the flags that limit the memory of the program, in place of running it. */
const PRINT_LIMITS = `
const limits = process.execArgv.filter((flag) => flag.startsWith("--max-"));
if (limits.length > 0) { console.log(limits.join(" ")); process.exit(); }`;

test.each([
  ["serve", "start"],
  ["keys", "keys"],
  ["import", "index"],
  ["status", "index"],
])("%s gets as much memory as the npm script %s", (command, script) => {
  const env = {
    ...nodeEnvironment,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINT_LIMITS)}`,
  };
  const limits = manifest.scripts[script]?.match(/--max-\S+/g) ?? [];
  expect(limits.length).toBeGreaterThan(0);
  const printed = execFileSync(process.execPath, ["program/main.ts", command], { env, encoding: "utf8" });
  expect(printed.trimEnd().split(" ")).toEqual(limits);
});

/** What is typed, and what is offered for the last of its words. */
const OFFERED: readonly [what: string, words: readonly string[], offered: readonly string[]][] = [
  ["a command", ["im"], ["import"]],
  ["a command of keys", ["keys", "ro"], ["rotate"]],
  ["an option", ["import", "places.jsonl", "--res"], ["--resume"]],
  ["an option of a command of keys", ["keys", "create", "--o"], ["--origins"]],
  ["a value of an option", ["import", "--format", "ov"], ["overture"]],
  ["a value of an argument", ["completion", ""], ["bash", "zsh"]],
  ["an option with two dashes only when it begins with one", ["status", ""], []],
  ["nothing of its own for a file", ["import", "places"], []],
];

describe("the completion of bash", async () => {
  const { stdout: script } = await run("completion", "bash");

  function complete(words: readonly string[]): string[] {
    const lines = [
      script,
      'COMP_WORDS=(hereabouts "$@"); COMP_CWORD=$#',
      'eval "$(complete -p hereabouts | sed "s/.*-F \\([^ ]*\\) .*/\\1/")"',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ];
    const output = execFileSync("bash", ["-c", lines.join("\n"), "bash", ...words], { encoding: "utf8" });
    return output.split("\n").filter((word) => word !== "");
  }

  test.each(OFFERED)("offers %s", (_, words, offered) => {
    expect(complete(words)).toEqual(offered);
  });
});

const COMPLETE = programPath("test/unit/program/complete.zsh");

describe.runIf(isExpected("zsh"))("the completion of zsh", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-zsh-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const { stdout: script } = await run("completion", "zsh");
  const [functions, elsewhere] = [join(folder, "functions"), join(folder, "elsewhere")];
  for (const path of [functions, elsewhere]) mkdirSync(path);
  writeFileSync(join(functions, "_hereabouts"), script);

  const lines = [...OFFERED.map(([, words]) => words), [""]].map((words) =>
    ["hereabouts", ...words].join(" "),
  );
  let offers: readonly string[][] = [];
  beforeAll(() => {
    const args = ["-f", COMPLETE, functions, ...lines];
    const output = execFileSync("zsh", args, { encoding: "utf8", cwd: elsewhere });
    offers = output
      .split(/(?<=^|\n)\n/)
      .map((offered) => [...new Set(offered.trimEnd().split("\n"))].toSorted());
  });

  test.each(OFFERED.map(([what, , offered], at) => ({ what, offered, at })))(
    "offers $what",
    ({ offered, at }) => {
      expect(offers[at]).toEqual(offered.length === 0 ? [""] : offered);
    },
  );

  test("offers every command", async () => {
    const { stdout: help } = await run("--help");
    const commands = [...help.matchAll(/^ {2}([a-z][\w-]*)(?= |$)/gm)].map(([, name = ""]) => name);
    expect(offers[OFFERED.length]).toEqual(commands.toSorted());
  });
});

describe("mcp", () => {
  test("asks for a key", async () => {
    const { exitCode, stderr } = await run("mcp");
    expect(exitCode).toBe(1);
    expect(stderr).toBe("Set HEREABOUTS_KEY to an API key of the server.\n");
  });

  test("says that there is no server at the address", async () => {
    const env = { HEREABOUTS_KEY: "some-key", HEREABOUTS_URL: "http://127.0.0.1:1/" };
    const { exitCode, stderr } = await runInProcess(runHereabouts, ["mcp"], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("There is no Hereabouts at http://127.0.0.1:1 ");
  });
});

test.each(["script/server", "script/test"])("%s --help prints its help and does nothing", (script) => {
  const help = execFileSync(script, ["--help"], { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
  expect(help).toMatch(new RegExp(`^Usage: ${script}( \\[|\n)`));
});
