import { asDate, toCountryCode } from "../record-fields.ts";
import { readConfirmedOn, type DraftHours, type PlaceDraft, emptyDraft } from "../../clean/place-draft.ts";
import {
  MAX_ALTERNATE_NAMES,
  splitLocality,
  type Position,
  type SourceContext,
  type SourceItem,
} from "../source.ts";
import { featuresOf } from "./features.ts";
import { parseOsmHours } from "./opening-hours.ts";
import { tagOf, type OsmElement, type OsmTags, toTags } from "./osm-element.ts";
import { TYPE_KEYS, typeOfTags } from "./type-of-tags.ts";
import { includeParts } from "../../clean/address.ts";
import { isUsefulNameless, splitParts } from "../../clean/strings.ts";
import { memoize } from "../../../src/place/text/memoize.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";

/** Converts an element to an item of the import. A string is the reason why there is no element. */
export type MapElement = (element: OsmElement | string, position: Position) => SourceItem;

/** Some texts of hours occur at every second place in a country, and evaluating one takes milliseconds. */
const MAX_CACHED_HOURS = 10_000;

/** Creates the mapper of one input. */
export function createOsmMapper({ note, today }: SourceContext): MapElement {
  const readHours = memoize((text) => parseOsmHours(text, today), MAX_CACHED_HOURS);

  const hoursOf = (tags: OsmTags, status: PlaceDraft["business_status"]): DraftHours | null => {
    const text = tagOf(tags, "opening_hours");
    if (text === undefined || status === "closed_temporarily") return null;
    const { hours, loss } = readHours(text);
    if (loss) note("opening_hours", loss);
    return hours;
  };

  return (element, position) => {
    if (typeof element === "string") return { position, skipped: element };
    const { tags } = element;
    if (isPartOfTown(tags)) return { position, skipped: "a part of a town: an area, not a place" };
    if (!isFindable(tags)) return { position, skipped: "no name" };
    const title = titleOf(tags) ?? "";
    const liveType = typeOfTags(tags, title);
    const formerType = liveType ? undefined : typeOfTags(formerTags(tags), title);
    const status = businessStatusOf(tags, formerType !== undefined, today);
    const draft: PlaceDraft = {
      ...emptyDraft(),
      source: "osm",
      source_id: element.id,
      title,
      alternate_names: alternateNamesOf(tags, title),
      type: liveType ?? formerType ?? "PLACE",
      contacts: contactsOf(tags),
      location: locationOf(element),
      ...readConfirmedOn(latestCheck(tags)),
      business_status: status,
      opening_hours: hoursOf(tags, status),
      features: featuresOf(tags),
      description: tagOf(tags, "description:vi", "description") ?? "",
    };
    return { position, draft };
  };
}

/**
 * By the wiki, `addr:country` is a code. Some mappers write a name; then the country follows from the
 * coordinates.
 */
function locationOf({ latitude, longitude, tags }: OsmElement): PlaceDraft["location"] {
  return {
    address: addressOf(tags),
    latitude,
    longitude,
    timezone: "",
    country_code: toCountryCode(tagOf(tags, "addr:country") ?? ""),
  };
}

type Address = PlaceDraft["location"]["address"];

/**
 * Converts `addr:*` to an address in the Vietnamese order, the narrow before the wide. The district and
 * further names of the ward are only in `full`, since they have no field. The cleaning steps fill in the
 * country from the coordinates.
 */
function addressOf(tags: OsmTags): Address {
  const street = streetOf(tags);
  const { ward, city } = wardAndCity(tags);
  const district = tagOf(tags, "addr:district") ?? "";
  const full = includeParts(tagOf(tags, "addr:full") ?? "", { street, ward, district, city });
  return { full: otherWards(tags).reduce(includeWard, full), street, ward, city, country: "" };
}

const WARD_KEYS = ["addr:subdistrict", "addr:ward", "addr:quarter", "addr:suburb", "addr:neighbourhood"];
const PROVINCE_KEYS = ["addr:province", "addr:state", "addr:town", "addr:village"];

