import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  type PlaceFilter,
  type PlaceLookup,
  type WordForms,
} from "../meilisearch/place-index.ts";
import { filedUnder } from "../place/rest-words.ts";
import { isInArea } from "../place/areas.ts";
import type { Coordinates } from "../place/coordinates.ts";
import type { MomentIn } from "../place/open-state.ts";
import { firstLetters } from "../place/text/fold.ts";
import type { TypeCode } from "../place/type-codes.ts";
import type { Lexicon } from "./lexicon.ts";
import { relatedKinds, typesOfKinds } from "./match.ts";
import { numberWordsOf } from "./reading/address.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import type { AreaReading, KindReading, Reading } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import { inRing, type SearchContext, type Where } from "./search-context.ts";
import type { Ring } from "./rings.ts";

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
  readonly wants: readonly Want[];
  /** Finds where the landmark of the reading is: its wants are looked up around it. */
  readonly anchor?: readonly Want[];
}

/** How many places of kinds a lookup returns for each of the places wanted: some of them turn out to match less well. */
const KINDS_WANTED = 1.6;

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
  const wants = wantsOf(reading, asked, inArea);
  if (!landmark || around) return { reading, centre, wants };
  return {
    reading,
    centre,
    wants,
    anchor: anchorsOf(landmark, asked, { centre, ...(area && { areas: idsOf(area) }) }),
  };
}

export const idsOf = ({ areas }: AreaReading): string[] => areas.map(({ id }) => id);

function wantsOf(reading: Reading, asked: Asked, where: Where): Want[] {
  const { form, kinds, name, address } = reading;
  const notable = {
    filter: { notTypes: NEVER_NOTABLE },
    expected: asked.places,
    limit: Math.ceil(3 * asked.wanted),
    where,
  };
  if (address) return addressWants(reading, asked, where);
  if (form === "point") return [{ ...notable, order: "distance" }];
  if (form === "area") return [{ ...notable, order: "prominence" }];
  if (kinds.length > 0) return kindWants(kinds, name, asked, where);
  return nameWants(name, asked, where);
}

/** Nobody who names an area or wishes a quiet place means these; who does names them. */
const NEVER_NOTABLE: readonly TypeCode[] = [
  "TOILET",
  "BUS_STOP",
  "PARKING",
  "ATM",
  "PARCEL_LOCKER",
  "TOLL_BOOTH",
  "DRINKING_WATER",
];

/** The words that may be what was typed: the word, and those it may be a typo of where no name has it. */
function formsOf(word: string, isLast: boolean, { inNames, alike, beginningIn }: Lexicon): WordForms {
  if (inNames(word) > 0 || (isLast && beginningIn(word) > 0)) return word;
  const others = alike(word);
  return others.length > 0 ? [word, ...others] : word;
}

/** At most how many places have all words in their names. */
const countNamed = (forms: readonly WordForms[], { inNames }: Lexicon): number =>
  Math.min(...forms.map((form) => (typeof form === "string" ? inNames(form) : sumOf(form.map(inNames)))));

/** At most how many have all words in names, type or address. */
const countAnywhere = (forms: readonly WordForms[], { lexicon, typesCount }: Asked): number =>
  Math.min(
    ...forms.map((form) =>
      sumOf(
        (typeof form === "string" ? [form] : form).map(
          (word) => lexicon.inNames(word) + lexicon.inAddresses(word) + ofLabels(word, typesCount),
        ),
      ),
    ),
  );

