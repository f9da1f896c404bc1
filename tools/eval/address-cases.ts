import { everyOtherFolded as everyOtherUnmarked, unmark } from "./phrase-cases.ts";
import { WORDING, cityAt, fill, halfOf, partOfAll } from "./wording.ts";
import { type Coordinates, distanceMeters } from "../../src/place/geometry/coordinates.ts";
import { fold } from "../../src/place/text/fold.ts";
import { type Dataset, type TruePlace, byDistance } from "./dataset.ts";
import type { Random } from "../../test/support/random.ts";
import { type EvalCase, centreNear, mistype } from "./cases.ts";
import { categoriesOf, waysToType } from "./category-cases.ts";

/** Records of one address are a few houses apart; further away it is another street of that name. */
const SAME_ADDRESS_METERS = 500;
/** A street is this long within a ward; further away it is another street of that name. */
const SAME_STREET_METERS = 3_000;

/**
 * "12 Nguyễn Huệ": a number, which may have letters and slashes, and a street. A line with a comma is a whole
 * address.
 */
export const HOUSE_AND_STREET = /^(\d+[\p{L}\d/-]*)\s+(\p{L}[^,]*)$/u;
/** "Phố Nguyễn Huệ" and "Nguyễn Huệ" are one street. */
const WORD_FOR_STREET = /^(?:pho|duong) (?=\D)/;

/** The two parts of an address line; no number where it has none. `undefined` for a line written in another way. */
function readLine({ street }: TruePlace): { readonly house: string; readonly street: string } | undefined {
  const [, house = "", name = ""] = HOUSE_AND_STREET.exec(street) ?? [];
  if (name !== "") return { house, street: name };
  return street === "" || /[\d,]/.test(street) ? undefined : { house: "", street };
}

/** The folded name of a street without the word for it. */
export const streetKey = (street: string): string => fold(street).replace(WORD_FOR_STREET, "");

const withoutStreetWord = (street: string): string =>
  street.replace(/^(?:Phố|Đường|phố|đường) (?=\p{Lu})/u, "");

interface Housed {
  readonly place: TruePlace;
  readonly house: string;
  readonly street: string;
  readonly key: string;
}

/** The places whose address line can be read, by their streets. */
function readStreets({ places }: Dataset): Map<string, Housed[]> {
  const housed = places.flatMap((place): Housed[] => {
    const line = readLine(place);
    return line ? [{ place, ...line, key: streetKey(line.street) }] : [];
  });
  return Map.groupBy(housed, ({ key }) => key);
}

/** House number and street, every other one without marks. Right is the nearest place at that address. */
export function makeAddressCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const streets = readStreets(dataset);
  const drawn = draw(streets, ({ house }) => house !== "", random, count);
  return drawn.map(({ place, house, key }, number) => {
    const centre = centreNear(place.location, random);
    const atAddress = streets.get(key)?.filter((other) => other.house === house) ?? [];
    const dataIds = nearestAddress(atAddress, centre);
    return { kind: "address", query: everyOtherFolded(place.street, number), centre, expected: { dataIds } };
  });
}

/**
 * Street and ward without a number. Right is any place on that street, unless it is known to be in another
 * ward.
 */
export function makeStreetCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const streets = readStreets(dataset);
  const drawn = draw(streets, ({ place }) => place.ward !== "", random, count);
  return drawn.map(({ place, street, key }, number) => {
    const onStreet = streets.get(key)?.map((other) => other.place) ?? [];
    const dataIds = onStreet
      .filter(({ ward, location }) => {
        const isNear = distanceMeters(place.location, location) <= SAME_STREET_METERS;
        return isNear && (ward === "" || fold(ward) === fold(place.ward));
      })
      .map(({ dataId }) => dataId);
    const query = everyOtherFolded(`${street} ${place.ward}`, number);
    return { kind: "street-ward", query, centre: centreNear(place.location, random), expected: { dataIds } };
  });
}

