// What script/release does beside the tests: node script/release.ts [--check | --files] VERSION
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const FOLDER = "release";

/** Files that name the version: of the packages and of the image. */
const PAGES = [
  "README.md",
  "docs/client.md",
  "docs/guide/quick-start.md",
  "docs/kubernetes.md",
  "docs/deployment/kubernetes/one-engine/kustomization.yaml",
  "program/README.md",
];

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Whether a version comes after another; both are three numbers. */
export function isLater(version: string, than: string): boolean {
  const [next, last] = [version, than].map((text) => VERSION.exec(text)?.slice(1).map(Number));
  if (next === undefined || last === undefined) return false;
  const differs = next.findIndex((number, place) => number !== last[place]);
  return differs !== -1 && (next[differs] ?? 0) > (last[differs] ?? 0);
}

/**
 * The changelog with a date for what was unreleased, and an empty section above it.
 * @throws {Error} when nothing was unreleased.
 */
export function dateChangelog(changelog: string, version: string, date: string): string {
  const heading = /^## Unreleased.*$/m;
  if (!heading.test(changelog)) throw new Error("CHANGELOG.md has no section Unreleased.");
  const dated = changelog.replace(heading, `## Unreleased\n\n## ${version} – ${date}`);
  if (readNotes(dated, version) === "") throw new Error("CHANGELOG.md has nothing under Unreleased.");
  return dated;
}

/** What the changelog says of a version; empty when it says nothing. */
export function readNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} `)) ?? "";
  return section.split("\n").slice(1).join("\n").trim();
}

const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();

const readVersion = (): string =>
  (JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }).version;

/** @throws {Error} with what stands in the way of a release. */
function checkRelease(version: string): void {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version such as 0.2.0.`);
  if (!isLater(version, readVersion())) throw new Error(`${version} is not later than ${readVersion()}.`);
  if (git("status", "--porcelain") !== "") throw new Error("There are changes that are not committed.");
  if (git("tag", "--list", `v${version}`) !== "") throw new Error(`There is a tag v${version} already.`);
  dateChangelog(readFileSync("CHANGELOG.md", "utf8"), version, "today");
}

/** Writes the version and the date into all files that have them, commits, and tags the commit. */
function tagRelease(version: string): void {
  const last = readVersion();
  execFileSync("npm", ["version", version, "--no-git-tag-version", "--ignore-scripts"], { stdio: "ignore" });
  const date = new Date().toISOString().slice(0, 10);
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  writeFileSync("CHANGELOG.md", dateChangelog(changelog, version, date));
  for (const page of PAGES) writeFileSync(page, readFileSync(page, "utf8").replaceAll(last, version));
  git("commit", "--quiet", "--all", "--message", `Release ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `Hereabouts ${version}`);
}

/** Makes the packages as npm will publish them, and what belongs beside them. */
function writeFiles(version: string): void {
  if (readVersion() !== version) throw new Error(`package.json has ${readVersion()}, not ${version}.`);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const script of ["program-package.ts", "client-package.ts", "component-packages.ts"])
    execFileSync(process.execPath, [`script/${script}`, FOLDER], { stdio: "ignore" });
  const bill = execFileSync("npm", ["sbom", "--omit=dev", "--sbom-format=cyclonedx"], { encoding: "utf8" });
  // npm names it after the folder of the clone.
  const named = JSON.parse(bill, (key, value: unknown) =>
    key === "component" ? { ...(value as object), name: "hereabouts" } : value,
  ) as object;
  writeFileSync(join(FOLDER, `hereabouts-${version}.cdx.json`), `${JSON.stringify(named, undefined, 1)}\n`);
  const files = readdirSync(FOLDER).toSorted();
  for (const file of files.filter((name) => name.endsWith(".tgz")))
    execFileSync("npm", ["publish", "--dry-run", "--silent", `./${join(FOLDER, file)}`], {
      stdio: "inherit",
    });
  const sums = files.map((file) => `${sha256(join(FOLDER, file))}  ${file}\n`);
  writeFileSync(join(FOLDER, "SHA256SUMS"), sums.join(""));
  writeFileSync(join(FOLDER, "notes.md"), `${readNotes(readFileSync("CHANGELOG.md", "utf8"), version)}\n`);
  console.log(sums.join(""));
}

const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

function main(): void {
  const { values, positionals } = parseArgs({
    options: { check: { type: "boolean" }, files: { type: "boolean" } },
    allowPositionals: true,
  });
  const [version = ""] = positionals;
  if (!values.files) checkRelease(version);
  if (values.check) return;
  if (!values.files) tagRelease(version);
  writeFiles(version);
  if (!values.files) console.log(`v${version} is ready. To publish it: git push origin main v${version}`);
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
