import { execFile } from "node:child_process";

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