/** Where the dataset has fewer addresses of a street, hardly anybody means it. */
const HOUSES_OF_STREET = 3;
/** What is so near to a house of the street counts as being in it: many records have no address. */
const IN_STREET_METERS = 250;
/** So many of the first results count. */
const TOP_IN_STREET = 3;

/**
 * A kind and a street with nothing between them: "atm lê lợi". The first three results must be of the kind and in the street. Half of the
 * queries are without marks.
 */
export function makeKindInStreetCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const streets = readStreets(dataset);
  const categories = categoriesOf(dataset);
  if (categories.length === 0) return [];
  return draw(streets, () => true, random, 4 * count)
    .flatMap(({ place, street, key }): EvalCase[] => {
      const houses = streets
        .get(key)!
        .map((other) => other.place.location)
        .filter((location) => distanceMeters(place.location, location) <= SAME_STREET_METERS);
      const category = random.pick(categories);
      const right = category.places.filter(({ location }) =>
        houses.some((house) => distanceMeters(house, location) <= IN_STREET_METERS),
      );
      if (houses.length < HOUSES_OF_STREET || right.length === 0) return [];
      const words = random.pick(waysToType(category.code, random));
      const query = `${words} ${withoutStreetWord(street)}`;
      const dataIds = right.map(({ dataId }) => dataId);
      return [
        {
          kind: "kind-street",
          part: halfOf(key),
          query: random.fraction() < 0.5 ? query : fold(query),
          centre: centreNear(place.location, random),
          expected: { dataIds, wanted: { dataIds, count: Math.min(TOP_IN_STREET, dataIds.length) } },
        },
      ];
    })
    .slice(0, count);
}

function draw(
  streets: ReadonlyMap<string, readonly Housed[]>,
  isWanted: (housed: Housed) => boolean,
  random: Random,
  count: number,
): Housed[] {
  const wanted = [...streets.values()].flat().filter((housed) => !housed.place.isClosed && isWanted(housed));
  return random.shuffle(wanted).slice(0, count);
}

const everyOtherFolded = (text: string, number: number): string => (number % 2 === 0 ? text : fold(text));

function nearestAddress(housed: readonly Housed[], centre: Coordinates): string[] {
  const ordered = byDistance(
    housed.map(({ place }) => place),
    centre,
  );
  const most = (ordered[0]?.meters ?? 0) + SAME_ADDRESS_METERS;
  return ordered.filter(({ meters }) => meters <= most).map(({ place }) => place.dataId);
}

/** "12/5" is number 5 in the alley that begins at number 12. */
const ALLEY = /^(?<outer>\d+\w?)\/(?<inner>\d+\w?)$/;

/** House number and street in every way of writing them. Right is the nearest place at that address. */
export function makeAddressFormCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const streets = readStreets(dataset);
  const forms = Map.groupBy(WORDING.addresses, ({ form }) => form);
  return [...forms].flatMap(([form, patterns]) => {
    const needsAlley = patterns.some(({ pattern }) => pattern.includes("{outer}"));
    const isWanted = ({ house }: Housed): boolean => house !== "" && (!needsAlley || ALLEY.test(house));
    return draw(streets, isWanted, random, count).flatMap(
      ({ place, house, street, key }, number): EvalCase[] => {
        const { pattern, folded, typos } = random.pick(patterns);
        const name = withoutStreetWord(street);
        const typed = typos === undefined ? name : mistype(fold(name), typos, random);
        const values = {
          house,
          street: typed,
          ward: place.ward,
          city: place.city || cityAt(place.location)?.name,
          ...ALLEY.exec(house)?.groups,
        };
        const query = fill(pattern, values);
        if (query === undefined) return [];
        const centre = centreNear(place.location, random);
        const atAddress = streets.get(key)?.filter((other) => other.house === house) ?? [];
        return [
          {
            kind: "address-form",
            form,
            part: partOfAll(pattern),
            query: folded === true ? unmark(query) : everyOtherUnmarked(query, number),
            centre,
            expected: { dataIds: nearestAddress(atAddress, centre) },
          },
        ];
      },
    );
  });
}
