import { describe, expect, test } from "vitest";
import type { PlaceLookup } from "../../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

/** Before the places are counted, a region is a few kilometres of a large city. */
const CENTRE = { latitude: 10.776, longitude: 106.7 };
const FAR_METERS = 300_000;

const placeAt = (meters: number, title: string, street = ""): PlaceDocument =>
  buildPlace({ title, location: { ...pointAt(CENTRE, meters, 90), address: { full: street } } });

/** The titles that a search finds, what it looks up, and what of that without saying where. */
async function search(places: readonly PlaceDocument[], query: string) {
  const index = createMemoryIndex(places);
  const found = await createPlaceSearch(index).search({ query, centre: CENTRE, limit: 20, offset: 0 });
  const lookups = index.rounds.flat();
  const elsewhere = lookups.filter(({ filter }) => filter.cells === undefined);
  return { titles: found.places.map(({ place }) => place.title), lookups, elsewhere };
}

const isAlike = ({ joinedName }: PlaceLookup): boolean => joinedName !== undefined;

describe("beyond the region", () => {
  test("only the very name is looked up where a place of the region has it", async () => {
    const { titles, elsewhere } = await search([placeAt(500, "Quillon Tower")], "quillon tower");
    expect(titles).toEqual(["Quillon Tower"]);
    expect(elsewhere.map(({ filter }) => filter)).toEqual([{ names: ["quillontower"] }]);
  });

  test("places of the very name are found, after the nearer ones", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Tower"), placeAt(900, "Quillon Tower")];
    const { titles } = await search(places, "quillon tower");
    expect(titles).toHaveLength(2);
  });

  test("names with the words in another order are found where the region has none", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Tower"), placeAt(500, "Phở Hòa")];
    expect((await search(places, "tower quillon")).titles[0]).toBe("Quillon Tower");
  });

  test("names with all words are found where the region has these words only in an address", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Grand Tower"), placeAt(500, "Cửa hàng 8", "Quillon Tower")];
    expect((await search(places, "quillon tower")).titles).toContain("Quillon Grand Tower");
  });

  test("names with a typo are found where the region has none like it", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Tower"), placeAt(500, "Phở Hòa")];
    const { titles, elsewhere } = await search(places, "quilon towwer");
    expect(titles[0]).toBe("Quillon Tower");
    expect(elsewhere.some(isAlike)).toBe(true);
  });

  test("names with a typo are not looked up where the region has one like it", async () => {
    const places = [placeAt(FAR_METERS, "Quillon Tower"), placeAt(500, "Quillon Towers")];
    const { titles, elsewhere } = await search(places, "quilon towers");
    expect(titles[0]).toBe("Quillon Towers");
    expect(elsewhere.some(isAlike)).toBe(false);
  });

  test("names with a typo are not looked up where an address has one", async () => {
    const places = [placeAt(FAR_METERS, "12 Hung Vuong"), placeAt(500, "Phở Hòa", "12 Hùng Vương")];
    const { titles, elsewhere } = await search(places, "12 đường hugn vuong");
    expect(titles[0]).toBe("Phở Hòa");
    expect(elsewhere.some(isAlike)).toBe(false);
  });

  test("a house is found where the region has no such house", async () => {
    const places = [placeAt(FAR_METERS, "Cửa hàng 8", "12 Quillon"), placeAt(500, "Phở Hòa", "3 Lê Lợi")];
    expect((await search(places, "12 đường Quillon")).titles[0]).toBe("Cửa hàng 8");
  });
});

test("where an abbreviation stands for a name, no name with a typo is looked up", async () => {
  const places = [placeAt(500, "Nhà thuốc Quillon Mai"), placeAt(600, "Nội thất Quillon")];
  const { titles, lookups } = await search(places, "nt quillon mai");
  expect(titles[0]).toBe("Nhà thuốc Quillon Mai");
  expect(lookups.filter(({ joinedTail, words }) => (joinedTail ?? words) !== undefined)).toEqual([]);
});
