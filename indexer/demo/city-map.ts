import { isInBounds, type Bounds } from "../../src/place/geometry/coordinates.ts";
import type { City, Flavour, WardRow, Zone } from "./cities.ts";
import { createRandom, hashText, type Random } from "./random.ts";

/** All stretches of a city, and the ward of any point of it. */
export interface CityMap {
  readonly city: City;
  readonly plane: Plane;
  readonly stretches: readonly Stretch[];
  /** The same streets as a whole, for a map. */
  readonly courses: readonly Course[];
  readonly wardAt: WardAt;
}

/** How many of a ward's numbered streets are laid out. More would crowd out the named ones. */
const NUMBERED_STREETS_SHOWN = 12;
/** From this number on, people say "Đường 185"; below it, "Đường số 18". */
const PLAIN_NUMBER_FROM = 60;
/** A street inside a ward has this share of the trade of a main road of the same length. */
const LOCAL_STREET_BUSYNESS = 0.45;
/** One place in about thirty is in a shopping centre. */
const MALL_SHARE = 0.035;

/** Lays out a city. The map is the same for every seed, as a city is. */
export function buildCityMap(city: City): CityMap {
  const plane = planeOf(city);
  const wards = city.wards.map((row) => ({ row, ward: toWard(row) }));
  const wardAt = createWardAt(wards, plane);
  const mapped = mappedCourses(city, wards);
  const avenues = city.avenues
    .map(({ name, busyness, flavour, path }): Course => ({
      street: name,
      busyness,
      flavour: flavour ?? "",
      path,
    }))
    .flatMap((course) => outsideOf(city.streetMap?.bounds, course, plane));
  const main = [...mapped, ...avenues].flatMap((course) => cutCourse(course, plane, wardAt));
  const crossed = new Set(main.map(({ ward, street }) => `${ward.name}|${street}`));
  const local = wards.flatMap((placed) =>
    localStreets(city, placed.row)
      // A street of that name goes through the ward already.
      .filter((street) => !crossed.has(`${placed.ward.name}|${street}`))
      .map((street) =>
        localCourse(`${city.localName}|${placed.ward.name}|${street}`, { ...placed, street, plane }),
      )
      .flatMap((course) => outsideOf(city.streetMap?.bounds, course, plane)),
  );
  const streets = [...main, ...local.flatMap((course) => cutCourse(course, plane, wardAt))];
  return {
    city,
    plane,
    wardAt,
    stretches: [...streets, ...mallStretches(city, streets, wardAt)],
    courses: [...mapped, ...avenues, ...local],
  };
}

/** The streets whose courses are known. */
function mappedCourses({ streetMap, avenues }: City, wards: readonly PlacedWard[]): Course[] {
  const wardOf = new Map(wards.map(({ row, ward }) => [row.name, ward]));
  const avenueOf = new Map(avenues.map((avenue) => [avenue.name, avenue]));
  return (streetMap?.streets ?? []).map(({ name, ward, isMain, from, setback, path, reach }) => {
    const { busyness = LOCAL_STREET_BUSYNESS, flavour = "" } = (isMain && avenueOf.get(name)) || {};
    return {
      street: name,
      ward: wardOf.get(ward)!,
      busyness,
      flavour,
      path,
      reach,
      fromMeters: from,
      setbackMeters: setback ?? 0,
      ...(!isMain && { isLocal: true }),
    };
  });
}

/** The parts of a course outside of the bounds, in which the real streets are known. */
function outsideOf(bounds: Bounds | undefined, course: Course, plane: Plane): Course[] {
  const isInside = ([latitude, longitude]: Point): boolean =>
    bounds !== undefined && isInBounds(bounds, { latitude, longitude });
  const pieces = sidesOf(course.path, plane).flatMap((side) => piecesOf(side, plane));
  if (!pieces.some(({ from, to }) => isInside(from) || isInside(to))) return [course];
  const parts: { fromMeters: number; path: Point[] }[] = [];
  let isBroken = true;
  for (const { from, to, fromMeters } of pieces) {
    const isOutside = !isInside(from) && !isInside(to);
    if (isOutside && isBroken) parts.push({ fromMeters, path: [from, to] });
    else if (isOutside) parts.at(-1)!.path.push(to);
    isBroken = !isOutside;
  }
  return parts.map((part) => ({ ...course, ...part }));
}

/** The streets that a ward has besides avenues. */
export function localStreets(
  city: City,
  { name, streets, numberedStreets: numbered = 0 }: WardRow,
): string[] {
  const random = createRandom(hashText(`${city.localName}|${name}`));
  const numbers = new Set<number>();
  for (let count = 0; count < Math.min(numbered, NUMBERED_STREETS_SHOWN); count += 1) {
    numbers.add(random.between(1, numbered));
  }
  const prefix = numbered >= PLAIN_NUMBER_FROM ? "Đường" : "Đường số";
  return [...streets, ...Array.from(numbers, (number) => `${prefix} ${number}`)];
}

