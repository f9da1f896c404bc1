import * as v from "valibot";
import { isIcon, LOOK_NAMES } from "../../src/place/document/looks.ts";
import { isProjectType, ownKindSchema, type OwnKind } from "../../src/place/document/type-codes.ts";
import { describeNearest } from "../sources/table/kind-cell.ts";
import { readTableFiles, type TableRow } from "./team-tables.ts";

const KIND_COLUMNS = ["code", "parent", "label vi", "label en", "words vi", "words en", "icon", "colour"];

/**
 * Reads the files of `--kinds`: a table with a kind in each row.
 * @throws {CommandError} that names the file, the line and the column.
 */
export function readKindFiles(paths: readonly string[]) {
  const { rows, files } = readTableFiles(paths, KIND_COLUMNS, ["code", "label vi"]);
  const kinds = new Map<string, { readonly kind: OwnKind; readonly row: TableRow }>();
  for (const row of rows) {
    const kind = toKind(row);
    const before = kinds.get(kind.code);
    if (before) throw row.wrong("code", `${kind.code} is in ${before.row.at} already`);
    kinds.set(kind.code, { kind, row });
  }
  for (const { kind, row } of kinds.values()) checkParents(kind, row, (code) => kinds.get(code)?.kind);
  return { kinds: [...kinds.values()].map(({ kind }) => kind), files };
}

const COLOUR = /^#[\da-f]{6}$/i;

function toKind(row: TableRow): OwnKind {
  const code = row.cell("code").toUpperCase();
  const [vi, parent, icon, colour] = ["label vi", "parent", "icon", "colour"].map((name) => row.cell(name));
  if (isProjectType(code))
    throw row.wrong("code", `${code} is a kind of the project: add words for it with --vocabulary`);
  if (vi === "") throw row.wrong("label vi", "is empty");
  if (icon && !isIcon(icon))
    throw row.wrong("icon", `"${icon}" is no emoji and none of ${LOOK_NAMES.join(", ")}`);
  if (colour && !COLOUR.test(colour)) throw row.wrong("colour", `"${colour}" is not written like #7a4b2a`);
  const kind = {
    code,
    ...(parent && { parent: parent.toUpperCase() }),
    vi,
    en: row.cell("label en") || vi,
    words: [...new Set([...row.list("words vi"), ...row.list("words en")])],
    ...(icon && { icon }),
    ...(colour && { colour: colour.toLowerCase() }),
  };
  const checked = v.safeParse(ownKindSchema, kind);
  if (checked.success) return checked.output;
  const [issue] = checked.issues;
  throw row.wrong(v.getDotPath(issue) ?? "code", `"${String(issue.input)}" ${issue.message}`);
}

/** More levels than any list of kinds has: a kind that is above itself has no end. */
const MAX_LEVELS = 10;

function checkParents(kind: OwnKind, row: TableRow, find: (code: string) => OwnKind | undefined): void {
  const { code, parent } = kind;
  if (parent === undefined || isProjectType(parent)) return;
  let above = find(parent);
  if (!above) {
    const nearest = describeNearest(parent);
    throw row.wrong("parent", `"${parent}" is no kind${nearest === "" ? "" : `; ${nearest}`}`);
  }
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    if (above?.parent === undefined || isProjectType(above.parent)) return;
    above = find(above.parent);
    if (above?.code === code) break;
  }
  throw row.wrong("parent", `${code} would be above itself`);
}
