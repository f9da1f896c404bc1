import { describe, expect, inject, onTestFinished, test } from "vitest";
import { createPlaceIndex } from "../../../src/meilisearch/create-place-index.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { cellsOf } from "../../../src/place/cells.ts";
import { startIndexBuild } from "../../../indexer/index-build/start-index-build.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createTestPrefix, removeTestIndex } from "../../support/test-index.ts";

function setUp() {
  const prefix = createTestPrefix();
  const address = { url: inject("meilisearchUrl"), key: inject("meilisearchKey"), prefix };
  const index = createPlaceIndex(address);
  onTestFinished(async () => {
    await index.close();
    await removeTestIndex(prefix);
  });
  return { address, index };
}

const oldPlace = buildPlace({ data_id: "0x1:0xa1", title: "Quán Cũ" });
const newPlace = buildPlace({ data_id: "0x1:0xb2", title: "Quán Mới" });

/** A place as the index returns it, with the time of its indexing. */
const stored = (place: PlaceDocument) => ({ ...place, indexed_at: expect.any(Number) as number });

async function importPlaces(
  address: Parameters<typeof startIndexBuild>[0],
  places = [oldPlace],
): Promise<void> {
  const build = await startIndexBuild(address);
  await build.add(places);
  await build.finish();
  await build.swap();
}

describe("a build", () => {
  test("is invisible before the swap and complete after it", async () => {
    const { address, index } = setUp();
    await importPlaces(address);
    const build = await startIndexBuild(address);
    await build.add([newPlace]);
    expect(await build.finish()).toBe(1);
    expect(await index.getPlace(newPlace.data_id)).toBeUndefined();
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
    await build.swap();
    expect(await index.getPlace(newPlace.data_id)).toEqual(stored(newPlace));
    expect(await index.getPlace(oldPlace.data_id)).toBeUndefined();
  });

  test("keeps the index it replaces as the previous one", async () => {
    const { address } = setUp();
    await importPlaces(address);
    await importPlaces(address, [newPlace]);
    const previous = createPlaceIndex({ ...address, prefix: `${address.prefix}_previous` });
    onTestFinished(() => previous.close());
    expect(await previous.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
  });

  test("leaves the live index unchanged when it is discarded", async () => {
    const { address, index } = setUp();
    await importPlaces(address);
    const build = await startIndexBuild(address);
    await build.add([newPlace]);
    await build.discard();
    expect(await index.readState()).toMatchObject({ state: "ready", places: 1 });
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
  });

  test("removes leftovers of a killed build", async () => {
    const { address, index } = setUp();
    const killed = await startIndexBuild(address);
    await killed.add([oldPlace]);
    const build = await startIndexBuild(address);
    await build.add([newPlace]);
    expect(await build.finish()).toBe(1);
    await build.swap();
    expect(await index.getPlace(oldPlace.data_id)).toBeUndefined();
  });

  test("counts a repeated place once, with its later record", async () => {
    const { address, index } = setUp();
    const build = await startIndexBuild(address);
    await build.add([oldPlace]);
    await build.add([{ ...oldPlace, title: "Quán Cũ 2" }]);
    expect(await build.finish()).toBe(1);
    await build.swap();
    expect(await index.getPlace(oldPlace.data_id)).toMatchObject({ title: "Quán Cũ 2" });
  });

  test("knows the data ids of the live index by their identities", async () => {
    const { address } = setUp();
    const first = await startIndexBuild(address);
    expect(await first.knownDataIds(["0xa1"])).toEqual(new Map());
    await first.add([oldPlace]);
    await first.finish();
    await first.swap();
    const build = await startIndexBuild(address);
    expect(await build.knownDataIds(["0xa1", "0xff"])).toEqual(new Map([["0xa1", "0x1:0xa1"]]));
    await build.discard();
  });

  test("reports an unreachable engine", async () => {
    await expect(startIndexBuild({ url: "http://127.0.0.1:1", key: undefined })).rejects.toThrow(
      /127\.0\.0\.1:1/,
    );
  });
});

describe("the state of the index", () => {
  test("is missing before the first import", async () => {
    const { index } = setUp();
    expect(await index.readState()).toEqual({ state: "missing" });
  });

  test("is unreachable when the engine is unreachable", async () => {
    const index = createPlaceIndex({ url: "http://127.0.0.1:1", key: undefined });
    expect(await index.readState()).toEqual({ state: "unreachable" });
    await index.close();
  });
});

describe("the census", () => {
  test("counts places by cell and by type and names their time zones", async () => {
    const { address, index } = setUp();
    await importPlaces(address, [oldPlace, newPlace]);
    const { places, density, types, timezones } = await index.readCensus();
    expect(places).toBe(2);
    expect(timezones).toEqual(["Asia/Ho_Chi_Minh"]);
    expect([...types.values()]).toEqual([2]);
    expect(cellsOf(oldPlace.location).map((cell) => density.placesIn(cell))).toEqual([2, 2, 2, 2, 2, 2]);
  });
});

describe("an index of another version", () => {
  /** Makes the live index say that another version of the program built it. */
  async function changeVersion({
    url,
    key,
    prefix,
  }: {
    url: string;
    key: string;
    prefix: string;
  }): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify([
      { id: "manifest", _manifest: { version: "0.0", built_at: "2026-01-01T00:00:00Z" } },
    ]);
    await fetch(`${url}/indexes/${prefix}/documents`, { method: "POST", headers, body });
  }

  test("is not read until it has been rebuilt", async () => {
    const { address, index } = setUp();
    await importPlaces(address);
    await changeVersion(address);
    await expect
      .poll(() => index.readState(), { timeout: 10_000 })
      .toMatchObject({ state: "wrong_version", found: "0.0" });
    await expect(index.getPlace(oldPlace.data_id)).rejects.toMatchObject({ code: "engine_unavailable" });
    await importPlaces(address);
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
  });
});

