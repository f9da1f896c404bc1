import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ImportReport } from "../../../indexer/import/import-report.ts";
import { writeReleases } from "../../support/parquet-releases.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const { env, folder } = useOwnEngines("releases");
const releases = join(folder, "releases");

/** Of each source. A hundredth each is unlikely or a duplicate, has no name, and has no point. */
const ROWS = 2_000;
const HUNDREDTH = ROWS / 100;

beforeAll(async () => {
  await writeReleases(releases, ROWS);
  // What tools leave beside their files.
  writeFileSync(join(releases, "release", "_SUCCESS"), "");
  mkdirSync(join(releases, "notes"));
  writeFileSync(join(releases, "notes", "README.md"), "Places of November.");
});

async function run(command: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await runIndex([command, releases, "--json", ...args], env);
  return { exitCode, stderr, report: JSON.parse(stdout) as ImportReport };
}

/** The places of the live index by their titles. */
async function exportPlaces(): Promise<Map<unknown, Record<string, unknown>>> {
  const { stdout } = await runIndex(["export"], env);
  const places = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return new Map(places.map((place) => [place["title"], place]));
}

describe("folders of Overture and Foursquare releases, partitioned as published", () => {
  test("are imported, with each odd row counted by its reason and all else left out by name", async () => {
    const { exitCode, stderr, report } = await run("import", "--max-rejects", "2", "--no-merge");
    expect(report).toMatchObject({ outcome: "imported", read: 2 * ROWS, indexed: 2 * ROWS - 6 * HUNDREDTH });
    expect(exitCode).toBe(0);
    expect(report.rejected.reasons.map(({ field, count }) => [field, count])).toEqual([
      ["names.primary", HUNDREDTH],
      ["geometry", HUNDREDTH],
      ["name", HUNDREDTH],
      ["latitude", HUNDREDTH],
    ]);
    expect(report.skipped.reasons).toEqual([
      { reason: "confidence below 0.5", count: HUNDREDTH },
      { reason: "flagged duplicate at Foursquare", count: HUNDREDTH },
    ]);
    expect(report.files).toHaveLength(4);
    expect(stderr).toContain(`Ignored, no places in a known format: ${join(releases, "notes", "README.md")}`);
    expect(stderr).toContain("_SUCCESS");
    const places = await exportPlaces();
    expect(places.get("Quán 15")).toMatchObject({
      source: "overture",
      alternate_names: ["Place 15", "장소 15", "Q15"],
      type: "COFFEE",
      location: { latitude: 10.7, longitude: 106.6075, country_code: "VN", address: { city: "Hồ Chí Minh" } },
      business_status: "operational",
      confirmed_on: "2026-10-07",
    });
    expect(places.get("Tiệm 104")).toMatchObject({
      source: "foursquare",
      type: "BAKERY",
      business_status: "closed_permanently",
    });
  });

  test("are read inside a box only", async () => {
    const { report } = await run("validate", "--bbox", "106.6,10.7,106.62475,10.7001", "--max-rejects", "3");
    expect(report).toMatchObject({ outcome: "valid", read: 2 * 50 - 1 });
  });

  test("a condition that one of them does not know ends the run before any is read", async () => {
    const { exitCode, report } = await run("validate", "--where", "theme = 'places'");
    expect({ exitCode, read: report.read }).toEqual({ exitCode: 1, read: 0 });
    expect(report.error).toContain('Referenced column "theme" not found');
  });
});
