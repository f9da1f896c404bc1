import type { TypeCode } from "../../../src/place/type-codes.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";
import { refineByName, refineByTags } from "./type-refinements.ts";
import { ANY_VALUE, TYPE_KEYS, TYPE_TAGS } from "./type-table.ts";

/** `amenity=cafe` → `COFFEE`. */
const CODE_OF_TAG: ReadonlyMap<string, TypeCode> = new Map(
  Object.entries(TYPE_TAGS).flatMap(([code, tags]) =>
    tags.split(" ").map((tag) => [tag, code as TypeCode] as const),
  ),
);

/** Values that say that a thing is not, or no more, what its key speaks of. */
const NOTHING: ReadonlySet<string> = new Set(["no", "none", "vacant", "disused", "abandoned"]);

/** Tags that only say "somebody goes there": they give way to any that says what is there. */
const VAGUE: ReadonlySet<TypeCode> = new Set([
  "TOURIST_ATTRACTION",
  "PARKING",
  "SOCIAL_CLUB",
  "COMMUNITY_CENTER",
]);

/** How much a tag says: the more telling one of two decides, else the one whose key comes first. */
type Telling = 0 | 1 | 2;

interface Candidate {
  readonly code: TypeCode;
  readonly telling: Telling;
}

/** The type of a thing by its tags and its name; `undefined` when no tag says what it is. */
export function typeOfTags(tags: OsmTags, name: string): TypeCode | undefined {
  const candidates = [
    ...TYPE_KEYS.flatMap((key) => candidatesOf(key, tagOf(tags, key))),
    ...specialCandidates(tags),
  ];
  const [best] = candidates.toSorted((a, b) => b.telling - a.telling);
  return best && refineByName(refineByTags(best.code, tags), name);
}

function candidatesOf(key: string, value: string | undefined): Candidate[] {
  if (value === undefined || NOTHING.has(value)) return [];
  const firstValue = value.split(";")[0]?.trim() ?? value;
  const exact = CODE_OF_TAG.get(`${key}=${firstValue}`);
  if (exact) return [{ code: exact, telling: VAGUE.has(exact) ? 0 : 2 }];
  const broad = CODE_OF_TAG.get(`${key}=${ANY_VALUE}`);
  return broad ? [{ code: broad, telling: 1 }] : [];
}

/** Public transport and tourist information take two tags to say what they are. */
const SPECIAL: readonly (readonly [first: string, second: string, code: TypeCode])[] = [
  ["tourism=information", "information=office", "TOURIST_INFORMATION"],
  ["public_transport=station", "subway=yes", "METRO_STATION"],
  ["public_transport=station", "train=yes", "TRAIN_STATION"],
  ["public_transport=station", "ferry=yes", "FERRY_TERMINAL"],
  ["public_transport=station", "bus=yes", "BUS_STATION"],
];

function specialCandidates(tags: OsmTags): Candidate[] {
  const has = (tag: string): boolean => {
    const [key = "", value] = tag.split("=");
    return tagOf(tags, key) === value;
  };
  const found = SPECIAL.find(([first, second]) => has(first) && has(second));
  return found ? [{ code: found[2], telling: 2 }] : [];
}
