import type * as Protomaps from "protomaps-leaflet";
import type { Feature, LabelRule, PaintRule } from "protomaps-leaflet";

/** The library of the map's vector tiles. */
export type TileLibrary = typeof Protomaps;

/** The colours of the map: quieter than the pins on it. */
const PALETTES = {
  light: {
    earth: "#f1eee7",
    residential: "#ece8df",
    industrial: "#e6e4e0",
    civic: "#eee5d4",
    green: "#d5e4c4",
    wood: "#c6dbb4",
    sand: "#f1e8c9",
    ice: "#f6f8fa",
    aeroway: "#dfe0e4",
    water: "#a8cfe1",
    building: "#ded8cb",
    path: "#cdc3b0",
    minor: "#ffffff",
    minorEdge: "#dcd5c7",
    major: "#fff4cf",
    majorEdge: "#dccb9b",
    highway: "#fbd79b",
    highwayEdge: "#d9ab68",
    rail: "#b5b0a8",
    border: "#a08aa6",
    text: "#4a4841",
    streetText: "#5f5b52",
    waterText: "#33708c",
    halo: "#fbfaf7",
  },
  dark: {
    earth: "#14181d",
    residential: "#171b21",
    industrial: "#1a1e24",
    civic: "#1f1d20",
    green: "#182620",
    wood: "#15221c",
    sand: "#232119",
    ice: "#222a33",
    aeroway: "#242a33",
    water: "#12303f",
    building: "#20262e",
    path: "#39414c",
    minor: "#363e49",
    minorEdge: "#191e24",
    major: "#47505d",
    majorEdge: "#191e24",
    highway: "#564e3b",
    highwayEdge: "#191e24",
    rail: "#39414c",
    border: "#6d5f75",
    text: "#c4cad3",
    streetText: "#a3abb7",
    waterText: "#6fa9c2",
    halo: "#101318",
  },
} as const;

type Colours = Readonly<Record<keyof (typeof PALETTES)["light"], string>>;

