import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "../program-path.ts";

/** The folders whose code decides what our index looks like. */
const INDEXING_FOLDERS = ["indexer", "src/place", "src/meilisearch"];

/** Changes whenever the code that builds our index does: the index of other code may not fit the server. */
export function indexingFingerprint(): string {
  const hash = createHash("sha256");
  for (const folder of INDEXING_FOLDERS.map(programPath)) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
      if (file.endsWith(".ts")) hash.update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
