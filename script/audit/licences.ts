import type { InstalledPackage } from "./installed-packages.ts";

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

/** Packages with a licence of their own that was looked at. */
const ALLOWED_FOR: ReadonlyMap<string, { readonly licence: string; readonly reason: string }> = new Map([
  ["opening_hours", { licence: "LGPL-3.0-only", reason: "used unchanged as a library, in the indexer only" }],
  ["date-holidays", { licence: "CC-BY-3.0", reason: "the data of holidays; attributed in its own files" }],
  ["suncalc", { licence: "none stated", reason: "BSD-2-Clause by the LICENSE file that it carries" }],
]);

/** One line for each package whose licence nobody has allowed. */
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
