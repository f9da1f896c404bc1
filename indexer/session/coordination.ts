import { hostname } from "node:os";
import { createChangeLog, type ChangeLog } from "../../src/redis/change-log.ts";
import type { RedisConnection } from "../../src/redis/connection.ts";
import { leaseKeys, type LeaseName } from "../../src/redis/keys.ts";
import { isLease, tryLease, waitForLease, type Lease, type LeaseHolder } from "../../src/redis/lease.ts";
import { CommandError } from "../../src/cli/errors.ts";

/** What keeps the commands that write to one index apart, and lets an import hear of the changes made meanwhile. */
export interface Coordination {
  /**
   * For a whole import or sync, of which only one may be under way. The signal that `run` gets is aborted with the given one,
   * and when the lease is lost.
   * @throws {CommandError} that says who holds it.
   */
  holdRebuild<T>(run: Held<T>, signal: AbortSignal): Promise<T>;
  /** For one batch of writing to the live index, or the swap: waiting for it is normal. */
  holdWrite<T>(run: Held<T>, signal: AbortSignal): Promise<T>;
  /** For bringing replicas up to date, while others write: a second process waits. */
  holdReplicas<T>(run: Held<T>, signal: AbortSignal): Promise<T>;
  readonly changeLog: ChangeLog;
}

/** `check` rejects when the lease was lost: the last look before something that cannot be undone. */
type Held<T> = (lease: Pick<Lease, "signal" | "check" | "isWanted">) => Promise<T>;

interface CoordinationOptions {
  readonly redis: RedisConnection;
  readonly indexPrefix: string;
  /** What this process does, for those that it keeps waiting. */
  readonly command: string;
  /** Hears what is waited for. */
  readonly say: (text: string) => void;
}

/** A wait of a batch or two is nothing to talk about. */
const QUIET_MS = 3_000;

/** Leases and a change log in Redis. */
export function createCoordination({ redis, indexPrefix, command, say }: CoordinationOptions): Coordination {
  const optionsOf = (name: LeaseName) => ({ keys: leaseKeys(indexPrefix, name), command, host: hostname() });
  const waitFor = (name: LeaseName, signal: AbortSignal): Promise<Lease> => {
    const told = new AbortController();
    const onWait = (holder: LeaseHolder): void => {
      const tell = setTimeout(() => say(`Waiting for ${describe(holder)} to finish writing.`), QUIET_MS);
      told.signal.addEventListener("abort", () => clearTimeout(tell));
    };
    return waitForLease(redis, optionsOf(name), { signal, onWait }).finally(() => told.abort());
  };
  return {
    async holdRebuild(run, signal) {
      const taken = await tryLease(redis, optionsOf("rebuild"));
      if (isLease(taken)) return hold(taken, run, signal);
      if (!hasCrashed(taken)) throw refusal(taken);
      say(`${describe(taken)} crashed: waiting until its lease expires.`);
      return hold(await waitFor("rebuild", signal), run, signal);
    },
    holdWrite: async (run, signal) => hold(await waitFor("write", signal), run, signal),
    holdReplicas: async (run, signal) => hold(await waitFor("replicas", signal), run, signal),
    changeLog: createChangeLog(redis, indexPrefix),
  };
}

async function hold<T>(lease: Lease, run: Held<T>, signal: AbortSignal): Promise<T> {
  try {
    return await run({ ...lease, signal: AbortSignal.any([signal, lease.signal]) });
  } finally {
    await lease.release();
  }
}

const describe = ({ command, pid, host, since }: LeaseHolder): string =>
  `\`${command}\` (process ${pid} on ${host}, since ${since})`;

const refusal = (holder: LeaseHolder): CommandError =>
  new CommandError(
    `${describe(holder)} is running, and only one import or sync may run on an index. Wait until it ends; ` +
      "if it crashed, its lease expires within 15 seconds.",
  );

/** Can be told of processes of this machine only. */
function hasCrashed({ host, pid }: LeaseHolder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

const nobodyElse = <T>(run: Held<T>, signal: AbortSignal): Promise<T> =>
  run({ signal, check: async () => {}, isWanted: async () => false });

/** Without a lease, for a caller who knows that no other process writes. */
export const UNCOORDINATED: Coordination = {
  holdRebuild: nobodyElse,
  holdWrite: nobodyElse,
  holdReplicas: nobodyElse,
  changeLog: {
    begin: async () => {},
    isOf: async () => true,
    note: async () => {},
    // eslint-disable-next-line no-empty-function
    async *read() {},
    end: async () => {},
  },
};
