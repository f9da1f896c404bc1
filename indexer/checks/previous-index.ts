import type { IndexAdmin } from "../../src/place-index/index-admin.ts";
import { ImportError } from "../import-error.ts";
import { formatChecks } from "./check-result.ts";
import { checkIndexHealth } from "./index-checks.ts";

/**
 * Looks whether the previous index may go live. Resolves to the failed checks that `force` has overridden.
 * @throws {ImportError} when there is none, or a check of it fails.
 */
export async function checkPreviousIndex(admin: IndexAdmin, force: boolean): Promise<string[]> {
  if (!(await admin.readIndex("previous")))
    throw new ImportError("There is no previous index to roll back to. The live index is untouched.");
  const results = await checkIndexHealth(admin, "previous");
  const failed = results.filter(({ state }) => state === "problem").map((result) => formatChecks([result]));
  if (failed.length === 0 || force) return failed;
  throw new ImportError(
    `The previous index is not fit to go live:\n${failed.join("\n")}\nThe live index is untouched. --force rolls back all the same.`,
  );
}
