import { hash } from "node:crypto";
import { CommandError } from "../../src/cli/errors.ts";
import type { FileMark } from "../../src/meilisearch/manifest.ts";
import type { StoredVocabulary } from "../../src/meilisearch/stored-vocabulary.ts";
import { readVocabulary, parseVocabulary } from "../../src/search/vocabulary/read-vocabulary.ts";
import { useFields } from "../../src/place/document/own-fields.ts";
import { useKinds } from "../../src/place/document/type-codes.ts";
import { readAreaFiles, type TeamAreas } from "./area-files.ts";
import { readFieldFiles } from "./field-files.ts";
import { readKindFiles } from "./kind-files.ts";
import { readTextFile } from "./team-tables.ts";

/** The areas, words, kinds and fields that a data team adds to the project's. */
export interface TeamVocabulary {
  readonly findTeamAreas: TeamAreas["find"];
  /** The part that the index stores for searches. */
  readonly stored: StoredVocabulary;
  /** Identifies the files, so that a resumed import can check that they are the same. */
  readonly files: readonly FileMark[];
}

export interface VocabularyOptions {
  /** GeoJSON files of `--areas`. */
  readonly areas?: readonly string[] | undefined;
  /** CSV files of `--vocabulary`. */
  readonly vocabulary?: readonly string[] | undefined;
  /** CSV files of `--kinds`. */
  readonly kinds?: readonly string[] | undefined;
  /** CSV files of `--fields`. */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads the files of `--areas`, `--vocabulary`, `--kinds` and `--fields`; `undefined` when there are none. The process uses the kinds
 * and fields from then on, since words and records speak of them.
 * @throws {CommandError} that names the file, the line or feature, and the field.
 */
export function readTeamVocabulary({
  areas: areaPaths = [],
  vocabulary: wordPaths = [],
  kinds: kindPaths = [],
  fields: fieldPaths = [],
}: VocabularyOptions): TeamVocabulary | undefined {
  if ([...areaPaths, ...wordPaths, ...kindPaths, ...fieldPaths].length === 0) return undefined;
  const own = readKindFiles(kindPaths);
  if (kindPaths.length > 0) useKinds(own.kinds);
  const declared = readFieldFiles(fieldPaths);
  if (fieldPaths.length > 0) useFields(declared.fields);
  const { find, areas, nameRows, files } = readAreaFiles(areaPaths);
  const texts = wordPaths.map((path) => ({ path, text: readTextFile(path) }));
  const areaIds = new Set(areas.map(({ id }) => id));
  for (const { path, text } of texts) checkWords(path, text, areaIds);
  return {
    findTeamAreas: find,
    stored: {
      areas,
      words: [...texts.map(({ text }) => text.trimEnd()), ...nameRows].join("\n"),
      ...(own.kinds.length > 0 && { kinds: own.kinds }),
      ...(declared.fields.length > 0 && { fields: declared.fields }),
    },
    files: [
      ...files,
      ...own.files,
      ...declared.files,
      ...texts.map(({ path, text }) => ({ name: path, head: hash("sha1", text) })),
    ],
  };
}

/**
 * Checks that every row has a known role and meaning, and that its areas are the project's or in `areaIds`.
 */
function checkWords(path: string, text: string, areaIds: ReadonlySet<string>): void {
  const rows = toCommandError(() => parseVocabulary(text, path));
  const named = rows.filter(({ role, meaning }) => role === "area" && !areaIds.has(meaning));
  if (named.length === 0) return;
  const known = readVocabulary().areas;
  const wrong = named.find(({ meaning }) => !known.has(meaning));
  if (wrong === undefined) return;
  const line = text.split("\n").findIndex((row) => row.startsWith(`area,${wrong.meaning},`)) + 1;
  throw new CommandError(`${path}:${line}: meaning "${wrong.meaning}" is the id of no area`);
}

function toCommandError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}
