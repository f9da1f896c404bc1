import type { PlaceDraft } from "../place-draft.ts";

type Address = PlaceDraft["location"]["address"];

/** Names that begin so are wards and communes of Viet Nam; sources that know no wards call them a locality. */
const WARD_NAME = /^(?:phường|xã|thị trấn) /i;

/** The ward and the city of a source that has a locality and a region above it. */
export function splitLocality(locality: string, region: string): Pick<Address, "ward" | "city"> {
  return WARD_NAME.test(locality.normalize("NFC"))
    ? { ward: locality, city: region }
    : { ward: "", city: locality || region };
}

/** One line, the narrow before the wide. A part that an earlier one already holds is not said twice. */
export function joinAddress(parts: readonly string[]): string {
  let full = "";
  for (const part of parts) {
    if (part !== "" && !full.toLowerCase().includes(part.toLowerCase())) {
      full = full === "" ? part : `${full}, ${part}`;
    }
  }
  return full;
}
