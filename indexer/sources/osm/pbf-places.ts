import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { centreOf } from "../geometry.ts";
import { isFindable, isPlace, isSettlement } from "./osm-mapper.ts";
import type { OsmElement, OsmTags } from "./osm-element.ts";

export interface PbfNode {
  readonly type: "node";
  readonly id: number;
  readonly lat: number;
  readonly lon: number;
  readonly tags?: OsmTags;
}

export interface PbfWay {
  readonly type: "way";
  readonly id: number;
  /** Node ids. */
  readonly refs: readonly number[];
  readonly tags?: OsmTags;
}

interface PbfMember {
  readonly type: "node" | "way" | "relation";
  readonly ref: number;
  readonly role?: string;
}

export interface PbfRelation {
  readonly type: "relation";
  readonly id: number;
  readonly members: readonly PbfMember[];
  readonly tags?: OsmTags;
}

export type PbfElement = PbfNode | PbfWay | PbfRelation;

/** The mapper's input: an element with its point, or why it is left out. */
type Found = OsmElement | string;

/** The parts from which the places of an extract are built. */
interface Parts {
  readonly nodeIds: ReturnType<typeof createIdList>;
  /** The corners of the ways in relations. */
  readonly memberWays: Map<number, readonly Coordinates[]>;
  /** Defined from the first node on. */
  points: NodePoints | undefined;
}

/**
 * Builds the places of an extract. First it learns the parts of all relations, then those of all ways. After
 * that it takes nodes, ways and relations in this order.
 */
export function createPbfPlaces() {
  const parts: Parts = { nodeIds: createIdList(), memberWays: new Map(), points: undefined };
  return {
    learn(element: PbfElement): undefined {
      if (element.type === "relation") learnRelation(element, parts);
      else if (element.type === "way") learnWay(element, parts);
    },
    /** `undefined` for an element that is not a place. */
    take(element: PbfElement): Found | undefined {
      parts.points ??= createNodePoints(parts.nodeIds.takeSorted());
      if (element.type === "node") return takeNode(element, parts.points);
      return element.type === "way" ? takeWay(element, parts) : takeRelation(element, parts);
    },
  };
}

function learnRelation({ members, tags }: PbfRelation, { nodeIds, memberWays }: Parts): void {
  if (!isFindablePlace(tags)) return;
  for (const { type, ref } of members) {
    if (type === "node") nodeIds.add(ref);
    else if (type === "way") memberWays.set(ref, []);
  }
}

function learnWay({ id, refs, tags }: PbfWay, { nodeIds, memberWays }: Parts): void {
  if (memberWays.has(id) || isFindablePlace(tags)) for (const ref of refs) nodeIds.add(ref);
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
  if (!tags || !(isPlace(tags) || (isSettlement(tags) && isFindable(tags)))) return undefined;
  return toElement(`node/${id}`, tags, [point]);
}

/** Rounds to seven decimals, the precision of OpenStreetMap. The parser's sums have more. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

const isFindablePlace = (tags: OsmTags | undefined): boolean =>
  tags !== undefined && isPlace(tags) && isFindable(tags);

const placeTags = ({ tags }: PbfElement): OsmTags | undefined => (tags && isPlace(tags) ? tags : undefined);

/** The mapper leaves out an element that needs a name and has none, so its point is not computed. */
function toElement(id: string, tags: OsmTags, points: readonly Coordinates[]): Found {
  if (!isFindable(tags)) return "no name";
  const centre = centreOf({ coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]) });
  if (!centre) return "no coordinates: its nodes are not in the file";
  const point = { latitude: roundDegrees(centre.latitude), longitude: roundDegrees(centre.longitude) };
  return { id, ...point, tags };
}

/** Two points with the same bounding box. */
function cornersOf(points: readonly Coordinates[]): Coordinates[] {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  if (points.length < 2 || Math.max(...longitudes) - Math.min(...longitudes) > 180) return [...points];
  return [
    { latitude: Math.min(...latitudes), longitude: Math.min(...longitudes) },
    { latitude: Math.max(...latitudes), longitude: Math.max(...longitudes) },
  ];
}

/** OpenStreetMap's coordinates have seven decimals, which fit into 32 bits. */
const UNITS_PER_DEGREE = 1e7;

const UNKNOWN = 0x7fffffff;

/** Grows by half when full: a country needs some millions. */
const FIRST_CAPACITY = 1 << 16;

/** Collects node ids in any order and with repetitions, eight bytes each. */
function createIdList() {
  let ids = new Float64Array(FIRST_CAPACITY);
  let length = 0;
  return {
    add(id: number): void {
      if (length === ids.length) {
        const larger = new Float64Array(Math.ceil(ids.length * 1.5));
        larger.set(ids);
        ids = larger;
      }
      ids[length] = id;
      length += 1;
    },
    /** Returns the ids in order, each once, and empties the list. */
    takeSorted(): Float64Array {
      const sorted = ids.subarray(0, length).sort();
      let count = 0;
      for (let index = 0; index < length; index += 1) {
        const id = sorted[index] ?? 0;
        if (count === 0 || sorted[count - 1] !== id) sorted[count++] = id;
      }
      const taken = sorted.slice(0, count);
      ids = new Float64Array(0);
      length = 0;
      return taken;
    },
  };
}

/** Stores the points of the nodes with the given sorted ids, sixteen bytes each. */
function createNodePoints(ids: Float64Array) {
  const latitudes = new Int32Array(ids.length).fill(UNKNOWN);
  const longitudes = new Int32Array(ids.length);
  let hint = 0;

  /** Nodes mostly come in the order of their ids, so the next one usually follows the last. */
  const indexOf = (id: number): number => {
    if (ids[hint] === id) return hint;
    if (ids[hint + 1] === id) return (hint += 1);
    const index = lowerBound(ids, id);
    if (index < ids.length) hint = index;
    return ids[index] === id ? index : -1;
  };

  return {
    /** Stores the point of a node in the list and ignores others. */
    set(id: number, { latitude, longitude }: Coordinates): void {
      const index = indexOf(id);
      if (index === -1) return;
      latitudes[index] = Math.round(latitude * UNITS_PER_DEGREE);
      longitudes[index] = Math.round(longitude * UNITS_PER_DEGREE);
    },
    /** `undefined` for a node that the file lacks: extracts are cut along their border. */
    get(id: number): Coordinates | undefined {
      const index = indexOf(id);
      const latitude = latitudes[index] ?? UNKNOWN;
      if (latitude === UNKNOWN) return undefined;
      return {
        latitude: latitude / UNITS_PER_DEGREE,
        longitude: (longitudes[index] ?? 0) / UNITS_PER_DEGREE,
      };
    },
  };
}

type NodePoints = ReturnType<typeof createNodePoints>;

/** The first index whose id is not below the given one. */
function lowerBound(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
