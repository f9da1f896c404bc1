import { expect, test } from "vitest";
import * as v from "valibot";
import { toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import { documentsOutline, multiSearchOutline, summariesOutline } from "../../../src/meilisearch/outlines.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";

// What is refused is shown by test/integration/http/engine-rubbish.test.ts.

const documents = SAMPLE_PLACES.map((place) => toIndexedPlace(place));
const ids = new Set(documents.map(({ id }) => id));

test("every place is read as a summary and as a document as it was written", () => {
  const summaries = v.parse(summariesOutline(ids), { results: documents }).results;
  const whole = v.parse(documentsOutline(ids), { results: documents }).results;
  expect(summaries).toHaveLength(SAMPLE_PLACES.length);
  for (const [at, { indexed_at }] of documents.entries())
    expect(whole[at]).toStrictEqual({
      id: documents[at]!.id,
      place: { ...SAMPLE_PLACES[at]!, indexed_at },
    });
});

test("every place is read as a hit, with its order and its score where it has them", () => {
  const hits = [{ ...documents[0], import_order: 3, _rankingScore: 0.5 }, documents[1]];
  const outline = multiSearchOutline([{ indexUid: "places", limit: 2 }]);
  const { results } = v.parse(outline, { results: [{ indexUid: "places", hits, estimatedTotalHits: 9 }] });
  expect(results[0]?.hits).toMatchObject([
    { place: { id: documents[0]!.id }, order: 3, score: 0.5 },
    { place: { id: documents[1]!.id }, order: undefined, score: undefined },
  ]);
});

test("a hit without its names is read where none were asked for, and refused where they were", () => {
  const { ranking_fields } = documents[0]!;
  const read = (attributesToRetrieve: readonly string[]) => {
    const outline = multiSearchOutline([{ indexUid: "places", limit: 1, attributesToRetrieve }]);
    const results = [{ indexUid: "places", hits: [{ ranking_fields }], estimatedTotalHits: 1 }];
    return v.safeParse(outline, { results });
  };
  const { success, output } = read(["ranking_fields"]);
  expect(success).toBe(true);
  expect(output).toMatchObject({ results: [{ hits: [{ place: { id: documents[0]!.id, title: "" } }] }] });
  expect(read(["title", "folded_names", "folded_rest", "ranking_fields"]).success).toBe(false);
});
