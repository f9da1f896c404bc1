import { readAdvisories } from "./advisories.ts";
import { findLicenceProblems } from "./licences.ts";
import { readInstalledPackages } from "./installed-packages.ts";

/** Checks what is installed: its licences, always, and known vulnerabilities of what the server runs, when the registry tells of them. */
async function main(): Promise<void> {
  const packages = readInstalledPackages("node_modules");
  const problems = findLicenceProblems(packages);
  say(
    `licences: ${packages.length} packages, ${problems.length} with a licence that nobody has allowed`,
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

await main();
