import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  type PlaceFilter,
  type PlaceLookup,
  type WordForms,
} from "../meilisearch/place-index.ts";
import { filedUnder } from "../place/document/rest-words.ts";
import { isInArea } from "../place/geometry/areas.ts";
import { boundsAround, type Coordinates } from "../place/geometry/coordinates.ts";
import type { MomentIn } from "../place/time/open-state.ts";
import { firstLetters } from "../place/text/fold.ts";
import { hasSearchedFields } from "../place/document/own-fields.ts";
import { allTypes, perKinds, TYPE_CODES } from "../place/document/type-codes.ts";
import type { Lexicon } from "./lexicon.ts";
import { relatedKinds, typesOfKinds } from "./match.ts";
import { namesOfArea } from "./match-address.ts";
import { numberWordsOf } from "./reading/address.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import type {
  AddressReading,
  AreaReading,
  KindReading,
  LandmarkReading,
  Reading,
} from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import { inRing, type SearchContext, type Where } from "./search-context.ts";
import type { Ring } from "./rings.ts";
import { AREAS, LOOKUPS, RINGS } from "./numbers.ts";

/** What to look up for a reading. Nothing here waits for the engine or ranks. */

/** Places that match a filter, the nearest or the best known first. */
export interface Want {
  readonly filter: PlaceFilter;
  /** At most how many places of the dataset match. Decides only how far out to look first. */
  readonly expected: number;
  readonly limit: number;
  /** By relevance for a name that may have typos. */
  readonly order: "distance" | "prominence" | "likeness";
  readonly where: Where;
  /** Not further than the ring of this name. */
  readonly within?: "around" | "region";
  /** A name folded and without spaces, which the engine finds with typos, in the region at most. */
  readonly joinedName?: string;
}

/** A reading with what it needs of the index. */
export interface Intent {
  readonly reading: Reading;
  /** Where distances are measured from. */
  readonly centre: Coordinates;
  readonly where: Where;
  readonly wants: readonly Want[];
  /** Finds where the landmark of the reading is: its wants are looked up around it. */
  readonly anchor?: readonly Want[];
}

/** What the words of a dataset and the request say about how to look up a reading. */
export interface Asked {
  readonly lexicon: Lexicon;
  readonly centre: Coordinates;
  /** How many places the page may need. */
  readonly wanted: number;
  readonly typesCount: (types: readonly string[]) => number;
  readonly places: number;
  /** The moment at which the reading wishes places to be open. */
  readonly openAt?: MomentIn;
}

/** The lookups of a reading. A word that no place has makes none. */
export function toIntent(reading: Reading, asked: Asked, around?: Coordinates): Intent {
  const { area, landmark, point } = reading;
  const isInside = area?.areas.some((one) => isInArea(one, asked.centre)) ?? false;
  const centre = around ?? point ?? (area && !isInside ? area.centre : asked.centre);
  const where: Where = { centre, ...(asked.openAt && { openAt: asked.openAt }) };
  const inArea: Where = area && !around ? { ...where, areas: idsOf(area) } : where;
  const wants = possible(wantsOfReading(reading, asked, inArea));
  const intent = { reading, centre, where: inArea, wants };
  if (!landmark || around) return intent;
  const anchors = anchorsOf(landmark, asked, { centre, ...(area && { areas: idsOf(area) }) });
  return { ...intent, anchor: possible(anchors) };
}

/** What no place can match is not looked up. */
const possible = (wants: readonly Want[]): Want[] => wants.filter(({ expected }) => expected > 0);

/** The lookups of a name whose words must all be there, with their spaces: "thu y" is no "Thuý". */
export function toWordIntent(reading: Reading, asked: Asked): Intent {
  const { words: typed } = reading.name;
  const where: Where = { centre: asked.centre };
  const base = { limit: asked.wanted, order: "distance", where } as const;
  const wants = possible([
    { ...base, filter: { nameWords: typed }, expected: countNamed(typed, asked) },
    { ...base, filter: { wordSets: [typed] }, expected: countAnywhere(typed, asked) },
  ]);
  return { reading, centre: asked.centre, where, wants };
}

export const idsOf = ({ areas }: AreaReading): string[] => areas.map(({ id }) => id);

function wantsOfReading(reading: Reading, asked: Asked, where: Where): Want[] {
  const { form, kinds, name, address } = reading;
  const notable = {
    filter: { notTypes: namedOnly() },
    expected: asked.places,
    limit: Math.ceil(3 * asked.wanted),
    where,
  };
  if (address) return addressWants(reading, asked, where);
  if (form === "point") return [{ ...notable, order: "distance" }];
  if (form === "area") return [{ ...notable, order: "prominence" }, namedLikeArea(reading, asked, where)];
  if (kinds.length > 0) return kindWants(kinds, name, asked, where);
  return nameWants(name, asked, where);
}

