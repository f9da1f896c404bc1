import { randomBytes } from "node:crypto";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { oneEngine, type Topology } from "../../src/partitions/topology.ts";
import type { PlaceIndex, PlaceLookup } from "../../src/meilisearch/place-index.ts";
import { cellsOf } from "../../src/place/geometry/cells.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { removeAllIndexes } from "../index/store-map.ts";
import { openIndexAdmin, type IndexAdmin } from "../index/index-admin.ts";
import { startIndexBuild } from "../index/start-build.ts";
import { type CheckResult, ok, problem, runCheck } from "./check-result.ts";

/**
 * Checks that an engine does what the server and the indexer rely on. It works on its own small index, never on the live one,
 * and removes it at the end.
 */

const HINT = "This engine cannot be used as it is: run Meilisearch 1.21, and check its version, key and log.";

/** A healthy engine responds within milliseconds; the machine may be busy. */
const DEADLINE_MS = 10_000;

const placeOf = (
  number: number,
  facts: Pick<PlaceDocument, "title" | "rating"> & { latitude: number; maxPrice?: number },
): PlaceDocument => ({
  data_id: `0x1:0x${number.toString(16)}`,
  source: "check",
  source_id: String(number),
  title: facts.title,
  alternate_names: [],
  type: "PLACE",
  rating: facts.rating,
  reviews: 1,
  pricing: { min: 0, max: facts.maxPrice ?? 0 },
  contacts: { phone: "", website: "" },
  location: {
    address: { full: "", street: "", ward: "", city: "", country: "" },
    latitude: facts.latitude,
    longitude: 106.7,
    timezone: "Asia/Ho_Chi_Minh",
    country_code: "VN",
  },
  business_status: "operational",
  opening_hours: null,
  features: { accessibility: [], parking: [], payments: [], service_options: [], other: [] },
  description: "",
  popular_times: [],
  review_list: [],
  photos: [],
});

const [RIVER, BRIDGE, CHAIN_12, CHAIN_13, FAR] = [
  placeOf(1, { title: "Quán Cà Phê Sông Hương", rating: 4.5, latitude: 10.77, maxPrice: 50_000 }),
  placeOf(2, { title: "Sông Hàn Quán", rating: 3, latitude: 10.772, maxPrice: 90_000 }),
  placeOf(3, { title: "Highlands Coffee 12", rating: 5, latitude: 10.79 }),
  placeOf(4, { title: "Highlands Coffee 13", rating: 2, latitude: 10.85 }),
  placeOf(5, { title: "Phở", rating: 1, latitude: 21.03 }),
] as const;

const PLACES: readonly PlaceDocument[] = [RIVER, BRIDGE, CHAIN_12, CHAIN_13, FAR];

/** A lookup and the places it must find; in this order where the order is part of the feature. */
interface Expectation {
  readonly lookup: Omit<PlaceLookup, "limit">;
  readonly finds: readonly PlaceDocument[];
  readonly isOrdered?: boolean;
}

const filtering = (filter: PlaceLookup["filter"], ...finds: PlaceDocument[]): Expectation => ({
  lookup: { filter },
  finds,
});

const naming = (joinedName: string, ...finds: PlaceDocument[]): Expectation => ({
  lookup: { filter: {}, joinedName },
  finds,
});

const FEATURES: Readonly<Record<string, readonly Expectation[]>> = {
  cells: [
    filtering({ cells: cellsOf(RIVER.location).slice(-1) }, RIVER),
    filtering(
      { cells: [...cellsOf(FAR.location).slice(-1), ...cellsOf(CHAIN_13.location).slice(-1)] },
      FAR,
      CHAIN_13,
    ),
  ],
  values: [
    filtering({ names: ["songhanquan"] }, BRIDGE),
    filtering({ nameWords: ["song", "quan"] }, RIVER, BRIDGE),
    filtering(
      {
        wordSets: [
          ["highlands", "12"],
          ["song", "huong"],
        ],
      },
      CHAIN_12,
      RIVER,
    ),
    filtering({ nameBeginning: "highla" }, CHAIN_12, CHAIN_13),
    filtering({ types: ["PLACE"], wordBeginning: "hig" }, CHAIN_12, CHAIN_13),
    filtering({ types: ["CAFE"] }),
  ],
  ranges: [
    filtering({ minRating: 4.5 }, RIVER, CHAIN_12),
    filtering({ maxPrice: 60_000 }, RIVER),
    filtering({ bounds: { west: 106.6, south: 10.76, east: 106.8, north: 10.78 } }, RIVER, BRIDGE),
  ],
  typos: [
    // Three to five letters: one typo. From six on: two. A name may be half typed.
    naming("phx", FAR),
    naming("pxx"),
    naming("highlandscofee", CHAIN_12, CHAIN_13),
    naming("higlandscofee", CHAIN_12, CHAIN_13),
    naming("hglandscofee"),
  ],
  distance: [
    {
      lookup: { filter: {}, order: { by: "distance", from: CHAIN_12.location } },
      finds: [CHAIN_12, BRIDGE, RIVER, CHAIN_13, FAR],
      isOrdered: true,
    },
    {
      lookup: { filter: {}, order: { by: "rating" } },
      finds: [CHAIN_12, RIVER, BRIDGE, CHAIN_13, FAR],
      isOrdered: true,
    },
  ],
};

