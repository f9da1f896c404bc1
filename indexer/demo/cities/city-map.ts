import { createRandom, hashText, type Random } from "../random.ts";
import type { City, WardRow } from "./city.ts";
import { planeOf, type Plane } from "./plane.ts";
import { cutCourse, type Stretch } from "./stretch.ts";
import { createWardAt, wardsOf, type PlacedWard, type WardAt } from "./ward.ts";

/** All stretches of a city, and the ward of any point of it. */
export interface CityMap {
  readonly city: City;
  readonly plane: Plane;
  readonly stretches: readonly Stretch[];
  readonly wardAt: WardAt;
}

/** At most so many of a ward's numbered streets are laid out: more would crowd out the named ones. */
const NUMBERED_STREETS_SHOWN = 12;
/** From this number of streets on people say "Đường 185", below it "Đường số 18". */
const PLAIN_NUMBER_FROM = 60;
/** A street inside a ward has so much of the trade of a main road of the same length. */
const LOCAL_STREET_BUSYNESS = 0.45;
/** One place in about thirty is in a shopping centre. */
const MALL_SHARE = 0.035;

/** Lays out a city. The map is the same for every seed, as a city is. */
export function buildCityMap(city: City): CityMap {
  const plane = planeOf(city);
  const wards = wardsOf(city);
  const wardAt = createWardAt(wards, plane);
  const main = city.avenues.flatMap(([street, busyness, flavour, ...path]) =>
    cutCourse({ street, busyness, flavour, path }, plane, wardAt),
  );
  const crossed = new Set(main.map(({ ward, street }) => `${ward.name}|${street}`));
  const local = wards.flatMap((placed) =>
    localStreets(city, placed.row)
      // The main road of that name goes through the ward already.
      .filter((street) => !crossed.has(`${placed.ward.name}|${street}`))
      .flatMap((street) =>
        localStretches(`${city.localName}|${placed.ward.name}|${street}`, { ...placed, street, plane }),
      ),
  );
  const streets = [...main, ...local];
  return { city, plane, wardAt, stretches: [...streets, ...mallStretches(city, streets, wardAt)] };
}

function localStreets(city: City, [name, , , , , , streets, numbered = 0]: WardRow): string[] {
  const random = createRandom(hashText(`${city.localName}|${name}`));
  const numbers = new Set<number>();
  for (let count = 0; count < Math.min(numbered, NUMBERED_STREETS_SHOWN); count += 1) {
    numbers.add(random.between(1, numbered));
  }
  const prefix = numbered >= PLAIN_NUMBER_FROM ? "Đường" : "Đường số";
  return [...streets.split("|"), ...Array.from(numbers, (number) => `${prefix} ${number}`)];
}

interface LocalStreet extends PlacedWard {
  readonly street: string;
  readonly plane: Plane;
}

/** A street whose course nobody wrote down is laid somewhere in its ward, always in the same place. */
function localStretches(key: string, { row, ward, street, plane }: LocalStreet): Stretch[] {
  const path = localPath(row, plane, createRandom(hashText(key)));
  return cutCourse({ street, flavour: "", busyness: LOCAL_STREET_BUSYNESS, path }, plane, () => ward);
}

/** Two ends of a straight street, along or across the ward's own grid. */
function localPath(row: WardRow, plane: Plane, random: Random): number[] {
  const [name, , latitude, longitude, radius] = row;
  const grid = gridDirection(createRandom(hashText(name)));
  const way = random.chance(0.5) ? { north: -grid.east, east: grid.north } : grid;
  const middle = pointInDisc(random, radius * 0.75);
  const half = (radius * random.between(25, 60)) / 100;
  const pointAt = (meters: number) => [
    latitude + (middle.north + meters * way.north) / plane.metersPerLatitude,
    longitude + (middle.east + meters * way.east) / plane.metersPerLongitude,
  ];
  return [...pointAt(-half), ...pointAt(half)];
}

/** Metres north and east of a point. */
interface Offset {
  readonly north: number;
  readonly east: number;
}

/** A unit vector by the tangent half-angle formula, which needs no sine. */
function gridDirection(random: Random): Offset {
  const tangent = random.fraction();
  const scale = 1 + tangent * tangent;
  return { north: (1 - tangent * tangent) / scale, east: (2 * tangent) / scale };
}

function pointInDisc(random: Random, radius: number): Offset {
  for (;;) {
    const north = random.fraction() * 2 - 1;
    const east = random.fraction() * 2 - 1;
    if (north * north + east * east <= 1) return { north: north * radius, east: east * radius };
  }
}

function mallStretches(city: City, streets: readonly Stretch[], wardAt: WardAt): Stretch[] {
  const streetWeight = streets.reduce((sum, { weight }) => sum + weight, 0);
  const weight = (streetWeight * MALL_SHARE) / Math.max(1, city.malls.length);
  return city.malls.map(([name, line, latitude, longitude]) => ({
    ward: wardAt(latitude, longitude),
    street: streetOfLine(line),
    mall: { name, line },
    surroundings: "mall",
    flavour: "mall",
    latitude,
    longitude,
    north: 1,
    east: 0,
    lengthMeters: 60,
    fromMeters: 0,
    weight,
  }));
}

/** "72A Lê Thánh Tôn" → "Lê Thánh Tôn": a first word that begins with a digit is the house, unless the street is a date. */
export function streetOfLine(line: string): string {
  return line.replace(/^\d[\dA-Z/-]* (?!Tháng )(?=\p{Lu})/u, "");
}
