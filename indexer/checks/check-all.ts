import type { OpenedIndexes } from "../session/engines.ts";
import { type CheckResult, ok, problem, runCheck } from "./check-result.ts";
import { checkIndexHealth } from "./check-live-index.ts";
import { tellFailedCases } from "./check-swap.ts";
import { createProbe } from "./probe.ts";
import { findFailedCases, type RelevanceCase } from "./relevance-cases.ts";
import {
  checkAge,
  checkDisk,
  checkDivided,
  checkEngine,
  checkLeftOvers,
  checkPrevious,
  checkRedis,
} from "./surroundings.ts";

/**
 * Checks the live index and everything it depends on. Without an engine, only what can be checked without
 * one.
 */
export async function checkAll(
  { admin, redisUrl, localDataDir }: OpenedIndexes,
  cases: readonly RelevanceCase[],
): Promise<CheckResult[]> {
  const now = Date.now();
  const { result: engine, summary } = await checkEngine(admin);
  const redis = await checkRedis(redisUrl);
  if (!summary) return [engine, redis];
  const index = await checkIndexHealth(admin, "live");
  const isAnswering = index.some(({ name }) => name === "search");
  return [
    engine,
    ...(admin.engines.length > 1 ? await checkDivided(admin) : []),
    ...index,
    ...(isAnswering && cases.length > 0 ? [await checkCases(admin, cases)] : []),
    ...(isAnswering ? [await checkAge(admin, redisUrl, now)] : []),
    await checkPrevious(admin),
    await checkLeftOvers(admin, now),
    redis,
    ...(localDataDir === undefined ? [] : [await checkDisk(localDataDir, summary.databaseBytes)]),
  ];
}

const checkCases = (admin: OpenedIndexes["admin"], cases: readonly RelevanceCase[]): Promise<CheckResult> =>
  runCheck("cases", async () => {
    const probe = await createProbe(await admin.openPlaceIndex("live"));
    try {
      const [failed] = tellFailedCases(cases, await findFailedCases(cases, probe));
      return failed === undefined
        ? ok(`all ${cases.length} find the expected places`)
        : problem(failed, "Check the results; fix the data or the case.");
    } finally {
      await probe.close();
    }
  });
