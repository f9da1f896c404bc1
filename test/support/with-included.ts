import * as v from "valibot";
import { INCLUDED_FIELDS } from "../../src/answers/included-fields.ts";

/** The schema of a response with exactly the requested optional fields. */
export function withIncluded(
  { entries }: { readonly entries: v.ObjectEntries },
  names: readonly (keyof typeof INCLUDED_FIELDS)[],
): v.GenericSchema<unknown> {
  const added = names.map((name): v.ObjectEntries => INCLUDED_FIELDS[name]);
  return v.strictObject(Object.assign({}, entries, ...added) as v.ObjectEntries);
}
