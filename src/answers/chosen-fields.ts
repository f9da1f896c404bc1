import type * as v from "valibot";
import { placeDetailSchema } from "./place-response.ts";
import { fullPlaceSummarySchema } from "./search-response.ts";

/** The parameter `fields`: which fields of a place a response holds. */

/** A part of a response schema, as far as its fields can be found in it. */
interface SchemaPart extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, SchemaPart>>;
  readonly item?: SchemaPart;
  readonly wrapped?: SchemaPart;
  readonly options?: readonly (SchemaPart | string)[];
}

/** The names of all fields, those of objects and of elements of arrays with a dot: `location`, `location.address`. */
function listFields({ entries, item, wrapped, options }: SchemaPart): string[] {
  const inner = item ?? wrapped ?? options?.find((option) => typeof option === "object");
  if (inner) return listFields(inner);
  return Object.entries(entries ?? {}).flatMap(([name, part]) => [
    name,
    ...listFields(part).map((field) => `${name}.${field}`),
  ]);
}

/** The fields that can be chosen of a search result, and of a place detail. */
export const SEARCH_FIELDS: readonly string[] = listFields(fullPlaceSummarySchema);
export const PLACE_FIELDS: readonly string[] = listFields(placeDetailSchema);

/** Fields by name; a field that is chosen as a whole has no fields under it. */
type FieldTree = Map<string, FieldTree | undefined>;

function toTree(names: Iterable<string>): FieldTree {
  const tree: FieldTree = new Map();
  for (const name of names) addField(tree, name.split("."));
  return tree;
}

function addField(tree: FieldTree, [name = "", ...rest]: readonly string[]): void {
  if (rest.length === 0) tree.set(name, undefined);
  else if (!tree.has(name)) tree.set(name, toTree([rest.join(".")]));
  else {
    const under = tree.get(name);
    if (under) addField(under, rest);
  }
}

/**
 * Chooses the fields of places: `data_id`, those with the names, and those that `include` added. Without names, all fields.
 * @param added the names of fields that are always kept.
 */
export function createFieldChoice(
  names: ReadonlySet<string> | undefined,
  added: Iterable<string> = [],
): <Place extends object>(place: Place) => Place {
  if (names === undefined) return (place) => place;
  const tree = toTree(["data_id", ...names, ...added]);
  return (place) => choose(place, tree) as typeof place;
}

/** The chosen fields in the order of the response. */
function choose(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((element) => choose(element, tree));
  if (typeof value !== "object" || value === null) return value;
  const chosen: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (!tree.has(name)) continue;
    const under = tree.get(name);
    chosen[name] = under ? choose(field, under) : field;
  }
  return chosen;
}
