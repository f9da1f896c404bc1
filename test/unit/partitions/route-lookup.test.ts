import { describe, expect, test } from "vitest";
import { cellsOf } from "../../../src/place/geometry/cells.ts";
import { INDEX_VERSION } from "../../../src/meilisearch/index-form.ts";
import { openGeneration, type LiveGeneration } from "../../../src/partitions/live-generation.ts";
import { buildNames, openNames } from "../../../src/partitions/name-filter.ts";
import { cellNumber } from "../../../src/partitions/partition-map.ts";
import { routeLookup } from "../../../src/partitions/route-lookup.ts";

const SAIGON = { latitude: 10.7769, longitude: 106.7009 };
const HANOI = { latitude: 21.0285, longitude: 105.8542 };
const TOKYO = { latitude: 35.68, longitude: 139.76 };

const byCell = [SAIGON, HANOI, TOKYO].toSorted((one, other) => cellNumber(one) - cellNumber(other));
const finestOf = (point: typeof SAIGON): string[] => cellsOf(point).slice(-1);

/** A partition for each city, the second of which knows what it holds. */
function openCities(): LiveGeneration {
  const partitions = byCell.map((city, index) => ({
    first_cell: index === 0 ? 0 : cellNumber(city),
    engines: ["one"],
  }));
  const live = { generation: "a", index_version: INDEX_VERSION, built_at: "", partitions };
  const generation = openGeneration(
    { sequence: 1, live },
    { engines: [], prefix: "places", before: undefined },
  );
  generation.partitions[1]!.names = openNames(buildNames({ joined_names: { quillon: 1 } }));
  return generation;
}

describe("a lookup asks", () => {
  const cities = openCities();

  test("the partitions whose cells it names, and is known to be placed", () => {
    expect(routeLookup({ cells: finestOf(byCell[2]!) }, cities)).toEqual({ partitions: [2], isPlaced: true });
    const within = [byCell[0]!, byCell[2]!].flatMap(finestOf);
    expect(routeLookup({ within: [within] }, cities)).toEqual({ partitions: [0, 2], isPlaced: true });
    expect(routeLookup({ within: [within], cells: finestOf(byCell[2]!) }, cities).partitions).toEqual([2]);
  });

  test("none when its cells lie in no common partition", () => {
    const filter = { cells: finestOf(byCell[0]!), within: [finestOf(byCell[1]!)] };
    expect(routeLookup(filter, cities)).toEqual({ partitions: [], isPlaced: true });
  });

  test("all partitions but those that surely hold no such name", () => {
    expect(routeLookup({ names: ["other"] }, cities)).toEqual({ partitions: [0, 2], isPlaced: false });
    expect(routeLookup({ names: ["quillon"] }, cities).partitions).toEqual([0, 1, 2]);
  });

  test("all partitions for similar names, of which no filter knows", () => {
    expect(routeLookup({}, cities)).toEqual({ partitions: [0, 1, 2], isPlaced: false });
  });
});
