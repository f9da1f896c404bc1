import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { startIndexBuild } from "../../indexer/index-build/start-index-build.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";

export interface TestIndex extends AsyncDisposable {
  readonly index: PlaceIndex;
  readonly prefix: string;
}

/** Only indexes that tests created may be deleted, wherever the engine's address came from. */
function checkTestPrefix(prefix: string): void {
  if (!/^test_[0-9a-f]{12}$/.test(prefix)) throw new Error(`${prefix} is not an index of a test`);
}

export const createTestPrefix = (): string => `test_${randomBytes(6).toString("hex")}`;

/** Puts the places into a separate index in the test run's engine. `await using` removes it. */
export async function createTestIndex(places: readonly PlaceDocument[]): Promise<TestIndex> {
  const prefix = createTestPrefix();
  const address = { url: inject("meilisearchUrl"), key: inject("meilisearchKey"), prefix };
  const build = await startIndexBuild(address);
  await build.add(places);
  await build.finish();
  await build.swap();
  const index = createPlaceIndex(address);
  return {
    index,
    prefix,
    async [Symbol.asyncDispose]() {
      await index.close();
      await removeTestIndex(prefix);
    },
  };
}

/** Removes all indexes that a test may have created under its prefix. */
export async function removeTestIndex(prefix: string): Promise<void> {
  checkTestPrefix(prefix);
  const headers = { authorization: `Bearer ${inject("meilisearchKey")}` };
  for (const uid of [prefix, `${prefix}_next`, `${prefix}_previous`]) {
    await fetch(`${inject("meilisearchUrl")}/indexes/${uid}`, { method: "DELETE", headers });
  }
}
