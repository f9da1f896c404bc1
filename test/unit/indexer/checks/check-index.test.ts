import { describe, expect, test } from "vitest";
import { checkIndex, type BuiltIndex } from "../../../../indexer/checks/check-new-index.ts";
import { dataIdIdentity } from "../../../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import type { PlaceCandidate } from "../../../../src/meilisearch/place-index.ts";
import { fold, joinWords } from "../../../../src/place/text/fold.ts";
import { buildPlace } from "../../../support/build-place.ts";

/** A reader of some places, of which searches find those with a word. */
function readerOf(
  places: readonly PlaceDocument[],
  isFindable: (place: PlaceDocument) => boolean = () => true,
): BuiltIndex["reader"] {
  return {
    getPlaces: (dataIds) =>
      Promise.resolve(dataIds.map((dataId) => places.find((place) => place.data_id === dataId))),
    findPlaces: (lookups) =>
      Promise.resolve(
        lookups.map(({ filter: { names } }) => {
          const found = places.filter(
            (place) => names?.includes(joinWords(fold(place.title))) && isFindable(place),
          );
          return {
            places: found.map((place) => ({ id: dataIdIdentity(place.data_id) }) as PlaceCandidate),
            total: found.length,
          };
        }),
      ),
  };
}

const PLACES = Array.from({ length: 20 }, () => buildPlace());
const GOOD: BuiltIndex = {
  places: 20,
  written: { distinctPlaces: 20.3, sampleIds: PLACES.map((place) => place.data_id) },
  reader: readerOf(PLACES),
};

describe("checkIndex", () => {
  test("refuses an index without places", async () => {
    await expect(checkIndex({ ...GOOD, places: 0 })).rejects.toThrow(
      "it holds no places. Look at the report",
    );
  });

  test.each([10, 16, 30])("refuses an index of %i places where 20 were written", async (places) => {
    await expect(checkIndex({ ...GOOD, places })).rejects.toThrow(
      `it holds ${places} places where about 20 were written`,
    );
  });

  test("refuses an index in which a place cannot be found at its point", async () => {
    await expect(checkIndex({ ...GOOD, reader: readerOf(PLACES.slice(1)) })).rejects.toThrow(
      "was written and is not there",
    );
  });

  test("refuses an index whose searches find too little", async () => {
    const reader = readerOf(PLACES, (place) => PLACES.indexOf(place) < 9);
    await expect(checkIndex({ ...GOOD, reader })).rejects.toThrow("a search finds 45 % of its places only");
  });

  test("accepts an index that has and finds what was written, except for names without words", async () => {
    const reader = readerOf(PLACES, (place) => PLACES.indexOf(place) < 15);
    await expect(checkIndex({ ...GOOD, reader })).resolves.toBeUndefined();
  });

  test("accepts an index with more places of one name at one point than fit a response", async () => {
    const twins = Array.from({ length: 300 }, () => buildPlace({ title: "Twin" }));
    const all = readerOf(twins);
    const reader: BuiltIndex["reader"] = {
      ...all,
      findPlaces: async (lookups, signal) => {
        const answers = await all.findPlaces(lookups, signal);
        return answers.map((answer, index) => ({
          ...answer,
          places: answer.places.slice(0, lookups[index]?.limit),
        }));
      },
    };
    const sampleIds = twins.slice(-20).map((place) => place.data_id);
    const built = { places: 300, written: { distinctPlaces: 300, sampleIds }, reader };
    await expect(checkIndex(built)).resolves.toBeUndefined();
  });
});
