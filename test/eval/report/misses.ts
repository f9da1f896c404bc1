import { distanceMeters } from "../../../src/place/coordinates.ts";
import type { Kind } from "../cases/case.ts";
import type { KindResult } from "../evaluate.ts";
import type { Gazetteer } from "../gazetteer.ts";
import type { Outcome } from "../score.ts";

/** As many places of an answer as are worth reading. */
const SHOWN = 4;

const isJudgedByShare = (kind: Kind): boolean => kind.startsWith("category");

/** An answer that could be better: another place first, or fewer of a category than there are. */
export function isMiss({ asked, rank, share }: Outcome): boolean {
  return isJudgedByShare(asked.kind) ? (share ?? 0) < 1 : rank !== 1;
}

/** The worst first. */
const badness = ({ rank, share }: Outcome): number => (share ?? 1) + (rank === undefined ? 0 : 1 / rank);

/** Up to `count` answers of every row that are not as they should be, each with what came and what should have. */
export function formatMisses(results: readonly KindResult[], gazetteer: Gazetteer, count: number): string {
  return results
    .map((result) => {
      const misses = result.outcomes.filter(isMiss);
      const shown = misses.toSorted((a, b) => badness(a) - badness(b)).slice(0, count);
      const title = `${result.kind}${result.typed === undefined ? "" : ` ${result.typed}`}`;
      return [
        `== ${title}: ${misses.length} of ${result.cases} missed`,
        ...shown.map((outcome) => formatMiss(outcome, gazetteer)),
      ].join("\n");
    })
    .join("\n");
}

function formatMiss({ asked, answer, rank, share }: Outcome, gazetteer: Gazetteer): string {
  const { latitude, longitude } = asked.centre;
  const tell = (dataId: string): string => {
    const place = gazetteer.byDataId.get(dataId);
    if (!place) return `${dataId} (not in the gazetteer)`;
    const kilometers = distanceMeters(asked.centre, place.location) / 1000;
    return `${place.title} [${place.type}${place.street === "" ? "" : `, ${place.street}`}] ${kilometers.toFixed(2)} km`;
  };
  const wanted = asked.expected.types?.slice(0, 3).join(" or ") ?? tell(asked.expected.dataIds[0] ?? "");
  const score =
    share === undefined ? `rank ${rank ?? "–"}` : `rank ${rank ?? "–"}, share ${share.toFixed(2)}`;
  return [
    `"${asked.query}" at ${latitude},${longitude}: ${score}`,
    `    wanted ${wanted}`,
    ...answer.slice(0, SHOWN).map((dataId, place) => `    ${place + 1}. ${tell(dataId)}`),
  ].join("\n");
}
