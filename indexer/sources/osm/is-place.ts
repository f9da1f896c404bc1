import { formerTags, LIFECYCLE_PREFIX } from "./business-status.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";
import { typeOfTags } from "./type-of-tags.ts";
import { TYPE_KEYS } from "./type-table.ts";

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

/** Towns, villages and quarters: no type code says what they are, but people look for them. */
export function isSettlement(tags: OsmTags): boolean {
  return tagOf(tags, "place") !== undefined;
}
