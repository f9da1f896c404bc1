import { toErrorText } from "../../src/cli/errors.ts";

/** The result of one check. */
export interface CheckResult {
  readonly name: string;
  /** A warning deserves attention but does not fail the command. */
  readonly state: "ok" | "warning" | "problem";
  /** The finding, in words. */
  readonly detail: string;
  /** What to do about it; `undefined` when all is well. */
  readonly hint?: string;
}

type Finding = Omit<CheckResult, "name">;

export const ok = (detail: string): Finding => ({ state: "ok", detail });
export const warning = (detail: string, hint: string): Finding => ({ state: "warning", detail, hint });
export const problem = (detail: string, hint: string): Finding => ({ state: "problem", detail, hint });

/** Runs one check. An error that it throws counts as a problem. */
export async function runCheck(name: string, look: () => Promise<Finding> | Finding): Promise<CheckResult> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return { name, ...problem(toErrorText(error), "Check the engine's log.") };
  }
}

const NAME_WIDTH = 10;
const STATE_WIDTH = 8;

/** Formats each check as one line, followed by a line for its hint. */
export function formatChecks(checks: readonly CheckResult[]): string {
  return checks
    .flatMap(({ name, state, detail, hint }) => [
      `${state.padEnd(STATE_WIDTH)}${name.padEnd(NAME_WIDTH)} ${detail}`,
      ...(hint === undefined ? [] : [`${" ".repeat(STATE_WIDTH + NAME_WIDTH)} → ${hint}`]),
    ])
    .join("\n");
}
