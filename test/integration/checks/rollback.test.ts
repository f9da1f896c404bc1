import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { checkPreviousIndex } from "../../../indexer/checks/check-swap.ts";
import { checkIndexHealth } from "../../../indexer/checks/check-live-index.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { openIndexAdmin, type IndexAdmin } from "../../../indexer/index/index-admin.ts";
import { startIndexBuild } from "../../../indexer/index/start-build.ts";
import type { StoredVocabulary } from "../../../src/meilisearch/stored-vocabulary.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { readMap } from "../../../indexer/index/store-map.ts";
import { putMap } from "../../support/divided-index.ts";
import { changeEngine } from "../../support/change-engine.ts";
import { createTestIndex, uidOf } from "../../support/test-index.ts";

const placesCalled = (title: string): PlaceDocument[] =>
  Array.from({ length: 30 }, (_, number) =>
    buildPlace({
      data_id: `0x1:0x${(number + 1).toString(16)}`,
      title: `${title} ${number}`,
      location: { latitude: 10.7 + number / 500 },
    }),
  );

let admin: IndexAdmin;
let topology: Topology;

beforeEach(async () => {
  const live = await createTestIndex(placesCalled("Quán Cũ"));
  ({ topology } = live);
  admin = openIndexAdmin(topology);
  return async () => {
    await admin.close();
    await live[Symbol.asyncDispose]();
  };
});

async function importPlaces(places: readonly PlaceDocument[], vocabulary?: StoredVocabulary): Promise<void> {
  const build = await startIndexBuild(topology);
  if (vocabulary) await build.storeVocabulary(vocabulary);
  await build.add(places);
  await build.finish();
  await build.completeForSearch();
  await build.swap();
}

async function liveTitle(): Promise<string | undefined> {
  const index = openPlaceIndex(topology);
  onTestFinished(() => index.close());
  return (await index.getPlace("0x1:0x1"))?.title;
}

test("the areas and words of an import go live with it, do not count as places and revert with a rollback", async () => {
  const vocabulary = { areas: [], words: "filler,,vi,nhé" };
  const index = openPlaceIndex(topology);
  onTestFinished(() => index.close());
  expect(await index.readVocabulary()).toBeUndefined();
  await importPlaces(placesCalled("Quán Mới"), vocabulary);
  expect(await index.readState()).toMatchObject({ state: "ready", places: 30 });
  expect(await index.readVocabulary()).toEqual(vocabulary);
  expect(await admin.readIndex("live")).toMatchObject({ places: 30 });
  expect((await Array.fromAsync(admin.streamPlaces("live"))).flat()).toHaveLength(30);
  expect(await admin.samplePlaces("live", 40)).toHaveLength(30);
  await admin.swapWithPrevious();
  await index.readState();
  expect(await index.readVocabulary()).toBeUndefined();
});

/** Says in the map that another version of the program built an index. */
async function changeVersion(role: "live" | "previous", index_version: string): Promise<void> {
  const map = (await readMap(topology))!;
  await putMap(topology, { ...map, sequence: map.sequence + 1, [role]: { ...map[role]!, index_version } });
}

test("a rollback restores the previous index, if there is one, and a second one undoes it", async () => {
  await expect(checkPreviousIndex(admin, true)).rejects.toThrow("There is no previous index");
  await importPlaces(placesCalled("Quán Mới"));
  expect(await checkPreviousIndex(admin, false)).toEqual([]);
  await admin.swapWithPrevious();
  expect(await liveTitle()).toBe("Quán Cũ 0");
  expect(await checkPreviousIndex(admin, false)).toEqual([]);
  await admin.swapWithPrevious();
  expect(await liveTitle()).toBe("Quán Mới 0");
});

describe("a rollback is refused", () => {
  test("to an index of another version, unless forced", async () => {
    await importPlaces(placesCalled("Quán Mới"));
    await changeVersion("previous", "0.9");
    await expect(checkPreviousIndex(admin, false)).rejects.toThrow(
      /failed its checks:\nproblem index .* another version of this program \(0\.9\)/,
    );
    expect(await checkPreviousIndex(admin, true)).toEqual([expect.stringContaining("another version")]);
  });

  test("to an index with changed settings", async () => {
    await importPlaces(placesCalled("Quán Mới"));
    await changeEngine("PATCH", `/indexes/${await uidOf(topology, "previous")}/settings`, {
      stopWords: ["quan"],
    });
    await expect(checkPreviousIndex(admin, false)).rejects.toThrow("changed since the build: stopWords");
  });

  test("to an index without places", async () => {
    await importPlaces(placesCalled("Quán Mới"));
    const uid = await uidOf(topology, "previous");
    await changeEngine("POST", `/indexes/${uid}/documents/delete`, { filter: "cells EXISTS" });
    await expect(checkPreviousIndex(admin, false)).rejects.toThrow("problem index");
  });
});

describe("the health of an index", () => {
  const statesOf = async () =>
    Object.fromEntries((await checkIndexHealth(admin, "live")).map(({ name, state }) => [name, state]));

  test("has a problem when there is no index", async () => {
    await changeEngine("DELETE", `/indexes/${topology.prefix}_map`);
    expect(await checkIndexHealth(admin, "live")).toEqual([
      { name: "index", state: "problem", detail: "there is no live index", hint: "Import places." },
    ]);
  });

  test("has a problem when another version built it, and further checks are skipped", async () => {
    await changeVersion("live", "0.9");
    expect(await statesOf()).toEqual({ index: "problem", settings: "ok" });
  });

  test("has a problem when settings have drifted", async () => {
    await changeEngine("PATCH", `/indexes/${await uidOf(topology)}/settings`, {
      rankingRules: ["typo"],
      stopWords: ["quan"],
    });
    const results = await checkIndexHealth(admin, "live");
    expect(results.find(({ name }) => name === "settings")).toMatchObject({
      state: "problem",
      detail: "changed since the build: stopWords, rankingRules",
    });
  });

  test("has a problem when searches cannot work", async () => {
    await changeEngine("PATCH", `/indexes/${await uidOf(topology)}/settings`, {
      searchableAttributes: ["title"],
      filterableAttributes: [],
    });
    expect(await statesOf()).toMatchObject({ settings: "problem", search: "problem", cells: "problem" });
  });

  test("is good after an import, and has a problem when a place is not stored under its cells", async () => {
    expect(await statesOf()).toEqual({
      index: "ok",
      settings: "ok",
      documents: "ok",
      search: "ok",
      cells: "ok",
    });
    await changeEngine("POST", `/indexes/${await uidOf(topology)}/documents`, [
      { id: "0x1", summary: "", detail: "" },
    ]);
    expect(await statesOf()).toMatchObject({ documents: "problem", cells: "problem" });
  });
});
