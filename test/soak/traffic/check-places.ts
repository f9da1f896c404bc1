import { buildOf, type Build } from "../data/gazetteers.ts";
import type { Span } from "../faults/fault-log.ts";
import { readIds, type KnownQuestion } from "./corpus.ts";
import type { World } from "./world.ts";

/** Searches are kept for five seconds; what still comes from the other build after this is stale. */
const STALE_AFTER_MS = 10_000;

type Judged = Pick<World, "faults" | "live" | "tally">;

/**
 * Whether an answer may come from both sides of a swap: found in one build, read from the other, or looked for in rings of a size that
 * is the other's. A server that could not ask the engine in that time learns of the swap when it can again.
 */
function isNearSwap({ faults }: Judged, span: Span): boolean {
  const recent = faults.during({ from: span.from - STALE_AFTER_MS, to: span.to });
  const hindered = recent.filter(({ kind }) => kind === "engine" || kind === "load");
  const from = Math.min(span.from, ...hindered.map(({ startedAt }) => startedAt)) - STALE_AFTER_MS;
  return faults.during({ from, to: span.to }).some(({ kind }) => kind === "swap");
}

/** Compares an answer with what each build answers. Says what is wrong, if anything. */
export function checkKnownAnswer(
  question: KnownQuestion,
  body: unknown,
  world: Judged,
  span: Span,
): string | undefined {
  const ids = readIds(question.operation, body);
  const builds = question.operation === "search" ? readBuilds(body) : (["a", "b"] as const);
  if (builds === undefined) return "a place of neither build is in the answer";
  const { expected } = question;
  if (question.operation === "search" && builds.length > 1) return "places of both builds are in one answer";
  const isWhole = builds.some((build) => isSame(ids, expected[build]));
  if (isWhole || (ids.length === 0 && (expected.a.length === 0 || expected.b.length === 0)))
    return checkFreshness(question.operation === "search" ? builds[0] : undefined, world, span);
  if (ids.length === 0) return `nothing was found by ${question.operation} that both builds find`;
  if (isNearSwap(world, span)) return undefined;
  return `an answer of ${question.operation} is neither build's`;
}

function checkFreshness(build: Build | undefined, { live, faults }: Judged, span: Span): string | undefined {
  const isOld = build !== undefined && build !== live.build && span.from > live.since + STALE_AFTER_MS;
  if (!isOld || faults.during(span).some(({ kind }) => kind === "swap")) return undefined;
  return "an answer of the build before, long after the swap";
}

/** The builds that the places of a search come from; undefined when one comes from none. */
function readBuilds(body: unknown): Build[] | undefined {
  const { local_result: places } = body as { local_result: { contacts: { website: string } }[] };
  const builds = places.map(({ contacts }) => buildOf(contacts.website));
  return builds.includes(undefined) ? undefined : [...new Set(builds as Build[])];
}

const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.length === others.length && ids.every((id, index) => id === others[index]);

/** Checks a detail: the place that was asked for, of one of the builds. */
export function checkDetail(dataId: string, body: unknown): string | undefined {
  const { place_result: place } = body as {
    place_result: { data_id: string; contacts: { website: string } };
  };
  if (place.data_id !== dataId) return "the detail of another place";
  return buildOf(place.contacts.website) === undefined ? "the detail of a place of neither build" : undefined;
}