/** The market of an area has its name. */
function namedLikeArea({ area }: Reading, asked: Asked, where: Where): Want {
  const names = namesOfArea(area)
    .map((name) => name.split(" "))
    .filter((words) => countNamed(words, asked) > 0);
  const expected = sumOf(names.map((words) => countNamed(words, asked)));
  const filter = { anyOf: names.map((nameWords) => ({ nameWords })) };
  return { filter, expected, limit: asked.wanted, order: "prominence", where };
}

const namedOnly = perKinds(() => allTypes().filter((code) => TYPE_CODES[code].isNamedOnly));

/** A word and those it may be a typo of. */
function withAlike(word: string, { alike }: Lexicon): WordForms {
  const others = alike(word);
  return others.length > 0 ? [word, ...others] : word;
}

/** The words that may be what was typed: the word alone where a name has it. */
function formsOf(word: string, isLast: boolean, lexicon: Lexicon): WordForms {
  const isKnown = lexicon.inNames(word) > 0 || (isLast && lexicon.beginningIn(word) > 0);
  return isKnown ? word : withAlike(word, lexicon);
}

/** How many places have each word, or one of its forms, in a name. */
const countsInNames = (forms: readonly WordForms[], { lexicon }: Asked): number[] =>
  forms.map((form) => sumOf(wordsOf(form).map(lexicon.inNames)));

/** How many have each in a name, the type or the address. */
const countsAnywhere = (forms: readonly WordForms[], { lexicon, typesCount }: Asked): number[] =>
  forms.map((form) =>
    sumOf(
      wordsOf(form).map((word) => {
        const { values, types } = filedUnder(word);
        const ofTypes = types.length > 0 ? typesCount(types) : 0;
        return lexicon.inNames(word) + sumOf(values.map(lexicon.inAddresses)) + ofTypes;
      }),
    ),
  );

const wordsOf = (form: WordForms): readonly string[] => (typeof form === "string" ? [form] : form);

/**
 * About how many of all places have several words together; none where nobody has one. Words of one name or address go together, so
 * the rarest counts whole and each further one less: the exponential backoff by which SQL Server estimates how many rows meet several
 * conditions.
 */
function countTogether(counts: readonly number[], places: number): number {
  const [rarest = 0, ...others] = counts.toSorted((a, b) => a - b);
  const estimate = others.reduce(
    (count, one, index) => count * Math.min(1, one / places) ** (1 / 2 ** (index + 1)),
    rarest,
  );
  return Math.max(Math.sign(rarest), Math.round(estimate));
}

const countNamed = (forms: readonly WordForms[], asked: Asked): number =>
  countTogether(countsInNames(forms, asked), asked.places);

const countAnywhere = (forms: readonly WordForms[], asked: Asked): number =>
  countTogether(countsAnywhere(forms, asked), asked.places);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function nameWants(name: TypedWords, asked: Asked, where: Where): Want[] {
  const { lexicon, wanted } = asked;
  const { words: typed, joined } = name;
  const last = typed.at(-1);
  if (last === undefined) return [];
  const base = { limit: wanted, order: "distance", where } as const;
  const forms = typed.map((word, index) => formsOf(word, index === typed.length - 1, lexicon));
  const named = countNamed(forms, asked);
  const isCommon = named > wanted;
  // Where the rarest word is in names only, no address has all of them. One word of an address says nothing but in a ward; one of an own
  // field may.
  const isElsewhere =
    (typed.length > 1 || where.areas !== undefined || hasSearchedFields()) &&
    Math.min(...countsAnywhere(forms, asked)) > Math.min(...countsInNames(forms, asked));
  const before = forms.slice(0, -1);
  const begun = Math.min(lexicon.beginningIn(last), before.length > 0 ? countNamed(before, asked) : Infinity);
  const beginning = firstLetters(joined, MAX_NAME_BEGINNING);
  const isPlain = before.every((form) => typeof form === "string");
  return [
    {
      ...base,
      filter: { ...(!isCommon && { names: [joined] }), ...(named > 0 && { nameWords: forms }) },
      expected: Math.max(1, named),
    },
    // The nearest of many names with these words may all be longer ones.
    ...(isCommon ? [{ ...base, filter: { names: [joined] }, expected: 1 }] : []),
    ...(isElsewhere
      ? [{ ...base, filter: { wordSets: [forms] }, expected: countAnywhere(forms, asked) }]
      : []),
    {
      ...base,
      filter: {
        ...(isPlain && { nameBeginning: beginning }),
        ...(before.length > 0 && { nameWords: before }),
        wordBeginning: firstLetters(last, MAX_WORD_BEGINNING),
      },
      expected: begun,
    },
    ...(typed.length === 1 && begun === 0
      ? [{ ...base, filter: { nameBeginning: beginning }, expected: LOOKUPS.begun }]
      : []),
  ];
}

