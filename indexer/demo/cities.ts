import * as v from "valibot";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import daNang from "./cities/da-nang.json" with { type: "json" };
import haNoi from "./cities/ha-noi.json" with { type: "json" };
import hoChiMinhCity from "./cities/ho-chi-minh.json" with { type: "json" };
import hoChiMinhStreets from "./cities/ho-chi-minh-streets.json" with { type: "json" };
import otherCities from "./cities/other-cities.json" with { type: "json" };
import worlds from "./worlds.json" with { type: "json" };

/** What a street or a building is known for; it shifts which kinds of places stand there. */
export const FLAVOURS = [
  "bars",
  "books",
  "fashion",
  "food",
  "gold",
  "hotels",
  "luxury",
  "mall",
  "medical",
  "offices",
  "phones",
  "vehicles",
  "villas",
] as const;

export type Flavour = "" | (typeof FLAVOURS)[number];

/** How built-up a place's surroundings are, or what its street is known for: it decides which kinds stand there. */
export const ZONES = ["centre", "inner", "outer", "edge", ...FLAVOURS] as const;

export type Zone = (typeof ZONES)[number];

/**
 * People name their stalls, dishes and lanes differently from north to south: an address behind a street is `45/7` in the south,
 * `Số 7 ngõ 45` in the north and `K45/7` in the middle.
 */
export const REGIONS = ["south", "central", "north"] as const;

export type Region = (typeof REGIONS)[number];

const latitude = v.pipe(v.number(), v.minValue(8), v.maxValue(24));
const longitude = v.pipe(v.number(), v.minValue(102), v.maxValue(110));
const positive = v.pipe(v.number(), v.gtValue(0));

/** A ward of July 2025. Positions are approximate, from general knowledge. */
const wardSchema = v.strictObject({
  name: textSchema,
  /** The district it was in before July 2025. */
  oldDistrict: textSchema,
  latitude,
  longitude,
  radiusMeters: positive,
  /** Places per metre of street, relative: 10 for the heart of the old town, 5 for a full quarter, 1 for the edge. */
  density: positive,
  /** How many streets it has that are called "Đường số 1" and so on. */
  numberedStreets: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Streets inside the ward. Their course is not known: each is laid out somewhere in the ward. */
  streets: v.array(textSchema),
});

export type WardRow = v.InferOutput<typeof wardSchema>;

/** A main road with its course. */
const avenueSchema = v.strictObject({
  name: textSchema,
  /** Multiplies the density of the wards that the street crosses. */
  busyness: positive,
  flavour: v.optional(v.picklist(FLAVOURS)),
  path: v.pipe(v.array(v.tuple([latitude, longitude])), v.minLength(2)),
});

/** A shopping centre: its name, its house and street as an address line, and its location. */
const mallSchema = v.strictObject({ name: textSchema, line: textSchema, latitude, longitude });

/** A well-known place. `kind` is a key of one of the files in `kinds`. */
const landmarkSchema = v.strictObject({
  name: textSchema,
  kind: textSchema,
  line: textSchema,
  latitude,
  longitude,
  otherNames: v.optional(v.array(textSchema)),
});

export type LandmarkRow = v.InferOutput<typeof landmarkSchema>;

/** A street inside one ward, as OpenStreetMap has it. */
const mappedStreetSchema = v.strictObject({
  name: textSchema,
  /** The `name` of a ward of the city. */
  ward: textSchema,
  /** One of the city's avenues. */
  isMain: v.optional(v.literal(true)),
  /** Metres from the start of the whole street, from which house numbers are counted. */
  from: v.pipe(v.number(), v.minValue(0)),
  /** How much further from the middle the houses stand than on a narrow street, in metres. */
  setback: v.optional(positive),
  path: v.pipe(v.array(v.tuple([latitude, longitude])), v.minLength(2)),
  /** For each side of the path, how far from it there are houses, to the left and to the right; 0 for none. */
  reach: v.array(v.tuple([v.number(), v.number()])),
});

export type MappedStreet = v.InferOutput<typeof mappedStreetSchema>;

