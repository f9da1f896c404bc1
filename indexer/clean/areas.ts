import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import whichPolygon from "which-polygon";
import type { Coordinates } from "../../src/place/coordinates.ts";
import { hasPart } from "./address.ts";
import { onFirstUse } from "../large-libraries.ts";
import type { CleanStep } from "./place-draft.ts";

/** One area that a point lies in: a province, a district or a ward of today, or of before July 2025. */
interface Area {
  readonly id: string;
  readonly level: string;
  readonly name: string;
  /** The id of the area around it; empty for a province. */
  readonly parent: string;
}

/** Where a point lies, the narrow before the wide. */
interface AreasOfPoint {
  readonly current: readonly Area[];
  /** Areas of before the reform of July 2025, which most addresses still use. */
  readonly former: readonly Area[];
  /** True when the former areas are a guess: their boundaries are not known, only their centres. */
  readonly isFormerEstimated: boolean;
}

export interface AreaLookup {
  /** `addressText` may name the former ward or district, which is surer than a centre. `undefined` outside all areas. */
  readonly find: (point: Coordinates, addressText: string) => AreasOfPoint | undefined;
}

const FOLDER = new URL("./area-data/", import.meta.url);
const AREA_LIST = new URL("../../src/place/areas/vietnam.csv", import.meta.url);

interface Centre extends Area, Coordinates {}

/** Where simplified borders leave a gap, the point itself and its surroundings so far away are tried, in degrees: 200 metres. */
const GAP_DEGREES = 0.002;
const OFFSETS: readonly Position[] = [
  [0, 0],
  [GAP_DEGREES, 0],
  [-GAP_DEGREES, 0],
  [0, GAP_DEGREES],
  [0, -GAP_DEGREES],
];

/** The provinces and wards of Vietnam by their boundaries, and the former districts and wards by name or nearest centre. */
export function loadVietnamAreas(): AreaLookup {
  const areas = readAreaList();
  const former = readFormerWards();
  const wardAt = readBoundaries();
  const chainOf = (id: string): Area[] => {
    const area = areas.get(id);
    return area === undefined ? [] : [area, ...chainOf(area.parent)];
  };
  return {
    find(point, addressText) {
      const ward = wardAt(point);
      if (ward === undefined) return undefined;
      const candidates = (former.get(ward) ?? []).flatMap((id) => areas.get(id) ?? []);
      const named = namedIn(addressText, candidates, areas);
      const best = nearest(point, named.length > 0 ? named : candidates);
      return {
        current: chainOf(ward),
        former: best === undefined ? [] : chainOf(best.id),
        isFormerEstimated: named.length !== 1 && candidates.length > 1,
      };
    },
  };
}

/** The candidates that the address names, by ward and district, else by ward, else by district alone. */
function namedIn(
  text: string,
  candidates: readonly Centre[],
  areas: ReadonlyMap<string, Centre>,
): readonly Centre[] {
  if (text === "" || candidates.length < 2) return candidates;
  const ofWard = candidates.filter(({ name }) => hasPart(text, name));
  const ofDistrict = candidates.filter(({ parent }) => hasPart(text, areas.get(parent)?.name ?? " "));
  const ofBoth = ofWard.filter((candidate) => ofDistrict.includes(candidate));
  return [ofBoth, ofWard, ofDistrict].find((list) => list.length > 0) ?? [];
}

function nearest(point: Coordinates, centres: readonly Centre[]): Centre | undefined {
  const shrink = Math.cos((point.latitude * Math.PI) / 180);
  const squared = (centre: Centre): number =>
    (centre.latitude - point.latitude) ** 2 + ((centre.longitude - point.longitude) * shrink) ** 2;
  let best: Centre | undefined;
  for (const centre of centres) if (best === undefined || squared(centre) < squared(best)) best = centre;
  return best;
}

function readAreaList(): ReadonlyMap<string, Centre> {
  const areas = new Map<string, Centre>();
  for (const line of dataLines(readFileSync(AREA_LIST, "utf8"))) {
    const [id = "", level = "", , name = "", parent = "", latitude, longitude] = line.split(",");
    areas.set(id, { id, level, name, parent, latitude: Number(latitude), longitude: Number(longitude) });
  }
  return areas;
}

function readFormerWards(): ReadonlyMap<string, readonly string[]> {
  const lines = dataLines(readFileSync(new URL("former-wards.csv", FOLDER), "utf8"));
  return new Map(
    lines.map((line) => {
      const [ward = "", former = ""] = line.split(",");
      return [ward, former.split(" ")];
    }),
  );
}

/** Without comments and the header. */
const dataLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1);

function readBoundaries(): (point: Coordinates) => string | undefined {
  const json = brotliDecompressSync(readFileSync(new URL("vietnam-wards.topo.json.br", FOLDER))).toString();
  const topology = JSON.parse(json) as Topology<{ wards: GeometryCollection }>;
  const wards = feature(topology, topology.objects.wards) as FeatureCollection<Polygon | MultiPolygon>;
  const query = whichPolygon<{ id: string }>({
    type: "FeatureCollection",
    features: wards.features.map((ward): Feature<Polygon | MultiPolygon, { id: string }> => ({
      ...ward,
      properties: { id: String(ward.id) },
    })),
  });
  return ({ latitude, longitude }) => {
    for (const [x = 0, y = 0] of OFFSETS) {
      const found = query([longitude + x, latitude + y]);
      if (found) return found.id;
    }
    return undefined;
  };
}

/** Half a second to load: only for places of Vietnam. */
const vietnamAreas = onFirstUse(loadVietnamAreas);

/** "Thành phố Hồ Chí Minh" is "Hồ Chí Minh" in the `city` of most records. */
const PROVINCE_KIND = /^(?:Thành phố|Tỉnh) /u;

/**
 * The areas that a place lies in, by its coordinates, and the ward and city where its address lacks them. Parts that are
 * there stay, and so does `address.full`.
 */
export const fillAreas: CleanStep = (draft, { findTeamAreas }) => {
  const { location } = draft;
  const isVietnam = location.country_code === "VN";
  const found = isVietnam ? vietnamAreas().find(location, location.address.full) : undefined;
  const { current = [], former = [], isFormerEstimated = false } = found ?? {};
  const today: readonly Pick<Area, "id" | "level" | "name">[] = [
    ...(findTeamAreas?.(location) ?? []),
    ...current,
  ];
  if (today.length === 0) return draft;
  const nameAt = (level: string): string => today.find((area) => area.level === level)?.name ?? "";
  const ward = location.address.ward || nameAt("ward");
  const cityArea = (isVietnam ? "" : nameAt("district")) || nameAt("province").replace(PROVINCE_KIND, "");
  const city = location.address.city || cityArea;
  return {
    ...draft,
    areas: [...today, ...former].map(({ id }) => id),
    ...(isFormerEstimated && { has_estimated_areas: true }),
    location: { ...location, address: { ...location.address, ward, city } },
  };
};
