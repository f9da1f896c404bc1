import { openPbfFile, readPasses, type Pass } from "../sources/osm/pbf-file.ts";
import type { PbfElement, PbfNode, PbfRelation, PbfWay } from "../sources/osm/pbf-places.ts";
import { tagOf, type OsmTags } from "../sources/osm/osm-element.ts";
import { drawPoint, drawShape } from "./draw-shapes.ts";
import { drawingOf, type Drawing } from "./drawn-tags.ts";
import { toUnits, type Line, type MapFeature } from "./map-feature.ts";
import { createNodePoints, type NodePoints } from "./node-points.ts";
import { joinRings, toPolygons, type MemberWay } from "./rings.ts";

interface ReadOptions {
  /** A file in which the points of nodes are kept meanwhile. */
  readonly nodesPath: string;
  /** Called after each block with the share of the work that is done. */
  readonly onShare: (share: number) => void;
}

/**
 * Reads what is drawn of an `.osm.pbf` extract, in four passes: the members of relations, the points of nodes, then
 * ways, then multipolygons. Yields an empty list after a block without features, so that a caller can stop.
 * @throws {CommandError} when the file cannot be read, is broken, or is not sorted.
 */
export async function* readOsmFeatures(
  path: string,
  { nodesPath, onShare }: ReadOptions,
): AsyncGenerator<readonly MapFeature[]> {
  const file = await openPbfFile(path);
  const points = createNodePoints(nodesPath);
  try {
    const blocks = await file.findBlocks(() => {});
    const drawer = createDrawer(points);
    for await (const { elements, isLast, share } of readPasses(file, blocks, PASSES)) {
      yield elements.flatMap((element) => (isLast ? drawer.draw(element) : drawer.learn(element)));
      onShare(share);
    }
  } finally {
    points.close();
    await file.close();
  }
}

const PASSES: readonly Pass[] = [
  ["relation", false],
  ["node", true],
  ["way", true],
  ["relation", true],
];

/** Draws the elements of an extract, in the order of the passes. */
function createDrawer(points: NodePoints) {
  /** The ways of multipolygons; those of relations that are not drawn are missing. */
  const memberWays = new Map<number, MemberWay | undefined>();
  /** The level of the highest boundary that a way is part of. */
  const borders = new Map<number, number>();
  return {
    learn(element: PbfElement): [] {
      if (element.type === "relation") learnRelation(element, memberWays, borders);
      return [];
    },
    draw(element: PbfElement): MapFeature[] {
      if (element.type === "node") return drawNode(element, points);
      if (element.type === "relation") return drawRelation(element, memberWays);
      return drawWay(element, { points, memberWays, borders });
    },
  };
}

function learnRelation(
  { members, tags = {} }: PbfRelation,
  memberWays: Map<number, MemberWay | undefined>,
  borders: Map<number, number>,
): void {
  const ways = members.filter(({ type }) => type === "way");
  if (areaDrawingOf(tags)) for (const { ref } of ways) memberWays.set(ref, undefined);
  const level = borderLevel(tags);
  if (level === undefined) return;
  for (const { ref } of ways) borders.set(ref, Math.min(level, borders.get(ref) ?? level));
}

/** Countries and provinces. */
const BORDER_LEVELS: Readonly<Record<string, number>> = { "2": 2, "3": 3, "4": 4 };

function borderLevel(tags: OsmTags): number | undefined {
  if (tagOf(tags, "boundary") !== "administrative") return undefined;
  return BORDER_LEVELS[tagOf(tags, "admin_level") ?? ""];
}

function areaDrawingOf(tags: OsmTags): Drawing | undefined {
  if (tagOf(tags, "type") !== "multipolygon") return undefined;
  const drawing = drawingOf(tags);
  return drawing?.isArea ? drawing : undefined;
}

function drawNode({ id, lat, lon, tags }: PbfNode, points: NodePoints): MapFeature[] {
  points.add(id, lat, lon);
  return tags ? drawPoint(toUnits([lon, lat]), tags) : [];
}

interface WayContext {
  readonly points: NodePoints;
  readonly memberWays: Map<number, MemberWay | undefined>;
  readonly borders: ReadonlyMap<number, number>;
}

function drawWay({ id, refs, tags }: PbfWay, { points, memberWays, borders }: WayContext): MapFeature[] {
  const drawing = tags && drawingOf(tags);
  const border = borders.get(id);
  const isMember = memberWays.has(id);
  if (!drawing && border === undefined && !isMember) return [];
  const line = toLine(refs, points);
  const [first = 0, last = 0] = [refs[0], refs.at(-1)];
  if (isMember) memberWays.set(id, { first, last, line });
  return [
    ...(border === undefined ? [] : drawBorder(line, border)),
    ...(drawing && tags ? drawShape([line], tags, { drawing, isClosed: first === last }) : []),
  ];
}

/** Leaves out nodes that the file lacks. */
function toLine(refs: readonly number[], points: NodePoints): Line {
  return Int32Array.from(refs.flatMap((ref) => points.get(ref) ?? []));
}

const COUNTRY_LEVEL = 2;
const REGION_MIN_ZOOM = 6;

function drawBorder(line: Line, level: number): MapFeature[] {
  if (line.length < 4) return [];
  const isCountry = level === COUNTRY_LEVEL;
  return [
    {
      layer: "boundaries",
      minZoom: isCountry ? 0 : REGION_MIN_ZOOM,
      tags: { kind: isCountry ? "country" : "region", kind_detail: level },
      shape: "LineString",
      lines: [line],
    },
  ];
}

function drawRelation(
  { members, tags = {} }: PbfRelation,
  memberWays: ReadonlyMap<number, MemberWay | undefined>,
): MapFeature[] {
  const drawing = areaDrawingOf(tags);
  if (!drawing) return [];
  const ringsOf = (isInner: boolean): Line[] =>
    joinRings(
      members
        .filter(({ type, role }) => type === "way" && (role === "inner") === isInner)
        .flatMap(({ ref }) => memberWays.get(ref) ?? []),
    );
  return toPolygons(ringsOf(false), ringsOf(true)).flatMap((rings) =>
    drawShape(rings, tags, { drawing, isClosed: true }),
  );
}