describe("indexes that are not ours", () => {
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${inject("meilisearchUrl")}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${inject("meilisearchKey")}`, "content-type": "application/json" },
    });

  /** Another program's index with one document. */
  async function createForeign(uid: string): Promise<void> {
    await send(`/indexes/${uid}/documents`, { method: "POST", body: '[{"id":"manifest","theirs":true}]' });
    await expect.poll(async () => (await send(`/indexes/${uid}/documents/manifest`)).status).toBe(200);
  }

  const readTheirs = async (uid: string): Promise<unknown> =>
    (await send(`/indexes/${uid}/documents/manifest`)).json();

  test.each(["", "_next", "_previous"])(
    "with the name of ours and %j keep a build from beginning",
    async (role) => {
      const { address } = setUp();
      const uid = `${address.prefix}${role}`;
      await createForeign(uid);
      await expect(importPlaces(address)).rejects.toThrow(
        `The engine has an index "${uid}" that Hereabouts did not build, with 1 document. ` +
          "An import would replace it: give it another name first, or use another engine.",
      );
      expect(await readTheirs(uid)).toMatchObject({ theirs: true });
    },
  );

  test("with names like ours outlive imports", async () => {
    const { address } = setUp();
    const uids = ["_new", "_old", "_map", "_backup_1", "_next_1", "_previous_0", "_live"].map(
      (ending) => `${address.prefix}${ending}`,
    );
    onTestFinished(async () => {
      for (const uid of uids) await send(`/indexes/${uid}`, { method: "DELETE" });
    });
    for (const uid of uids) await createForeign(uid);
    for (const places of [[oldPlace], [newPlace], [oldPlace]]) await importPlaces(address, places);
    for (const uid of uids) expect(await readTheirs(uid)).toMatchObject({ theirs: true });
  });
});

test("an import that lost its lease adds nothing to the index of another", async () => {
  const { address } = setUp();
  const first = await startIndexBuild(address);
  const second = await startIndexBuild(address);
  await first.add([oldPlace]);
  await expect(first.finish()).rejects.toThrow("Another import began meanwhile");
  await first.discard();
  await second.discard();
});
