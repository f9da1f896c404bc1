import type { Coordinates } from "../../src/place/coordinates.ts";
import { fold } from "../../src/text/fold.ts";
import { byDistance, type Gazetteer, type TruePlace } from "../gazetteer.ts";
import type { Random } from "../random.ts";
import type { EvalCase } from "./case.ts";
import { centreNear } from "./centre.ts";

/** A long street keeps its name; a street of that name further away is another one. */
const SAME_ADDRESS_METERS = 500;

/** "12 Nguyễn Huệ": a number, which may have letters and lanes, and a street. */
const HOUSE_AND_STREET = /^\d+[\p{L}\d/-]*\s+\p{L}/u;
const STARTS_WITH_NUMBER = /^\d/;

/** House number and street, half of them typed without marks: right is any place at that address, the nearest of them. */
export function makeAddressCases({ places }: Gazetteer, random: Random, count: number): EvalCase[] {
  const housed = places.filter(({ street }) => HOUSE_AND_STREET.test(street));
  const byAddress = Map.groupBy(housed, ({ street }) => fold(street));
  return draw(housed, random, count).map((place, number) => {
    const query = number % 2 === 0 ? place.street : fold(place.street);
    return toCase({ kind: "address", query, place }, byAddress.get(fold(place.street)) ?? [], random);
  });
}

/** Street and ward without a number: right is any place on that street in that ward. */
export function makeStreetCases({ places }: Gazetteer, random: Random, count: number): EvalCase[] {
  const named = places.filter(({ street, ward }) => ward !== "" && streetName(street) !== "");
  const keyOf = ({ street, ward }: TruePlace): string => `${fold(streetName(street))}, ${fold(ward)}`;
  const byStreet = Map.groupBy(named, keyOf);
  return draw(named, random, count).map((place, number) => {
    const written = `${streetName(place.street)} ${place.ward}`;
    const query = number % 2 === 0 ? written : fold(written);
    const onStreet = byStreet.get(keyOf(place)) ?? [];
    const asked = toCase({ kind: "street-ward", query, place }, onStreet, random);
    return { ...asked, expected: { dataIds: onStreet.map(({ dataId }) => dataId) } };
  });
}

const draw = (places: readonly TruePlace[], random: Random, count: number): TruePlace[] =>
  random.shuffle(places.filter(({ isClosed }) => !isClosed)).slice(0, count);

interface Asked {
  readonly kind: EvalCase["kind"];
  readonly query: string;
  readonly place: TruePlace;
}

function toCase({ kind, query, place }: Asked, atAddress: readonly TruePlace[], random: Random): EvalCase {
  const centre = centreNear(place.location, random);
  return { kind, query, centre, expected: { dataIds: nearestAddress(atAddress, centre) } };
}

function nearestAddress(places: readonly TruePlace[], centre: Coordinates): string[] {
  const ordered = byDistance(places, centre);
  const most = (ordered[0]?.meters ?? 0) + SAME_ADDRESS_METERS;
  return ordered.filter(({ meters }) => meters <= most).map(({ place }) => place.dataId);
}

/** The street of an address line, without its number; empty where the line is not written number first. */
function streetName(line: string): string {
  if (!STARTS_WITH_NUMBER.test(line)) return /\d/.test(line) ? "" : line;
  return HOUSE_AND_STREET.test(line) ? line.replace(/^\S+\s+/, "") : "";
}
