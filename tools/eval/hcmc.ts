import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import * as v from "valibot";
import { distanceMeters, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { type Areas, readAreas } from "./areas.ts";
import file from "./hcmc.json" with { type: "json" };
import { createRandom, type Random } from "../../test/support/random.ts";
import { WORDING } from "./wording.ts";

const text = v.string();
const NAMES = v.parse(
  v.strictObject({
    brands: v.array(v.tuple([text, text])),
    firstWords: v.array(text),
    secondWords: v.array(text),
    hours: v.array(v.tuple([text, v.number()])),
  }),
  file,
);

/** About the width of a house. One side of a street has odd numbers, the other even ones. */
const METERS_PER_HOUSE = 5;
/** The distance of houses from the middle of the street, about 9 m. */
const OFF_STREET_DEGREES = 0.00008;
/** Shares of the places: branches of a chain, a name with the word for its kind, else a name alone. */
const CHAIN_SHARE = 0.15;
const TOLD_KIND_SHARE = 0.6;
/** One address in six is in an alley: "12/5". */
const ALLEY_SHARE = 1 / 6;
/** Two records in three still have the ward and district from before the reform of June 2025. */
const OLD_AREA_SHARE = 2 / 3;
const DAYS = ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ Nhật"];

interface Street {
  readonly name: string;
  readonly segments: { readonly from: Coordinates; readonly to: Coordinates; readonly startsAt: number }[];
  meters: number;
}

/**
 * Places of Ho Chi Minh City as lines of the native format: real streets, wards and districts from the folder
 * of open data, with invented names and house numbers. The same for the same seed.
 */
export async function openHcmc(folder: string, count: number, seed: number): Promise<Readable> {
  const streets = await readStreets(join(folder, "hcmc-road-segments.ndjson"));
  const areas = await readAreas(folder);
  return Readable.from(makeLines(streets, areas, count, createRandom(`hcmc ${seed}`)), { objectMode: false });
}

async function readStreets(roads: string): Promise<Street[]> {
  const streets = new Map<string, Street>();
  for await (const line of createInterface({ input: createReadStream(roads) })) {
    const road = JSON.parse(line) as {
      readonly name?: string;
      readonly location: { readonly coordinates: readonly (readonly [number, number])[] };
    };
    if (road.name === undefined || road.name === "Unnamed Road") continue;
    // "Đường Võ Văn Kiệt" is written "Võ Văn Kiệt"; "Đường số 3" and "Đường 3 Tháng 2" need the word.
    const name = road.name.replace(/^Đường (?=\p{Lu}\D*$)/u, "");
    const street = streets.getOrInsertComputed(name, () => ({ name, segments: [], meters: 0 }));
    const points = road.location.coordinates.map(([longitude, latitude]) => ({ latitude, longitude }));
    for (const [at, to] of points.entries()) {
      const from = points[at - 1];
      if (from === undefined) continue;
      street.segments.push({ from, to, startsAt: street.meters });
      street.meters += distanceMeters(from, to);
    }
  }
  return [...streets.values()].filter(({ meters }) => meters >= METERS_PER_HOUSE * 4);
}

function* makeLines(
  streets: readonly Street[],
  areas: Areas,
  count: number,
  random: Random,
): Generator<string> {
  const ends: number[] = [];
  let sum = 0;
  for (const { meters } of streets) ends.push((sum += meters));
  for (let number = 1; number <= count;) {
    const at = random.fraction() * sum;
    const street = streets[ends.findIndex((end) => end > at)]!;
    const house = standOn(street, random);
    const area = areas.locate(house.point);
    if (area === undefined) continue;
    yield `${JSON.stringify(toRecord(number, house, area, random))}\n`;
    number += 1;
  }
}

interface House {
  readonly point: Coordinates;
  readonly street: string;
}

/** A house on the street. Its number grows with the distance from the street's first segment. */
function standOn({ name, segments, meters }: Street, random: Random): House {
  const way = random.fraction() * meters;
  const { from, to, startsAt } = segments.findLast((segment) => segment.startsAt <= way)!;
  const share = Math.min(1, (way - startsAt) / Math.max(1, distanceMeters(from, to)));
  const isOdd = random.fraction() < 0.5;
  const front = 2 * Math.floor(way / METERS_PER_HOUSE) + (isOdd ? 1 : 2);
  const inAlley = random.fraction() < ALLEY_SHARE ? `/${1 + random.below(40)}` : "";
  const aside = (isOdd ? OFF_STREET_DEGREES : -OFF_STREET_DEGREES) * (inAlley === "" ? 1 : 3);
  const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return {
    street: `${front}${inAlley} ${name}`,
    point: {
      latitude: round(from.latitude + share * (to.latitude - from.latitude) + aside),
      longitude: round(from.longitude + share * (to.longitude - from.longitude) + aside),
    },
  };
}

function toRecord(
  number: number,
  { street, point }: House,
  area: NonNullable<ReturnType<Areas["locate"]>>,
  random: Random,
) {
  const isOld = random.fraction() < OLD_AREA_SHARE;
  const ward = isOld ? area.oldWard : area.ward;
  const city = "Thành phố Hồ Chí Minh";
  const full = [street, ward, ...(isOld ? [area.district] : []), city, "Việt Nam"].join(", ");
  const hours = drawHours(random);
  return {
    source: "hcmc",
    source_id: String(number),
    ...nameIt(random),
    location: {
      address: { full, street, ward, city, country: "Việt Nam" },
      ...point,
      timezone: "Asia/Ho_Chi_Minh",
      country_code: "VN",
    },
    ...(hours !== "" && { opening_hours: DAYS.map((day) => ({ day, hours })) }),
  };
}

function nameIt(random: Random): { readonly title: string; readonly type: string } {
  const lot = random.fraction();
  if (lot < CHAIN_SHARE) {
    const [title, type] = random.pick(NAMES.brands);
    return { title, type };
  }
  const { type, vi } = random.pick(WORDING.kinds);
  const name = `${random.pick(NAMES.firstWords)} ${random.pick(NAMES.secondWords)}`;
  if (lot >= CHAIN_SHARE + TOLD_KIND_SHARE) return { title: `${name} ${1 + random.below(99)}`, type };
  const word = vi[0]!;
  return { title: `${word[0]!.toUpperCase()}${word.slice(1)} ${name}`, type };
}

function drawHours(random: Random): string {
  let left = random.fraction() * NAMES.hours.reduce((sum, [, share]) => sum + share, 0);
  return NAMES.hours.find(([, share]) => (left -= share) < 0)?.[0] ?? "";
}