interface LocalStreet extends PlacedWard {
  readonly street: string;
  readonly plane: Plane;
}

/** Lays a street without a recorded course somewhere in its ward, always in the same place. */
function localCourse(key: string, { row, ward, street, plane }: LocalStreet): Course {
  const path = localPath(row, plane, createRandom(hashText(key)));
  return { street, ward, flavour: "", busyness: LOCAL_STREET_BUSYNESS, isLocal: true, path };
}

/** Two ends of a straight street, along or across the ward's own grid. */
function localPath(row: WardRow, plane: Plane, random: Random): Point[] {
  const { name, latitude, longitude, radiusMeters: radius } = row;
  const grid = gridDirection(createRandom(hashText(name)));
  const way = random.chance(0.5) ? { north: -grid.east, east: grid.north } : grid;
  const middle = pointInDisc(random, radius * 0.75);
  const half = (radius * random.between(25, 60)) / 100;
  const pointAt = (meters: number): Point => [
    latitude + (middle.north + meters * way.north) / plane.metersPerLatitude,
    longitude + (middle.east + meters * way.east) / plane.metersPerLongitude,
  ];
  return [pointAt(-half), pointAt(half)];
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
  return city.malls.map(({ name, line, latitude, longitude }) => ({
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
    setbackMeters: 0,
    reach: UNKNOWN_REACH,
    weight,
  }));
}

/**
 * "72A Lê Thánh Tôn" → "Lê Thánh Tôn": a first word with a digit is the house number, unless the street is a
 * date.
 */
export function streetOfLine(line: string): string {
  return line.replace(/^\d[\dA-Z/-]* (?!Tháng )(?=\p{Lu})/u, "");
}

/** A piece of a street inside one ward, or a shopping centre. Places lie along it. */
export interface Stretch {
  readonly ward: Ward;
  readonly street: string;
  /** A shopping centre's name and its address line; places in it have a floor in place of a house number. */
  readonly mall?: { readonly name: string; readonly line: string };
  readonly surroundings: Zone;
  readonly flavour: Flavour;
  readonly latitude: number;
  readonly longitude: number;
  /** The direction, in metres north and east per metre. Houses stand at right angles to it. */
  readonly north: number;
  readonly east: number;
  readonly lengthMeters: number;
  /** The distance from the start of the whole street, from which house numbers are counted. */
  readonly fromMeters: number;
  /** How much further from the middle the houses stand than on a narrow street. */
  readonly setbackMeters: number;
  readonly reach: Reach;
  readonly weight: number;
}

/** A point as latitude and longitude. */
type Point = readonly [latitude: number, longitude: number];

/** The whole course of a street. */
export interface Course {
  readonly street: string;
  readonly flavour: Flavour;
  readonly busyness: number;
  /** Not a main road. */
  readonly isLocal?: true;
  /** The ward, if the whole course is in one. */
  readonly ward?: Ward;
  readonly path: readonly Point[];
  /** For each side of the path. */
  readonly reach?: readonly Reach[];
  /** The distance of the path from the start of the whole street; 0 by default. */
  readonly fromMeters?: number;
  readonly setbackMeters?: number;
}

/** How far from the middle of the street there are houses, in metres. */
type Reach = readonly [left: number, right: number];

/** Without a map, lanes lead this far from any street. */
const LANE_REACH_METERS = 140;
const UNKNOWN_REACH: Reach = [LANE_REACH_METERS, LANE_REACH_METERS];

/** Long streets are cut this finely, so that each stretch has one ward and one busyness. */
const STRETCH_METERS = 120;

/** One straight side of a course, in metres. */
interface Side {
  readonly latitude: number;
  readonly longitude: number;
  readonly north: number;
  readonly east: number;
  readonly lengthMeters: number;
  readonly fromMeters: number;
}

/** Cuts a course into stretches of about equal length, and leaves out those between water and parks. */
function cutCourse(course: Course, plane: Plane, wardAt: WardAt): Stretch[] {
  return sidesOf(course.path, plane, course.fromMeters).flatMap((side, index) => {
    const reach = course.reach?.[index] ?? UNKNOWN_REACH;
    if (Math.max(...reach) === 0) return [];
    return piecesOf(side, plane).map((piece) => toStretch(course, { ...side, ...piece, reach }, wardAt));
  });
}

function sidesOf(path: readonly Point[], plane: Plane, startMeters = 0): Side[] {
  const sides: Side[] = [];
  let fromMeters = startMeters;
  for (const [index, [nextLatitude, nextLongitude]] of path.slice(1).entries()) {
    const [latitude, longitude] = path[index]!;
    const north = (nextLatitude - latitude) * plane.metersPerLatitude;
    const east = (nextLongitude - longitude) * plane.metersPerLongitude;
    const lengthMeters = Math.sqrt(north * north + east * east);
    const way = { north: north / lengthMeters, east: east / lengthMeters };
    sides.push({ latitude, longitude, ...way, lengthMeters, fromMeters });
    fromMeters += lengthMeters;
  }
  return sides;
}

