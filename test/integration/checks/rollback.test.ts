import { beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { checkPreviousIndex } from "../../../indexer/checks/check-swap.ts";
import { checkIndexHealth } from "../../../indexer/checks/check-live-index.ts";
import { createPlaceIndex } from "../../../src/meilisearch/create-place-index.ts";
import { openIndexAdmin, type IndexAdmin } from "../../../indexer/partitions/index-admin.ts";
import { startIndexBuild } from "../../../indexer/index-build/start-index-build.ts";
import type { StoredVocabulary } from "../../../src/meilisearch/stored-vocabulary.ts";
import type { EngineAddress } from "../../../src/meilisearch/connection.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { changeEngine } from "../../support/change-engine.ts";
import { createTestIndex } from "../../support/test-index.ts";

const placesCalled = (title: string): PlaceDocument[] =>
  Array.from({ length: 30 }, (_, number) =>
    buildPlace({
      data_id: `0x1:0x${(number + 1).toString(16)}`,
      title: `${title} ${number}`,
      location: { latitude: 10.7 + number / 500 },
    }),
  );

let admin: IndexAdmin;
let address: EngineAddress;
let prefix = "";

beforeEach(async () => {
  const live = await createTestIndex(placesCalled("Quán Cũ"));
  const engine = { url: inject("meilisearchUrl"), key: inject("meilisearchKey"), prefix: live.prefix };
  prefix = live.prefix;
  address = engine;
  admin = openIndexAdmin(engine);
  return async () => {
    await admin.close();
    await live[Symbol.asyncDispose]();
  };
});

async function importPlaces(places: readonly PlaceDocument[], vocabulary?: StoredVocabulary): Promise<void> {
  const build = await startIndexBuild(address);
  if (vocabulary) await build.storeVocabulary(vocabulary);
  await build.add(places);
  await build.finish();
  await build.swap();
}

async function liveTitle(): Promise<string | undefined> {
  const index = createPlaceIndex(address);
  onTestFinished(() => index.close());
  return (await index.getPlace("0x1:0x1"))?.title;
}

test("the areas and words of an import go live with it, do not count as places and revert with a rollback", async () => {
  const vocabulary = { areas: [], words: "filler,,vi,nhé" };
  const index = createPlaceIndex(address);
  onTestFinished(() => index.close());
  expect(await index.readVocabulary()).toBeUndefined();
  await importPlaces(placesCalled("Quán Mới"), vocabulary);
  expect(await index.readVocabulary()).toEqual(vocabulary);
  expect(await index.readState()).toMatchObject({ state: "ready", places: 30 });
  expect(await admin.readIndex("live")).toMatchObject({ places: 30 });
  expect((await Array.fromAsync(admin.streamPlaces("live"))).flat()).toHaveLength(30);
  expect(await admin.samplePlaces("live", 40)).toHaveLength(30);
  await admin.swapWithPrevious();
  expect(await index.readVocabulary()).toBeUndefined();
});

const manifestOf = (version: string) => [
  { id: "manifest", _manifest: { version, built_at: "2026-01-01T00:00:00Z" } },
];

test("a rollback restores the previous index, and a second one undoes it", async () => {
  await importPlaces(placesCalled("Quán Mới"));
  expect(await checkPreviousIndex(admin, false)).toEqual([]);
  await admin.swapWithPrevious();
  expect(await liveTitle()).toBe("Quán Cũ 0");
  expect(await checkPreviousIndex(admin, false)).toEqual([]);
  await admin.swapWithPrevious();
  expect(await liveTitle()).toBe("Quán Mới 0");
});

describe("a rollback is refused", () => {
  test("before the second import, even with --force", async () => {
    await expect(checkPreviousIndex(admin, true)).rejects.toThrow("There is no previous index");
  });

  test("to an index of another version, unless forced", async () => {
    await importPlaces(placesCalled("Quán Mới"));
    await changeEngine("POST", `/indexes/${prefix}_previous/documents`, manifestOf("0.9"));
    await expect(checkPreviousIndex(admin, false)).rejects.toThrow(
      /failed its checks:\nproblem index .* another version of this program \(0\.9\)/,
    );
    expect(await checkPreviousIndex(admin, true)).toEqual([expect.stringContaining("another version")]);
  });

  test("to an index with changed settings", async () => {
    await importPlaces(placesCalled("Quán Mới"));
    await changeEngine("PATCH", `/indexes/${prefix}_previous/settings`, { stopWords: ["quan"] });
    await expect(checkPreviousIndex(admin, false)).rejects.toThrow("changed since the build: stopWords");
  });

  test("to an index without places", async () => {
    await importPlaces(placesCalled("Quán Mới"));
    await changeEngine("DELETE", `/indexes/${prefix}_previous/documents`);
    await changeEngine("POST", `/indexes/${prefix}_previous/documents`, manifestOf("0.9"));
    await expect(checkPreviousIndex(admin, false)).rejects.toThrow("problem index");
  });
});

describe("the health of an index", () => {
  const statesOf = async () =>
    Object.fromEntries((await checkIndexHealth(admin, "live")).map(({ name, state }) => [name, state]));

  test("is good after an import", async () => {
    expect(await statesOf()).toEqual({
      index: "ok",
      settings: "ok",
      documents: "ok",
      search: "ok",
      cells: "ok",
    });
  });

  test("has a problem when there is no index", async () => {
    await changeEngine("DELETE", `/indexes/${prefix}`);
    expect(await checkIndexHealth(admin, "live")).toEqual([
      { name: "index", state: "problem", detail: "there is no live index", hint: "Import places." },
    ]);
  });

  test("has a problem when another version built it, and further checks are skipped", async () => {
    await changeEngine("POST", `/indexes/${prefix}/documents`, manifestOf("0.9"));
    expect(await statesOf()).toEqual({ index: "problem", settings: "ok" });
  });

  test("has a problem when settings have drifted", async () => {
    await changeEngine("PATCH", `/indexes/${prefix}/settings`, {
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
    await changeEngine("PATCH", `/indexes/${prefix}/settings`, {
      searchableAttributes: ["title"],
      filterableAttributes: [],
    });
    expect(await statesOf()).toMatchObject({ settings: "problem", search: "problem", cells: "problem" });
  });

  test("has a problem when a place is not stored under its cells", async () => {
    await changeEngine("POST", `/indexes/${prefix}/documents`, [{ id: "0x1", summary: "", detail: "" }]);
    expect(await statesOf()).toMatchObject({ documents: "problem", cells: "problem" });
  });
});