/** Several of these keys occur together where quarters, old wards and new ones have different names. */
const otherWards = (tags: OsmTags): string[] => WARD_KEYS.flatMap((key) => tagOf(tags, key) ?? []);

const includeWard = (full: string, ward: string): string => includeParts(full, { ward });

function wardAndCity(tags: OsmTags): Pick<Address, "ward" | "city"> {
  const ward = tagOf(tags, ...WARD_KEYS) ?? "";
  const city = tagOf(tags, "addr:city") ?? "";
  const province = tagOf(tags, ...PROVINCE_KEYS) ?? "";
  const inCity = splitLocality(city, province);
  return { ward: ward || inCity.ward, city: inCity.city };
}

function streetOf(tags: OsmTags): string {
  const street = tagOf(tags, "addr:street", "addr:place") ?? "";
  const house = tagOf(tags, "addr:housenumber", "addr:housename") ?? "";
  return `${house} ${street}`.trim();
}

const FACEBOOK = "https://www.facebook.com/";

/** A name on Facebook instead of the full URL. */
const FACEBOOK_NAME = /^[\w.-]{3,80}$/;

const PHONE_KEYS = ["phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile"];

/** All numbers as written, and the first website. A Facebook page counts when there is no other. */
function contactsOf(tags: OsmTags): PlaceDraft["contacts"] {
  const phone = tagOf(tags, ...PHONE_KEYS);
  const website = tagOf(tags, "website", "contact:website", "url", "contact:url") ?? facebookPage(tags);
  return { phone: phone ?? "", website: firstOf(website) };
}

function facebookPage(tags: OsmTags): string | undefined {
  const page = tagOf(tags, "contact:facebook", "facebook");
  return page !== undefined && FACEBOOK_NAME.test(page) && !page.includes(".com") ? FACEBOOK + page : page;
}

const firstOf = (list: string | undefined): string => list?.split(";")[0]?.trim() ?? "";

/** The keys of a title, in this order. A place with only a brand has its name. */
const TITLE_KEYS = ["name", "name:vi", "name:en", "int_name", "official_name", "brand"];

/** Things known by their operator: "the Vietcombank ATM". */
const KNOWN_BY_OPERATOR: ReadonlySet<string> = new Set(
  "atm bank post_office fuel charging_station parcel_locker bicycle_rental car_sharing".split(" "),
);

/**
 * Keys of other names of the same place: a kind of name, a language, a script (`name:zh-Hant`, `name:ja_rm`).
 * Excludes the name's history (`name:etymology`) and sound (`name:pronunciation`).
 */
const NAME_KEY =
  /^(?:name|alt_name|old_name|official_name|short_name|loc_name|int_name|nat_name|reg_name|brand)(?::[a-z]{2,3}(?:[-_][a-zA-Z]{2,8}){0,2})?$/;

/** Only their owners may use them. */
const CLOSED_TO_OTHERS: ReadonlySet<string> = new Set(["private", "no"]);

/** Whether an element has a name, or is useful without one. */
export function isFindable(tags: OsmTags): boolean {
  if (titleOf(tags) !== undefined) return true;
  const type = typeOfTags(tags, "");
  return type !== undefined && isUsefulNameless(type) && !CLOSED_TO_OTHERS.has(tagOf(tags, "access") ?? "");
}

/** The displayed name; `undefined` when the place has none. */
function titleOf(tags: OsmTags): string | undefined {
  return tagOf(tags, ...TITLE_KEYS) ?? operatorName(tags);
}

/** All other names, without the title. */
function alternateNamesOf(tags: OsmTags, title: string): string[] {
  const named = Object.entries(tags).flatMap(([key, value]) =>
    NAME_KEY.test(key) ? splitParts(value, ";") : [],
  );
  const branch = tagOf(tags, "branch");
  const names = new Set([
    ...named,
    ...splitParts(operatorName(tags) ?? "", ";"),
    ...(branch ? [`${title} ${branch}`] : []),
  ]);
  names.delete(title);
  return [...names].slice(0, MAX_ALTERNATE_NAMES);
}

