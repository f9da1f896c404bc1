import type { TypeCode } from "../../../src/place/type-codes.ts";
import { createTypeOfCategories } from "../category-types.ts";
import type { Members } from "../native/members.ts";
import { FOURSQUARE_CATEGORIES } from "./category-table.ts";

const typeOfCategories = createTypeOfCategories(FOURSQUARE_CATEGORIES);

/** People checked in at home; nobody else should find them there. */
const PRIVATE_HOME = /> Home \(private\)$/;

export const isPrivateHome = (labels: readonly string[]): boolean =>
  labels.some((label) => PRIVATE_HOME.test(label));

/**
 * The type by the first label, from its end up the path; the other labels where that says too little. `undefined`, and a
 * note, when none of them is known.
 */
export function readLabels(record: Members, labels: readonly string[]): TypeCode | undefined {
  const [own = [], ...others] = labels.map((label) => label.split(" > ").toReversed());
  const code = typeOfCategories(own, others.flat());
  if (code === undefined && own.length > 0)
    record.note("fsq_category_labels", "not in the category table, read as PLACE");
  return code;
}
