import { openLine, type Reply, type Request } from "./ask.ts";
import type { Caller } from "./callers.ts";
import type { System } from "./system.ts";
import type { World } from "./world.ts";

/** Callers that would take everything for themselves, and the rule that they must not: one normal caller is served next to them. */

/** Nine words of an address, one of them mistyped. No place has them all, so a search goes through every round. */
const HEAVY_QUERY = "quan ca phe nguyen trai phuong ben thanh quann";

const EVERYTHING =
  "&limit=50&offset=200&type=full&include=distance,periods,explain,match,total,freshness,busyness,photo";

/** A centre that no request had before, so that no cache has the result. */
export const somewhere = (): string =>
  `&lat=${(10.7 + Math.random() / 10).toFixed(6)}&lng=${(106.6 + Math.random() / 10).toFixed(6)}`;

/** The dearest requests known (`npm run -s fuzz -- --expensive`), and those that were so before they were bounded. */
const HEAVY_REQUESTS = [
  `/api/maps/search?q=${encodeURIComponent(HEAVY_QUERY)}&radius=50000`,
  `/api/maps/search?q=${encodeURIComponent(HEAVY_QUERY)}`,
  `/api/maps/search?q=${encodeURIComponent(HEAVY_QUERY)}&min_rating=1&bbox=106.6,10.7,106.8,10.9&open_at=2026-11-20T12:34:00%2B07:00`,
  "/api/maps/nearby?sort=prominence",
  "/api/maps/search?q=cafe&sort=distance&open_at=2026-11-20T12:34:00%2B07:00",
];

/** The next of the dearest requests. */
export function heavySearch(): string {
  const [request = ""] = HEAVY_REQUESTS.slice(Math.floor(Math.random() * HEAVY_REQUESTS.length));
  return `${request}${EVERYTHING}${somewhere()}`;
}

const ATTACKER_CONNECTIONS = 20;
const FLOOD_CONNECTIONS = 50;
const UNFAIR_MS = 8_000;

/** Of the normal caller's responses, this share must be 200s. */
const LEAST_SERVED = 0.99;

/** With fewer responses one refusal decides; a caller alone on an engine gets hundreds in this time. */
const LEAST_RESPONSES = 20;

/** What is wrong about the responses of a normal caller next to unfair ones, if anything. */
export function judgeServed(statuses: readonly number[]): string | undefined {
  const served = statuses.filter((status) => status === 200).length;
  if (statuses.length < LEAST_RESPONSES) return `a normal caller got only ${statuses.length} responses`;
  return served >= statuses.length * LEAST_SERVED
    ? undefined
    : `a normal caller was served ${served} of ${statuses.length} times`;
}

interface Site {
  readonly system: System;
  readonly world: World;
  readonly signal: AbortSignal;
}

interface Unfair {
  readonly connections: number;
  readonly request: (attacker: Caller) => Request;
}

/** The soak's own callers: the first tests recovery, one is the normal caller here, one the attacker. */
const pickCallers = ({ world }: Site): [Caller, Caller] => {
  const [, normal, attacker] = world.callers.filter(({ role }) => role === "own");
  if (!normal || !attacker) throw new Error("The soak has too few callers.");
  return [normal, attacker];
};

const unfair = (name: string, { connections, request }: Unfair) => ({
  name,
  kind: "load" as const,
  async run(site: Site): Promise<void> {
    const [normal, attacker] = pickCallers(site);
    const origin = site.system.servers[0]?.origin ?? "";
    const until = AbortSignal.any([site.signal, AbortSignal.timeout(UNFAIR_MS)]);
    const [many, one] = [openLine(origin, connections), openLine(origin, 1)];
    const repeat = async (send: () => Promise<Reply>, note: (reply: Reply) => void): Promise<void> => {
      while (!until.aborted) note(await send());
    };
    const statuses: number[] = [];
    const note = (reply: Reply): void => void statuses.push(reply.kind === "answer" ? reply.status : 0);
    const search = (): Request => ({
      method: "GET",
      path: `/api/maps/search?q=cafe${somewhere()}`,
      headers: { "x-api-key": normal.key, "x-forwarded-for": "198.51.100.1" },
    });
    await Promise.all([
      repeat(() => one.ask(search()), note),
      ...Array.from({ length: connections }, () =>
        repeat(
          () => many.ask(request(attacker)),
          () => {},
        ),
      ),
    ]);
    await Promise.all([many.close(), one.close()]);
    const wrong = judgeServed(statuses);
    site.world.tally.note(`responses to a normal caller during ${name}`, statuses.length);
    if (wrong !== undefined && !site.signal.aborted)
      site.world.tally.violate({ what: wrong, faults: [name] });
  },
});

/** A caller with a key who sends the dearest searches as fast as it can. */
export const attacker = unfair("attacker", {
  connections: ATTACKER_CONNECTIONS,
  request: ({ key }) => ({
    method: "GET",
    path: heavySearch(),
    headers: { "x-api-key": key, "x-forwarded-for": "198.51.100.2" },
  }),
});

/** Somebody who tries keys, from one address. */
export const invalidKeys = unfair("invalid-keys", {
  connections: FLOOD_CONNECTIONS,
  request: () => ({
    method: "GET",
    path: `/api/maps/search?q=cafe${somewhere()}`,
    headers: { "x-api-key": `hab_guess_${Math.random()}`, "x-forwarded-for": "203.0.113.2" },
  }),
});
