import { distanceMeters } from "../../src/place/coordinates.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { fold } from "../../src/text/fold.ts";
import type { Found, Probe } from "./probe.ts";

/** Its namesakes next door may come before it: branches of a chain in one mall, the gates of one park. */
const NEARLY_FIRST = 3;

/** Points of one place differ by this much between sources, or when a large one is mapped anew. */
const SAME_SPOT_METERS = 500;

/** Whether a place is found first or nearly so by somebody who stands there and types its name; or a namesake there. */
export async function isFoundByName(
  { search }: Pick<Probe, "search">,
  place: PlaceDocument,
): Promise<boolean> {
  const found = await search({ query: place.title, centre: place.location, limit: NEARLY_FIRST });
  return found.some((other) => isSamePlace(place, other));
}

function isSamePlace(place: PlaceDocument, other: Found): boolean {
  if (dataIdIdentity(place.data_id) === dataIdIdentity(other.data_id)) return true;
  if (fold(place.title) !== fold(other.title)) return false;
  return distanceMeters(place.location, other.location) <= SAME_SPOT_METERS;
}
