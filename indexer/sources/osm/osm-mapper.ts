import { type DraftHours, type PlaceDraft, emptyDraft } from "../../clean/place-draft.ts";
import type { Position, SourceContext, SourceItem } from "../source.ts";
import { featuresOf } from "./features.ts";
import { parseOsmHours, type OsmHours } from "./opening-hours.ts";
import { tagOf, type OsmElement, type OsmTags, toTags } from "./osm-element.ts";
import { TYPE_KEYS, typeOfTags } from "./type-of-tags.ts";
import { includeParts } from "../../clean/address.ts";
import { isUsefulNameless } from "../../clean/strings.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";

/** Turns an element, or the reason for which there is none, into what the import goes on with. */
export type MapElement = (element: OsmElement | string, position: Position) => SourceItem;

/** Some texts of hours are on every second place of a country; evaluating one takes milliseconds. */
const MAX_REMEMBERED_HOURS = 10_000;

/** The mapper of one input. */
export function createOsmMapper({ note, today }: SourceContext): MapElement {
  const readHours = createHoursReader(today);

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
      business_status: status,
      opening_hours: hoursOf(tags, status),
      features: featuresOf(tags),
      description: tagOf(tags, "description:vi", "description") ?? "",
    };
    return { position, draft };
  };
}

const COUNTRY_CODE = /^[a-z]{2}$/i;

/** `addr:country` is a code by the wiki, and a name in the hands of some; the coordinates know the code as well. */
function locationOf({ latitude, longitude, tags }: OsmElement): PlaceDraft["location"] {
  const country = tagOf(tags, "addr:country") ?? "";
  return {
    address: addressOf(tags),
    latitude,
    longitude,
    timezone: "",
    country_code: COUNTRY_CODE.test(country) ? country : "",
  };
}

function createHoursReader(today: Temporal.PlainDate): (text: string) => OsmHours {
  const remembered = new Map<string, OsmHours>();
  return (text) => {
    const known = remembered.get(text);
    if (known) return known;
    if (remembered.size >= MAX_REMEMBERED_HOURS) remembered.clear();
    const hours = parseOsmHours(text, today);
    remembered.set(text, hours);
    return hours;
  };
}

type Address = PlaceDraft["location"]["address"];

/**
 * `addr:*` as an address in the Vietnamese order, the narrow before the wide. The district has no field of its own and
 * stands in `full` only, as do further names of the ward. The country is left to the cleaning steps, which know it from the coordinates.
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

/** Names that begin so are wards and communes. Since Viet Nam gave up its districts, mappers put them under `addr:city` too. */
const WARD_NAME = /^(?:phường|xã|thị trấn) /i;

/** Several of these keys stand side by side where quarters, old wards and new ones have different names. */
const otherWards = (tags: OsmTags): string[] => WARD_KEYS.flatMap((key) => tagOf(tags, key) ?? []);

const includeWard = (full: string, ward: string): string => includeParts(full, { ward });

function wardAndCity(tags: OsmTags): Pick<Address, "ward" | "city"> {
  const ward = tagOf(tags, ...WARD_KEYS) ?? "";
  const city = tagOf(tags, "addr:city") ?? "";
  const province = tagOf(tags, ...PROVINCE_KEYS) ?? "";
  return WARD_NAME.test(city.normalize("NFC"))
    ? { ward: ward || city, city: province }
    : { ward, city: city || province };
}

function streetOf(tags: OsmTags): string {
  const street = tagOf(tags, "addr:street", "addr:place") ?? "";
  const house = tagOf(tags, "addr:housenumber", "addr:housename") ?? "";
  return `${house} ${street}`.trim();
}

const FACEBOOK = "https://www.facebook.com/";

/** A name on Facebook where the whole address was meant. */
const FACEBOOK_NAME = /^[\w.-]{3,80}$/;

const PHONE_KEYS = ["phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile"];

/** All numbers as they are written, and the first address of a place; a page on Facebook where it has no other. */
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

/** Where the name of a place is looked for; a place that only has a brand is called by it. */
const TITLE_KEYS = ["name", "name:vi", "name:en", "int_name", "official_name", "brand"];

/** Things that are known by who runs them: "the Vietcombank ATM". */
const KNOWN_BY_OPERATOR: ReadonlySet<string> = new Set(
  "atm bank post_office fuel charging_station parcel_locker bicycle_rental car_sharing".split(" "),
);

/**
 * Keys whose values are other names of the same place: a kind of name, a language, a script (`name:zh-Hant`, `name:ja_rm`).
 * Not the name's history (`name:etymology`) nor its sound (`name:pronunciation`).
 */
