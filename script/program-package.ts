// Packs the program with everything it needs as the npm package hereabouts: npm run -s pack -- DIR
// Node runs no TypeScript inside of node_modules, so the code is compiled, file by file: data stays beside the code that reads it.
// The libraries are in the package too, each with the files that are reached from the code: 20 MB of 150.
import { nodeFileTrace } from "@vercel/nft";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { Writable } from "node:stream";
import { runHereabouts } from "../program/commands.ts";
import { PACKAGE_FILES } from "../src/assets/assets.ts";
import { writeClientPackage } from "./client-package.ts";

/** What the package has beside its code: data, the pages under /docs, and what npm shows. */
const listFiles = (): string[] => [
  ...globSync("{src,indexer}/**/*.*", {
    exclude: ["src/{client,place-search}/package.json", "src/controls/**"],
  }).filter((path) => extname(path) !== ".ts"),
  ...globSync([
    "program/node/*.json",
    // The map page, its search box and its client go to browsers, which get them without their types.
    "src/{client,place-search,playground}/*.ts",
    "docs/*.md",
    "docs/guide/*.{md,csv}",
    ".env.example",
    "CHANGELOG.md",
    "LICENSE",
  ]),
];

/** How a clone calls what is a command in the package; in help texts, messages and pages. */
const CALLS: readonly (readonly [RegExp, string])[] = [
  [/npm run -s index(?: --)?(?= |`|$)/gm, "npx hereabouts"],
  [/npm run -s keys(?: --)?(?= |`|$)/gm, "npx hereabouts keys"],
  [/npm run -s demo-data(?: --)?(?= |`|$)/gm, "npx hereabouts demo"],
  [/(?:node )?script\/server\b/g, "npx hereabouts serve"],
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly bin: string;
  readonly engines: object;
  readonly dependencies: Versions;
  readonly optionalDependencies: Versions;
  readonly repository?: object;
  readonly keywords?: readonly string[];
}

type Versions = Readonly<Record<string, string>>;

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

/** The program starts on these, and brings the Node that it runs on. */
const ANY_NODE = { node: ">=20" };

/** What npm needs to know of the package: nothing of its development. */
function toManifest({ bin, ...project }: Manifest, bundled: readonly string[]): object {
  const { name, version, description, license, type, repository, keywords } = project;
  const dependencies = pin(project.dependencies);
  return {
    name,
    version,
    description,
    keywords,
    license,
    repository,
    type,
    engines: ANY_NODE,
    // The client is also a separate package; it is here for people who have only this one.
    exports: { "./client": { types: "./client/index.d.ts", default: "./client/index.js" } },
    bin: { [name]: bin.replace(/\.ts$/, ".js") },
    dependencies: Object.fromEntries(bundled.map((library) => [library, dependencies[library]])),
    bundleDependencies: bundled,
    optionalDependencies: pin(project.optionalDependencies),
  };
}

/** The versions that were tested; whoever installs a program does not want others. */
function pin(dependencies: Versions): Versions {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      packages[`node_modules/${name}`]?.version ?? range,
    ]),
  );
}

/** Packages that are installed beside the program, or downloaded when they are needed. */
const NOT_BUNDLED = ["node_modules/@gaubee/**", "node_modules/@duckdb/**"];

/** The files of a library that are kept whatever the code reaches. */
const NOTICES = /^(?:licen[cs]e|notice|copying)/i;

/** Copies the files of libraries that the compiled code reaches, and returns the names of those that it imports itself. */
async function bundleLibraries(folder: string, dependencies: Versions): Promise<string[]> {
  const pageFiles = PACKAGE_FILES.map(([name, file]) => join("node_modules", name, file));
  const compiled = globSync("{src,indexer,program}/**/*.js", { cwd: folder }).map((file) =>
    join(folder, file),
  );
  const { fileList } = await nodeFileTrace(compiled, { base: ".", ignore: NOT_BUNDLED });
  const files = [...fileList, ...pageFiles].filter(
    (file) => file.startsWith("node_modules/") && !file.startsWith(folder),
  );
  const packages = new Set(files.map(packageFolder));
  for (const file of files) copyInto(folder, file);
  for (const library of packages) {
    for (const name of readdirSync(library)) if (NOTICES.test(name)) copyInto(folder, join(library, name));
    writeFileSync(join(folder, library, "package.json"), toBundledManifest(library, packages));
  }
  return Object.keys(dependencies).filter((name) => packages.has(`node_modules/${name}`));
}

/** `node_modules/a/node_modules/@b/c` of a file in it. */
const packageFolder = (file: string): string => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file;

function copyInto(folder: string, path: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  cpSync(path, join(folder, path), { recursive: true, dereference: true });
}

/** Which copy of a library another one gets: the first in its own folder of modules and those around it. */
function findLibrary(name: string, from: string): string {
  const folder = join(from, "node_modules", name);
  if (existsSync(folder)) return folder;
  const around = from.lastIndexOf("/node_modules/");
  return around === -1 ? join("node_modules", name) : findLibrary(name, from.slice(0, around));
}

/** Fields by which npm would install, run or leave out something. */
const OF_AN_INSTALLATION = new Set([
  "scripts",
  "files",
  "engines",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
]);

/** The manifest of a library without what npm would install or run for it: all that it uses is there. */
function toBundledManifest(library: string, packages: ReadonlySet<string>): string {
  const manifest = JSON.parse(readFileSync(join(library, "package.json"), "utf8")) as Record<string, unknown>;
  const kept = Object.entries(manifest).filter(([field]) => !OF_AN_INSTALLATION.has(field));
  const isBundled = (name: string): boolean => packages.has(findLibrary(name, library));
  const used = Object.entries((manifest["dependencies"] ?? {}) as Versions).filter(([name]) =>
    isBundled(name),
  );
  return JSON.stringify({ ...Object.fromEntries(kept), dependencies: Object.fromEntries(used) });
}

/** What the program prints for `--version` and `--help` of each command, for a Node that cannot run the commands. */
async function writeTexts(folder: string, version: string): Promise<void> {
  const top = await readHelp("");
  const commands = [...top.matchAll(/^ {2}([a-z-]+)(?: |$)/gm)].map(([, command = ""]) => command);
  const help: Record<string, string> = { "": top };
  for (const command of commands) help[command] = await readHelp(command);
  const text = JSON.stringify({ version, help });
  const adapted = CALLS.reduce((result, [call, own]) => result.replaceAll(call, own), text);
  writeFileSync(join(folder, "program/texts.json"), adapted);
}

async function readHelp(command: string): Promise<string> {
  let text = "";
  const stdout = new Writable({
    write: (part: Buffer, _, done) => {
      text += part.toString();
      done();
    },
  });
  const argv = ["node", "hereabouts", command, "--help"].filter((word) => word !== "");
  const { env, stdin, stderr } = process;
  const ignore = (): void => {};
  await runHereabouts({ argv, env, stdin, stdout, stderr, on: ignore, off: ignore, exit: ignore });
  return text;
}

async function writePackage(folder: string): Promise<void> {
  execFileSync("tsc", ["-p", "program", "--outDir", folder], { stdio: "inherit" });
  for (const path of listFiles()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path));
  }
  cpSync("program/README.md", join(folder, "README.md"));
  mkdirSync(join(folder, "client"));
  await writeClientPackage(join(folder, "client"));
  // Its exports count for the client's own package; here those of the program do.
  rmSync(join(folder, "client/package.json"));
  const project = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  for (const path of globSync(["*.md", "{src,indexer,program,docs}/**/*.{js,md}"], { cwd: folder })) {
    const file = join(folder, path);
    const text = readFileSync(file, "utf8");
    const adapted = CALLS.reduce((result, [call, command]) => result.replaceAll(call, command), text);
    if (adapted !== text) writeFileSync(file, adapted);
  }
  await writeTexts(folder, project.version);
  const bundled = await bundleLibraries(folder, project.dependencies);
  const manifest = toManifest(project, bundled);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

const [directory = "."] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
// Here the compiled code finds the libraries.
const folder = mkdtempSync(join("node_modules", ".hereabouts-package-"));
try {
  await writePackage(folder);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", resolve(directory)], {
    cwd: folder,
    stdio: "inherit",
  });
} finally {
  rmSync(folder, { recursive: true });
}
