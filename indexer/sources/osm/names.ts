import { tagOf, type OsmTags } from "./osm-element.ts";

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

/** The name a place is shown by; `undefined` when nobody has named it. */
export function titleOf(tags: OsmTags): string | undefined {
  return tagOf(tags, ...TITLE_KEYS) ?? operatorName(tags);
}

/** Everything else it is called, its title not among it. */
export function alternateNamesOf(tags: OsmTags, title: string): string[] {
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
