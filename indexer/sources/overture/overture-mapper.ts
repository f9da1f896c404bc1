import type { Coordinates } from "../../../src/place/coordinates.ts";
import { emptyDraft, type PlaceDraft } from "../../place-draft.ts";
import {
  asNumber,
  asObject,
  asText,
  noteUnknownMembers,
  readMember,
  type Members,
} from "../native/members.ts";
import { refineByName } from "../osm/type-refinements.ts";
import type { MapRecord } from "../parquet/layout.ts";
import type { SourceContext } from "../source.ts";
import { readAddress } from "./address.ts";
import { readCategories } from "./categories.ts";
import { readContacts } from "./contacts.ts";
import { readNames } from "./names.ts";

/**
 * Overture's own estimate of whether a place is there at all. Below one half it holds the contrary for likelier; a place
 * without an estimate is kept.
 */
const MIN_CONFIDENCE = 0.5;

/** What is read, and what is known and left aside: its origin and version, and what the theme or the file's partition says. */
const KNOWN_MEMBERS = new Set(
  [
    "id names categories basic_category taxonomy confidence websites socials emails phones brand addresses",
    "operating_status geometry sources version theme type bbox update_time filename",
  ].flatMap((names) => names.split(" ")),
);

/** The mapper of one input. A record is the `id` and the properties of a place. */
export function createOvertureMapper({ note }: SourceContext): MapRecord {
  return (value, coordinates, position) => {
    const values = asObject(value);
    if (!values) return { position, rejected: { field: "record", reason: "not an object" } };
    const record: Members = { values, path: "", note };
    const status = readStatus(record);
    const confidence = readMember(record, "confidence", asNumber(0, 1)) ?? 1;
    // What is closed for good has a confidence of 0 by definition.
    if (confidence < MIN_CONFIDENCE && status !== "closed_permanently")
      return { position, skipped: `confidence below ${MIN_CONFIDENCE}` };
    const names = readNames(record);
    if (!names) return { position, rejected: { field: "names.primary", reason: "missing" } };
    if (!coordinates) return { position, rejected: { field: "geometry", reason: "not a point" } };
    noteUnknownMembers(record, KNOWN_MEMBERS);
    return { position, draft: { ...toDraft(record, coordinates, names), business_status: status } };
  };
}

function toDraft(
  record: Members,
  coordinates: Coordinates,
  names: Pick<PlaceDraft, "title" | "alternate_names">,
): PlaceDraft {
  const type = readCategories(record) ?? "PLACE";
  const { address, countryCode } = readAddress(record);
  return {
    ...emptyDraft(),
    ...names,
    source: "overture",
    source_id: readMember(record, "id", asText) ?? "",
    type: refineByName(type, names.title),
    contacts: readContacts(record),
    location: { address, ...coordinates, timezone: "", country_code: countryCode },
  };
}

const STATUSES: Readonly<Record<string, PlaceDraft["business_status"]>> = {
  open: "operational",
  temporarily_closed: "closed_temporarily",
  permanently_closed: "closed_permanently",
};

/** YAML and hand-made files bring white space along. */
const asStatus = (value: unknown): PlaceDraft["business_status"] | undefined =>
  typeof value === "string" && Object.hasOwn(STATUSES, value.trim()) ? STATUSES[value.trim()] : undefined;

const readStatus = (record: Members): PlaceDraft["business_status"] =>
  readMember(record, "operating_status", asStatus) ?? "operational";
