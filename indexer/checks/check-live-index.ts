import * as v from "valibot";
import type { IndexSummary } from "../index/index-summary.ts";
import type { IndexAdmin, IndexRole } from "../index/index-admin.ts";
import { CELL_RESOLUTIONS } from "../../src/place/geometry/cells.ts";
import { placeDocumentSchema, type PlaceDocument } from "../../src/place/document/place-document.ts";
import { formatCount } from "../../src/cli/format.ts";
import { ok, problem, runCheck, warning, type CheckResult } from "./check-result.ts";
import { percent } from "./coverage.ts";
import { isFoundByName, countPassing, createProbe } from "./probe.ts";

/** Enough to notice a mistake in one place of thirty. Each sample costs a search. */
const SAMPLE = 100;

/** Names without letters, or made only of category words, cannot be found by name. Nearly all others can. */
const MIN_FOUND = 0.8;

/** While the engine writes, two counts may be taken a moment apart. This allows for the difference. */
const CELL_TOLERANCE = 0.001;

/**
 * No block of houses (130 m) holds this share of a dataset, unless its coordinates were rounded or made up.
 */
const MAX_SHARE_OF_BLOCK = 0.2;
/** In a smaller dataset, a few places in one street may reach that share. */
const MIN_PLACES_FOR_BLOCK = 500;

const REBUILD = "Import again.";

/** What is known of an index before its places are checked. */
interface Looked {
  readonly admin: IndexAdmin;
  readonly role: IndexRole;
}

/**
 * Checks that an index exists, has this program's settings, and responds. Skips checks that depend on one
 * that failed.
 */
export async function checkIndexHealth(admin: IndexAdmin, role: IndexRole): Promise<CheckResult[]> {
  const looked = { admin, role };
  let index: IndexSummary | undefined;
  const isThere = await runCheck("index", async () => {
    index = await admin.readIndex(role);
    return judgeIndex(index, role);
  });
  if (!index) return [isThere];
  const settings = await runCheck("settings", () => judgeSettings(looked));
  if (!index.isReadable || index.places === 0) return [isThere, settings];
  return [isThere, settings, ...(await checkPlaces(looked, index.places))];
}

function judgeIndex(index: IndexSummary | undefined, role: IndexRole) {
  if (!index)
    return problem(
      `there is no ${role} index`,
      role === "live" ? "Import places." : "There is no index to roll back to.",
    );
  const { places, version, isReadable } = index;
  if (!isReadable)
    return problem(
      `it was built by another version of this program (${version})`,
      "The server cannot use it. Import again with this version, or run the version that built it.",
    );
  if (places === 0) return problem("it holds no places", "Import places.");
  return ok(`${formatCount(places)} places, version ${version}`);
}

async function judgeSettings({ admin, role }: Looked) {
  const drifted = await admin.readSettingsDrift(role);
  return drifted.length === 0
    ? ok("as a build sets them")
    : problem(
        `changed since the build: ${drifted.join(", ")}`,
        `Searches may find the wrong places, or fail. ${REBUILD}`,
      );
}

async function checkPlaces({ admin, role }: Looked, places: number): Promise<CheckResult[]> {
  let sample: readonly PlaceDocument[] = [];
  const readable = await runCheck("documents", async () => {
    sample = await admin.samplePlaces(role, SAMPLE);
    return judgeDocuments(sample);
  });
  return [
    readable,
    await runCheck("search", () => judgeSearch({ admin, role }, sample)),
    await runCheck("cells", () => judgeCells({ admin, role }, places)),
  ];
}

function judgeDocuments(sample: readonly PlaceDocument[]) {
  const broken = sample.filter(isBroken);
  if (sample.length === 0) return problem("no place could be read", REBUILD);
  return broken.length === 0
    ? ok(`${sample.length} sampled places have the documented form`)
    : problem(
        `${broken.length} of ${sample.length} sampled places do not have the documented form, such as ${broken[0]?.data_id}`,
        `Something else writes to the index, or its version was not raised. ${REBUILD}`,
      );
}

const isBroken = (place: unknown): boolean => !v.is(placeDocumentSchema, place);

async function judgeSearch({ admin, role }: Looked, sample: readonly PlaceDocument[]) {
  const probe = await createProbe(await admin.openPlaceIndex(role));
  try {
    const found = await countPassing(sample, (place) => isFoundByName(probe, place));
    const share = found / Math.max(1, sample.length);
    const told = `${percent(share)} of ${sample.length} sampled places are found first or nearly so by their names`;
    return share >= MIN_FOUND
      ? ok(told)
      : problem(told, `See the settings check and the engine's log. ${REBUILD}`);
  } finally {
    await probe.close();
  }
}

async function judgeCells({ admin, role }: Looked, places: number) {
  const index = await admin.openPlaceIndex(role);
  try {
    const { density } = await index.readCensus();
    const counts = [...density.entries()];
    const filed = counts.reduce((sum, [, count]) => sum + count, 0) / CELL_RESOLUTIONS.length;
    if (Math.abs(filed - places) > places * CELL_TOLERANCE)
      return problem(
        `${formatCount(Math.round(filed))} of ${formatCount(places)} places are filed under their cells`,
        `Searches cannot find the others. ${REBUILD}`,
      );
    return judgeDensity(counts, places);
  } finally {
    await index.close();
  }
}

/** Cell ids of the finest resolution in H3's notation: the second digit is the resolution in hexadecimal. */
const FINEST = CELL_RESOLUTIONS.at(-1)!.toString(16);

function judgeDensity(counts: readonly (readonly [string, number])[], places: number) {
  const blocks = counts.filter(([cell]) => cell[1] === FINEST);
  const [fullest = "", most = 0] = blocks.toSorted(([, one], [, other]) => other - one)[0] ?? [];
  if (places >= MIN_PLACES_FOR_BLOCK && most > places * MAX_SHARE_OF_BLOCK)
    return warning(
      `${percent(most / places)} of the places lie within one block of houses (H3 cell ${fullest})`,
      "Check whether their coordinates were rounded or made up. Searches near there are slow, and elsewhere find nothing.",
    );
  return ok(
    `every place is filed; ${formatCount(blocks.length)} blocks have places, ${formatCount(most)} at most`,
  );
}
