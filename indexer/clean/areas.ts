import { readdirSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import whichPolygon from "which-polygon";
import { isInArea, readAreas, type Area } from "../../src/place/geometry/areas.ts";
import { isInBounds, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { hasPartWords, readPart, readText, type PartWords } from "./address.ts";
import { onFirstUse } from "../large-libraries.ts";
import { ASTRAY } from "./location.ts";
import type { CleanStep } from "./place-draft.ts";

/** The areas that contain a point, the narrow before the wide. */
interface AreasOfPoint {
  readonly current: readonly Area[];
  /** Areas from before the reform of July 2025, which most addresses still use. */
  readonly former: readonly Area[];
  /** True when the former areas are estimates: only their centres are known, not their boundaries. */
  readonly isFormerEstimated: boolean;
}

/** A ward of today, with the areas that contain it, and the wards of before the reform that it was made of. */
interface Ward {
  readonly chain: readonly Area[];
  readonly former: readonly FormerWard[];
}

interface FormerWard {
  readonly chain: readonly Area[];
  readonly centre: Coordinates;
  readonly ofWard: PartWords;
  readonly ofDistrict: PartWords;
}

const FOLDER = new URL("./area-data/", import.meta.url);
const AREA_LISTS = new URL("../../src/place/geometry/areas/", import.meta.url);

/** Simplified borders leave gaps. There, points this far around are tried too, in degrees: 200 metres. */
const GAP_DEGREES = 0.002;
const OFFSETS: readonly Position[] = [
  [0, 0],
  [GAP_DEGREES, 0],
  [-GAP_DEGREES, 0],
  [0, GAP_DEGREES],
  [0, -GAP_DEGREES],
];

/**
 * Loads the provinces and wards of Vietnam by boundary, and the former districts and wards by name or
 * nearest centre.
 */
export function loadVietnamAreas() {
  const areas = new Map(readAreaList("vietnam.csv").map((area) => [area.id, area]));
  // Neighbourhoods have only rough boxes.
  const boxes = readAreaList("neighbourhoods.csv");
  const former = readFormerWards();
  const wardAt = readBoundaries(areas);
  const chainOf = (id = ""): Area[] => {
    const area = areas.get(id);
    return area === undefined ? [] : [area, ...chainOf(area.parent)];
  };
  const readWard = (id: string): Ward => ({
    chain: chainOf(id),
    former: (former.get(id) ?? []).flatMap((one) => {
      const chain = chainOf(one);
      const [ward, district] = chain;
      if (ward === undefined) return [];
      const names = { ofWard: readPart(ward.name), ofDistrict: readPart(district?.name ?? " ") };
      return [{ chain, centre: ward.centre, ...names }];
    }),
  });
  const wards = new Map<string, Ward>();
  return {
    /**
     * `addressText` may name the former ward or district, which is more reliable than a centre. `undefined`
     * outside all areas.
     */
    find(point: Coordinates, addressText: string): AreasOfPoint | undefined {
      const id = wardAt(point);
      if (id === undefined) return undefined;
      const ward = wards.getOrInsertComputed(id, readWard);
      const named = namedIn(addressText, ward.former);
      return {
        current: [...boxes.filter((box) => isInArea(box, point)), ...ward.chain],
        former: nearest(point, named.length > 0 ? named : ward.former)?.chain ?? [],
        isFormerEstimated: named.length !== 1 && ward.former.length > 1,
      };
    },
  };
}

/** The candidates that the address names: by ward and district, else by ward, else by district alone. */
function namedIn(text: string, candidates: readonly FormerWard[]): readonly FormerWard[] {
  if (text === "" || candidates.length < 2) return candidates;
  const address = readText(text);
  const isOfDistrict = (one: FormerWard): boolean => hasPartWords(address, one.ofDistrict);
  const ofWard = candidates.filter((one) => hasPartWords(address, one.ofWard));
  if (ofWard.length === 0) return candidates.filter(isOfDistrict);
  const ofBoth = ofWard.filter(isOfDistrict);
  return ofBoth.length > 0 ? ofBoth : ofWard;
}

function nearest(point: Coordinates, wards: readonly FormerWard[]): FormerWard | undefined {
  const shrink = Math.cos((point.latitude * Math.PI) / 180);
  const squared = ({ centre }: FormerWard): number =>
    (centre.latitude - point.latitude) ** 2 + ((centre.longitude - point.longitude) * shrink) ** 2;
  let best: FormerWard | undefined;
  for (const ward of wards) if (best === undefined || squared(ward) < squared(best)) best = ward;
  return best;
}

const readAreaList = (name: string): Area[] => readAreas(readFileSync(new URL(name, AREA_LISTS), "utf8"));

function readFormerWards(): ReadonlyMap<string, readonly string[]> {
  const lines = dataLines(readFileSync(new URL("former-wards.csv", FOLDER), "utf8"));
  return new Map(
    lines.map((line) => {
      const [ward = "", former = ""] = line.split(",");
      return [ward, former.split(" ")];
    }),
  );
}

/** The lines without comments and the header. */
const dataLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1);

/** Boundaries leave the rectangle of their province, which is rounded, by less than this. */
const EDGE_DEGREES = 0.01;

/** The wards of a province are read with the first place in its rectangle: most files are of one city, and all wards take .4 s. */
function readBoundaries(areas: ReadonlyMap<string, Area>): (point: Coordinates) => string | undefined {
  const folder = new URL("wards/", AREA_LISTS);
  const provinces = readdirSync(folder).map((file) => {
    const wards = onFirstUse(() =>
      whichPolygon<{ id: string }>({
        type: "FeatureCollection",
        features: readWards(new URL(file, folder)),
      }),
    );
    const { west, south, east, north } = areas.get(file.split(".", 1)[0]!)!.bounds;
    const bounds = {
      west: west - EDGE_DEGREES,
      south: south - EDGE_DEGREES,
      east: east + EDGE_DEGREES,
      north: north + EDGE_DEGREES,
    };
    return { bounds, wards };
  });
  return (point) => {
    const around = provinces.filter(({ bounds }) => isInBounds(bounds, point));
    for (const [x = 0, y = 0] of OFFSETS) {
      for (const { wards } of around) {
        const found = wards()([point.longitude + x, point.latitude + y]);
        if (found) return found.id;
      }
    }
    return undefined;
  };
}

/** The wards of one province. */
function readWards(file: URL): Feature<Polygon | MultiPolygon, { id: string }>[] {
  const json = brotliDecompressSync(readFileSync(file)).toString();
  const topology = JSON.parse(json) as Topology<{ wards: GeometryCollection }>;
  const wards = feature(topology, topology.objects.wards) as FeatureCollection<Polygon | MultiPolygon>;
  return wards.features.map((ward) => ({ ...ward, properties: { id: String(ward.id) } }));
}

/** Loaded only for places in Vietnam. */
const vietnamAreas = onFirstUse(loadVietnamAreas);

/** "Thành phố Hồ Chí Minh" is "Hồ Chí Minh" in the `city` of most records. */
const PROVINCE_KIND = /^(?:Thành phố|Tỉnh) /u;

/**
 * Fills in the areas that contain a place, and the ward and city that its address lacks. Existing parts and
 * `address.full` do not change.
 */
export const fillAreas: CleanStep = (draft, { findTeamAreas, note }) => {
  const { location } = draft;
  const isVietnam = location.country_code === "VN";
  const found = isVietnam ? vietnamAreas().find(location, location.address.full) : undefined;
  if (isVietnam && found === undefined)
    note("location", ASTRAY.coast, `${location.latitude}, ${location.longitude}`);
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