const NAME_KEY =
  /^(?:name|alt_name|old_name|official_name|short_name|loc_name|int_name|nat_name|reg_name|brand)(?::[a-z]{2,3}(?:[-_][a-zA-Z]{2,8}){0,2})?$/;

/** Towns have a name in every language of the world; this many are worth their place in the index. */
const MAX_ALTERNATE_NAMES = 60;

/** Nobody but their owners may use them. */
const CLOSED_TO_OTHERS: ReadonlySet<string> = new Set(["private", "no"]);

/** Whether a thing has a name, or is useful without one. */
export function isFindable(tags: OsmTags): boolean {
  if (titleOf(tags) !== undefined) return true;
  const type = typeOfTags(tags, "");
  return type !== undefined && isUsefulNameless(type) && !CLOSED_TO_OTHERS.has(tagOf(tags, "access") ?? "");
}

/** The name a place is shown by; `undefined` when nobody has named it. */
function titleOf(tags: OsmTags): string | undefined {
  return tagOf(tags, ...TITLE_KEYS) ?? operatorName(tags);
}

/** Everything else it is called, its title not among it. */
function alternateNamesOf(tags: OsmTags, title: string): string[] {
  const named = Object.entries(tags).flatMap(([key, value]) => (NAME_KEY.test(key) ? splitList(value) : []));
  const branch = tagOf(tags, "branch");
  const names = new Set([
    ...named,
    ...splitList(operatorName(tags) ?? ""),
    ...(branch ? [`${title} ${branch}`] : []),
  ]);
  names.delete(title);
  return [...names].slice(0, MAX_ALTERNATE_NAMES);
}

function operatorName(tags: OsmTags): string | undefined {
  return KNOWN_BY_OPERATOR.has(tagOf(tags, "amenity") ?? "") ? tagOf(tags, "operator") : undefined;
}

const splitList = (value: string): string[] =>
  value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const KEYS: ReadonlySet<string> = new Set(TYPE_KEYS);

/**
 * Whether the tags say what a thing is in a way that makes it a place of ours, living or former. A whole extract holds every
 * street, river and boundary besides; a query or a GeoJSON file holds what somebody asked for.
 */
export function isPlace(tags: OsmTags): boolean {
  let isFormer = false;
  let isWorthALook = false;
  // Most things have none of the keys: this loop is the whole cost of them.
  for (const key in tags) {
    isWorthALook ||= KEYS.has(key);
    isFormer ||= key.includes(":") && LIFECYCLE_PREFIX.test(key);
  }
  return (
    (isWorthALook && typeOfTags(tags, "") !== undefined) ||
    (isFormer && typeOfTags(formerTags(tags), "") !== undefined)
  );
}

/** Towns and villages: no type code says what they are, but people look for them. */
export function isSettlement(tags: OsmTags): boolean {
  return tagOf(tags, "place") !== undefined;
}

/** They say where a place is. Not neighbourhoods: those are housing estates, which people go to. */
const PARTS_OF_TOWNS: ReadonlySet<string> = new Set(["borough", "suburb", "quarter"]);

const isPartOfTown = (tags: OsmTags): boolean =>
  PARTS_OF_TOWNS.has(tagOf(tags, "place") ?? "") &&
  TYPE_KEYS.every((key) => key === "place" || tags[key] === undefined);

type BusinessStatus = PlaceDocument["business_status"];

/** What mappers put before a key when the thing is no more (the wiki's "lifecycle prefixes"). */
const LIFECYCLE_PREFIX = /^(?:disused|abandoned|was|demolished|removed|razed|historic_amenity):/;

const CLOSED_HOURS: ReadonlySet<string> = new Set(["closed", "off"]);

/** The tags of what a place was before it closed: `disused:amenity=cafe` → `amenity=cafe`. */
function formerTags(tags: OsmTags): OsmTags {
  const former = Object.entries(tags).filter(([key]) => LIFECYCLE_PREFIX.test(key));
  return toTags(Object.fromEntries(former.map(([key, value]) => [key.replace(LIFECYCLE_PREFIX, ""), value])));
}

/**
 * Whether a place is still there. `isFormer` says that only a lifecycle prefix tells its type. Hours that are nothing but
 * "closed" mean closed for a while: what is gone for good is tagged otherwise.
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

const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?/;

/** `end_date` may be a year, a month or a day, and is compared as far as it goes. */
function hasEnded(tags: OsmTags, today: Temporal.PlainDate): boolean {
  const date = DATE.exec(tagOf(tags, "end_date") ?? "")?.[0];
  return date !== undefined && date < today.toString().slice(0, date.length);
}