/** Words of labels and of common phrases are filed under values that many words share: "thành phố hồ chí minh". */
function ofLabels(word: string, typesCount: Asked["typesCount"]): number {
  const { values, types } = filedUnder(word);
  return values.length > 1 ? Infinity : types.length > 0 ? typesCount(types) : 0;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function nameWants(name: TypedWords, asked: Asked, where: Where): Want[] {
  const { lexicon, wanted } = asked;
  const { words: typed, joined } = name;
  const last = typed.at(-1);
  if (last === undefined) return [];
  const base = { limit: wanted, order: "distance", where } as const;
  const forms = typed.map((word, index) => formsOf(word, index === typed.length - 1, lexicon));
  const named = countNamed(forms, lexicon);
  const anywhere = typed.length > 1 ? countAnywhere(forms, asked) : 0;
  const before = forms.slice(0, -1);
  const begun = Math.min(
    lexicon.beginningIn(last),
    before.length > 0 ? countNamed(before, lexicon) : Infinity,
  );
  const beginning = firstLetters(joined, MAX_NAME_BEGINNING);
  const isPlain = before.every((form) => typeof form === "string");
  return [
    {
      ...base,
      filter: { names: [joined], ...(named > 0 && { nameWords: forms }) },
      expected: Math.max(1, named),
    },
    ...(anywhere > named ? [{ ...base, filter: { wordSets: [forms] }, expected: anywhere }] : []),
    ...(begun > 0
      ? [
          {
            ...base,
            filter: {
              ...(isPlain && { nameBeginning: beginning }),
              ...(before.length > 0 && { nameWords: before }),
              wordBeginning: firstLetters(last, MAX_WORD_BEGINNING),
            },
            expected: begun,
          },
        ]
      : []),
    ...(typed.length === 1 && begun === 0
      ? [{ ...base, filter: { nameBeginning: beginning }, expected: EXPECTED_BEGUN }]
      : []),
  ];
}

/** Few names share their first six letters. */
const EXPECTED_BEGUN = 200;

/** A type that one place in so many has fills a page from the neighbourhood: names further away hardly matter. */
const COMMON_SHARE = 0.02;

/** The nearest places of the types, and the nearest whose names say the kind; with more words only those that have them too. */
function kindWants(
  kinds: readonly KindReading[],
  { words: others }: TypedWords,
  asked: Asked,
  where: Where,
): Want[] {
  const { lexicon, wanted, typesCount, places } = asked;
  const types = typesOfKinds(kinds);
  const forms = others.map((word, index) => formsOf(word, index === others.length - 1, lexicon));
  const ofOthers = others.length > 0 ? countAnywhere(forms, asked) : Infinity;
  if (ofOthers === 0) return [];
  const holding: PlaceFilter = others.length > 0 ? { wordSets: [forms] } : {};
  const isProduct = kinds.some((kind) => kind.isProduct);
  const base = { limit: Math.ceil(KINDS_WANTED * wanted), order: "distance", where } as const;
  const typed = typesCount(types);
  const spoken = kinds
    .flatMap(spokenIn)
    .filter(({ words: one }) => one.length > 0 && countNamed(one, lexicon) > 0);
  const named = kinds.map(({ words: one }) => one.join(""));
  const said = sumOf(spoken.map(({ words: one }) => countNamed(one, lexicon)));
  const inNames = spoken.map(({ words: one }) => ({ nameWords: [...one] }));
  const isCommon = !isProduct && others.length === 0 && typed >= COMMON_SHARE * places;
  return [
    ...(typed > 0 ? [{ ...base, filter: { types, ...holding }, expected: Math.min(typed, ofOthers) }] : []),
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
  const types = relatedKinds(kinds);
  const expected = typesCount(types);
  return expected === 0 || name.words.length > 0
    ? []
    : [{ filter: { types }, expected, limit: wanted, order: "distance", where }];
}

/** The house, and the nearest houses of its street. */
function addressWants({ address, name }: Reading, asked: Asked, where: Where): Want[] {
  if (!address) return [];
  const { inNames, inAddresses, alike } = asked.lexicon;
  const street = address.street.words.map((word): WordForms => {
    const others = inNames(word) + inAddresses(word) > 0 ? [] : alike(word);
    return others.length > 0 ? [word, ...others] : word;
  });
  const numbers = numberWordsOf(address);
  const expected = countAnywhere(street, asked);
  if (expected === 0) return [];
  const base = { limit: asked.wanted, order: "distance", where } as const;
  const ofHouse = {
    ...base,
    filter: { wordSets: [[...numbers, ...street]] },
    expected: Math.min(expected, MOST_OF_NUMBER),
  };
  const ofName = { ...base, filter: { wordSets: [[...name.words, ...street]] }, expected };
  return [
    ...(numbers.length > 0 ? [ofHouse] : []),
    { ...base, filter: { wordSets: [street] }, expected },
    ...(name.words.length > 0 ? [ofName] : []),
  ];
}

/** A house number of a street has few places. */
const MOST_OF_NUMBER = 300;

/** The places that are called like a landmark, and those in a street of this name. */
function anchorsOf({ words: typed, joined }: TypedWords, asked: Asked, where: Where): Want[] {
  const forms = typed.map((word) => formsOf(word, false, asked.lexicon));
  const named = countNamed(forms, asked.lexicon);
  const anywhere = countAnywhere(forms, asked);
  const base = { order: "distance", where } as const;
  return [
    ...(named > 0 || typed.length > 0
      ? [
          {
            ...base,
            limit: ANCHORS,
            filter: { names: [joined], ...(named > 0 && { nameWords: forms }) },
            expected: Math.max(1, named),
          },
        ]
      : []),
    ...(anywhere > 0
      ? [{ ...base, limit: HOUSES_OF_STREET, filter: { wordSets: [forms] }, expected: anywhere }]
      : []),
  ];
}

const ANCHORS = 12;
/** Enough to see where the middle of a street is. */
const HOUSES_OF_STREET = 40;

/** What to look up where no place has what was typed: it is mistyped, or has a word too many. */
export function typoWants({ words: typed, joined }: TypedWords, asked: Asked, where: Where): Want[] {
  const { lexicon, wanted } = asked;
  const some = typed.slice(0, MAX_FORGIVEN_WORDS);
  const forms = some.map((word): WordForms => {
    const others = lexicon.alike(word);
    return others.length > 0 ? [word, ...others] : word;
  });
  const mistyped = countNamed(forms, lexicon);
  const allButOne =
    some.length < 2 ? [] : some.map((_, left) => forms.filter((_form, index) => index !== left));
  const certain = some.filter((word) => lexicon.inNames(word) > 0);
  const known = allButOne.filter((set) => countAnywhere(set, asked) > 0);
  const base = { order: "distance", where, limit: wanted } as const;
  return [
    { where, filter: {}, joinedName: joined, order: "likeness", expected: asked.places, limit: 2 * wanted },
    ...(mistyped > 0 && forms.some((form) => typeof form !== "string")
      ? [{ ...base, filter: { nameWords: forms }, expected: mistyped }]
      : []),
    ...(certain.length > 0 && certain.length < some.length - 1
      ? [{ ...base, filter: { nameWords: certain }, expected: countNamed(certain, lexicon) }]
      : []),
    ...(known.length > 0
      ? [
          {
            ...base,
            filter: { wordSets: known },
            expected: sumOf(known.map((set) => countAnywhere(set, asked))),
          },
        ]
      : []),
  ];
}

/** The cost of forgiving a word grows with the square of the words. The others only rank what is found. */
const MAX_FORGIVEN_WORDS = 12;

/** With so few matches, all of them are sorted wherever they are: the engine takes 5 µs for each. */
const FEW = 300;
/** A ring is chosen to hold so many matches for each that is wanted, since places lie in groups. */
const SURPLUS = 5;
/** Up to here the engine sorts by distance without reading the positions of all places. */
const MOST_SORTED = 950;

/** The ring in which a want is looked up first. */
export function ringFor(
  { expected, limit, where, order, within }: Want,
  { rings, places }: SearchContext,
): Ring {
  const { everywhere, holding } = rings;
  if (within) return rings[within];
  if (order !== "distance") return order === "likeness" ? rings.region : everywhere;
  const inAll = expected * Math.min(1, everywhere.places / Math.max(1, places));
  if (inAll <= FEW) return everywhere;
  // An area has few of the places around its centre.
  const aimed = Math.min(MOST_SORTED / 2, SURPLUS * limit) * (where.areas ? 2 : 1);
  return holding((aimed * places) / expected);
}

/** The ring in which a want is looked up after one that held too few; `undefined` where that was everywhere. */
export function widerRing(want: Want, last: Ring, found: number, context: SearchContext): Ring | undefined {
  const { everywhere, holding, holdingMoreThan } = context.rings;
  if (last === everywhere || last.cells === undefined || want.order !== "distance") return undefined;
  if (want.expected <= MOST_SORTED) return everywhere;
  const growth = Math.min(MAX_GROWTH, Math.max(MIN_GROWTH, (SURPLUS * want.limit) / Math.max(1, found)));
  const next = holding(last.places * growth);
  return next.places > last.places ? next : holdingMoreThan(last.places);
}

const MIN_GROWTH = 4;
const MAX_GROWTH = 64;

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
