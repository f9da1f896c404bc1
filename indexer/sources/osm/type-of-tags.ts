import * as v from "valibot";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import { typeCodeSchema, type TypeCode } from "../../../src/place/document/type-codes.ts";
import { typeByName, typeListsSchema } from "../category-types.ts";
import { tagOf, tagSchema, type OsmTags } from "./osm-element.ts";
import refinementsTable from "./refinements.json" with { type: "json" };
import typesTable from "./types.json" with { type: "json" };

/** The form of `types.json`. The meaning of tags follows the OpenStreetMap wiki. */
export const osmTypesSchema = v.strictObject({
  /**
   * The keys that define what an element is, the most specific first: a café in a historic building is a
   * café.
   */
  keys: v.array(textSchema),
  /**
   * General types, and types of things inside a place. Any other type takes precedence: a shop with a cash
   * machine is a shop.
   */
  vagueTypes: v.array(typeCodeSchema),
  /** Public transport and tourist information need two tags for their type. */
  tagPairs: v.array(v.strictObject({ tags: v.tuple([tagSchema, tagSchema]), type: typeCodeSchema })),
  /** The tags of each type. `key=*` matches any other value, and a more specific tag takes precedence. */
  tags: v.record(typeCodeSchema, v.array(tagSchema)),
});

/**
 * The form of `refinements.json`, which makes types more specific. In each list, the first matching row
 * decides.
 */
export const refinementsSchema = v.strictObject({
  /**
   * A second tag with one of these keys. A dish says more than a country, so its row comes first. A snack bar
   * with the dishes of a country stays a snack bar.
   */
  byTag: v.array(
    v.strictObject({ of: v.array(typeCodeSchema), keys: v.array(textSchema), types: typeListsSchema }),
  ),
  /** Words anywhere in the name, with their marks: "chay" is vegetarian food, "cháy" burnt rice. */
  byWord: v.array(
    v.strictObject({ of: v.array(typeCodeSchema), words: v.array(textSchema), type: typeCodeSchema }),
  ),
  /**
   * The beginning of a Vietnamese name, possibly after a general word ("quán"). Mappers in Vietnam tag
   * schools, health stations and kitchens alike, and the name shows which it is. Marks matter: "phở" is a
   * soup, "phố" a street.
   */
  byName: v.array(
    v.strictObject({
      of: typeCodeSchema,
      begins: v.array(textSchema),
      after: v.optional(v.array(textSchema)),
      type: typeCodeSchema,
    }),
  ),
});

const TYPES = readTable("indexer/sources/osm/types.json", osmTypesSchema, typesTable);
const REFINEMENTS = readTable("indexer/sources/osm/refinements.json", refinementsSchema, refinementsTable);

/** The keys that define what an element is, the most specific first. */
export const TYPE_KEYS: readonly string[] = TYPES.keys;

/** `amenity=cafe` → `COFFEE`. */
const TYPE_BY_TAG: ReadonlyMap<string, TypeCode> = typeByName(TYPES.tags, (tag) => tag);
const VAGUE_TYPES: ReadonlySet<TypeCode> = new Set(TYPES.vagueTypes);
/** Matches any other value of a key. */
const ANY_VALUE = "*";

/** Values that mean that the element is not, or no longer, what its key names. */
const NOTHING: ReadonlySet<string> = new Set(["no", "none", "vacant", "disused", "abandoned"]);

/** How specific a tag is. The more specific of two decides, else the one whose key comes first. */
type Telling = 0 | 1 | 2;

interface Candidate {
  readonly code: TypeCode;
  readonly telling: Telling;
}

/** The type of an element by its tags and its name; `undefined` when no tag gives one. */
export function typeOfTags(tags: OsmTags, name: string): TypeCode | undefined {
  const candidates = [
    ...TYPE_KEYS.flatMap((key) => candidatesOf(key, tagOf(tags, key))),
    ...pairCandidates(tags),
  ];
  const [best] = candidates.toSorted((a, b) => b.telling - a.telling);
  return best && refineByName(refineByTags(best.code, tags), name);
}

function candidatesOf(key: string, value: string | undefined): Candidate[] {
  if (value === undefined || NOTHING.has(value)) return [];
  const firstValue = value.split(";")[0]?.trim() ?? value;
  const exact = TYPE_BY_TAG.get(`${key}=${firstValue}`);
  if (exact) return [{ code: exact, telling: VAGUE_TYPES.has(exact) ? 0 : 2 }];
  const broad = TYPE_BY_TAG.get(`${key}=${ANY_VALUE}`);
  return broad ? [{ code: broad, telling: 1 }] : [];
}

function pairCandidates(tags: OsmTags): Candidate[] {
  const has = (tag: string): boolean => {
    const [key = "", value] = tag.split("=");
    return tagOf(tags, key) === value;
  };
  const found = TYPES.tagPairs.find((pair) => pair.tags.every(has));
  return found ? [{ code: found.type, telling: 2 }] : [];
}

const TAG_REFINEMENTS = REFINEMENTS.byTag.map(({ of, keys, types }) => ({
  of,
  keys,
  typeByValue: typeByName(types, (value) => value),
}));

/**
 * The more specific type from a second tag, or the same type. Values may be lists: `cuisine=pho;vietnamese`.
 */
function refineByTags(code: TypeCode, tags: OsmTags): TypeCode {
  for (const { of, keys, typeByValue } of TAG_REFINEMENTS) {
    if (!of.includes(code)) continue;
    for (const value of (tagOf(tags, ...keys) ?? "").toLowerCase().split(";")) {
      const refined = typeByValue.get(value.trim());
      if (refined !== undefined) return refined;
    }
  }
  return code;
}

/** Each beginning of a name, followed by a space so that its last word is complete. */
const NAME_REFINEMENTS = REFINEMENTS.byName.map(({ of, begins, after = [], type }) => ({
  of,
  type,
  beginnings: begins.flatMap((words) => [`${words} `, ...after.map((general) => `${general} ${words} `)]),
}));

const WORD_REFINEMENTS = REFINEMENTS.byWord.map(({ of, words, type }) => ({
  of,
  type,
  words: words.map((word) => ` ${word} `),
}));

const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;

/** The more specific type from the name, or the same type. */
export function refineByName(code: TypeCode, name: string): TypeCode {
  const lowerCase = `${name.normalize("NFC").toLowerCase().trim()} `;
  const spaced = ` ${lowerCase.replace(BETWEEN_WORDS, " ")}`;
  const byWord = WORD_REFINEMENTS.find(
    ({ of, words }) => of.includes(code) && words.some((word) => spaced.includes(word)),
  );
  if (byWord) return byWord.type;
  const fits = (beginning: string): boolean => lowerCase.startsWith(beginning);
  return NAME_REFINEMENTS.find(({ of, beginnings }) => of === code && beginnings.some(fits))?.type ?? code;
}
