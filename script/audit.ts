import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { execFile } from "node:child_process";

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** As the package says it: an SPDX expression, or, in old ones, something else. */
  readonly licence: string | undefined;
}

/** Every package below a folder of modules, those inside of others too. */
export function readInstalledPackages(modules: string): InstalledPackage[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (entry.name.startsWith(".") || !entry.isDirectory()) return [];
    if (entry.name.startsWith("@")) return readInstalledPackages(path);
    return [...readPackage(path), ...readInstalledPackages(join(path, "node_modules"))];
  });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}

function readPackage(folder: string): InstalledPackage[] {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  return [{ name: manifest.name, version: manifest.version, licence: readLicence(manifest) }];
}

/** The field was an object, or a list of them to choose from, before it was a text. */
function readLicence({ license, licenses }: Manifest): string | undefined {
  if (typeof license === "string") return license;
  if (license?.type !== undefined) return license.type;
  const types = licenses?.flatMap(({ type }) => type ?? []) ?? [];
  return types.length === 0 ? undefined : `(${types.join(" OR ")})`;
}

/** Licences of any package, with what they ask of somebody who passes the service on. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ["MIT", "keep the notice"],
  ["ISC", "keep the notice"],
  ["BSD-2-Clause", "keep the notice"],
  ["BSD-3-Clause", "keep the notice"],
  ["Apache-2.0", "keep the notice, say what was changed"],
  ["BlueOak-1.0.0", "keep the notice"],
  ["0BSD", "nothing"],
  ["Unlicense", "nothing"],
  ["CC0-1.0", "nothing"],
  ["PSF-2.0", "keep the notice"],
  ["Python-2.0", "keep the notice"],
  ["MPL-2.0", "publish changes to its own files; we make none"],
]);

/** Packages with an unusual licence that was reviewed. */
const ALLOWED_FOR: ReadonlyMap<string, { readonly licence: string; readonly reason: string }> = new Map([
  ["opening_hours", { licence: "LGPL-3.0-only", reason: "used unchanged as a library, in the indexer only" }],
  ["date-holidays", { licence: "CC-BY-3.0", reason: "the data of holidays; attributed in its own files" }],
  ["suncalc", { licence: "none stated", reason: "BSD-2-Clause by the LICENSE file that it carries" }],
]);

/** One line for each package with a licence that is not allowed. */
export function findLicenceProblems(packages: readonly InstalledPackage[]): string[] {
  return packages
    .filter((installed) => !isAllowed(installed))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence ?? "no licence stated"}`);
}

function isAllowed({ name, licence = "none stated" }: InstalledPackage): boolean {
  const own = ALLOWED_FOR.get(name)?.licence;
  return evaluate(licence, (single) => ALLOWED.has(single) || single === own);
}

/**
 * Whether an SPDX expression holds, which is names with AND, OR and parentheses. What is not such an expression counts as one name.
 * Parentheses are resolved from the inside: `(MIT OR GPL-2.0) AND ISC` to `true AND ISC`.
 */
function evaluate(expression: string, isAllowedName: (name: string) => boolean): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner !== null) {
    const value = String(evaluate(inner[1] ?? "", isAllowedName));
    return evaluate(expression.replace(inner[0], value), isAllowedName);
  }
  // AND binds more tightly than OR.
  return expression
    .split(" OR ")
    .some((part) => part.split(" AND ").every((name) => isTrue(name.trim(), isAllowedName)));
}

const isTrue = (name: string, isAllowedName: (name: string) => boolean): boolean =>
  name === "true" || (name !== "false" && isAllowedName(name));

export type Advisories = { readonly found: readonly string[] } | { readonly skipped: string };

/** A registry that is slower than this counts as none. */
const TIMEOUT_MS = 60_000;

/** Asks npm for known vulnerabilities of what the server and the indexer run with. */
export function readAdvisories(): Promise<Advisories> {
  const args = ["audit", "--omit=dev", "--json"];
  return new Promise((resolve) => {
    // It ends with 1 when it has found something, or could not look: what it printed tells which.
    execFile("npm", args, { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
      resolve(readReport(stdout)),
    );
  });
}

interface Report {
  readonly auditReportVersion?: number;
  readonly message?: string;
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range?: string; readonly via?: readonly unknown[] }>
  >;
}

const SERIOUS = new Set(["high", "critical"]);

/** What `npm audit --json` has printed. Without a report it could not look, which is no finding. */
export function readReport(printed: string): Advisories {
  const report = parseReport(printed);
  if (report?.auditReportVersion === undefined || report.vulnerabilities === undefined)
    return { skipped: "the registry gives no advisories here" };
  const found = Object.entries(report.vulnerabilities)
    .filter(([, { severity }]) => SERIOUS.has(severity))
    .map(([name, { severity, range = "", via = [] }]) => `${name} ${range} (${severity}): ${describe(via)}`);
  return { found };
}

function parseReport(printed: string): Report | undefined {
  try {
    return JSON.parse(printed) as Report;
  } catch {
    return undefined;
  }
}

/** Either an advisory or the name of the package that has one. */
const describe = (via: readonly unknown[]): string =>
  via
    .map((one) => (typeof one === "string" ? `through ${one}` : String((one as { title?: string }).title)))
    .join("; ");

/** Checks what is installed: its licences, always, and known vulnerabilities of what the server runs, when the registry tells of them. */
async function main(): Promise<void> {
  const packages = readInstalledPackages("node_modules");
  const problems = findLicenceProblems(packages);
  say(
    `licences: ${packages.length} packages, ${problems.length} with a licence that is not allowed`,
    problems,
  );

  const advisories = await readAdvisories();
  if ("skipped" in advisories) say(`advisories: skipped: ${advisories.skipped}`);
  else say(`advisories: ${advisories.found.length} high or critical`, advisories.found);

  const hasFailed = problems.length > 0 || ("found" in advisories && advisories.found.length > 0);
  process.exitCode = hasFailed ? 1 : 0;
}

function say(line: string, details: readonly string[] = []): void {
  process.stdout.write([line, ...details.map((detail) => `  ${detail}`), ""].join("\n"));
}

if (import.meta.main) await main();
