import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { mergeBuild } from "../../../../indexer/merge/merge-build.ts";
import { createMergeTally } from "../../../../indexer/merge/merge-tally.ts";
import { dataIdIdentity } from "../../../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../support/build-place.ts";

const STREET = { latitude: 10.7769, longitude: 106.7009 };

/** A place so many kilometres east of the first. */
const placeOf = (source: string, title: string, kilometers = 0, facts: Partial<PlaceDocument> = {}) =>
  buildPlace({
    title,
    source,
    type: "COFFEE",
    ...facts,
    location: { ...STREET, longitude: STREET.longitude + kilometers / 100 },
  });

/** What merging writes into a new index with these places, of which some are gone when they are read again. */
async function merge(places: readonly PlaceDocument[], gone: readonly PlaceDocument[] = []) {
  const written: PlaceDocument[][] = [];
  const redirects: Record<string, string> = {};
  await mergeBuild(
    {
      async *readAll() {
        yield [...places];
      },
      readSome: async (identities) =>
        places.filter((place) => !gone.includes(place) && identities.includes(dataIdIdentity(place.data_id))),
      replace: async (changes) => {
        written.push([...changes.places]);
        for (const { from, to } of changes.redirects) redirects[from] = to;
      },
    },
    {
      sources: ["a", "b", "c"],
      merges: createMergeTally(),
      folder: tmpdir(),
      signal: new AbortController().signal,
    },
  );
  return { written, redirects };
}

describe("the records of one place", () => {
  const [one, two, three] = [
    placeOf("a", "Cộng", 0, { description: "Cà phê cốt dừa" }),
    placeOf("b", "Cộng", 0, { rating: 4.5, reviews: 10 }),
    placeOf("c", "Cộng"),
  ];

  test("become one, and the other ids redirect to it", async () => {
    const { written, redirects } = await merge([one, two, three, placeOf("b", "Gió Biển", 5)]);
    expect(written.flat()).toMatchObject([
      { data_id: one.data_id, description: "Cà phê cốt dừa", rating: 4.5, reviews: 10 },
    ]);
    expect(redirects).toEqual({ [two.data_id]: one.data_id, [three.data_id]: one.data_id });
  });

  test("stay unchanged when all but one were deleted meanwhile", async () => {
    expect(await merge([one, two], [two])).toEqual({ written: [[]], redirects: {} });
    expect(await merge([one, two], [one, two])).toEqual({ written: [[]], redirects: {} });
  });

  test("are merged into another one when the fullest was deleted", async () => {
    const { redirects } = await merge([one, two, three], [one]);
    expect(redirects).toEqual({ [three.data_id]: two.data_id });
  });
});

test("places without a name are never merged", async () => {
  expect(await merge([placeOf("a", ""), placeOf("b", "")])).toEqual({ written: [], redirects: {} });
});

test("without anything to merge nothing is written", async () => {
  expect(await merge([placeOf("a", "Cộng"), placeOf("b", "Gió Biển")])).toEqual({
    written: [],
    redirects: {},
  });
});

test("many are written in several batches, once each", async () => {
  const pairs = Array.from({ length: 300 }, (_, i) => [placeOf("a", "Cộng", i), placeOf("b", "Cộng", i)]);
  const { written, redirects } = await merge(pairs.flat());
  expect(written.length).toBeGreaterThan(1);
  expect(new Set(written.flat().map((place) => place.data_id)).size).toBe(300);
  expect(written.flat()).toHaveLength(300);
  expect(Object.keys(redirects)).toHaveLength(300);
});
