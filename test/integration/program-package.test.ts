import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLicenceProblems, readInstalledPackages } from "../../script/audit.ts";
import { readCommands } from "../support/documented-commands.ts";
import { writeInputFiles } from "./docs/input-files.ts";
import { newUserEnvironment, succeed } from "./docs/shell.ts";
import { expectToBePublishable } from "../support/publishable.ts";
import { startServer, type StartedServer } from "./docs/started-server.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** What somebody waits for when they install it, 1.2 MB of it the words of needs; the engine comes on top. */
const LIMIT_BYTES = 10_200_000;

/** What the program and its libraries take on a disk: with the engine, which has 131 MB, they are below 200. */
const LIMIT_INSTALLED_BYTES = 60_000_000;

/** Packages that the program does not bring: the engine, and what is downloaded with the first Parquet file. */
const BESIDE_IT = ["@gaubee", "@duckdb"];

/** A folder of somebody else, after `npm install hereabouts-*.tgz`: what npm installs beside it are links to here, so that no registry is needed. */
let project: string;
let installed: string;
let tarball: string;
let packed: number;

const path = (): string =>
  [join(project, "node_modules/.bin"), dirname(process.execPath), newUserEnvironment({})["PATH"]].join(":");

const run = (...args: readonly string[]) =>
  spawnSync("hereabouts", args, {
    cwd: project,
    env: newUserEnvironment({ PATH: path(), DATA_DIR: join(project, "unused") }),
    encoding: "utf8",
  });

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "hereabouts-project-"));
  installed = join(project, "node_modules/hereabouts");
  mkdirSync(installed, { recursive: true });
  const name = execFileSync("node", ["--run", "pack", "--", project], { encoding: "utf8" }).trim();
  tarball = join(project, name);
  packed = statSync(tarball).size;
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  for (const modules of BESIDE_IT)
    symlinkSync(resolve("node_modules", modules), join(project, "node_modules", modules));
  const { bin } = readManifest();
  mkdirSync(join(project, "node_modules/.bin"));
  chmodSync(join(installed, bin.hereabouts), 0o755);
  symlinkSync(join("../hereabouts", bin.hereabouts), join(project, "node_modules/.bin/hereabouts"));
});
afterAll(() => rmSync(project, { recursive: true }));

const readManifest = () =>
  JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    readonly bin: { readonly hereabouts: string };
    readonly dependencies: Readonly<Record<string, string>>;
    readonly bundleDependencies: readonly string[];
  };

