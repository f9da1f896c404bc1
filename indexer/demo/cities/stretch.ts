import { createRandom, hashText } from "../random.ts";
import type { Flavour } from "./city.ts";
import type { Plane } from "./plane.ts";
import type { Ward, WardAt, Zone } from "./ward.ts";

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
  /** The way along it, in metres north and east for each metre; the houses stand at right angles to it. */
  readonly north: number;
  readonly east: number;
  readonly lengthMeters: number;
  /** How far along the whole street it begins: house numbers grow from there. */
  readonly fromMeters: number;
  readonly weight: number;
}

/** The whole way of a street: latitude, longitude, latitude, longitude, … */
export interface Course {
  readonly street: string;
  readonly flavour: Flavour;
  readonly busyness: number;
  readonly path: readonly number[];
}

/** Long streets are cut this fine, so that each stretch has one ward and its own busyness. */
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

/** Cuts a course into stretches of about equal length. */
export function cutCourse(course: Course, plane: Plane, wardAt: WardAt): Stretch[] {
  return sidesOf(course.path, plane).flatMap((side) => {
    const pieces = Math.max(1, Math.round(side.lengthMeters / STRETCH_METERS));
    const lengthMeters = side.lengthMeters / pieces;
    return Array.from({ length: pieces }, (_, piece) =>
      toStretch(course, { ...side, along: piece * lengthMeters, lengthMeters }, { plane, wardAt }),
    );
  });
}

function sidesOf(path: readonly number[], plane: Plane): Side[] {
  const sides: Side[] = [];
  let fromMeters = 0;
  for (let corner = 0; corner + 3 < path.length; corner += 2) {
    const latitude = path[corner]!;
    const longitude = path[corner + 1]!;
    const north = (path[corner + 2]! - latitude) * plane.metersPerLatitude;
    const east = (path[corner + 3]! - longitude) * plane.metersPerLongitude;
    const lengthMeters = Math.sqrt(north * north + east * east);
    const way = { north: north / lengthMeters, east: east / lengthMeters };
    sides.push({ latitude, longitude, ...way, lengthMeters, fromMeters });
    fromMeters += lengthMeters;
  }
  return sides;
}

interface Cut extends Side {
  /** How far along its side the piece begins. */
  readonly along: number;
}

function toStretch(course: Course, cut: Cut, { plane, wardAt }: { plane: Plane; wardAt: WardAt }): Stretch {
  const { north, east, along, lengthMeters } = cut;
  const latitude = cut.latitude + (along * north) / plane.metersPerLatitude;
  const longitude = cut.longitude + (along * east) / plane.metersPerLongitude;
  const ward = wardAt(latitude, longitude);
  const fromMeters = cut.fromMeters + along;
  const luck = luckOf(`${course.street}|${ward.name}|${Math.round(fromMeters)}`);
  return {
    ward,
    street: course.street,
    surroundings: ward.surroundings,
    flavour: course.flavour,
    latitude,
    longitude,
    north,
    east,
    lengthMeters,
    fromMeters,
    weight: lengthMeters * course.busyness * ward.density * luck,
  };
}

/** Some corners of a street are crowded, some dead: from a third of the usual trade to more than six times it. */
function luckOf(text: string): number {
  const draw = createRandom(hashText(text)).fraction();
  return 0.35 + 6 * draw * draw * draw * draw;
}
