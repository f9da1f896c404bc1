import { boxOf, type Line } from "./map-feature.ts";

/** A way of a multipolygon: its ends as node ids, and its course. */
export interface MemberWay {
  readonly first: number;
  readonly last: number;
  readonly line: Line;
}

/** Joins ways end to end to closed rings. Ways that do not close are left out: the extract lacks the rest. */
export function joinRings(ways: readonly MemberWay[]): Line[] {
  const rings: Line[] = [];
  const atNode = new Map<number, MemberWay[]>();
  const put = (node: number, way: MemberWay): void => {
    const others = atNode.get(node);
    if (others) others.push(way);
    else atNode.set(node, [way]);
  };
  const isUsed = new Set<MemberWay>();
  for (const way of ways)
    if (way.first === way.last) {
      isUsed.add(way);
      rings.push(way.line);
    } else {
      put(way.first, way);
      put(way.last, way);
    }
  for (const start of ways) {
    if (isUsed.has(start)) continue;
    isUsed.add(start);
    const parts = [start.line];
    let end = start.last;
    while (end !== start.first) {
      const next = atNode.get(end)?.find((way) => !isUsed.has(way));
      if (!next) break;
      isUsed.add(next);
      parts.push(next.first === end ? next.line : reversed(next.line));
      end = next.first === end ? next.last : next.first;
    }
    if (end === start.first) rings.push(joinLines(parts));
  }
  return rings.filter(({ length }) => length >= 8);
}

function reversed(line: Line): Line {
  const turned = new Int32Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    turned[line.length - at - 2] = line[at] ?? 0;
    turned[line.length - at - 1] = line[at + 1] ?? 0;
  }
  return turned;
}

/** Each line begins where the one before ends. */
function joinLines(lines: readonly Line[]): Line {
  const points = lines.map((line, index) => (index === 0 ? line : line.subarray(2)));
  const joined = new Int32Array(points.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of points) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Polygons of an outer ring each, with the holes in it. */
export function toPolygons(outer: readonly Line[], inner: readonly Line[]): Line[][] {
  const polygons = outer.map((ring) => [ring]);
  for (const hole of inner) polygons.find(([ring]) => ring && isInside(hole, ring))?.push(hole);
  return polygons;
}

function isInside(hole: Line, ring: Line): boolean {
  const [lng = 0, lat = 0] = hole;
  const { west, south, east, north } = boxOf([ring]);
  if (lng < west || lng > east || lat < south || lat > north) return false;
  let inside = false;
  for (let at = 0; at + 2 < ring.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ring.subarray(at, at + 4);
    if (y1 > lat !== y2 > lat && lng < x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
