import { joinWords } from "../../../src/place/text/fold.ts";
import { byDistance, hasTellingName, type Gazetteer, type TruePlace } from "../gazetteer.ts";
import type { Random } from "../random.ts";
import type { EvalCase } from "./case.ts";
import { centreNear } from "./centre.ts";
import { nearestOf } from "./name-cases.ts";

/** With fewer places it is a name that happens to be borne twice. */
export const MIN_BRANCHES = 5;
export const TOP_BRANCHES = 5;

/** Every name of five places or more, over and over until there are `count`, each time from another centre. */
export function makeChainCases(gazetteer: Gazetteer, random: Random, count: number): EvalCase[] {
  const chains = random.shuffle(chainsOf(gazetteer));
  if (chains.length === 0) return [];
  return Array.from({ length: count }, (_, number) => {
    const [speaker, ...others] = chains[number % chains.length]!;
    const branches = [speaker!, ...others];
    const centre = centreNear(random.pick(branches).location, random);
    const bearers = gazetteer.bearersOf(joinWords(speaker!.folded));
    const nearestFive = byDistance(bearers, centre)
      .slice(0, TOP_BRANCHES)
      .map(({ place }) => place.dataId);
    const dataIds = nearestOf(bearers, centre);
    return {
      kind: "chain",
      query: speaker!.title,
      centre,
      expected: { dataIds, name: speaker!.folded, isChain: true, nearestFive },
    };
  });
}

/** The places of each title that is borne often enough; all of them also when they are known by it as an other name only. */
function chainsOf(gazetteer: Gazetteer): TruePlace[][] {
  const byTitle = Map.groupBy(gazetteer.places.filter(hasTellingName), ({ folded }) => joinWords(folded));
  return [...byTitle]
    .filter(([name]) => gazetteer.bearersOf(name).length >= MIN_BRANCHES)
    .map(([, found]) => found);
}
