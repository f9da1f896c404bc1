import { spawnSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDeadPort } from "../../support/dead-servers.ts";
import { readDockerfile, readImageCommand, readText } from "./deployment-files.ts";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { nodeEnvironment } from "../../support/node-environment.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const { global: before, stages } = readDockerfile();
const last = stages.at(-1) ?? [];

let image = "";

/** What `COPY . .` finds: the entries that .dockerignore lets through. */
const listCopied = (): string[] =>
  readText(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1))
    .filter((entry) => existsSync(join(ROOT, entry)));

beforeAll(() => {
  image = mkdtempSync(join(tmpdir(), "hereabouts-image-"));
  for (const entry of listCopied()) cpSync(join(ROOT, entry), join(image, entry), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(image, "node_modules"));
});

afterAll(() => rmSync(image, { recursive: true }));

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, args, {
    cwd: image,
    encoding: "utf8",
    env: { ...nodeEnvironment, ...env },
  });

test("every file that it copies is there, and .dockerignore lets it through", () => {
  const copies = stages.flat().filter(({ name, flags }) => name === "COPY" && !flags.some(isFromStage));
  const sources = copies.flatMap(({ words }) => words.slice(0, -1)).filter((source) => source !== ".");
  expect(sources.length).toBeGreaterThan(2);
  expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  const copied = listCopied();
  const isCopied = (source: string): boolean =>
    copied.some((entry) => source === entry || source.startsWith(`${entry}/`));
  expect(sources.filter((source) => !isCopied(source))).toEqual([]);
});

const isFromStage = (flag: string): boolean => flag.startsWith("--from=");

test("its command starts the server from the files of the image, up to its configuration", () => {
  const [program, ...args] = readImageCommand();
  expect(program).toBe("node");
  const { status, stderr } = run(args, { PORT: "none" });
  expect(stderr).toContain("PORT must be");
  expect(status).toBe(1);
});

test("the server's --help explains it and starts nothing", () => {
  const { status, stdout, stderr } = run(["src/main.ts", "--help"], { PORT: "none" });
  expect(stdout).toContain("Settings are environment variables");
  expect([status, stderr]).toEqual([0, ""]);
});

test("an argument that the server does not know is wrong usage", () => {
  const { status, stderr } = run(["src/main.ts", "8081"], { PORT: "none" });
  expect(stderr).toContain("too many arguments");
  expect(status).toBe(2);
});

test("so does the indexer, whose help loads all its commands", () => {
  const { status, stdout } = run(["indexer/main.ts", "--help"]);
  for (const command of ["import", "engine-key", "export"]) expect(stdout).toContain(`\n  ${command} `);
  expect(status).toBe(0);
});

test("it contains nothing else: no tests, secrets or data", () => {
  const allowed = [
    "LICENSE",
    "demo",
    "docs",
    "indexer",
    "keys",
    "node_modules",
    "package-lock.json",
    "package.json",
    "src",
    ".npmrc",
  ];
  expect(readdirSync(image).filter((entry) => !allowed.includes(entry))).toEqual([]);
  expect(readText(".dockerignore").split("\n").slice(0, 2)).toContain("*");
});

test("it uses the tested version of Node", () => {
  const { devDependencies } = JSON.parse(readText("package.json")) as { devDependencies: { node: string } };
  const image = before.find(({ name }) => name === "ARG")?.words;
  expect(image).toEqual([`NODE_IMAGE=node:${devDependencies.node}-slim`]);
  expect(stages.map(([from]) => from?.words[0])).toEqual(["${NODE_IMAGE}", "${NODE_IMAGE}"]);
});

test("it runs as an unprivileged user who owns nothing of the program", () => {
  const user = last.findLastIndex(({ name }) => name === "USER");
  expect(last[user]?.words).toEqual(["node"]);
  const folder = last.findLast(({ name }) => name === "WORKDIR")?.words[0] ?? "";
  for (const [index, { name, flags, words }] of last.entries()) {
    if (!["COPY", "ADD", "RUN"].includes(name)) continue;
    expect(index).toBeLessThan(user);
    expect(flags.filter((flag) => flag.startsWith("--chown"))).toEqual([]);
    expect(words.filter((word) => name === "RUN" && word.startsWith(folder))).toEqual([]);
  }
});

test("its compiled code is made with the flags that the server starts with: else it would not count", () => {
  const flags = readImageCommand().slice(0, -1);
  const made = last.find(({ name, words: [program] }) => name === "RUN" && program === "node")?.words ?? [];
  expect(made.slice(0, flags.length)).toEqual(flags);
  expect(made.at(-1)).toContain("src/main.ts");
});

const healthCommand = last.find(({ name }) => name === "HEALTHCHECK")?.words ?? [];

/** The health check of the image, run as the container engine does. */
async function checkHealth(port: number): Promise<number> {
  const check = spawn(process.execPath, healthCommand.slice(1), { env: { PORT: String(port) } });
  const [status] = (await once(check, "close")) as [number];
  return status;
}

test.each([
  [200, 0],
  [500, 1],
])("a server that returns %i is healthy: %i", async (status, expected) => {
  const server = createServer((_, reply) => void reply.writeHead(status).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  expect(await checkHealth((server.address() as AddressInfo).port)).toBe(expected);
  server.close();
});

test("an unreachable server is not healthy", async () => {
  expect(await checkHealth(await findDeadPort())).toBe(1);
});
