import { statfs } from "node:fs/promises";
import type { EngineSummary } from "../index/index-summary.ts";
import type { IndexAdmin, PartitionState } from "../index/index-admin.ts";
import { MAX_AGE_DAYS } from "../../src/place/time/freshness.ts";
import { isRedisUp } from "../../src/redis/connection.ts";
import { formatAge, formatBytes, formatCount } from "../../src/cli/format.ts";
import { readChecked, withRedis } from "../session/engines.ts";
import { ok, problem, runCheck, warning, type CheckResult } from "./check-result.ts";
import { MS_PER_DAY } from "../../src/place/time/time-units.ts";

/** The engine version that the tests use. An older one may lack what a build needs. */
const TESTED_VERSION = [1, 21] as const;

/** An active build writes every few seconds, but the engine may take minutes for one batch. */
const IDLE_BUILD_MS = 15 * 60_000;

/**
 * An import builds beside the live index and sorts on disk meanwhile. It needs about twice the space of the
 * index.
 */
const FREE_FOR_IMPORT = 2;

/** With less than this, the engine cannot write even the little that it writes between imports. */
const MIN_FREE_BYTES = 200_000_000;

/** Checks the engine. The summary is `undefined` when the engine did not respond. */
export async function checkEngine(
  admin: IndexAdmin,
): Promise<{ readonly result: CheckResult; readonly summary: EngineSummary | undefined }> {
  let summary: EngineSummary | undefined;
  const result = await runCheck("engine", async () => {
    summary = await admin.readEngine().catch((error: unknown) => {
      throw new Error("Meilisearch does not answer, or does not take the key", { cause: error });
    });
    const { version, databaseBytes } = summary;
    return isOlder(version)
      ? warning(
          `Meilisearch ${version}`,
          `This program is tested with ${TESTED_VERSION.join(".")}: an older one may reject its requests.`,
        )
      : ok(`Meilisearch ${version}, ${formatBytes(databaseBytes)} on disk`);
  });
  const hint = "Check that it runs, and that MEILISEARCH_URL and MEILISEARCH_KEY are correct.";
  return { result: summary ? result : { ...result, hint }, summary };
}

/** A partition that has this many times its share of the places makes its engines the slowest. */
const MAX_SHARE = 2;

/** Below, a partition may have any share. */
const MIN_PLACES_PER_PARTITION = 1_000;

/** Checks the engines and the partitions of an index that is divided among several. */
export async function checkDivided(admin: IndexAdmin): Promise<CheckResult[]> {
  const engines = await admin.readEngines();
  const judge = async (how: (partitions: readonly PartitionState[]) => ReturnType<typeof ok>) => {
    const partitions = await admin.readPartitions("live");
    return partitions ? how(partitions) : ok("there is no live index");
  };
  return [
    ...engines.flatMap(({ name, url, summary }) =>
      summary
        ? []
        : [
            {
              name: "engine",
              ...warning(
                `${name} (${url}) does not respond`,
                "Start it; then bring its replicas up to date: index replicas.",
              ),
            },
          ],
    ),
    await runCheck("replicas", () => judge(judgeReplicas)),
    await runCheck("balance", () => judge(judgeBalance)),
  ];
}

function judgeReplicas(partitions: readonly PartitionState[]) {
  const lost = partitions.filter(({ replicas }) => !replicas.some(({ state }) => state === "current"));
  if (lost.length > 0) {
    const numbers = lost.map(({ partition }) => partition).join(", ");
    return problem(
      `no engine has partition ${numbers} with all changes`,
      "Searches there fail. Start the engines that hold it, or import again.",
    );
  }
  const others = partitions.flatMap(({ partition, replicas }) =>
    replicas.flatMap(({ engine, state }) =>
      state === "current" ? [] : [`partition ${partition} on ${engine} is ${state}`],
    ),
  );
  return others.length === 0
    ? ok(`all replicas of ${formatCount(partitions.length)} partitions have all changes`)
    : warning(others.join("; "), "Bring them up to date: index replicas.");
}

