import type { PlaceDraft } from "../../place-draft.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";

type Address = PlaceDraft["location"]["address"];

/**
 * `addr:*` as an address in the Vietnamese order, the narrow before the wide. The district has no member of its own and
 * stands in `full` only. The country is left to the cleaning steps, which know it from the coordinates.
 */
export function addressOf(tags: OsmTags): Address {
  const street = streetOf(tags);
  const ward =
    tagOf(tags, "addr:subdistrict", "addr:ward", "addr:quarter", "addr:suburb", "addr:neighbourhood") ?? "";
  const district = tagOf(tags, "addr:district") ?? "";
  const city = tagOf(tags, "addr:city", "addr:province", "addr:state", "addr:town", "addr:village") ?? "";
  const parts = [street, ward, district, city].filter((part) => part !== "");
  return {
    full: tagOf(tags, "addr:full") ?? [...new Set(parts)].join(", "),
    street,
    ward,
    city,
    country: "",
  };
}

function streetOf(tags: OsmTags): string {
  const street = tagOf(tags, "addr:street", "addr:place") ?? "";
  const house = tagOf(tags, "addr:housenumber", "addr:housename") ?? "";
  return `${house} ${street}`.trim();
}
