import type { TypeCode } from "../../../src/place/type-codes.ts";
import { createTypeOfCategories } from "../category-types.ts";
import { asText, readElements, readMember, readObject, type Members } from "../native/members.ts";
import { OVERTURE_CATEGORIES } from "./category-table.ts";

const typeOfCategories = createTypeOfCategories(OVERTURE_CATEGORIES);

/**
 * The type by `taxonomy`, from the place's own category up its hierarchy; then by the older `categories` and by
 * `basic_category`. `undefined`, and a note, when none of them is known.
 */
export function readCategories(record: Members): TypeCode | undefined {
  const taxonomy = readObject(record, "taxonomy");
  const categories = readObject(record, "categories");
  const own = [
    readMember(taxonomy, "primary", asText),
    ...readElements(taxonomy, "hierarchy", asText).toReversed(),
    readMember(categories, "primary", asText),
    readMember(record, "basic_category", asText),
  ].filter((name) => name !== undefined);
  const others = [
    ...readElements(taxonomy, "alternates", asText),
    ...readElements(categories, "alternate", asText),
  ];
  const code = typeOfCategories(own, others);
  if (code === undefined && own.length > 0)
    record.note("categories", "not in the category table, read as PLACE");
  return code;
}
