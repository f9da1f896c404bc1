import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { tagOf, toTags, type OsmTags } from "./osm-element.ts";

type BusinessStatus = PlaceDocument["business_status"];

/** What mappers put before a key when the thing is no more (the wiki's "lifecycle prefixes"). */
export const LIFECYCLE_PREFIX = /^(?:disused|abandoned|was|demolished|removed|razed|historic_amenity):/;

const CLOSED_HOURS: ReadonlySet<string> = new Set(["closed", "off"]);

/** The tags of what a place was before it closed: `disused:amenity=cafe` → `amenity=cafe`. */
export function formerTags(tags: OsmTags): OsmTags {
  const former = Object.entries(tags).filter(([key]) => LIFECYCLE_PREFIX.test(key));
  return toTags(Object.fromEntries(former.map(([key, value]) => [key.replace(LIFECYCLE_PREFIX, ""), value])));
}

/**
 * Whether a place is still there. `isFormer` says that only a lifecycle prefix tells its type. Hours that are nothing but
 * "closed" mean closed for a while: what is gone for good is tagged otherwise.
 */
export function businessStatusOf(
  tags: OsmTags,
  isFormer: boolean,
  today: Temporal.PlainDate,
): BusinessStatus {
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
