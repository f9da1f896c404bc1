import { hash } from "node:crypto";
import { INDEX_VERSION } from "./index-settings.ts";

/** 64 bits: a change that goes unseen once in 2^64 is no concern. */
const HEX_DIGITS = 16;

/** What tells two versions of an indexed place apart: all that is stored, and the form it is stored in. */
export function contentHash(summary: string, detail: string): string {
  return hash("sha1", `${INDEX_VERSION}\n${summary}\n${detail}`).slice(0, HEX_DIGITS);
}
