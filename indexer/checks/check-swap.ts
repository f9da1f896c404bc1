import { createIndexAdmin } from "../index-build/index-admin.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { findSwapProblems } from "./swap-checks.ts";
import type { RelevanceCase } from "./relevance-cases.ts";
import { toErrorText, CommandError } from "../../src/cli/errors.ts";

export interface SwapOptions {
  /** What speaks against the swap is told and then overridden. */
  readonly force?: boolean | undefined;
  /** Searches that the new index must answer. */
  readonly cases?: readonly RelevanceCase[] | undefined;
}

/**
 * Compares the finished build with the live index. Resolves to the reasons against the swap that `force` has overridden.
 * @throws {CommandError} that names all reasons against it.
 */
export async function checkSwap(
  engine: EngineAddress,
  { force, cases = [] }: SwapOptions,
): Promise<string[]> {
  const admin = createIndexAdmin(engine);
  try {
    const problems = await findSwapProblems(admin, { cases }).catch((error: unknown) => [
      `it could not be compared with the live index: ${toErrorText(error)}`,
    ]);
    if (problems.length > 0 && !force) throw refusal(problems);
    return problems;
  } finally {
    await admin.close();
  }
}

const refusal = (problems: readonly string[]): CommandError =>
  new CommandError(
    `The new index does not go live:\n${toList(problems)}\n` +
      "Is it the right file, and all of it? The report says what was left out. --force lets it go live all the same.",
  );

/** One line for each, indented. */
export const toList = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join("\n");
