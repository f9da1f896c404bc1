import { hash } from "node:crypto";
import { join } from "node:path";
import { type Kind, centreNear } from "../eval/cases.ts";
import { type Dataset, hasTellingName } from "../eval/dataset.ts";
import { makeCases } from "../eval/make-cases.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import type { PlaceCandidate } from "../../src/meilisearch/place-index.ts";
import { joinWords } from "../../src/place/text/fold.ts";
import { everyOtherFolded, kindsOf } from "../eval/phrase-cases.ts";
import { fill } from "../eval/wording.ts";
import { createRandom, type Random } from "../../test/support/random.ts";
import {
  chainsWithBranches,
  labelsBeside,
  labelsOf,
  labelsOfChain,
  type Label,
  type LabelPlace,
} from "./labels.ts";
import { CALLER, isRightPlace, readSentences, wantedPlaces } from "../eval/sentences.ts";

/** Cases are told apart by what they ask for. Each group counts alike, however many cases it has. */
export const GROUPS = ["names", "chains", "kinds", "where", "sentences"] as const;
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
  "half-typed",
];
const WHERE_KINDS: readonly Kind[] = ["address", "address-form", "area-name", "area-chain", "area-kind"];
/** Kinds with so many forms, about: each form gets its share of the cases. */
const FORMS: Partial<Record<Kind, number>> = {
  phrase: 12,
  "half-typed": 9,
  "address-form": 8,
  "area-name": 10,
  "area-chain": 10,
  "area-kind": 10,
};
/** What must be right twice: one of many places of a kind is soon right by chance. */
const OF_KINDS: ReadonlySet<Kind> = new Set(["category", "phrase", "area-kind"]);

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
  const byRule = (label: LabelPlace): FitCase["label"] => {
    return ({ id }) => {
      const place = byIdentity.get(id);
      return place && label(place);
    };
  };
  const toCases = (group: Group, kinds: readonly Kind[]): Made[] =>
    kinds
      .flatMap((kind) =>
        makeCases(dataset, { kinds: [kind], seed, count: Math.ceil(count / (FORMS[kind] ?? 1)) }),
      )
      .map((asked) => ({
        group,
        kind: asked.kind,
        query: asked.query,
        centre: asked.centre,
        wanted: OF_KINDS.has(asked.kind) ? 2 : 1,
        label: byRule(labelsOf(asked, dataset)),
      }));
  const own = [
    ...makeChainCases(dataset, createRandom(`chains ${seed}`), 2 * count),
    ...makeLandmarkCases(dataset, createRandom(`landmarks ${seed}`), count),
  ];
  return [
    ...toCases("names", NAME_KINDS),
    ...toCases("kinds", ["category", "phrase"]),
    ...toCases("where", WHERE_KINDS),
    ...own.map(({ label, ...made }) => ({ ...made, label: byRule(label) })),
  ].map((made) => {
    const draw = drawOf(`${made.kind} ${made.query} ${made.centre.latitude} ${made.centre.longitude}`);
    return { ...made, draw, part: isAside ? "aside" : partOf(draw) };
  });
}

interface OwnCase extends Omit<Made, "label"> {
  readonly label: LabelPlace;
}

/** Callers in town ask for chains whose branches have names that go on, each chain as often as the others. */
function makeChainCases(dataset: Dataset, random: Random, count: number): OwnCase[] {
  const chains = random.shuffle(chainsWithBranches(dataset));
  return Array.from({ length: Math.min(count, MOST_OF_CHAIN * chains.length) }, (_, number) => {
    const chain = chains[number % chains.length]!;
    const centre = centreNear(random.pick(chain.branches).location, random);
    return {
      group: "chains",
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

/** A kind beside a landmark, as people ask for it. */
const LANDMARK_PATTERNS = [
  "{kind} gần {name}",
  "gần {name} có {kind} nào không",
  "{kind} ở gần {name}",
  "{kind} near {name}",
  "is there a {kind} next to {name}",
];
/** So many places of the kind are beside it, or it would be a strange question. */
const LEAST_BESIDE = 3;

/** A kind of which some places are beside a place with a name of two words or more that no other has. */
function makeLandmarkCases(dataset: Dataset, random: Random, count: number): OwnCase[] {
  const kinds = kindsOf(dataset);
  const landmarks = dataset.places.filter(
    (place) =>
      hasTellingName(place) &&
      place.folded.includes(" ") &&
      dataset.bearersOf(joinWords(place.folded)).length === 1,
  );
  const cases: OwnCase[] = [];
  for (const [number, landmark] of random.shuffle(landmarks).entries()) {
    if (cases.length >= count || kinds.length === 0) break;
    const { kind, places } = random.pick(kinds);
    const label = labelsBeside(landmark, kind);
    const centre = centreNear(landmark.location, random);
    const word = random.pick(kind[random.pick(["vi", "en"] as const)]);
    const query = fill(random.pick(LANDMARK_PATTERNS), { kind: word, name: landmark.title });
    if (query === undefined || places.filter((place) => label(place) === "right").length < LEAST_BESIDE)
      continue;
    const typed = everyOtherFolded(query, number);
    cases.push({ group: "where", kind: "landmark", query: typed, centre, wanted: 2, label });
  }
  return cases;
}

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
      centre: CALLER,
      wanted: wantedPlaces(sentence),
      label: (place) => (isRightPlace(sentence, place, CALLER) ? "right" : "wrong"),
    };
  });

const drawOf = (text: string): number => Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16);

/** Every other case, whichever others there are. */
const partOf = (draw: number): Part => (draw % 2 === 0 ? "tuned" : "aside");
