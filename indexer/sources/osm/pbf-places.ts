import type { Coordinates } from "../../../src/place/coordinates.ts";
import { centreOf } from "../geometry.ts";
import { isPlace, isSettlement } from "./is-place.ts";
import { createIdList, createNodePoints, type NodePoints } from "./node-points.ts";
import { titleOf } from "./names.ts";
import type { OsmElement, OsmTags } from "./osm-element.ts";
import type { PbfElement, PbfNode, PbfRelation, PbfWay } from "./pbf-elements.ts";

/** What the mapper is given: an element with its point, or why it is left out. */
type Found = OsmElement | string;

/** What the places of an extract are made of. */
interface Parts {
  readonly nodeIds: ReturnType<typeof createIdList>;
  /** The corners of the ways that relations are made of. */
  readonly memberWays: Map<number, readonly Coordinates[]>;
  /** Known from the first node on. */
  points: NodePoints | undefined;
}

/**
 * Puts together the places of an extract. It has to learn from all relations and then all ways what they are made of; then
 * nodes, ways and relations are taken in this order.
 */
export function createPbfPlaces() {
  const parts: Parts = { nodeIds: createIdList(), memberWays: new Map(), points: undefined };
  return {
    learn(element: PbfElement): undefined {
      if (element.type === "relation") learnRelation(element, parts);
      else if (element.type === "way") learnWay(element, parts);
    },
    /** `undefined` for what is no place. */
    take(element: PbfElement): Found | undefined {
      parts.points ??= createNodePoints(parts.nodeIds.takeSorted());
      if (element.type === "node") return takeNode(element, parts.points);
      return element.type === "way" ? takeWay(element, parts) : takeRelation(element, parts);
    },
  };
}

function learnRelation({ members, tags }: PbfRelation, { nodeIds, memberWays }: Parts): void {
  if (!isNamedPlace(tags)) return;
  for (const { type, ref } of members) {
    if (type === "node") nodeIds.add(ref);
    else if (type === "way") memberWays.set(ref, []);
  }
}

function learnWay({ id, refs, tags }: PbfWay, { nodeIds, memberWays }: Parts): void {
  if (memberWays.has(id) || isNamedPlace(tags)) for (const ref of refs) nodeIds.add(ref);
}

function takeWay(way: PbfWay, { memberWays, points }: Parts): Found | undefined {
  const isMember = memberWays.has(way.id);
  const tags = placeTags(way);
  if (!isMember && !tags) return undefined;
  const corners = cornersOf(way.refs.flatMap((id) => points?.get(id) ?? []));
  if (isMember) memberWays.set(way.id, corners);
  return tags && toElement(`way/${way.id}`, tags, corners);
}

function takeRelation(relation: PbfRelation, { memberWays, points }: Parts): Found | undefined {
  const tags = placeTags(relation);
  const pointsOf = ({ type, ref }: PbfRelation["members"][number]): readonly Coordinates[] => {
    if (type === "way") return memberWays.get(ref) ?? [];
    const point = type === "node" ? points?.get(ref) : undefined;
    return point ? [point] : [];
  };
  return tags && toElement(`relation/${relation.id}`, tags, relation.members.flatMap(pointsOf));
}

function takeNode({ id, lat, lon, tags }: PbfNode, points: NodePoints): Found | undefined {
  const point = { latitude: roundDegrees(lat), longitude: roundDegrees(lon) };
  points.set(id, point);
  if (!tags || !(isPlace(tags) || (isSettlement(tags) && titleOf(tags) !== undefined))) return undefined;
  return toElement(`node/${id}`, tags, [point]);
}

/** Seven decimals, as OpenStreetMap has them; the parser's sums leave more. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

const isNamedPlace = (tags: OsmTags | undefined): boolean =>
  tags !== undefined && isPlace(tags) && titleOf(tags) !== undefined;

const placeTags = ({ tags }: PbfElement): OsmTags | undefined => (tags && isPlace(tags) ? tags : undefined);

/** A thing without a name is left out by the mapper, which needs no point of it. */
function toElement(id: string, tags: OsmTags, points: readonly Coordinates[]): Found {
  if (titleOf(tags) === undefined) return "no name";
  const centre = centreOf({ coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]) });
  if (!centre) return "no coordinates: its nodes are not in the file";
  const point = { latitude: roundDegrees(centre.latitude), longitude: roundDegrees(centre.longitude) };
  return { id, ...point, tags };
}

/** Two points that span the same box. */
function cornersOf(points: readonly Coordinates[]): Coordinates[] {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  if (points.length < 2 || Math.max(...longitudes) - Math.min(...longitudes) > 180) return [...points];
  return [
    { latitude: Math.min(...latitudes), longitude: Math.min(...longitudes) },
    { latitude: Math.max(...latitudes), longitude: Math.max(...longitudes) },
  ];
}
