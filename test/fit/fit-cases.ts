import { hash } from "node:crypto";
import { join } from "node:path";
import { type Kind, centreNear } from "../eval/cases.ts";
import type { Dataset } from "../eval/dataset.ts";
import { makeCases } from "../eval/make-cases.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { Coordinates } from "../../src/place/coordinates.ts";
import type { PlaceCandidate } from "../../src/meilisearch/place-index.ts";
import { createRandom, type Random } from "../support/random.ts";
import { chainsWithBranches, labelsOf, labelsOfChain, type Label } from "./labels.ts";
import { judgeSentence, readSentences, SENTENCE_CALLER } from "./sentences.ts";

/** Cases are told apart by what they ask for. Each group counts alike, however many cases it has. */
export const GROUPS = ["names", "chains", "kinds", "sentences"] as const;
export type Group = (typeof GROUPS)[number];

/** Weights are fitted to one part, and must also be right for the other. */
export type Part = "tuned" | "aside";

/** A query with what each of the places found is. */
export interface FitCase {
  readonly group: Group;
  readonly kind: string;
  readonly part: Part;
  /** A number made from what is asked: it decides the part and the fold. */
  readonly draw: number;
  readonly query: string;
  readonly centre: Coordinates;
  /** How many of the first three must be right. */
  readonly wanted: number;
  readonly label: (place: PlaceCandidate) => Label;
}

/** Names as people type them. Suggestions and abbreviations are other rankings and other words. */
const NAME_KINDS: readonly Kind[] = [
  "exact",
  "no-marks",
  "joined",
  "swapped",
  "word-missing",
  "typo-1",
  "typo-2",
  "first-60",
  "far",
];
/** Phrases have some twenty forms, each of which gets so many cases. */
const PHRASE_SHARE = 1 / 10;

export interface CaseOptions {
  readonly seed: number;
  readonly count: number;
  /** A city that no weight is fitted to. */
  readonly isAside: boolean;
  readonly dataset: Dataset;
}

type Made = Omit<FitCase, "part" | "draw">;

/** The cases of names, chains and kinds that a dataset has. */
export function makeFitCases({ seed, count, isAside, dataset }: CaseOptions): FitCase[] {
  const byIdentity = new Map(dataset.places.map((place) => [dataIdIdentity(place.dataId), place]));
  const toCases = (group: Group, kinds: readonly Kind[], most: number): Made[] =>
    makeCases(dataset, { kinds, seed, count: most }).map((asked) => {
      const label = labelsOf(asked, dataset);
      return {
        group,
        kind: asked.kind,
        query: asked.query,
        centre: asked.centre,
        wanted: group === "kinds" ? 2 : 1,
        label: ({ id }) => labelIn(byIdentity, id, label),
      };
    });
  return [
    ...toCases("names", NAME_KINDS, count),
    ...makeChainCases(dataset, createRandom(`chains ${seed}`), 2 * count).map(
      ({ label, ...made }): Made => ({ ...made, label: ({ id }) => labelIn(byIdentity, id, label) }),
    ),
    ...toCases("kinds", ["category"], count),
    ...toCases("kinds", ["phrase"], Math.ceil(count * PHRASE_SHARE)),
  ].map((made) => {
    const draw = drawOf(`${made.kind} ${made.query} ${made.centre.latitude} ${made.centre.longitude}`);
    return { ...made, draw, part: isAside ? "aside" : partOf(draw) };
  });
}

function labelIn<Place>(
  byIdentity: ReadonlyMap<string, Place>,
  id: string,
  label: (place: Place) => Label,
): Label {
  const place = byIdentity.get(id);
  return place && label(place);
}

/** Callers in town ask for chains whose branches have names that go on, each chain as often as the others. */
function makeChainCases(dataset: Dataset, random: Random, count: number) {
  const chains = random.shuffle(chainsWithBranches(dataset));
  return Array.from({ length: Math.min(count, MOST_OF_CHAIN * chains.length) }, (_, number) => {
    const chain = chains[number % chains.length]!;
    const centre = centreNear(random.pick(chain.branches).location, random);
    return {
      group: "chains" as const,
      kind: "chain",
      query: chain.title,
      centre,
      wanted: 1,
      label: labelsOfChain(chain, centre),
    };
  });
}

/** More callers of one chain repeat each other. */
const MOST_OF_CHAIN = 8;

/** The sentences of a folder of data, asked in Ho Chi Minh City. */
export const sentenceCases = (folder: string): FitCase[] =>
  readSentences(join(folder, "sentences/dev.tsv")).map((sentence) => {
    const draw = drawOf(sentence.query);
    return {
      group: "sentences",
      kind: sentence.set,
      part: partOf(draw),
      draw,
      query: sentence.query,
      centre: SENTENCE_CALLER,
      wanted: sentence.isOnePlace ? 1 : 2,
      label: (place) => judgeSentence(sentence, place),
    };
  });

const drawOf = (text: string): number => Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16);

/** Every other case, whichever others there are. */
const partOf = (draw: number): Part => (draw % 2 === 0 ? "tuned" : "aside");