/** Checks every feature, one result for each. When the index cannot even be built there is only that result. */
export async function checkEngineFeatures(address: EngineAddress): Promise<CheckResult[]> {
  const scratch = oneEngine(address, `check_${randomBytes(6).toString("hex")}`);
  const index = openPlaceIndex(scratch);
  const admin = openIndexAdmin(scratch);
  try {
    const tasks = await check("tasks", async () => {
      await build(scratch, PLACES);
      const state = await index.readState();
      const places = state.state === "ready" ? state.places : 0;
      return places === PLACES.length ? undefined : `of ${PLACES.length} places, ${places} were indexed`;
    });
    if (tasks.state !== "ok") return [tasks];
    return [
      tasks,
      await check("settings", () => findDrift(admin)),
      ...(await Promise.all(
        Object.entries(FEATURES).map(([name, expected]) => check(name, () => findWrong(index, expected))),
      )),
      await check("counts", () => findWrongCounts(index)),
      await check("documents", () => findWrongDocuments(index)),
      await check("swap", () => findWrongSwap(scratch, index, admin)),
    ];
  } finally {
    await index.close();
    await admin.close();
    await removeAllIndexes(scratch);
  }
}

const check = (name: string, findProblem: () => Promise<string | undefined>): Promise<CheckResult> =>
  runCheck(name, async () => {
    const wrong = await findProblem();
    return wrong === undefined ? ok("as expected") : problem(wrong, HINT);
  });

async function build(scratch: Topology, places: readonly PlaceDocument[]): Promise<void> {
  const started = await startIndexBuild(scratch);
  await started.add(places);
  await started.completeForSearch();
  await started.swap();
}

async function findDrift(admin: IndexAdmin): Promise<string | undefined> {
  const drift = await admin.readSettingsDrift("live");
  return drift.length === 0 ? undefined : `it keeps other values of ${drift.join(", ")}`;
}

async function findWrong(index: PlaceIndex, expected: readonly Expectation[]): Promise<string | undefined> {
  const lookups = expected.map(({ lookup }) => ({ ...lookup, limit: PLACES.length }));
  const results = await index.findPlaces(lookups, AbortSignal.timeout(DEADLINE_MS));
  for (const [position, { lookup, finds, isOrdered = false }] of expected.entries()) {
    const found = results[position]?.places.map(({ title }) => title) ?? [];
    const wanted = finds.map(({ title }) => title);
    const [left, right] = isOrdered ? [found, wanted] : [found.toSorted(), wanted.toSorted()];
    if (JSON.stringify(left) === JSON.stringify(right)) continue;
    return `${JSON.stringify(lookup)} found ${list(found)} instead of ${list(wanted)}`;
  }
  return undefined;
}

const list = (titles: readonly string[]): string => (titles.length === 0 ? "nothing" : titles.join(", "));

async function findWrongCounts(index: PlaceIndex): Promise<string | undefined> {
  const { places, types, timezones } = await index.readCensus();
  const isRight = places === PLACES.length && types.get("PLACE") === PLACES.length && timezones.length === 1;
  return isRight
    ? undefined
    : `it counted ${places} places of ${types.size} types instead of ${PLACES.length} of one`;
}

async function findWrongDocuments(index: PlaceIndex): Promise<string | undefined> {
  const identity = dataIdIdentity(RIVER.data_id);
  const { location } = RIVER;
  const found = [identity, "0xffff"].map((id) => ({ id, location }));
  const summaries = await index.readSummaries(found, AbortSignal.timeout(DEADLINE_MS));
  const place = await index.getPlace(RIVER.data_id);
  const isRight = summaries.size === 1 && summaries.get(identity)?.title === RIVER.title;
  return isRight && place?.title === RIVER.title
    ? undefined
    : "a document that was written is not read again";
}

async function findWrongSwap(
  scratch: Topology,
  index: PlaceIndex,
  admin: IndexAdmin,
): Promise<string | undefined> {
  await build(scratch, [FAR]);
  const live = await index.readState();
  const previous = await admin.readIndex("previous");
  if (live.state !== "ready" || live.places !== 1) return "the new index is not live after the swap";
  return previous?.places === PLACES.length ? undefined : "the replaced index was not kept";
}
