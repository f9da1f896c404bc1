import { fold, joinWords } from "../../src/place/text/fold.ts";
import { type EvalCase, centreNear } from "./cases.ts";
import { type Dataset, type TruePlace, hasTellingName } from "./dataset.ts";
import { typesUnder } from "../../src/place/document/type-codes.ts";
import { chainsOf } from "./name-cases.ts";
import { type KindPlaces, TOP, everyOtherFolded, fulfils, kindsOf } from "./phrase-cases.ts";
import type { Random } from "../../test/support/random.ts";
import { WORDING, cityAt, fill, partOfAll } from "./wording.ts";

/** An area with fewer places of a kind is too small a sample. */
const MIN_IN_AREA = 5;
const MIN_AREA_BRANCHES = 1;

/** The spellings of a place's areas, each with a test for other places in the same area. */
interface AreaSpelling {
  readonly form: string;
  readonly text: string;
  readonly key: string;
  readonly pattern: string;
}

/** The ways people write the areas of a place. */
function spellAreas(place: TruePlace, random: Random): AreaSpelling[] {
  const { area } = place;
  if (area === undefined) return [];
  // A place in the next province is not in the city.
  const around = cityAt(place.location);
  const city = around?.name === area.city ? around : undefined;
  const isUrban = /^(Quận|Thành phố) /.test(area.district);
  const number = /^Quận (\d+)$/.exec(area.district)?.[1];
  const short = number === undefined ? withoutLevel(area.district) : undefined;
  const values = {
    district: area.district.toLowerCase(),
    number,
    short: short?.toLowerCase(),
    // "hd" is Quận Hà Đông; nobody means Huyện Hoài Đức, nor "q" by it.
    initials: isUrban ? short && initialsOf(short) : undefined,
    ward: area.ward.toLowerCase(),
    wardShort: withoutLevel(area.ward)?.toLowerCase(),
    city: city && random.pick(city.words),
  };
  return WORDING.areas.flatMap(({ form, of, pattern }) => {
    if (of === "numbered" && number === undefined) return [];
    if (of === "named" && (short === undefined || (pattern.startsWith("q") && !isUrban))) return [];
    const text = fill(pattern, values);
    return text === undefined
      ? []
      : [{ form, text, pattern, key: AREA_KEYS[form === "city" ? "city" : of](place) }];
  });
}

/** The areas of a place at each level. Initials shared by two districts mean either. */
const AREA_KEYS = {
  district: (place: TruePlace): string => `district ${place.area?.district}`,
  numbered: (place: TruePlace): string => `district ${place.area?.district}`,
  named: (place: TruePlace): string => `district ${place.area?.district}`,
  ward: (place: TruePlace): string => `ward ${place.area?.ward}`,
  city: (place: TruePlace): string => `city ${place.area?.city}`,
};

/** All keys by which a place can be looked for; a ward by its names before and after 2025. */
export const areaKeysOf = ({ area }: TruePlace): string[] =>
  area === undefined
    ? []
    : [`district ${area.district}`, `ward ${area.ward}`, `ward ${area.oldWard}`, `city ${area.city}`];

const withoutLevel = (name: string): string | undefined =>
  /^(?:Quận|Huyện|Thị xã|Thành phố|Phường|Xã|Thị trấn) (\D+)$/u.exec(name)?.[1];

const initialsOf = (name: string): string =>
  fold(name)
    .split(" ")
    .map((word) => word[0])
    .join("");

type MakeCase = (form: string, number: number) => EvalCase | undefined;

/** `count` cases of each spelling, as far as they exist. */
const inEveryForm = (count: number, make: MakeCase): EvalCase[] =>
  [...new Set(WORDING.areas.map(({ form }) => form))].flatMap((form) =>
    Array.from({ length: count }, (_, number) => make(form, number)).filter((one) => one !== undefined),
  );

const inAreas = (places: readonly TruePlace[]): TruePlace[] =>
  places.filter(({ area, isClosed }) => area !== undefined && !isClosed);

/** The name of a place, and an area that contains it. */
export function makeAreaNameCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const places = inAreas(dataset.places);
  if (places.length === 0) return [];
  return inEveryForm(count, (form, number) =>
    nameInArea(form, { place: random.pick(places), dataset, random, number }),
  );
}

/** A chain and an area with a branch; the caller stands near any branch. */
export function makeAreaChainCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const chains = chainsOf(dataset)
    .map(inAreas)
    .filter(({ length }) => length > 0);
  return inEveryForm(count, (form, number) => chainInArea(form, chains, random, number));
}