function operatorName(tags: OsmTags): string | undefined {
  return KNOWN_BY_OPERATOR.has(tagOf(tags, "amenity") ?? "") ? tagOf(tags, "operator") : undefined;
}

const KEYS: ReadonlySet<string> = new Set(TYPE_KEYS);

/**
 * Whether the tags make an element a place, present or former. A whole extract also contains every street,
 * river and boundary; a query or a GeoJSON file contains only what was selected.
 */
export function isPlace(tags: OsmTags): boolean {
  let isFormer = false;
  let isWorthALook = false;
  // Most elements have none of the keys, so this loop is their whole cost.
  for (const key in tags) {
    isWorthALook ||= KEYS.has(key);
    isFormer ||= key.includes(":") && LIFECYCLE_PREFIX.test(key);
  }
  return (
    (isWorthALook && typeOfTags(tags, "") !== undefined) ||
    (isFormer && typeOfTags(formerTags(tags), "") !== undefined)
  );
}

/** Towns and villages. They have no type code, but people search for them. */
export function isSettlement(tags: OsmTags): boolean {
  return tagOf(tags, "place") !== undefined;
}

/**
 * Parts of towns, which describe locations. Excludes neighbourhoods: those are housing estates, which people
 * visit.
 */
const PARTS_OF_TOWNS: ReadonlySet<string> = new Set(["borough", "suburb", "quarter"]);

const isPartOfTown = (tags: OsmTags): boolean =>
  PARTS_OF_TOWNS.has(tagOf(tags, "place") ?? "") &&
  TYPE_KEYS.every((key) => key === "place" || tags[key] === undefined);

type BusinessStatus = PlaceDocument["business_status"];

/** Prefixes of keys for things that no longer exist (the wiki's "lifecycle prefixes"). */
const LIFECYCLE_PREFIX = /^(?:disused|abandoned|was|demolished|removed|razed|historic_amenity):/;

const CLOSED_HOURS: ReadonlySet<string> = new Set(["closed", "off"]);

/** The tags of a place before it closed: `disused:amenity=cafe` → `amenity=cafe`. */
function formerTags(tags: OsmTags): OsmTags {
  const former = Object.entries(tags).filter(([key]) => LIFECYCLE_PREFIX.test(key));
  return toTags(Object.fromEntries(former.map(([key, value]) => [key.replace(LIFECYCLE_PREFIX, ""), value])));
}

/**
 * Whether a place still exists. `isFormer` means that only a lifecycle prefix gives its type. Hours of just
 * "closed" mean temporarily closed, since permanently closed places are tagged otherwise.
 */
function businessStatusOf(tags: OsmTags, isFormer: boolean, today: Temporal.PlainDate): BusinessStatus {
  if (
    isFormer ||
    tagOf(tags, "disused") === "yes" ||
    tagOf(tags, "abandoned") === "yes" ||
    hasEnded(tags, today)
  ) {
    return "closed_permanently";
  }
  return CLOSED_HOURS.has(tagOf(tags, "opening_hours")?.toLowerCase() ?? "")
    ? "closed_temporarily"
    : "operational";
}

/** The latest date on which a mapper checked the place or, if the export has it, changed it. */
const latestCheck = (tags: OsmTags): string | undefined =>
  ["check_date", "survey:date", "@timestamp"]
    .flatMap((key) => asDate(tagOf(tags, key)) ?? [])
    .toSorted()
    .at(-1);

const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?/;

/** `end_date` may be a year, a month or a day. It is compared at that precision. */
function hasEnded(tags: OsmTags, today: Temporal.PlainDate): boolean {
  const date = DATE.exec(tagOf(tags, "end_date") ?? "")?.[0];
  return date !== undefined && date < today.toString().slice(0, date.length);
}
