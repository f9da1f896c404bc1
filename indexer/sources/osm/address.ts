import type { PlaceDraft } from "../../place-draft.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";

type Address = PlaceDraft["location"]["address"];

/**
 * `addr:*` as an address in the Vietnamese order, the narrow before the wide. The district has no member of its own and
 * stands in `full` only. The country is left to the cleaning steps, which know it from the coordinates.
 */
export function addressOf(tags: OsmTags): Address {
  const street = streetOf(tags);
  const { ward, city } = wardAndCity(tags);
  const district = tagOf(tags, "addr:district") ?? "";
  const parts = [street, ward, district, city].filter((part) => part !== "");
  const full = tagOf(tags, "addr:full") ?? [...new Set(parts)].join(", ");
  return { full, street, ward, city, country: "" };
}

const WARD_KEYS = ["addr:subdistrict", "addr:ward", "addr:quarter", "addr:suburb", "addr:neighbourhood"];
const PROVINCE_KEYS = ["addr:province", "addr:state", "addr:town", "addr:village"];

/** Names that begin so are wards and communes. Since Viet Nam gave up its districts, mappers put them under `addr:city` too. */
const WARD_NAME = /^(?:phường|xã|thị trấn) /i;

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
