import type { DraftHours, PlaceDraft } from "../../place-draft.ts";
import { emptyDraft } from "../../place-draft.ts";
import type { Position, SourceContext, SourceItem } from "../source.ts";
import { addressOf } from "./address.ts";
import { businessStatusOf, formerTags } from "./business-status.ts";
import { contactsOf } from "./contacts.ts";
import { featuresOf } from "./features.ts";
import { alternateNamesOf, titleOf } from "./names.ts";
import { parseOsmHours, type OsmHours } from "./opening-hours.ts";
import { tagOf, type OsmElement, type OsmTags } from "./osm-element.ts";
import { typeOfTags } from "./type-of-tags.ts";

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
    const title = titleOf(tags);
    if (title === undefined) return { position, skipped: "no name" };
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
