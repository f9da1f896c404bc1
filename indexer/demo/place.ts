import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { drawContacts, type Contacts } from "./contacts.ts";
import { drawFeatures } from "./features.ts";
import {
  drawPopularTimes,
  drawSpecialDays,
  drawWeek,
  UNKNOWN_WEEK,
  type BusyDay,
  type SpecialDay,
  type Week,
} from "./hours.ts";
import type { ReadyKind } from "./kinds.ts";
import { drawName, type Nameless } from "./names.ts";
import { drawGalleries, type Gallery } from "./photos.ts";
import type { Scene } from "./phrases.ts";
import type { Random } from "./random.ts";
import { drawReviews, drawStanding, type Review, type Standing } from "./reviews.ts";
import { buildAddress, type Address, type Spot } from "./spot.ts";

/** One record of the native format. Unknown optional fields are left out. */
export interface PlaceRecord {
  readonly source: "demo";
  readonly source_id: string;
  readonly place_id?: string;
  readonly title: string;
  readonly alternate_names?: readonly string[];
  readonly type: string;
  readonly rating: number;
  readonly reviews: number;
  readonly pricing: { readonly min: number; readonly max: number };
  readonly contacts: Contacts;
  readonly location: {
    readonly address: Address;
    readonly latitude: number;
    readonly longitude: number;
    readonly timezone: string;
    readonly country_code: string;
  };
  readonly business_status?: PlaceDocument["business_status"];
  readonly opening_hours: Week;
  readonly special_days?: readonly SpecialDay[];
  readonly features: PlaceDocument["features"];
  readonly description: string;
  readonly popular_times?: readonly BusyDay[];
  readonly review_list?: readonly Review[];
  readonly photos?: readonly Gallery[];
}

/** A place with its kind and its spot, before all other fields are drawn. */
export interface Founding extends Nameless {
  /** Its number among the places, from 1. */
  readonly number: number;
}

/** The long fields, which only the page of one place shows. */
export type LongFields = Pick<PlaceRecord, "popular_times" | "review_list" | "photos">;

/** All of Vietnam is in one time zone. */
const TIMEZONE = "Asia/Ho_Chi_Minh";
const COUNTRY_CODE = "VN";
/** The tables of prices are in thousands. */
const VND_PER_TABLE_UNIT = 1000;
/** The shares of places for which a field is known; no dataset is complete. */
const PRICE_KNOWN = 0.5;
const PLACE_ID_KNOWN = 0.2;
const SPECIAL_DAYS_KNOWN = 0.06;
const USUAL_UNKNOWN_HOURS = 0.2;
const DESCRIPTION_KNOWN = 0.3;
const PLACE_ID_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
/** How many times more reviews a branch of a chain has, and a place in the middle of town. */
const BRANCH_FAME = 2;
const CENTRE_FAME = 1.6;

/** A record without its long fields, and the data for drawing those. */
export interface PlaceDraft {
  readonly record: PlaceRecord;
  readonly standing: Standing;
}

/** Draws all fields of a place except the long ones. */
export function drawPlace(founding: Founding, random: Random): PlaceDraft {
  const { number, ready, spot, landmark } = founding;
  const { kind } = ready;
  const { title, otherNames } = drawName(founding, random);
  const brand = founding.brand?.name ?? "";
  const standing = drawStanding(kind, { fame: fameOf(founding), isLandmark: landmark !== undefined }, random);
  const status = landmark === undefined ? drawStatus(random) : undefined;
  const record: PlaceRecord = {
    source: "demo",
    source_id: `${number}`,
    ...(random.chance(PLACE_ID_KNOWN) && { place_id: drawPlaceId(random) }),
    title,
    ...(otherNames.length > 0 && { alternate_names: otherNames }),
    type: kind.type,
    rating: standing.rating,
    reviews: standing.reviews,
    pricing: drawPricing(founding, random),
    contacts: drawContacts(kind, { spot, title, brand }, random),
    location: drawLocation(spot, random),
    ...(status && { business_status: status }),
    ...drawHours(founding, random),
    features: drawFeatures(kind.features, random),
    description: drawDescription({ random, spot, brand }, ready),
  };
  return { record, standing };
}