/** The nearest places of the types, and the nearest whose names say the kind; with more words only those that have them too. */
function kindWants(
  kinds: readonly KindReading[],
  { words: others, joined }: TypedWords,
  asked: Asked,
  where: Where,
): Want[] {
  const { lexicon, wanted, typesCount, places } = asked;
  const types = typesOfKinds(kinds);
  const forms = others.map((word, index) => formsOf(word, index === others.length - 1, lexicon));
  const ofOthers = others.length > 0 ? countAnywhere(forms, asked) : Infinity;
  const holding: PlaceFilter = others.length > 0 ? { names: [joined], wordSets: [forms] } : {};
  const isProduct = kinds.some((kind) => kind.isProduct);
  const base = { limit: Math.ceil(LOOKUPS.ofKinds * wanted), order: "distance", where } as const;
  const typed = typesCount(types);
  const spoken = kinds
    .flatMap(spokenIn)
    .filter(({ words: one }) => one.length > 0 && countNamed(one, asked) > 0);
  const named = kinds.map(({ words: one }) => one.join(""));
  const said = sumOf(spoken.map(({ words: one }) => countNamed(one, asked)));
  const inNames = spoken.map(({ words: one }) => ({ nameWords: [...one] }));
  const isCommon = !isProduct && others.length === 0 && typed >= RINGS.commonShare * places;
  return [
    { ...base, filter: { types, ...holding }, expected: Math.min(typed, ofOthers) },
    ...(named.some((one) => one !== "")
      ? [
          {
            ...base,
            limit: isCommon ? Math.ceil(wanted / 2) : base.limit,
            filter: {
              ...(isProduct ? {} : { notTypes: types }),
              anyOf: [{ names: named }, ...inNames],
              ...holding,
            },
            expected: Math.min(said + 1, ofOthers),
          },
        ]
      : []),
  ];
}

/** Related kinds, for where few places of the kinds themselves were found. */
export function relatedWants({ kinds, name }: Reading, { wanted, typesCount }: Asked, where: Where): Want[] {
  if (name.words.length > 0) return [];
  const types = relatedKinds(kinds);
  return possible([
    { filter: { types }, expected: typesCount(types), limit: wanted, order: "distance", where },
  ]);
}

const streetForms = ({ street }: AddressReading, lexicon: Lexicon): WordForms[] =>
  street.words.map((word) =>
    lexicon.inNames(word) + lexicon.inAddresses(word) > 0 ? word : withAlike(word, lexicon),
  );

/** The house, and the nearest houses of its street. */
function addressWants({ address, name }: Reading, asked: Asked, where: Where): Want[] {
  if (!address) return [];
  const street = streetForms(address, asked.lexicon);
  const numbers = numberWordsOf(address);
  const expected = countAnywhere(street, asked);
  const base = { limit: asked.wanted, order: "distance", where } as const;
  const ofHouse = {
    ...base,
    limit: LOOKUPS.ofHouses * asked.wanted,
    filter: { wordSets: [[...numbers, ...street]] },
    expected: Math.min(expected, LOOKUPS.ofNumber),
  };
  const ofName = { ...base, filter: { wordSets: [[...name.words, ...street]] }, expected };
  return [
    ...(numbers.length > 0 ? [ofHouse] : []),
    { ...base, filter: { wordSets: [street] }, expected },
    ...(name.words.length > 0 ? [ofName] : []),
  ];
}

/** The house in a street that has all words but one, which is mistyped. */
export function streetTypoWants(address: AddressReading, asked: Asked, where: Where): Want[] {
  const street = streetForms(address, asked.lexicon);
  const numbers = numberWordsOf(address);
  const sets = street
    .map((_, left) => street.toSpliced(left, 1))
    .filter((set) => countAnywhere(set, asked) > 0)
    .map((set) => [...numbers, ...set]);
  const expected = sumOf(sets.map((set) => countAnywhere(set, asked)));
  return possible([{ filter: { wordSets: sets }, expected, limit: asked.wanted, order: "distance", where }]);
}

/** The places that are called like a landmark, and those in a street of this name; the nearest of a kind in the caller's city. */
function anchorsOf({ words: typed, joined, kinds }: LandmarkReading, asked: Asked, where: Where): Want[] {
  if (kinds) {
    const types = typesOfKinds(kinds);
    const expected = asked.typesCount(types);
    const bounds = where.centre && boundsAround(where.centre, AREAS.ownCityMeters);
    const inCity: Where = { ...where, ...(bounds && { bounds }) };
    // A ring that holds a dozen on average seldom holds none.
    const limit = LOOKUPS.landmarks;
    return [{ filter: { types }, expected, limit, order: "distance", where: inCity }];
  }
  const forms = typed.map((word) => formsOf(word, false, asked.lexicon));
  const named = countNamed(forms, asked);
  const base = { order: "distance", where } as const;
  return [
    {
      ...base,
      limit: LOOKUPS.landmarks,
      filter: { names: [joined], ...(named > 0 && { nameWords: forms }) },
      expected: Math.max(1, named),
    },
    {
      ...base,
      limit: LOOKUPS.housesOfStreet,
      filter: { wordSets: [forms] },
      expected: countAnywhere(forms, asked),
    },
  ];
}

