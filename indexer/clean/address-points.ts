import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { designationOf, shortAreaName, type Area } from "../../src/place/geometry/areas.ts";
import { distanceMeters, isInBounds, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { fold, joinWords, words } from "../../src/place/text/fold.ts";
import { houseNumbersOf } from "../../src/same-place/contacts.ts";
import { readQuery } from "../../src/search/reading/read-query.ts";
import type { AreaReading } from "../../src/search/reading/reading.ts";
import { loadVocabulary } from "../../src/search/vocabulary/read-vocabulary.ts";
import { hasPart, includeParts, parseVietnameseAddress } from "./address.ts";
import { noCoordinates } from "./location.ts";
import type { AddressPoints, CleanStep, EstimatedPoint, PlaceDraft } from "./place-draft.ts";

/** A place on a street. */
interface Neighbour extends Coordinates {
  /** The house, or that at which its alley begins. */
  readonly house?: number;
  readonly areas: readonly string[];
  readonly city: string;
}

/** A street, and the number of the house or of the alley on it. */
interface HouseOnStreet {
  /** Its letters and numbers, folded. */
  readonly street: string;
  readonly house?: number;
}

type Address = PlaceDraft["location"]["address"];

/** They take some 60 MB. Later ones are no longer learned. */
const MAX_NEIGHBOURS = 500_000;

/** Creates an empty table of streets. */
export function createAddressPoints(): AddressPoints {
  const streets = new Map<string, Neighbour[]>();
  const lists = new Map<string, readonly string[]>();
  let count = 0;
  return {
    learn({ location, areas = [] }) {
      const { address, latitude, longitude, estimated_from: estimate } = location;
      // An estimate must not confirm the next one.
      if (estimate !== undefined || count >= MAX_NEIGHBOURS) return;
      const found = readHouse(splitAddress(address).street);
      if (found === undefined) return;
      const { street, ...house } = found;
      const shared = lists.getOrInsert(areas.join(" "), areas);
      const neighbour = { latitude, longitude, areas: shared, city: address.city, ...house };
      streets.getOrInsert(street, []).push(neighbour);
      count += 1;
    },
    estimate(address) {
      const { street, rest } = splitAddress(address);
      const area = readArea(rest);
      const found = [readHouse(street), readHouseAsTyped(street)].find(
        (one) => one && streets.has(one.street),
      );
      const onStreet = inScope(streets.get(found?.street ?? "") ?? [], area, rest);
      const point = estimateOnStreet(onStreet, found?.house);
      return point && isIn(area, point) ? point : estimateInWard(area);
    },
  };
}

/** The street of an address with its number, and the other parts of it. */
function splitAddress(address: Address): { readonly street: string; readonly rest: string } {
  const line = includeParts(address.full, address);
  const parts = line.split(",").map((part) => part.trim());
  const street = address.street || parseVietnameseAddress(line).street || (parts[0] ?? "");
  const others = parts.filter((part) => !street.includes(part));
  // Without commas, the area stands behind the street.
  return { street, rest: others.length > 0 ? others.join(", ") : line };
}

/** Words that stand before the name of a street. */
const STREET_WORDS: ReadonlySet<string> = new Set("so nha duong pho dai lo st street rd road".split(" "));
const ALLEY_WORDS: ReadonlySet<string> = new Set("ngo ngach hem kiet alley lane".split(" "));

/** Reads "12 Lê Lợi", "12/3 Lê Lợi" and "ngách 12/3, ngõ 5 Lê Lợi": the alley at number 5 leaves the street there. */
function readHouse(text: string): HouseOnStreet | undefined {
  const all = words(fold(text));
  const alley = all.findLastIndex((word, index) => ALLEY_WORDS.has(word) && /^\d/.test(all[index + 1] ?? ""));
  const from = alley === -1 ? all : all.slice(alley + 1);
  const said = from.filter((word) => !STREET_WORDS.has(word) && !ALLEY_WORDS.has(word));
  const begin = nameStart(said, houseNumbersOf(alley === -1 ? text : from.join(" "))[0]);
  const house = Number.parseInt(said[0] ?? "", 10);
  const street = said.slice(begin).join("");
  if (street === "") return undefined;
  return { street, ...(begin > 0 && !Number.isNaN(house) ? { house } : {}) };
}

/** How many of the words are numbers of the house. "3 tháng 2" and "30/4" are streets themselves. */
function nameStart(said: readonly string[], house: string | undefined): number {
  const first = said.findIndex((word) => !/^\d/.test(word));
  if (first === -1) return house === undefined ? 0 : words(house.replaceAll(/\W+/g, " ")).length;
  const isDate = first > 0 && said[first] === "thang" && /^\d/.test(said[first + 1] ?? "");
  return isDate ? first - 1 : first;
}

/** "12 Nguyễn Trãi P5 Q5": what belongs to the street, searches know. */
function readHouseAsTyped(text: string): HouseOnStreet | undefined {
  const { readings } = readQuery(text, loadVocabulary());
  const found = readings.find(({ address }) => address !== undefined)?.address;
  if (found === undefined) return undefined;
  const house = Number.parseInt(found.alleys.at(-1) ?? found.number ?? "", 10);
  return { street: found.street.joined, ...(Number.isNaN(house) ? {} : { house }) };
}

/** The area that the words name. Districts and wards are understood when it is known of which city. */
function readArea(text: string): AreaReading | undefined {
  const read = (near?: Coordinates): AreaReading | undefined =>
    readQuery(text, loadVocabulary(), near ? { near } : {}).readings.find(({ area }) => area)?.area;
  const first = read();
  const area = first && (read(first.centre) ?? first);
  if (area === undefined || !isAmbiguous(area)) return area;
  const [outer] = area.within.toReversed();
  return outer && { ...area, areas: [outer], level: outer.level, within: area.within.slice(0, -1) };
}

/** Wards of one name that are farther apart are not one ward before and after the reform. */
const SAME_WARD_METERS = 3_000;

/** Whether there are several such wards in the city: most districts had a "Phường 7". */
function isAmbiguous({ areas: [ward], level, within: [city, ...others] }: AreaReading): boolean {
  if (ward === undefined || level !== "ward" || others.length > 0) return false;
  if (city?.level === "district") return false;
  const named = loadVocabulary().areaNames.get(joinWords(fold(shortAreaName(ward.name)))) ?? [];
  return named.some(
    ({ area }) =>
      area.level === "ward" &&
      designationOf(area.name) === designationOf(ward.name) &&
      (city === undefined || provinceOf(area) === shortAreaName(city.name)) &&
      distanceMeters(area.centre, ward.centre) > SAME_WARD_METERS,
  );
}

/** The name of the province, before the reform for an area of before. */
function provinceOf({ name, parent }: Area): string {
  const outer = loadVocabulary().areas.get(parent ?? "");
  return outer ? provinceOf(outer) : shortAreaName(name);
}

/** The neighbours in the narrowest of the areas that has any; abroad, those in the same city. */
function inScope(
  neighbours: readonly Neighbour[],
  area: AreaReading | undefined,
  rest: string,
): readonly Neighbour[] {
  for (const ids of area ? scopesOf(area) : []) {
    const inside = neighbours.filter(({ areas }) => areas.some((id) => ids.has(id)));
    if (inside.length > 0) return inside;
  }
  return neighbours.filter(({ areas, city }) => areas.length === 0 && city !== "" && hasPart(rest, city));
}

/** The ids of the areas, of those around them, and so on. */
function scopesOf({ areas, within }: AreaReading): ReadonlySet<string>[] {
  const known = loadVocabulary().areas;
  const scopes = [areas];
  for (let outer = areas; outer.length > 0; scopes.push(outer))
    outer = outer.flatMap(({ parent }) => known.get(parent ?? "") ?? []);
  const named = within.toReversed().map((one) => [one]);
  return [...scopes, ...named].map((each: readonly Area[]) => new Set(each.map(({ id }) => id)));
}

/** Borders of former wards are rough. */
const BORDER_DEGREES = 0.005;

/** A street of the name may lie in another part of the city. */
const isIn = (area: AreaReading | undefined, { latitude, longitude }: Coordinates): boolean =>
  area === undefined ||
  area.areas.some(({ bounds: { south, west, north, east } }) =>
    isInBounds(
      {
        south: south - BORDER_DEGREES,
        west: west - BORDER_DEGREES,
        north: north + BORDER_DEGREES,
        east: east + BORDER_DEGREES,
      },
      { latitude, longitude },
    ),
  );

/** Between two known houses that are farther apart, nothing is known. */
const MAX_GAP_METERS = 600;

/** Of one known house, houses with such numbers are no farther than across the street. */
const NEXT_HOUSES = 10;

/** The places of one street lie within this of its middle. Elsewhere, the street is too long, or there are two of the name. */
const MAX_STREET_METERS = 1_000;

function estimateOnStreet(
  neighbours: readonly Neighbour[],
  house: number | undefined,
): EstimatedPoint | undefined {
  if (neighbours.length === 0) return undefined;
  const atHouse = house === undefined ? undefined : estimateHouse(neighbours, house);
  if (atHouse) return { ...atHouse, estimated_from: "house" };
  const middle = middleOf(neighbours);
  const isOneStreet = neighbours.every((one) => distanceMeters(one, middle) <= MAX_STREET_METERS);
  return isOneStreet ? { ...middle, estimated_from: "street" } : undefined;
}

/** Between the next lower and the next higher house, best on the same side of the street. */
function estimateHouse(neighbours: readonly Neighbour[], house: number): Coordinates | undefined {
  const numbered = neighbours.filter((one) => one.house !== undefined);
  const same = numbered.filter((one) => one.house === house);
  if (same.length > 0) return middleOf(same);
  const ofSide = numbered.filter((one) => (one.house! - house) % 2 === 0);
  return between(ofSide, house) ?? between(numbered, house);
}

function between(numbered: readonly Neighbour[], house: number): Coordinates | undefined {
  const below = nearestTo(
    house,
    numbered.filter((one) => one.house! < house),
  );
  const above = nearestTo(
    house,
    numbered.filter((one) => one.house! > house),
  );
  if (below && above) {
    if (distanceMeters(below, above) > MAX_GAP_METERS) return undefined;
    const share = (house - below.house!) / (above.house! - below.house!);
    return {
      latitude: below.latitude + share * (above.latitude - below.latitude),
      longitude: below.longitude + share * (above.longitude - below.longitude),
    };
  }
  const only = below ?? above;
  return only && Math.abs(only.house! - house) <= NEXT_HOUSES ? pointOf(only) : undefined;
}

const nearestTo = (house: number, numbered: readonly Neighbour[]): Neighbour | undefined =>
  numbered.toSorted((one, other) => Math.abs(one.house! - house) - Math.abs(other.house! - house))[0];

const pointOf = ({ latitude, longitude }: Coordinates): Coordinates => ({ latitude, longitude });

/** One of the points, so that it lies on the street: the one in the middle of them. */
function middleOf(points: readonly Coordinates[]): Coordinates {
  const middle = (values: readonly number[]): number =>
    values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)]!;
  const centre = {
    latitude: middle(points.map(({ latitude }) => latitude)),
    longitude: middle(points.map(({ longitude }) => longitude)),
  };
  const [first, ...others] = points;
  const nearest = others.reduce(
    (best, other) => (distanceMeters(other, centre) < distanceMeters(best, centre) ? other : best),
    first!,
  );
  return pointOf(nearest);
}

