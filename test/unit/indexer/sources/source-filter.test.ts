import { describe, expect, test } from "vitest";
import { emptyDraft } from "../../../../indexer/clean/place-draft.ts";
import {
  isInside,
  keepInside,
  keepNamed,
  parseBoundingBox,
  type SourceItem,
} from "../../../../indexer/sources/source.ts";

test.each([
  "",
  "1,2,3",
  "1,2,3,4,5",
  "a,b,c,d",
  "181,0,182,1",
  "0,-91,1,1",
  "0,5,1,4",
  "1;2;3;4",
  "1,2,3,1e1",
])("%j is not a box", (text) => {
  expect(parseBoundingBox(text)).toBeUndefined();
});

test("a box is west, south, east, north, with or without spaces", () => {
  expect(parseBoundingBox("-9.5, 38,-9, 39.25")).toEqual({ west: -9.5, south: 38, east: -9, north: 39.25 });
});

describe("a point is inside", () => {
  const box = { west: 10, south: -5, east: 20, north: 5 };
  const pacific = { west: 170, south: -5, east: -170, north: 5 };
  test.each([
    ["in the middle", [0, 15], box, true],
    ["on a corner", [5, 20], box, true],
    ["north of it", [5.01, 15], box, false],
    ["west of it", [0, 9.99], box, false],
    ["beyond the 180th meridian", [0, -175], pacific, true],
    ["before it", [0, 175], pacific, true],
    ["on the other side of the Earth", [0, 0], pacific, false],
  ])("%s: %j", (_, [latitude = 0, longitude = 0], within, expected) => {
    expect(isInside({ latitude, longitude }, within)).toBe(expected);
  });
});

test("places outside are skipped; places without coordinates are kept", async () => {
  const position = { file: "f", part: "line", number: 1 } as const;
  const at = (latitude: number): SourceItem => {
    const draft = emptyDraft();
    return { position, draft: { ...draft, location: { ...draft.location, latitude, longitude: 15 } } };
  };
  const rejected: SourceItem = { position, rejected: { field: "name", reason: "missing" } };
  async function* items() {
    yield* [at(0), at(80), at(Number.NaN), rejected];
  }
  const box = { west: 10, south: -5, east: 20, north: 5 };
  const kept = await Array.fromAsync(keepInside(items(), box));
  expect(kept).toEqual([at(0), { position, skipped: "outside --bbox" }, at(Number.NaN), rejected]);
});

test("with --named-only places without a name are skipped, and the others are left to the cleaning", async () => {
  const position = { file: "f", part: "line", number: 1 } as const;
  const named = (title: string): SourceItem => ({ position, draft: { ...emptyDraft(), title } });
  const rejected: SourceItem = { position, rejected: { field: "name", reason: "missing" } };
  async function* items() {
    yield* [named(" "), named("Phở Hòa"), rejected];
  }
  const kept = await Array.fromAsync(keepNamed(items()));
  expect(kept).toEqual([{ position, skipped: "no name" }, named("Phở Hòa"), rejected]);
});
