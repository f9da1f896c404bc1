import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EvalCase } from "../../tools/eval/cases.ts";
import { makeCases } from "../../tools/eval/make-cases.ts";
import { createDataset, toTruePlace } from "../../tools/eval/dataset.ts";
import { scoreAnswer } from "../../tools/eval/score.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { type TestApp, startTestApp } from "../support/test-app.ts";
import { type TestIndex, createTestIndex } from "../support/test-index.ts";
import { HOW_TO_REWRITE, NO_REASON, isRewriting, readBaseline, rewriteBaseline } from "./baseline.ts";
import { type HandWrittenCase, namedPlaces, readHandWrittenCases } from "./hand-written.ts";
import { findProblems } from "./judge.ts";
import { readTestPlaces } from "./read-places.ts";

/** The generated part is small: `npm run -s eval` is the measure, this only notices what breaks. */
const GENERATED = {
  kinds: ["exact", "no-marks", "typo-1", "typo-2", "first-60", "joined", "swapped", "word-missing", "far"],
  seed: 1,
  count: 25,
} as const;

/** The density of places is read beside the first search; later ones know it. */
const WARM_UP_MS = 500;

const places = await readTestPlaces();
const byDataId = new Map(places.map((place) => [place.data_id, place]));
const slugs = new Set(places.map(({ source_id: slug }) => slug));
const dataset = createDataset(places.map(toTruePlace));
const handWritten = readHandWrittenCases();
const generated = makeCases(dataset, GENERATED).map((asked) => ({ id: idOfGenerated(asked), asked }));
const baseline = readBaseline();
const failed: string[] = [];

let index: TestIndex;
let app: TestApp;

function idOfGenerated({ kind, query, centre: { latitude, longitude } }: EvalCase): string {
  return `generated ${kind}: ${query} @ ${latitude},${longitude}`;
}

interface Answer {
  readonly local_result?: readonly { readonly data_id: string }[];
  readonly suggestions?: readonly { readonly data_id: string }[];
}

async function ask(
  { operation = "search", query }: Partial<Pick<HandWrittenCase, "operation">> & { readonly query: string },
  { latitude, longitude }: Coordinates,
): Promise<string[]> {
  const parameters = new URLSearchParams({ q: query, lat: String(latitude), lng: String(longitude) });
  const answer = await app.read<Answer>(`/api/maps/${operation}?${parameters.toString()}`);
  return (answer.local_result ?? answer.suggestions ?? []).map(({ data_id: dataId }) => dataId);
}

const AS_BEFORE = "as before";

/** Fails for a case that has begun to fail, and for one that no longer does and is still listed as if it did. */
function expectAsBefore(id: string, problems: readonly string[]): void {
  if (problems.length > 0) failed.push(id);
  const isKnown = Object.hasOwn(baseline, id);
  const change = isKnown
    ? `it holds now, so take it off the baseline: ${HOW_TO_REWRITE}`
    : problems.join("; ");
  expect(isRewriting || problems.length > 0 === isKnown ? AS_BEFORE : change).toBe(AS_BEFORE);
}

beforeAll(async () => {
  index = await createTestIndex(places);
  app = await startTestApp({ index: index.index, redisUrl: "none" });
  await app.read("/api/maps/search?q=a");
  await sleep(WARM_UP_MS);
});

afterAll(async () => {
  if (isRewriting) rewriteBaseline(failed);
  await app[Symbol.asyncDispose]();
  await index[Symbol.asyncDispose]();
});

describe("hand-written cases", () => {
  test.each(handWritten)("$id: $reason", async ({ id, centre, expect: expected, ...asked }) => {
    const came = (await ask(asked, centre)).map((dataId) => byDataId.get(dataId)!);
    const problems = findProblems(expected, came);
    const shown = came.slice(0, 4).map(({ source_id: slug }) => slug);
    expectAsBefore(id, problems.length > 0 ? [...problems, `came: ${shown.join(", ") || "nothing"}`] : []);
  });
});

describe("generated cases", () => {
  test.each(generated)("$id", async ({ id, asked }) => {
    const came = await ask(asked, asked.centre);
    const { rank } = scoreAnswer(asked, came, dataset);
    const wanted = byDataId.get(asked.expected.dataIds[0] ?? "")?.source_id;
    expectAsBefore(id, rank === 1 ? [] : [`${wanted} should come first and has rank ${rank ?? "none"}`]);
  });
});

describe("the data of the cases", () => {
  test("every case has a unique name", () => {
    const ids = [...handWritten, ...generated].map(({ id }) => id);
    expect(ids.filter((id, number) => ids.indexOf(id) !== number)).toEqual([]);
  });

  test("every place that a case names is in places.jsonl", () => {
    const unknown = handWritten.flatMap(({ expect: expected }) =>
      namedPlaces(expected).filter((slug) => !slugs.has(slug)),
    );
    expect(unknown).toEqual([]);
  });

  test("every known failure is an existing case with a reason", () => {
    const ids = new Set([...handWritten, ...generated].map(({ id }) => id));
    const unexplained = Object.entries(baseline).filter(
      ([id, reason]) => !ids.has(id) || reason === NO_REASON,
    );
    expect(unexplained).toEqual([]);
  });
});