test("the package has what it needs at run time and nothing of its development", () => {
  expect(packed).toBeLessThan(LIMIT_BYTES);
  const sizes = globSync("**/*", { cwd: installed }).map((file) => statSync(join(installed, file)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LIMIT_INSTALLED_BYTES);
  expect(readManifest()).not.toHaveProperty("devDependencies");
  expect(readManifest()).not.toHaveProperty("scripts");
  const ranges = Object.values(readManifest().dependencies).filter((range) => !/^\d/.test(range));
  expect(ranges, "only versions that were tested").toEqual([]);
  expect(readdirSync(installed)).not.toContain("test");
  expect(readdirSync(installed)).toContain(".env.example");
});

test("publint and attw find nothing wrong with its files, types and exports", async () => {
  await expectToBePublishable(tarball);
});

test("Node has no TypeScript to run: only files for browsers have types", () => {
  const typed = globSync("{[!n]*,[!n]*/**}/*.ts", { cwd: installed }).map((file) => dirname(file));
  expect([...new Set(typed)].toSorted()).toEqual([
    "client",
    "src/client",
    "src/place-search",
    "src/playground",
  ]);
});

test("its texts name its own commands, not those of a clone", () => {
  const ofClones = globSync(
    ["{src,indexer,program}/**/*.js", "README.md", "docs/{indexing,keys,sources}.md"],
    {
      cwd: installed,
    },
  ).filter((file) => /npm run|script\/server/.test(readFileSync(join(installed, file), "utf8")));
  expect(ofClones).toEqual([]);
  expect(readFileSync(join(installed, "docs/keys.md"), "utf8")).toContain("npx hereabouts keys create");
});

test("nothing is imported before Node's version is checked, which an old Node could not even read", () => {
  expect(readFileSync(join(installed, "program/main.js"), "utf8")).not.toMatch(/^import /m);
});

test("--version and --help", () => {
  expect(run("--version")).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  expect(run("import", "--help").stdout).toContain("$ npx hereabouts import places.jsonl");
});

test("npm finds each library that the program and its libraries name inside of the package", () => {
  const { bundleDependencies, dependencies } = readManifest();
  expect(Object.keys(dependencies)).toEqual(bundleDependencies);
  const manifests = globSync("node_modules/**/package.json", { cwd: installed }).map((file) => ({
    file: join(installed, file),
    manifest: JSON.parse(readFileSync(join(installed, file), "utf8")) as Record<string, object | undefined>,
  }));
  const missing = manifests.flatMap(({ file, manifest }) =>
    Object.keys(manifest["dependencies"] ?? {}).filter(
      (name) => !findPackageJSON(name, file)?.startsWith(installed),
    ),
  );
  expect(missing).toEqual([]);
});

test("each library has its licence beside it, unless its authors packed none", () => {
  const libraries = readInstalledPackages(join(installed, "node_modules"));
  expect(libraries.length).toBeGreaterThan(50);
  expect(findLicenceProblems(libraries)).toEqual([]);
  const notices = globSync("node_modules/**/{LICENSE,LICENCE,license,License}*", { cwd: installed });
  expect(notices.length).toBeGreaterThan(50);
});

/** Makes the Node that runs the tests say that it is an older one. */
const AS_NODE_20 = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.0.0'})";

describe("on an older Node", () => {
  let cache: string;
  beforeAll(() => {
    cache = mkdtempSync(join(project, "cache-"));
  });

  const runOnOldNode = (...args: readonly string[]) =>
    spawnSync(process.execPath, ["--import", AS_NODE_20, join(installed, "program/main.js"), ...args], {
      cwd: project,
      env: { ...newUserEnvironment({ XDG_CACHE_HOME: cache }), PATH: "/nowhere" },
      encoding: "utf8",
    });

  test.each([
    [["--version"], version],
    [["--help"], "Usage: hereabouts [options] [command]"],
    [["help", "import"], "Usage: hereabouts import "],
    [["serve", "--help"], "$ npx hereabouts serve"],
    [["completion", "-h"], "Usage: hereabouts completion "],
  ])("%j prints its text and downloads nothing", (args, text) => {
    const { status, stdout, stderr } = runOnOldNode(...args);
    expect(stdout).toContain(text);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readdirSync(cache)).toEqual([]);
  });

  test("a command says what it cannot download, and leaves nothing behind", () => {
    const { status, stderr } = runOnOldNode("completion", "bash");
    expect(stderr).toMatch(/^Downloading Node 26 \(\d+ MB\), which hereabouts runs on \(this is 20\.0\.0\)/);
    expect(stderr).toContain("npm could not download it");
    expect(status).toBe(1);
    expect(readdirSync(join(cache, "hereabouts"))).toEqual([]);
  });

  test("a command runs on the Node that was downloaded, and ends as it does there", () => {
    const lock = readFileSync(join(installed, "program/node/package-lock.json"));
    const name = `node-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`;
    const bin = join(cache, "hereabouts", name, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, join(bin, "node"));
    expect(runOnOldNode("completion", "bash")).toMatchObject({ status: 0, stderr: "" });
    expect(runOnOldNode("completion", "bash").stdout).toContain("hereabouts");
    expect(runOnOldNode("completion", "fish")).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("after `hereabouts serve`", () => {
  let server: StartedServer;
  beforeAll(async () => {
    await writeInputFiles(project);
    server = await startServer(project, { command: ["hereabouts", "serve"], more: { PATH: path() } });
  });
  afterAll(() => server.interrupt());

  const get = async (target: string): Promise<string> => {
    const response = await fetch(server.address + target);
    expect([target, response.status]).toEqual([target, 200]);
    return response.text();
  };

  test("the map and all its files are served", async () => {
    const page = await get("/");
    const files = [...page.matchAll(/(?:src|href)="(playground\/[^"]+)"/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) await get(`/${file}`);
  });

  test("a program beside it calls the API with the client of the package", async () => {
    const program = `
      import { createClient } from "hereabouts/client";
      const [baseUrl, apiKey] = process.argv.slice(1);
      const { local_result } = await createClient({ baseUrl, apiKey }).search({ q: "cafe", limit: 1 });
      console.log(local_result[0].type);`;
    const key = readFileSync(join(project, ".data/demo-key"), "utf8").trim();
    const args = ["--input-type=module", "--eval", program, server.address, key];
    expect(execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" })).toMatch(/^[A-Z_]+\n$/);
    expect(existsSync(join(installed, "client/index.d.ts"))).toBe(true);
  });

  test("the docs are served, with the commands of the package", async () => {
    await get("/docs");
    expect(await get("/docs/keys")).toContain("npx hereabouts keys create");
    expect(JSON.parse(await get("/openapi.json"))).toHaveProperty("info.version", version);
  });

  test("a page of a development server on this machine may call it without a setting", async () => {
    const ask = (origin: string) => fetch(`${server.address}/healthz`, { headers: { origin } });
    const { headers } = await ask("http://localhost:5173");
    expect(headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    expect((await ask("https://app.example")).headers.has("access-control-allow-origin")).toBe(false);
  });

  test("the calls that it prints work", async () => {
    const [first = ""] = server.printed.split("\n").filter((line) => line.startsWith("  curl "));
    const { stdout } = await succeed(first, project, server.environment);
    expect(stdout).toMatch(/^\{"local_result":\[\{/);
    expect(server.printed).toContain("npx hereabouts import --help");
  });

  const others = readCommands("program/README.md").filter(({ command }) => !/install|serve$/.test(command));
  test.each(others)("$command", async ({ command }) => {
    const { stdout, stderr } = await succeed(command.replace(/^npx /, ""), project, server.environment);
    expect(stdout + stderr).not.toBe("");
  });

  test("it ends with Ctrl-C, in order", async () => {
    expect(await server.interrupt()).toBe(0);
  });
});

test("npm shows the page of the package", () => {
  const page = readFileSync(join(installed, "README.md"), "utf8");
  expect(page).toBe(readFileSync("program/README.md", "utf8"));
});
