import { writeFile } from "node:fs/promises";
import { listAreaRows } from "./areas.ts";
import { writeBoundaries } from "./boundaries.ts";
import { listKindWords } from "./kinds.ts";

const VOCABULARY = new URL("../../src/search/vocabulary/", import.meta.url);
const AREAS = new URL("../../src/place/geometry/areas/", import.meta.url);

/**
 * Writes the generated data of the vocabulary:
 * `node script/vocabulary/main.ts kinds` reads `@openstreetmap/id-tagging-schema`;
 * `node script/vocabulary/main.ts areas FOLDER` reads the lists and boundaries of Vietnam's areas;
 * `node script/vocabulary/main.ts boundaries FOLDER` reads the boundaries of its wards, for the import. It follows `areas`.
 */
async function main([what, folder]: readonly string[]): Promise<void> {
  if (what === "kinds") {
    const header =
      "# Names and search terms of the kinds in @openstreetmap/id-tagging-schema 7.2.0 (ISC), sorted by letters. Generated.";
    await writeFile(
      new URL("osm-kinds.csv", VOCABULARY),
      [header, "letters,types", ...(await listKindWords()), ""].join("\n"),
    );
  } else if (what === "areas" && folder !== undefined) {
    await writeFile(new URL("vietnam.csv", AREAS), (await listAreaRows(folder)).join("\n") + "\n");
  } else if (what === "boundaries" && folder !== undefined) {
    await writeBoundaries(folder);
  } else {
    throw new Error("Say what to write: `kinds`, `areas FOLDER` or `boundaries FOLDER`.");
  }
}

await main(process.argv.slice(2));
