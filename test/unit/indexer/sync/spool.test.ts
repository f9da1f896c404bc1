import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSpool } from "../../../../indexer/sync/place-table.ts";
import { buildPlace } from "../../../support/build-place.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-spool-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("a spool", () => {
  test("returns all places in order", async () => {
    const spool = await createSpool(makeFolder());
    const places = Array.from({ length: 5_000 }, () => buildPlace({ description: "Dài\n".repeat(50) }));
    for (const place of places) await spool.put(place);
    expect(await Array.fromAsync(spool.read())).toEqual(places);
    await spool.close();
  });

  test("without places is empty", async () => {
    const spool = await createSpool(makeFolder());
    expect(await Array.fromAsync(spool.read())).toEqual([]);
    await spool.close();
  });

  test("leaves no file behind, whether or not it is closed", async () => {
    const folder = makeFolder();
    const spool = await createSpool(folder);
    await spool.put(buildPlace());
    expect(readdirSync(folder)).toEqual([]);
    await spool.close();
  });

  test("uses another folder if its folder is missing", async () => {
    const spool = await createSpool(join(makeFolder(), "missing"));
    const place = buildPlace();
    await spool.put(place);
    expect(await Array.fromAsync(spool.read())).toEqual([place]);
    await spool.close();
  });
});
