import { includeParts } from "../../addresses/include-parts.ts";
import type { PlaceDraft } from "../../place-draft.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";

type Address = PlaceDraft["location"]["address"];

/**
 * `addr:*` as an address in the Vietnamese order, the narrow before the wide. The district has no member of its own and
 * stands in `full` only, as do further names of the ward. The country is left to the cleaning steps, which know it from the coordinates.
 */
export function addressOf(tags: OsmTags): Address {
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