function judgeBalance(partitions: readonly PartitionState[]) {
  const counts = partitions.map(({ places = 0 }) => places);
  const most = Math.max(0, ...counts);
  const mean = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
  const told = `the largest partition has ${formatCount(most)} places, ${formatCount(Math.round(mean))} on average`;
  return most > MAX_SHARE * mean && most > MIN_PLACES_PER_PARTITION
    ? warning(told, "Import again: the borders are cut by where the places of the index are now.")
    : ok(told);
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [testedMajor, testedMinor] = TESTED_VERSION;
  return major < testedMajor || (major === testedMajor && minor < testedMinor);
}

/** Checks the age of the data in the live index, unless it was compared with its sources since. `now` is in milliseconds since 1970. */
export const checkAge = (
  admin: IndexAdmin,
  redisUrl: string | undefined,
  now: number,
): Promise<CheckResult> =>
  runCheck("age", async () => {
    const builtAt = (await admin.readIndex("live"))?.builtAt;
    if (builtAt === undefined) return warning("there is no live index", "Import places.");
    const checkedAt = await readChecked(redisUrl, builtAt);
    const ageMs = now - Date.parse(checkedAt);
    const checked = checkedAt === builtAt ? "" : `, the same as its sources ${formatAge(ageMs)}`;
    const told = `built ${formatAge(now - Date.parse(builtAt))}${checked}`;
    return ageMs <= MAX_AGE_DAYS * MS_PER_DAY
      ? ok(told)
      : warning(told, "Shops open and close: is the job that imports still running?");
  });

/** Checks whether there is a previous index to roll back to. */
export const checkPrevious = (admin: IndexAdmin): Promise<CheckResult> =>
  runCheck("previous", async () => {
    const previous = await admin.readIndex("previous");
    if (!previous) return warning("there is none to roll back to", "The next import leaves one.");
    const { places, isReadable } = previous;
    return isReadable && places > 0
      ? ok(`${formatCount(places)} places to roll back to`)
      : warning(
          "it is empty or has another version: a rollback would fail",
          "The next import leaves a new one.",
        );
  });

/** Checks for an unfinished index that a build left behind. */
export const checkLeftOvers = (admin: IndexAdmin, now: number): Promise<CheckResult> =>
  runCheck("rebuild", async () => {
    const next = await admin.readIndex("next");
    if (!next) return ok("none running");
    const idleMs = now - Date.parse(next.updatedAt);
    const told = `${formatCount(next.places)} places so far, last written ${formatAge(idleMs)}`;
    return idleMs < IDLE_BUILD_MS
      ? ok(`running: ${told}`)
      : warning(
          told,
          "An import was killed, it seems. The next one makes use of what is left or removes it.",
        );
  });

/** Checks the Redis behind the rate limits. */
export const checkRedis = (url: string | undefined): Promise<CheckResult> =>
  runCheck("redis", async () => {
    if (url === undefined)
      return warning(
        "there is none",
        "Each server process counts its own rate limits, and runs are not stored. Set REDIS_URL, or install redis-server.",
      );
    const isUp = await withRedis(url, isRedisUp).catch(() => false);
    return isUp
      ? ok("it responds")
      : problem(
          "it does not respond",
          "Check that it runs, and that REDIS_URL and its password are correct.",
        );
  });

/** Checks the free disk space of an engine that this program runs. */
export const checkDisk = (dataDir: string, databaseBytes: number): Promise<CheckResult> =>
  runCheck("disk", async () => {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const told = `${formatBytes(free)} free where DATA_DIR is`;
    if (free < MIN_FREE_BYTES)
      return problem(told, "Free some space: the engine stops writing when the disk is full.");
    return free >= FREE_FOR_IMPORT * databaseBytes
      ? ok(told)
      : warning(
          `${told}, the engine has ${formatBytes(databaseBytes)}`,
          "An import needs about twice that for a while: make room before the next one.",
        );
  });