/** What to look up where no place has what was typed: it is mistyped, or has a word too many. */
export function typoWants({ words: typed, joined }: TypedWords, asked: Asked, where: Where): Want[] {
  const { lexicon, wanted } = asked;
  const some = typed.slice(0, LOOKUPS.forgivenWords);
  const forms = some.map((word) => withAlike(word, lexicon));
  const known = some.map((word) => formsOf(word, false, lexicon));
  const isShort = some.length <= LOOKUPS.wordsReplaced;
  // A typo may make another word that names have: "tho hanh" for "thao hanh". In a long text it is the word left out below.
  const replaced =
    some.length < 2 || !isShort
      ? []
      : some
          .map((word, at) => known.toSpliced(at, 1, lexicon.oneTypoAway(word)))
          .filter((set) => countNamed(set, asked) > 0);
  // Every word may be mistyped: "ocm am ut hang" for "com tam ut hang".
  const anyForms = some.length > 2 && isShort ? some.map((word) => [word, ...lexicon.oneTypoAway(word)]) : [];
  const certain = some.filter((word) => lexicon.inNames(word) > 0);
  const shorter = allButOneOf(isShort ? forms : known, asked);
  const base = { order: "distance", where, limit: wanted } as const;
  return possible([
    { where, filter: {}, joinedName: joined, order: "likeness", expected: asked.places, limit: 2 * wanted },
    ...(forms.some((form) => typeof form !== "string")
      ? [{ ...base, filter: { nameWords: forms }, expected: countNamed(forms, asked) }]
      : []),
    {
      ...base,
      filter: { anyOf: replaced.map((nameWords) => ({ nameWords })) },
      expected: sumOf(replaced.map((set) => countNamed(set, asked))),
    },
    { ...base, filter: { nameWords: anyForms }, expected: countNamed(anyForms, asked) },
    ...(certain.length < some.length
      ? [{ ...base, filter: { nameWords: certain }, expected: countNamed(certain, asked) }]
      : []),
    {
      ...base,
      filter: { wordSets: shorter.map(({ words: some }) => some) },
      expected: sumOf(shorter.map(({ count }) => count)),
    },
  ]);
}

/** The words without one of them, and about how many places have all of those. */
function allButOneOf(
  forms: readonly WordForms[],
  asked: Asked,
): { readonly words: readonly WordForms[]; readonly count: number }[] {
  const counts = countsAnywhere(forms, asked);
  return forms
    .map((_, left) => ({
      words: forms.toSpliced(left, 1),
      count: countTogether(counts.toSpliced(left, 1), asked.places),
    }))
    .filter(({ count }) => count > 0);
}

/** The ring in which a want is looked up first. */
export function ringFor(
  { expected, limit, where, order, within }: Want,
  { rings, places }: SearchContext,
): Ring {
  const { everywhere, holding } = rings;
  if (within) return rings[within];
  if (order !== "distance") return order === "likeness" ? rings.region : everywhere;
  const inAll = expected * Math.min(1, everywhere.places / Math.max(1, places));
  if (inAll <= LOOKUPS.few) return everywhere;
  // An area has few of the places around its centre.
  const aimed = Math.min(LOOKUPS.mostSorted / 2, LOOKUPS.surplus * limit) * (where.areas ? 2 : 1);
  return holding((aimed * places) / expected);
}

/** The ring in which a want is looked up after one that held too few; `undefined` where that was everywhere. */
export function widerRing(want: Want, last: Ring, found: number, context: SearchContext): Ring | undefined {
  if (last.cells === undefined || want.order !== "distance") return undefined;
  // What the narrow ring held says more than what was expected.
  const expected = Math.min(want.expected, ((found + 1) * context.places) / Math.max(1, last.places));
  if (want.expected <= LOOKUPS.mostSorted) return context.rings.everywhere;
  const next = ringFor({ ...want, expected }, context);
  return next.places > last.places ? next : context.rings.holdingMoreThan(last.places);
}

/** A want as a lookup in a ring. */
export const toLookup = (
  { filter, limit, order, joinedName }: Want,
  ring: Ring,
  { centre }: SearchContext,
): PlaceLookup => ({
  filter: inRing(filter, ring),
  limit,
  ...(joinedName !== undefined && { joinedName }),
  ...(order === "distance" && { order: { by: "distance", from: centre } }),
});
