import { cellToVertexes, latLngToCell, vertexToLatLng } from "h3-js";
import type { OpenRange, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../test/support/build-place.ts";
import { pointAt } from "../../../test/support/points.ts";
import { createRandom, type Random } from "../../../test/support/random.ts";

/**
 * Places that lists easily get wrong: where the map ends, where many are alike, and where the clock is
 * changed.
 */

/** A part of the map, and the distribution of its places. */
interface Scene {
  readonly centre: { readonly latitude: number; readonly longitude: number };
  readonly timezone: string;
  readonly places: number;
  /** The location of the place with this number. */
  readonly locate: (number: number, random: Random, centre: Scene["centre"]) => Scene["centre"];
  /** True when ratings grow with distance, so that the best places are furthest out. */
  readonly isBestFarOut?: boolean;
  /** The areas that a place may be in, one of these lists each. */
  readonly areas?: readonly (readonly string[])[];
}

const inDisk =
  (meters: number): Scene["locate"] =>
  (_number, random, centre) =>
    pointAt(centre, meters * Math.sqrt(random.fraction()), random.below(360));

const GRID_WIDTH = 24;
const GRID_STEP_DEGREES = 0.002;

/** Equal steps in degrees: many places at almost the same distance. */
const inGrid: Scene["locate"] = (number, _random, { latitude, longitude }) => ({
  latitude: latitude + ((number % GRID_WIDTH) - GRID_WIDTH / 2) * GRID_STEP_DEGREES,
  longitude: longitude + (Math.floor(number / GRID_WIDTH) - GRID_WIDTH / 2) * GRID_STEP_DEGREES,
});

const atOnePoint: Scene["locate"] = (_number, _random, centre) => centre;

const anywhere: Scene["locate"] = (_number, random) => ({
  latitude: random.fraction() * 178 - 89,
  longitude: random.fraction() * 360 - 180,
});

/** The point where three cells of the coarsest resolution, and nearly of all finer ones, meet. */
function cornerOfCells(): Scene["centre"] {
  const [corner = ""] = cellToVertexes(latLngToCell(48.1, 11.5, 4));
  const [latitude, longitude] = vertexToLatLng(corner);
  return { latitude, longitude };
}

const SCENES: readonly Scene[] = [
  {
    centre: { latitude: 10.776, longitude: 106.7 },
    timezone: "Asia/Ho_Chi_Minh",
    places: 2_400,
    locate: inDisk(9_000),
    isBestFarOut: true,
  },
  { centre: { latitude: 89.98, longitude: 12 }, timezone: "UTC", places: 250, locate: inDisk(20_000) },
  { centre: { latitude: -89.9, longitude: -70 }, timezone: "UTC", places: 150, locate: inDisk(60_000) },
  {
    centre: { latitude: -17.5, longitude: 179.995 },
    timezone: "Pacific/Fiji",
    places: 400,
    locate: inDisk(30_000),
  },
  { centre: cornerOfCells(), timezone: "Europe/Berlin", places: GRID_WIDTH ** 2, locate: inGrid },
  {
    centre: { latitude: 40.7128, longitude: -74.006 },
    timezone: "America/New_York",
    places: 400,
    locate: inDisk(25_000),
  },
  {
    centre: { latitude: -31.55, longitude: 159.08 },
    timezone: "Australia/Lord_Howe",
    places: 150,
    locate: inDisk(8_000),
  },
  {
    centre: { latitude: 21.0285, longitude: 105.8542 },
    timezone: "Asia/Ho_Chi_Minh",
    places: 300,
    locate: atOnePoint,
  },
  { centre: { latitude: 0, longitude: 0 }, timezone: "Asia/Kathmandu", places: 500, locate: anywhere },
  {
    centre: { latitude: 22.667, longitude: 106.264 },
    timezone: "Asia/Ho_Chi_Minh",
    places: 400,
    locate: inDisk(60_000),
    areas: [["p04"], ["d204", "p04", "o18"], ["o18"], ["p08"], []],
  },
  {
    centre: { latitude: 65, longitude: 180 },
    timezone: "Asia/Anadyr",
    places: 60,
    locate: (number, _random, { latitude }) => ({
      latitude: latitude + number / 1_000,
      longitude: number % 2 === 0 ? 180 : -180,
    }),
  },
];

/** The centres that requests use. */
export const CENTRES = SCENES.map(({ centre }) => centre);

/** Days on which clocks are changed. Special days are set around them. */
export const CHANGE_DAYS = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-25", "2026-11-01"];

const TYPES = ["PHARMACY", "PHARMACY", "COFFEE", "HOTEL", "RESORT", "ATM", "PARK", "PLACE"];
const FIRST_WORDS = ["Zorbix", "Wuvvle", "Quandle", "Trizzik"];
const KIND_WORDS = ["", "", "", "", "Pharmacy", "Cafe", "Khách Sạn", "Khách Lớn Sạn"];
const STATUSES = [
  ...Array.from({ length: 18 }, () => "operational" as const),
  "closed_temporarily" as const,
  "closed_permanently" as const,
];
const STREETS = ["Vlompir", "Zorbix", "Quandle", "Quandle Zorbix", "Zorbix Quandle", "Skreebo 12 Vlompir"];
const WARDS = ["", "", "Phường Mẫu Một", "Phường Mẫu Hai"];
const CITIES = ["", "Thành phố Mẫu"];

const WEEKS: readonly (readonly OpenRange[])[] = [
  [[420, 1_320]],
  [[0, 1_440]],
  [[1_080, 1_560]],
  [
    [60, 180],
    [1_350, 1_470],
  ],
  [[150, 210]],
  [],
  [
    [480, 690],
    [780, 1_041],
  ],
];

const mutable = (ranges: readonly OpenRange[]): OpenRange[] => [...ranges];

function hoursOf(random: Random): PlaceDocument["opening_hours"] {
  if (random.below(6) === 0) return null;
  const week = Array.from({ length: 7 }, (_, day) => {
    const ranges = random.pick(WEEKS);
    // Ranges of one day must not reach into the next day's.
    return mutable(day % 2 === 0 ? ranges : random.pick([WEEKS[0]!, WEEKS[5]!]));
  });
  const special_days =
    random.below(3) === 0 ? [{ date: random.pick(CHANGE_DAYS), ranges: mutable(random.pick(WEEKS)) }] : [];
  return { week, special_days };
}

/** None for every third place; else days with some hours, which need not be those at which the place is open. */
function popularTimesOf(random: Random): PlaceDocument["popular_times"] {
  if (random.below(3) === 0) return [];
  return Array.from({ length: 7 }, () => {
    const from = random.pick([0, 0, 6, 18, 24]);
    return Array.from({ length: Math.min(24 - from, 1 + random.below(24)) }, (_, index) => ({
      hour: from + index,
      occupancy_percent: random.pick([0, 100, random.below(101), random.below(101)]),
    }));
  });
}

/** All places of all scenes; the same for the same seed. */
export function createHostilePlaces(seed: number): PlaceDocument[] {
  const random = createRandom(`hostile places ${seed}`);
  return SCENES.flatMap((scene, sceneNumber) =>
    Array.from({ length: scene.places }, (_, number) => toPlace(scene, [sceneNumber, number], random)),
  );
}

function toPlace(
  scene: Scene,
  [sceneNumber, number]: readonly [number, number],
  random: Random,
): PlaceDocument {
  const location = scene.locate(number, random, scene.centre);
  const isRated = random.below(4) !== 0;
  // A kilometre of latitude is about 0.009 degrees.
  const farness = Math.min(1, Math.abs(location.latitude - scene.centre.latitude) / 0.08);
  const rating = scene.isBestFarOut ? 1 + 3.9 * farness : 1 + random.below(41) / 10;
  const street = `${1 + random.below(99)} ${random.pick(STREETS)}`;
  const min = random.below(9) * 10_000;
  const id = random.below(2 ** 31).toString(16);
  const ward = random.pick(WARDS);
  const city = random.pick(CITIES);
  return buildPlace({
    data_id: `0x${(sceneNumber + 1).toString(16)}:0x${(number + 1).toString(16)}${id.padStart(8, "0")}`,
    title: [random.pick(FIRST_WORDS), random.pick(KIND_WORDS), String(number)].filter(Boolean).join(" "),
    type: random.pick(TYPES),
    rating: isRated ? Math.round(rating * 10) / 10 : 0,
    reviews: isRated ? 1 + random.below(4) * 50 : 0,
    pricing: random.below(3) === 0 ? { min: 0, max: 0 } : { min, max: min + 20_000 },
    location: {
      ...location,
      timezone: scene.timezone,
      country_code: "",
      address: { full: street, street, ward, city },
    },
    ...(scene.areas && { areas: [...random.pick(scene.areas)] }),
    business_status: random.pick(STATUSES),
    opening_hours: hoursOf(random),
    popular_times: popularTimesOf(random),
  });
}
