import { randomBytes } from "node:crypto";
import type { System } from "../system/system.ts";

const OPERATIONS = ["search", "place", "autocomplete"] as const;
type Scope = (typeof OPERATIONS)[number];

/** Somebody who gets a key. */
export interface CallerPlan {
  readonly name: string;
  readonly perMinute: number;
  /** `greedy` asks on and on and runs into his limit; `steady` callers stay below theirs; `own` is ours, for what is no load. */
  readonly role: "steady" | "greedy" | "own";
  /** What his key is good for; all when absent. */
  readonly scopes?: readonly Scope[];
}

export interface Caller extends CallerPlan {
  readonly key: string;
}

/** All together may ask 1,000 times a second: more than two servers on one machine answer. */
const STEADY_CALLERS = 12;
const STEADY_PER_MINUTE = 5_000;

/** Small enough to be used up again and again by an eighth of the load, also on a slow machine. */
const GREEDY_PER_MINUTE = [20, 60, 120] as const;

/** The limit of the server, which is that of the key in its configuration. */
export const CONFIGURED_PER_MINUTE = 180;

const OWN_CALLERS = 3;
const OWN_PER_MINUTE = 100_000;

const steady = (name: string, scopes?: readonly Scope[]): CallerPlan => ({
  name,
  perMinute: STEADY_PER_MINUTE,
  role: "steady",
  ...(scopes && { scopes }),
});

/** Those whose keys are on Redis: most of them. */
export const ISSUED: readonly CallerPlan[] = [
  ...Array.from({ length: STEADY_CALLERS }, (_, number) => steady(`steady-${number}`)),
  steady("searcher", ["search"]),
  steady("reader", ["place", "autocomplete"]),
  ...GREEDY_PER_MINUTE.map((perMinute) => ({
    name: `greedy-${perMinute}`,
    perMinute,
    role: "greedy" as const,
  })),
  ...Array.from({ length: OWN_CALLERS }, (_, number) => ({
    name: `own-${number}`,
    perMinute: OWN_PER_MINUTE,
    role: "own" as const,
  })),
];

/** Callers with keys of the configuration; they all have the limit of the server. */
export function makeConfiguredCallers(perMinute: number, count: number): Caller[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `configured-${number}`,
    key: randomBytes(18).toString("base64url"),
    perMinute,
    role: "greedy",
  }));
}

/** So many programs at once make keys. */
const AT_ONCE = 3;

/** Makes a key on Redis for each, as an operator does. */
export async function issueCallers({ keys }: System, plans: readonly CallerPlan[]): Promise<Caller[]> {
  const callers: Caller[] = [];
  const waiting = [...plans];
  const work = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan; plan = waiting.shift())
      callers.push({ ...plan, key: await issueKey(keys, plan) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return callers.toSorted(
    (a, b) => plans.findIndex(({ name }) => name === a.name) - plans.findIndex(({ name }) => name === b.name),
  );
}

/** Resolves to a new key. */
export const issueKey = (
  keys: System["keys"],
  { name, perMinute, scopes = OPERATIONS }: Pick<CallerPlan, "name" | "perMinute" | "scopes">,
): Promise<string> =>
  keys("create", "--name", name, "--per-minute", String(perMinute), "--scopes", scopes.join(","));

/** Whether the key is good for the path; a path that is no operation wants no scope. */
export function isInScope({ scopes }: Caller, path: string): boolean {
  const operation = OPERATIONS.find((name) => path.split("?", 1)[0] === `/api/maps/${name}`);
  return operation === undefined || scopes === undefined || scopes.includes(operation);
}
