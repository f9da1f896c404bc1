// Packs the program with everything it needs as the npm package hereabouts: npm run -s pack -- DIR
// Node runs no TypeScript inside of node_modules, so the code is compiled, file by file: data stays beside the code that reads it.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { writeClientPackage } from "./client-package.ts";

/** What the package has beside its code: data, the pages under /docs, and what npm shows. */
const listFiles = (): string[] => [
  ...globSync("{src,indexer}/**/*.*").filter((path) => extname(path) !== ".ts"),
  ...globSync([
    // The map page and its client go to browsers, which get them without their types.
    "src/{client,playground}/*.ts",
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
}

type Versions = Readonly<Record<string, string>>;

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

/** What npm needs to know of the package: nothing of its development. */
function toManifest({ bin, ...project }: Manifest): object {
  const { name, version, description, license, type, engines } = project;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    // The client is also a separate package; it is here for people who have only this one.
    exports: { "./client": { types: "./client/index.d.ts", default: "./client/index.js" } },
    bin: { [name]: bin.replace(/\.ts$/, ".js") },
    dependencies: pin(project.dependencies),
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

async function writePackage(folder: string): Promise<void> {
  execFileSync("tsc", ["-p", "program", "--outDir", folder], { stdio: "inherit" });
  for (const path of listFiles()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path));
  }
  cpSync("program/README.md", join(folder, "README.md"));
  mkdirSync(join(folder, "client"));
  await writeClientPackage(join(folder, "client"));
  for (const path of globSync("**/*.{js,md}", { cwd: folder })) {
    const file = join(folder, path);
    const text = readFileSync(file, "utf8");
    const adapted = CALLS.reduce((result, [call, command]) => result.replaceAll(call, command), text);
    if (adapted !== text) writeFileSync(file, adapted);
  }
  const project = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(toManifest(project), undefined, 2)}\n`);
}

const [directory = "."] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "hereabouts-package-"));
await writePackage(folder);
execFileSync("npm", ["pack", "--silent", "--pack-destination", resolve(directory)], {
  cwd: folder,
  stdio: "inherit",
});
rmSync(folder, { recursive: true });