/** A kind, and an area with five such places; the caller is anywhere in the city. */
export function makeAreaKindCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const kinds = kindsOf(dataset)
    .map(({ kind, places }) => ({ kind, places: inAreas(places) }))
    .filter(({ places }) => places.length > 0);
  return inEveryForm(count, (form, number) => kindInArea(form, kinds, random, number));
}

/** A wish and an area with five such places to eat or drink, without a kind; the caller stands near one. */
export function makeAreaWishCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const places = inAreas(dataset.places).filter(({ type }) => EATING.includes(type));
  if (places.length === 0) return [];
  return [...Map.groupBy(WORDING.areaWishes, ({ form }) => form).values()].flatMap((patterns) =>
    Array.from({ length: count }, (_, number) =>
      wishInArea(random.pick(patterns), places, random, number),
    ).filter((one) => one !== undefined),
  );
}

const EATING: readonly string[] = (["RESTAURANT", "COFFEE", "TEA_HOUSE", "BAR"] as const).flatMap(typesUnder);

const spellingOf = (form: string, place: TruePlace, random: Random): AreaSpelling | undefined => {
  const spellings = spellAreas(place, random).filter((one) => one.form === form);
  return spellings.length === 0 ? undefined : random.pick(spellings);
};

interface NameInArea {
  readonly place: TruePlace;
  readonly dataset: Dataset;
  readonly random: Random;
  readonly number: number;
}

function nameInArea(form: string, { place, dataset, random, number }: NameInArea): EvalCase | undefined {
  const spelling = spellingOf(form, place, random);
  if (spelling === undefined || !hasTellingName(place)) return undefined;
  const bearers = dataset.bearersOf(joinWords(place.folded));
  const right = bearers.filter((other) => areaKeysOf(other).includes(spelling.key));
  return {
    kind: "area-name",
    form,
    part: partOfAll(spelling.pattern),
    query: everyOtherFolded(`${place.title} ${spelling.text}`, number),
    centre: centreNear(place.location, random),
    expected: { dataIds: right.map(({ dataId }) => dataId), name: place.folded },
  };
}

function chainInArea(
  form: string,
  chains: readonly (readonly TruePlace[])[],
  random: Random,
  number: number,
): EvalCase | undefined {
  if (chains.length === 0) return undefined;
  const branches = random.pick(chains);
  const place = random.pick(branches);
  const spelling = spellingOf(form, place, random);
  if (spelling === undefined) return undefined;
  const right = branches.filter((other) => areaKeysOf(other).includes(spelling.key));
  if (right.length < MIN_AREA_BRANCHES) return undefined;
  return {
    kind: "area-chain",
    form,
    part: partOfAll(spelling.pattern),
    query: everyOtherFolded(`${place.title} ${spelling.text}`, number),
    centre: centreNear(random.pick(branches).location, random),
    expected: { dataIds: right.map(({ dataId }) => dataId), name: place.folded },
  };
}

function kindInArea(
  form: string,
  kinds: readonly KindPlaces[],
  random: Random,
  number: number,
): EvalCase | undefined {
  if (kinds.length === 0) return undefined;
  const found = random.pick(kinds);
  const place = random.pick(found.places);
  const spelling = spellingOf(form, place, random);
  if (spelling === undefined) return undefined;
  const inside = found.places.filter((other) => areaKeysOf(other).includes(spelling.key)).length;
  if (inside < MIN_IN_AREA) return undefined;
  const language = random.pick(["vi", "en"] as const);
  return {
    kind: "area-kind",
    form,
    part: partOfAll(found.kind.type, spelling.pattern),
    query: everyOtherFolded(`${random.pick(found.kind[language])} ${spelling.text}`, number),
    centre: centreNear(random.pick(found.places).location, random),
    expected: {
      dataIds: [],
      wanted: {
        type: found.kind.type,
        inNames: found.kind.inNames,
        area: spelling.key,
        count: Math.min(TOP, inside),
      },
    },
  };
}

function wishInArea(
  { form, pattern, wish }: (typeof WORDING.areaWishes)[number],
  places: readonly TruePlace[],
  random: Random,
  number: number,
): EvalCase | undefined {
  const { key, text } = random.pick(spellAreas(random.pick(places), random));
  const inside = places.filter(
    (other) => areaKeysOf(other).includes(key) && (wish === undefined || fulfils(wish)(other)),
  );
  if (inside.length < MIN_IN_AREA) return undefined;
  return {
    kind: "area-wish",
    form,
    part: partOfAll(pattern),
    query: everyOtherFolded(fill(pattern, { "": text })!, number),
    centre: centreNear(random.pick(inside).location, random),
    expected: {
      dataIds: [],
      wanted: { types: EATING, area: key, count: Math.min(TOP, inside.length), ...(wish && { wish }) },
    },
  };
}
