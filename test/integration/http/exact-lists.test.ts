import { expect, test } from "vitest";
import { checkLists } from "../../../tools/eval/exact/check-lists.ts";
import { createHostilePlaces } from "../../../tools/eval/exact/hostile-places.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { startTestApp } from "../../support/test-app.ts";
import { createTestIndex } from "../../support/test-index.ts";

/** In the second hour of the night that comes twice in New York. */
const NOW = Temporal.Instant.from("2026-11-01T06:20:00Z");

test("lists of hostile places equal a brute force at any depth", async () => {
  const places = createHostilePlaces(1);
  await using testIndex = await createTestIndex(places);
  const { index } = testIndex;
  // Many tests at once make the engine slow.
  const search = createPlaceSearch(index, { deadlineMs: 20_000 });
  await using app = await startTestApp({ index, search, now: () => NOW });
  const get = (target: string) => app.read(target);
  const { faults, examples } = await checkLists({ places, get, count: 200, seed: 1, now: NOW });
  expect({ faults, examples }).toStrictEqual({
    faults: {
      member: 0,
      missing: 0,
      order: 0,
      repeat: 0,
      distance: 0,
      open_state: 0,
      busyness: 0,
      total: 0,
      early_end: 0,
      address: 0,
    },
    examples: [],
  });
}, 300_000);
