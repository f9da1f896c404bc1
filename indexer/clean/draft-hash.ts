import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { INDEX_VERSION } from "../../src/meilisearch/index-form.ts";
import { fieldsInUse } from "../../src/place/document/own-fields.ts";
import { kindsInUse } from "../../src/place/document/type-codes.ts";
import type { CleanContext } from "./place-draft.ts";

/** 64 bits: one change in 2^64 goes unnoticed. */
const HEX_DIGITS = 16;

/**
 * Creates a function that hashes everything that decides what cleaning makes of a draft: the draft, the program, and the areas, kinds
 * and fields in use. A sync does not clean a draft whose hash the index has: cleaning takes two thirds of its time. `areas`: the
 * files of `--areas`. Call it when kinds and fields are known. The hash is `undefined` for a place with hours on public holidays,
 * whose dates depend on the day.
 */
export function createDraftHash(areas: readonly string[]): NonNullable<CleanContext["hashDraft"]> {
  const rules = JSON.stringify([
    packageJson.version,
    INDEX_VERSION,
    kindsInUse(),
    [...fieldsInUse().values()],
    areas.map((path) => hash("sha1", readFileSync(path))),
  ]);
  const salt = hash("sha1", rules);
  return (draft) =>
    draft.opening_hours?.holidays === undefined
      ? hash("sha1", salt + JSON.stringify(draft)).slice(0, HEX_DIGITS)
      : undefined;
}
