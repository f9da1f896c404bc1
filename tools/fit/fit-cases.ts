import { join } from "node:path";
import type { PlaceCandidate } from "../../src/meilisearch/place-index.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { createRandom } from "../../test/support/random.ts";
import type { EvalCase, Kind } from "../eval/cases.ts";
import { TOP as TOP_OF_CATEGORY } from "../eval/category-cases.ts";
import type { Dataset } from "../eval/dataset.ts";
import { makeCases } from "../eval/make-cases.ts";
import { scoreAnswer } from "../eval/score.ts";
import {
  CALLER,
  TOP as TOP_OF_SENTENCE,
  isRightPlace,
  readSentences,
  wantedPlaces,
} from "../eval/sentences.ts";
import { type Part, halfOf } from "../eval/wording.ts";
import type { Judged } from "./fit-weights.ts";

/** Cases are told apart by what they ask for. Each group counts alike, and in it each kind. */
const KINDS_OF_GROUPS = {
  names: ["exact", "no-marks", "joined", "swapped", "far", "short-form", "joined-short", "english-name"],
  "names typed otherwise": ["typo-1", "typo-2", "word-missing", "first-60", "house-name"],
  chains: ["chain", "branch", "branch-kind"],
  addresses: ["address", "street-ward", "kind-street", "address-form"],
  areas: ["area-name", "area-chain", "area-kind"],
  kinds: ["category", "phrase", "wish"],
  dishes: ["dish"],
  sentences: [],
} as const satisfies Record<string, readonly Kind[]>;

export type Group = keyof typeof KINDS_OF_GROUPS;
export const GROUPS = Object.keys(KINDS_OF_GROUPS) as Group[];

/** A query, and how its response is judged. */
export interface FitCase {
  readonly group: Group;
  readonly kind: string;
  /** Weights are fitted to the tuning part, and must also be right for the other. */
  readonly part: Part;
  readonly query: string;
  readonly centre: Coordinates;
  readonly judged: Judged;
  readonly isRight: (place: PlaceCandidate) => boolean;
}

interface CaseOptions {
  readonly seed: number;
  /** How many cases of each kind. */
  readonly count: number;
  readonly dataset: Dataset;
}

/** The cases of `eval`, judged as it judges them. */
export function makeFitCases({ seed, count, dataset }: CaseOptions): FitCase[] {
  const byIdentity = new Map(dataset.places.map((place) => [dataIdIdentity(place.dataId), place.dataId]));
  return GROUPS.flatMap((group) =>
    KINDS_OF_GROUPS[group].flatMap((kind) => {
      // Phrases have many forms, and a few cases of each.
      const all = makeCases(dataset, { kinds: [kind], seed, count });
      const some = createRandom(`some ${kind} ${seed}`).shuffle(all).slice(0, count);
      return some.map((asked): FitCase => {
        const { query, centre, part, expected } = asked;
        const isRight = ({ id }: PlaceCandidate): boolean => {
          const dataId = byIdentity.get(id);
          return dataId !== undefined && scoreAnswer(asked, [dataId], dataset).rank === 1;
        };
        return {
          group,
          kind,
          part: part ?? halfOf(expected.name ?? query),
          query,
          centre,
          judged: judgedBy(asked),
          isRight,
        };
      });
    }),
  );
}

function judgedBy({ expected: { wanted, types } }: EvalCase): Judged {
  if (wanted) return { first: wanted.count, wanted: wanted.count };
  return types ? { first: TOP_OF_CATEGORY, wanted: TOP_OF_CATEGORY } : "rank";
}

/** The sentences of a folder of data, asked in Ho Chi Minh City. */
export const sentenceCases = (folder: string): FitCase[] =>
  readSentences(join(folder, "sentences/dev.tsv")).map((sentence) => ({
    group: "sentences",
    kind: "sentence",
    part: halfOf(sentence.id),
    query: sentence.query,
    centre: CALLER,
    judged: { first: TOP_OF_SENTENCE, wanted: wantedPlaces(sentence) },
    isRight: (place) => isRightPlace(sentence, place, CALLER),
  }));