const drawLocation = (spot: Spot, random: Random): PlaceRecord["location"] => ({
  address: buildAddress(spot, random),
  latitude: spot.latitude,
  longitude: spot.longitude,
  timezone: TIMEZONE,
  country_code: COUNTRY_CODE,
});

function drawHours(
  { ready, landmark }: Founding,
  random: Random,
): Pick<PlaceRecord, "opening_hours" | "special_days"> {
  const { hours, unknownHours = USUAL_UNKNOWN_HOURS } = ready.kind;
  if (landmark === undefined && random.chance(unknownHours)) return { opening_hours: UNKNOWN_WEEK };
  const week = drawWeek(hours, random);
  const specialDays = random.chance(SPECIAL_DAYS_KNOWN) ? drawSpecialDays(hours, random) : undefined;
  return { opening_hours: week, ...(specialDays && { special_days: specialDays }) };
}

/**
 * The share of rated places with each long field. With these shares, a million places take about two
 * gigabytes.
 */
const LONG_SHARES = { popularTimes: 0.4, reviews: 0.5, photos: 0.36 } as const;
/** Places with fewer reviews have no curve of busyness: too few people were seen there. */
const BUSY_FROM_REVIEWS = 25;

const TOPICS_WITH_MENU: ReadonlySet<string> = new Set(["bar", "coffee", "drinks", "food", "sweets"]);

/** Draws the long fields. They come last, so that the rest of a place is the same without them. */
export function drawLongFields(
  { number, ready, spot }: Founding,
  { record, standing }: PlaceDraft,
  random: Random,
): LongFields {
  const { kind } = ready;
  const hasBusyness =
    kind.busy !== undefined && record.opening_hours !== UNKNOWN_WEEK && standing.reviews >= BUSY_FROM_REVIEWS;
  return {
    ...(hasBusyness &&
      random.chance(LONG_SHARES.popularTimes) && {
        popular_times: drawPopularTimes(kind.busy, record.opening_hours, random),
      }),
    ...(standing.reviews > 0 &&
      random.chance(LONG_SHARES.reviews) && {
        review_list: drawReviews({ number, spot, topic: kind.topic, standing }, random),
      }),
    ...(standing.reviews > 0 &&
      random.chance(LONG_SHARES.photos) && {
        photos: drawGalleries(number, TOPICS_WITH_MENU.has(kind.topic), random),
      }),
  };
}

function fameOf({ spot, brand }: Founding): number {
  return (brand === undefined ? 1 : BRANCH_FAME) * (spot.ward.density >= 7 ? CENTRE_FAME : 1);
}

function drawPricing({ ready, landmark }: Founding, random: Random): PlaceRecord["pricing"] {
  const { prices } = ready.kind;
  // The tables are for everyday places, not for landmarks.
  if (prices === undefined || landmark !== undefined || !random.chance(PRICE_KNOWN))
    return { min: 0, max: 0 };
  const [min, max] = random.pick(prices);
  return { min: min * VND_PER_TABLE_UNIT, max: max * VND_PER_TABLE_UNIT };
}

function drawStatus(random: Random): PlaceDocument["business_status"] | undefined {
  const draw = random.below(1000);
  if (draw < 15) return "closed_permanently";
  return draw < 25 ? "closed_temporarily" : undefined;
}

function drawPlaceId(random: Random): string {
  let id = "ChIJ";
  for (let index = 0; index < 23; index += 1) id += PLACE_ID_LETTERS[random.below(PLACE_ID_LETTERS.length)];
  return id;
}

function drawDescription(scene: Scene, { descriptions }: ReadyKind): string {
  if (descriptions.length === 0 || !scene.random.chance(DESCRIPTION_KNOWN)) return "";
  return scene.random.pick(descriptions)(scene);
}
