import { emptyDraft, type PlaceDraft } from "../../place-draft.ts";
import { joinAddress, splitLocality } from "../address-parts.ts";
import {
  asObject,
  asText,
  noteUnknownMembers,
  readElements,
  readMember,
  type Members,
} from "../native/members.ts";
import { refineByName } from "../osm/type-refinements.ts";
import type { MapRecord } from "../parquet/layout.ts";
import type { SourceContext } from "../source.ts";
import { isPrivateHome, readLabels } from "./categories.ts";
import { readContacts } from "./contacts.ts";

/** What Foursquare's users say of a record that is no place to be found; a claim of closure is for `date_closed` to settle. */
const NO_PLACE_FLAGS: ReadonlySet<string> = new Set([
  "delete",
  "doesnt_exist",
  "duplicate",
  "inappropriate",
  "privatevenue",
]);

/** What is read, and what is known and left aside. */
const KNOWN_COLUMNS = new Set(
  [
    "fsq_place_id name latitude longitude address locality region postcode admin_region post_town po_box country",
    "date_created date_refreshed date_closed tel website email facebook_id instagram twitter",
    "fsq_category_ids fsq_category_labels placemaker_url unresolved_flags geom bbox dt",
  ].flatMap((names) => names.split(" ")),
);

/** The mapper of one input. A record is a row by the names of its columns, its lists as lists. */
export function createFoursquareMapper({ note }: SourceContext): MapRecord {
  return (value, _coordinates, position) => {
    const record: Members = { values: asObject(value) ?? {}, path: "", note };
    const labels = readElements(record, "fsq_category_labels", asText);
    const flag = readElements(record, "unresolved_flags", asText).find((name) => NO_PLACE_FLAGS.has(name));
    if (flag !== undefined) return { position, skipped: `flagged ${flag} at Foursquare` };
    if (isPrivateHome(labels)) return { position, skipped: "a private home" };
    const title = readMember(record, "name", asText)?.trim() ?? "";
    if (title === "") return { position, rejected: { field: "name", reason: "missing" } };
    const { latitude, longitude } = record.values;
    if (typeof latitude !== "number" || typeof longitude !== "number")
      return { position, rejected: { field: "latitude", reason: "no coordinates", value: latitude } };
    noteUnknownMembers(record, KNOWN_COLUMNS);
    const draft: PlaceDraft = {
      ...emptyDraft(),
      source: "foursquare",
      source_id: readMember(record, "fsq_place_id", asText) ?? "",
      title,
      type: refineByName(readLabels(record, labels) ?? "PLACE", title),
      contacts: readContacts(record),
      location: { ...readAddress(record), latitude, longitude, timezone: "" },
      business_status: readMember(record, "date_closed", asText) ? "closed_permanently" : "operational",
    };
    return { position, draft };
  };
}

/** Columns whose content the document has no member for. */
const LOST_COLUMNS = ["postcode", "admin_region", "post_town", "po_box"];

const COUNTRY_CODE = /^[A-Z]{2}$/i;

function readAddress(record: Members): Pick<PlaceDraft["location"], "address" | "country_code"> {
  const part = (name: string): string => readMember(record, name, asText)?.trim() ?? "";
  for (const name of LOST_COLUMNS) if (part(name) !== "") record.note(name, "no member for it, dropped");
  const street = part("address");
  const locality = part("locality");
  const region = part("region");
  const country = part("country");
  return {
    address: {
      full: joinAddress([street, locality, region]),
      street,
      ...splitLocality(locality, region),
      country: "",
    },
    country_code: COUNTRY_CODE.test(country) ? country : "",
  };
}