/** The form of a file of streets: those of the city within `bounds`. Where it ends, their courses are approximate or invented. */
export const streetMapSchema = v.strictObject({
  /** Whom to credit, under which licence. */
  source: textSchema,
  bounds: v.strictObject({ west: longitude, south: latitude, east: longitude, north: latitude }),
  streets: v.array(mappedStreetSchema),
});

/** The form of a city in `cities`. */
export const citySchema = v.strictObject({
  /** The name in use in titles: "Sài Gòn", "Nha Trang". */
  localName: textSchema,
  /** The province or municipality as an address has it. */
  province: textSchema,
  shortProvince: textSchema,
  /** The province in addresses before July 2025, after the old district. */
  oldProvince: textSchema,
  postcode: v.pipe(v.string(), v.regex(/^\d{6}$/, "must be six digits")),
  areaCode: v.pipe(v.string(), v.regex(/^\d{2,3}$/, "must be two or three digits")),
  region: v.picklist(REGIONS),
  centre: v.strictObject({ latitude, longitude }) satisfies v.GenericSchema<Coordinates>,
  /** Reach of the city from its centre; no place is further away. */
  radiusMeters: positive,
  wards: v.pipe(v.array(wardSchema), v.minLength(1)),
  avenues: v.array(avenueSchema),
  malls: v.array(mallSchema),
  landmarks: v.array(landmarkSchema),
});

export interface City extends v.InferOutput<typeof citySchema> {
  readonly streetMap?: v.InferOutput<typeof streetMapSchema>;
}

const CITIES: readonly City[] = [
  {
    ...readTable("indexer/demo/cities/ho-chi-minh.json", citySchema, hoChiMinhCity),
    streetMap: readTable("indexer/demo/cities/ho-chi-minh-streets.json", streetMapSchema, hoChiMinhStreets),
  },
  readTable("indexer/demo/cities/ha-noi.json", citySchema, haNoi),
  readTable("indexer/demo/cities/da-nang.json", citySchema, daNang),
  ...readTable("indexer/demo/cities/other-cities.json", v.array(citySchema), otherCities),
];

const CITY_BY_NAME: ReadonlyMap<string, City> = new Map(CITIES.map((city) => [city.localName, city]));

/** The city of that local name. Throws when there is none. */
export function cityNamed(localName: string): City {
  const city = CITY_BY_NAME.get(localName);
  if (city === undefined) throw new Error(`no city ${localName} in indexer/demo/cities`);
  return city;
}

/** The form of `worlds.json`: how much of the country a dataset covers, the smallest first. */
export const worldsSchema = v.array(
  v.strictObject({
    /**
     * The smallest number of places. With fewer, the smaller world is used; with more, its cities would be
     * too full.
     */
    fromPlaces: v.pipe(v.number(), v.integer(), v.minValue(1)),
    /**
     * Scales the share of branches among the places of a kind. Chains grow slower than the number of places: a city known by a
     * few thousand places is known by its chains, one with every stall in it is not.
     */
    brandFactor: positive,
    /**
     * The share of places in each city; only the proportion counts. It follows the cities' populations, with
     * more for towns that live on visitors.
     */
    shares: v.record(
      v.pipe(
        v.string(),
        v.check(
          (name) => CITY_BY_NAME.has(name),
          ({ received }) => `${received} is not the localName of a city in indexer/demo/cities`,
        ),
      ),
      positive,
    ),
  }),
);

const WORLDS = readTable("indexer/demo/worlds.json", worldsSchema, worlds);

interface CityShare {
  readonly city: City;
  readonly share: number;
}

/** The cities of a dataset, each with its share of the places, and how common chains are. */
export interface World {
  readonly cities: readonly CityShare[];
  readonly brandFactor: number;
}

/** The world for a dataset of this many places. */
export function worldFor(places: number): World {
  const { shares, brandFactor } = WORLDS.findLast(({ fromPlaces }) => places >= fromPlaces)!;
  const cities = Object.entries(shares).map(([name, share]) => ({ city: cityNamed(name), share }));
  return { cities, brandFactor };
}
