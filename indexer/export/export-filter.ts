import { CommandError } from "../../src/cli/errors.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { editDistance } from "../../src/place/text/edit-distance.ts";
import { fold } from "../../src/place/text/fold.ts";
import { typesUnder } from "../../src/place/document/type-codes.ts";
import { parseKind } from "../sources/table/kind-cell.ts";
import { loadVocabulary } from "../../src/search/vocabulary/read-vocabulary.ts";

/** Which places to export; all of what is given must hold. */
export interface ExportFilter {
  /** The name or the id of an area. */
  readonly area?: string | undefined;
  /** A kind, with its narrower ones: its code, or words for it. */
  readonly type?: string | undefined;
  /** An ISO date: places that their source confirmed or changed since then. */
  readonly changedSince?: string | undefined;
}

/**
 * A function that says whether a place is to be exported.
 * @throws {CommandError} for an area or a kind that nobody knows.
 */
export function createExportFilter({
  area,
  type,
  changedSince,
}: ExportFilter): (place: PlaceDocument) => boolean {
  const areaIds = area === undefined ? undefined : findAreas(area);
  const types = type === undefined ? undefined : new Set<string>(typesUnder(parseKind(type)));
  return (place) =>
    (!areaIds || (place.areas ?? []).some((id) => areaIds.has(id))) &&
    (!types || types.has(place.type)) &&
    (changedSince === undefined || (place.confirmed_on ?? "") >= changedSince);
}

/** Words for levels, folded: "Hoàn Kiếm" names the district and the ward. */
const LEVEL = /^(?:thanh pho|tinh|quan|huyen|thi xa|phuong|xa|thi tran|dac khu) (?=\D)/;

/** An id of `--areas` of an import: such areas are not known here. */
const TEAM_ID = /[:/]/;

const MAX_NEAREST = 3;

function findAreas(text: string): ReadonlySet<string> {
  const { areas } = loadVocabulary();
  if (areas.has(text) || TEAM_ID.test(text)) return new Set([text]);
  const typed = fold(text);
  const named = [...areas.values()].map(({ id, name }) => ({ id, name, folded: fold(name) }));
  const exact = named.filter(({ folded }) => folded === typed);
  const found = exact.length > 0 ? exact : named.filter(({ folded }) => folded.replace(LEVEL, "") === typed);
  if (found.length > 0) return new Set(found.map(({ id }) => id));
  const near = named
    .filter(({ folded }) => editDistance(typed, folded.replace(LEVEL, "")).whole === 1)
    .slice(0, MAX_NEAREST)
    .map(({ name }) => name);
  const hint = near.length > 0 ? ` Nearest: ${near.join(", ")}.` : "";
  throw new CommandError(`There is no area "${text}".${hint}`);
}

/** The name of the district that contains a place; "" where none is known. */
export function districtOf({ areas: ids = [] }: PlaceDocument): string {
  const { areas } = loadVocabulary();
  return ids.flatMap((id) => areas.get(id) ?? []).find(({ level }) => level === "district")?.name ?? "";
}