/** The middle of a ward that the address names as one, or within a larger area. */
function estimateInWard(area: AreaReading | undefined): EstimatedPoint | undefined {
  const isSure = area?.level === "ward" && !area.isWeak;
  return isSure ? { ...area.centre, estimated_from: "ward" } : undefined;
}

type AddressedPlace = Pick<PlaceDocument, "location" | "areas" | "source">;

/** The houses of demo places are invented. */
const INVENTED = "demo";

/** Learns the places of the live index. */
export async function learnPlaces(
  points: AddressPoints,
  pages: AsyncIterable<readonly AddressedPlace[]>,
  signal: AbortSignal,
): Promise<void> {
  for await (const places of pages) {
    signal.throwIfAborted();
    for (const place of places) if (place.source !== INVENTED) points.learn(place);
  }
}

/** Whether a draft has no point, and may have an address. */
export const isUnplaced = ({ location }: PlaceDraft): boolean =>
  Number.isNaN(location.latitude) && Number.isNaN(location.longitude);

/** Estimates the point of a place that has only an address, where that is wanted. */
export const estimatePoint: CleanStep = (draft, { points }) => {
  if (points === undefined || !isUnplaced(draft)) return draft;
  const point = points.estimate(draft.location.address);
  return point === undefined
    ? { ...noCoordinates(draft), reason: "no coordinates, and nothing known at its address" }
    : { ...draft, location: { ...draft.location, ...point } };
};