/** The colours of the theme that the page shows now. */
export function readColours(): Colours {
  return PALETTES[getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light"];
}

/* Layers and kinds are those of the Protomaps basemap, which indexer/basemap draws too. */

type Filter = (zoom: number, feature: Feature) => boolean;

const AREA = 3;
const LINE = 2;
const POINT = 1;

const isKind =
  (...kinds: string[]): Filter =>
  (_zoom, { props }) =>
    kinds.some((kind) => kind === props["kind"]);

const isDetail =
  (...details: string[]): Filter =>
  (_zoom, { props }) =>
    details.some((detail) => detail === props["kind_detail"]);

const ofType =
  (type: number, filter: Filter = () => true): Filter =>
  (zoom, feature) =>
    feature.geomType === type && filter(zoom, feature);

/** Areas from the bottom to the top. */
const LANDUSE: readonly (readonly [colour: keyof Colours, ...kinds: string[]])[] = [
  ["residential", "residential", "urban_area"],
  ["industrial", "industrial", "military", "naval_base", "airfield", "railway", "commercial"],
  ["civic", "hospital", "school", "university", "college", "pedestrian"],
  ["sand", "sand", "beach"],
  ["ice", "glacier"],
  ["green", "park", "grass", "grassland", "cemetery", "golf_course", "village_green", "allotments"],
  ["green", "playground", "pitch", "zoo", "scrub", "wetland", "national_park", "nature_reserve"],
  ["wood", "wood", "forest"],
  ["aeroway", "aerodrome"],
];

/** A width in pixels at a zoom; between two, lines grow by `GROWTH` with each zoom. */
type Stop = readonly [zoom: number, pixels: number];

const GROWTH = 1.6;

interface DrawnLine {
  readonly layer: "water" | "roads";
  readonly colour: keyof Colours;
  readonly widths: readonly Stop[];
  readonly filter: Filter;
}

/** Under the buildings. */
const LOW_LINES: readonly DrawnLine[] = [
  {
    layer: "water",
    colour: "water",
    widths: [
      [8, 0.6],
      [14, 2.5],
      [18, 12],
    ],
    filter: ofType(LINE, isKind("river", "canal", "coastline")),
  },
  {
    layer: "water",
    colour: "water",
    widths: [
      [13, 0.5],
      [18, 4],
    ],
    filter: ofType(LINE, isKind("stream")),
  },
  {
    layer: "roads",
    colour: "aeroway",
    widths: [
      [10, 1],
      [14, 10],
      [18, 50],
    ],
    filter: isDetail("runway"),
  },
  {
    layer: "roads",
    colour: "aeroway",
    widths: [
      [13, 1],
      [18, 16],
    ],
    filter: isDetail("taxiway"),
  },
];

const PATHS: readonly DrawnLine[] = [
  {
    layer: "roads",
    colour: "path",
    widths: [
      [14, 0.6],
      [18, 3],
    ],
    filter: isKind("path"),
  },
  {
    layer: "roads",
    colour: "rail",
    widths: [
      [9, 0.5],
      [14, 1.4],
      [18, 3],
    ],
    filter: isKind("rail"),
  },
];

/** Each is drawn with an edge, in the colour of its name with `Edge`. */
const ROADS = [
  {
    layer: "roads",
    colour: "minor",
    widths: [
      [12, 0.4],
      [14, 1.6],
      [16, 5],
      [18, 13],
    ],
    filter: isKind("minor_road", "other"),
  },
  {
    layer: "roads",
    colour: "major",
    widths: [
      [7, 0.5],
      [12, 1.6],
      [14, 3.4],
      [16, 8],
      [18, 18],
    ],
    filter: isKind("major_road"),
  },
  {
    layer: "roads",
    colour: "highway",
    widths: [
      [5, 0.6],
      [10, 1.8],
      [14, 4.4],
      [16, 10],
      [18, 22],
    ],
    filter: isKind("highway"),
  },
] as const satisfies readonly DrawnLine[];

/** A pixel on each side keeps streets apart from the ground, where they are wide enough for it. */
const EDGE_PIXELS = 2;
const EDGE_ZOOM = 13;

/** How areas and lines are drawn, from the bottom to the top. */
export function buildPaintRules(library: TileLibrary, colours: Colours): PaintRule[] {
  const { PolygonSymbolizer, LineSymbolizer, exp } = library;
  const area = (dataLayer: string, fill: string, filter: Filter): PaintRule => ({
    dataLayer,
    symbolizer: new PolygonSymbolizer({ fill }),
    filter,
  });
  const widthOf = ({ widths }: DrawnLine) =>
    exp(
      GROWTH,
      widths.map((stop) => [...stop]),
    );
  const line = (drawn: DrawnLine, color = colours[drawn.colour], width = widthOf(drawn)): PaintRule => ({
    dataLayer: drawn.layer,
    symbolizer: new LineSymbolizer({ color, width, lineJoin: "round", lineCap: "round" }),
    filter: drawn.filter,
  });
  const edges = ROADS.map((road) => {
    const width = widthOf(road);
    const edge = line(road, colours[`${road.colour}Edge`], (zoom) => width(zoom) + EDGE_PIXELS);
    return { ...edge, minzoom: EDGE_ZOOM };
  });
  return [
    area("earth", colours.earth, ofType(AREA)),
    ...LANDUSE.map(([colour, ...kinds]) => area("landuse", colours[colour], ofType(AREA, isKind(...kinds)))),
    area("water", colours.water, ofType(AREA)),
    ...LOW_LINES.map((drawn) => line(drawn)),
    area("buildings", colours.building, ofType(AREA)),
    ...PATHS.map((drawn) => line(drawn)),
    ...edges,
    ...ROADS.map((road) => line(road)),
    {
      dataLayer: "boundaries",
      symbolizer: new LineSymbolizer({ color: colours.border, width: 1, dash: [5, 4] }),
    },
  ];
}

interface DrawnName {
  readonly layer: "places" | "roads" | "water";
  readonly font: string;
  readonly colour: keyof Colours;
  readonly filter: Filter;
  readonly alongLine?: true;
  readonly minZoom?: number;
  readonly maxZoom?: number;
}

const FONT = '"Segoe UI", system-ui, sans-serif';

const isSmallTown: Filter = (zoom, feature) =>
  isKind("locality")(zoom, feature) && !isDetail("city", "town")(zoom, feature);

/** Names on the map; those that come first win where there is no room for all. */
const NAMES: readonly DrawnName[] = [
  { layer: "places", font: "600 14px", colour: "text", maxZoom: 8, filter: isKind("country") },
  { layer: "places", font: "600 16px", colour: "text", maxZoom: 15, filter: isDetail("city") },
  { layer: "places", font: "600 14px", colour: "text", minZoom: 8, filter: isDetail("town") },
  {
    layer: "roads",
    font: "500 12px",
    colour: "streetText",
    minZoom: 13,
    alongLine: true,
    filter: isKind("highway", "major_road"),
  },
  { layer: "places", font: "500 13px", colour: "text", minZoom: 10, filter: isSmallTown },
  {
    layer: "places",
    font: "500 12px",
    colour: "streetText",
    minZoom: 12,
    filter: isKind("neighbourhood", "macrohood"),
  },
  {
    layer: "roads",
    font: "400 11px",
    colour: "streetText",
    minZoom: 15,
    alongLine: true,
    filter: isKind("minor_road", "other", "path"),
  },
  { layer: "water", font: "italic 400 12px", colour: "waterText", minZoom: 9, filter: ofType(POINT) },
  {
    layer: "water",
    font: "italic 400 12px",
    colour: "waterText",
    minZoom: 13,
    alongLine: true,
    filter: ofType(LINE, isKind("river", "canal")),
  },
];

/** How names are written: along lines, and centred at points. */
export function buildLabelRules(library: TileLibrary, colours: Colours, language: string): LabelRule[] {
  const { CenteredTextSymbolizer, LineLabelSymbolizer, LineLabelPlacement } = library;
  return NAMES.map(({ layer, font, colour, filter, alongLine, minZoom, maxZoom }) => {
    const options = {
      labelProps: [`name:${language}`, "name"],
      fill: colours[colour],
      font: `${font} ${FONT}`,
      stroke: colours.halo,
      width: 3,
    };
    return {
      dataLayer: layer,
      symbolizer: alongLine
        ? new LineLabelSymbolizer({ ...options, position: LineLabelPlacement.Center })
        : new CenteredTextSymbolizer({ ...options, lineHeight: 1.4 }),
      filter,
      // Places tell how early they are worth a name.
      sort: (a, b) => Number(a["min_zoom"] ?? 0) - Number(b["min_zoom"] ?? 0),
      ...(minZoom !== undefined && { minzoom: minZoom }),
      ...(maxZoom !== undefined && { maxzoom: maxZoom }),
    };
  });
}