/** A part of a side. */
interface SidePiece {
  readonly from: Point;
  readonly to: Point;
  readonly lengthMeters: number;
  readonly fromMeters: number;
}

function piecesOf({ latitude, longitude, north, east, ...side }: Side, plane: Plane): SidePiece[] {
  const pieces = Math.max(1, Math.round(side.lengthMeters / STRETCH_METERS));
  const lengthMeters = side.lengthMeters / pieces;
  const pointAt = (meters: number): Point => [
    latitude + (meters * north) / plane.metersPerLatitude,
    longitude + (meters * east) / plane.metersPerLongitude,
  ];
  return Array.from({ length: pieces }, (_, piece) => ({
    from: pointAt(piece * lengthMeters),
    to: pointAt((piece + 1) * lengthMeters),
    lengthMeters,
    fromMeters: side.fromMeters + piece * lengthMeters,
  }));
}

interface Cut extends SidePiece, Pick<Side, "north" | "east"> {
  readonly reach: Reach;
}

function toStretch(course: Course, cut: Cut, wardAt: WardAt): Stretch {
  const { north, east, lengthMeters, fromMeters, reach } = cut;
  const [latitude, longitude] = cut.from;
  const { street, flavour, setbackMeters = 0, ward = wardAt(latitude, longitude) } = course;
  const luck = luckOf(`${street}|${ward.name}|${Math.round(fromMeters)}`);
  return {
    ward,
    street,
    surroundings: ward.surroundings,
    flavour,
    latitude,
    longitude,
    north,
    east,
    lengthMeters,
    fromMeters,
    setbackMeters,
    reach,
    weight: lengthMeters * course.busyness * ward.density * luck,
  };
}

/**
 * Makes some corners of a street crowded and some quiet: from a third of the usual trade to more than six
 * times it.
 */
function luckOf(text: string): number {
  const draw = createRandom(hashText(text)).fraction();
  return 0.35 + 6 * draw * draw * draw * draw;
}

export interface Ward {
  /** As an address has it: "Phường Bến Thành", "Xã Bình Hưng". */
  readonly label: string;
  /** The name alone. */
  readonly name: string;
  readonly oldDistrict: string;
  readonly density: number;
  readonly surroundings: Zone;
}

/** The ward of any point of a city. */
type WardAt = (latitude: number, longitude: number) => Ward;

function toWard({ name, oldDistrict, density }: WardRow): Ward {
  const hasPrefix = name.startsWith("Xã ") || name.startsWith("Đặc khu ");
  return {
    label: hasPrefix ? name : `Phường ${name}`,
    name: name.replace(/^(?:Xã|Đặc khu) /, ""),
    oldDistrict,
    density,
    surroundings: surroundingsOf(density),
  };
}

function surroundingsOf(density: number): Zone {
  if (density >= 7) return "centre";
  if (density >= 4) return "inner";
  return density >= 1.5 ? "outer" : "edge";
}

/** A ward with the row it comes from. */
interface PlacedWard {
  readonly row: WardRow;
  readonly ward: Ward;
}

/**
 * Finds the ward with the nearest centre, in units of the ward's radius. There are no boundaries, so this is
 * an estimate.
 */
function createWardAt(wards: readonly PlacedWard[], plane: Plane): WardAt {
  return (latitude, longitude) => {
    let best: Ward | undefined;
    let bestScore = Number.POSITIVE_INFINITY;
    for (const { row, ward } of wards) {
      const north = (latitude - row.latitude) * plane.metersPerLatitude;
      const east = (longitude - row.longitude) * plane.metersPerLongitude;
      const score = (north * north + east * east) / (row.radiusMeters * row.radiusMeters);
      if (score >= bestScore) continue;
      bestScore = score;
      best = ward;
    }
    return best!;
  };
}

/** Moves between degrees and metres around one city. */
interface Plane {
  readonly metersPerLatitude: number;
  readonly metersPerLongitude: number;
}

/** Metres in a degree of latitude, near enough at 10–21° north. */
const METERS_PER_DEGREE = 110_700;

/** The plane on which a city of some tens of kilometres is drawn. */
function planeOf(city: City): Plane {
  return {
    metersPerLatitude: METERS_PER_DEGREE,
    metersPerLongitude: METERS_PER_DEGREE * cosineOfDegrees(city.centre.latitude),
  };
}

/** The Taylor series, exact to eight digits below 25°: `Math.cos` may differ in its last digits between machines. */
function cosineOfDegrees(degrees: number): number {
  const radians = (degrees * Math.PI) / 180;
  const square = radians * radians;
  return 1 - square / 2 + (square * square) / 24 - (square * square * square) / 720;
}
