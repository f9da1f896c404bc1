import { expect, test } from "vitest";
import { cleanDraft } from "../../../../../indexer/clean/clean-records.ts";
import { isRejection, toValidDocument } from "../../../../../indexer/clean/place-draft.ts";
import { toNativeRecord } from "../../../../../indexer/sources/native/native-place.ts";
import { toNativeDraft } from "../../../../../indexer/sources/native/native-place.ts";
import type { PlaceDocument } from "../../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../../support/build-place.ts";
import { BAR, CAFE, UNKNOWN_SHOP } from "../../../../support/sample-places.ts";

/** What an import makes of a record, and what it could not use. */
function importRecord(record: object) {
  const notes: string[] = [];
  const note = (field: string, kind: string): void => void notes.push(`${field}: ${kind}`);
  const draft = toNativeDraft(JSON.parse(JSON.stringify(record)), note);
  const today = Temporal.PlainDate.from("2026-11-20");
  const cleaned = isRejection(draft) ? draft : cleanDraft(draft, { note, today });
  return { place: isRejection(cleaned) ? cleaned : toValidDocument(cleaned), notes };
}

const week = (...ranges: [number, number][]) => Array.from({ length: 7 }, () => ranges);

test.each<[string, PlaceDocument]>([
  ["with everything", CAFE],
  ["of which nothing is known", UNKNOWN_SHOP],
  ["without a name", buildPlace({ title: "", type: "TOILET" })],
  ["whose point is an estimate", buildPlace({ location: { estimated_from: "street" } })],
  ["open past midnight", BAR],
  ["never open", buildPlace({ opening_hours: { week: week(), special_days: [] } })],
  ["open all day and night", buildPlace({ opening_hours: { week: week([0, 1440]), special_days: [] } })],
  [
    "with hours around the clock from ten, two a day, and special days",
    buildPlace({
      opening_hours: {
        week: [...week([420, 690], [780, 1320]).slice(1), [[600, 2040]]],
        special_days: [
          { date: "2026-12-24", ranges: [[420, 720]] },
          { date: "2026-12-25", ranges: [] },
        ],
      },
    }),
  ],
  [
    "closed for good, with a line break in its description",
    buildPlace({ business_status: "closed_permanently", description: "Một\nHai" }),
  ],
])("a place %s is the same after an export and an import", (_what, place) => {
  const { place: imported, notes } = importRecord(toNativeRecord(place));
  expect(notes).toEqual([]);
  if (isRejection(imported)) throw new Error(imported.reason);
  // The first import completes the address and finds the areas; from then on nothing changes.
  const { areas, has_estimated_areas: _, ...others } = imported;
  expect(others).toEqual({ ...place, has_given_id: true, location: imported.location });
  expect(areas).toContain("p79");
  expect(importRecord(toNativeRecord(imported))).toEqual({ place: imported, notes: [] });
});

test("an export has the type of the source, and an import takes it from the title again", () => {
  const { place } = importRecord({ ...toNativeRecord(UNKNOWN_SHOP), title: "Chè Bà Ba", type: "PLACE" });
  if (isRejection(place)) throw new Error(place.reason);
  expect(place).toMatchObject({ type: "CHE", source_type: "PLACE" });
  expect(toNativeRecord(place)).toMatchObject({ type: "PLACE" });
  expect(toNativeRecord(place)).not.toHaveProperty("source_type");
  expect(importRecord(toNativeRecord(place))).toEqual({ place, notes: [] });
});

test("an export leaves out the areas, and the ward and city that came from them, as an import finds them again", () => {
  const address = { full: "7 Công Trường Lam Sơn", street: "7 Công Trường Lam Sơn", ward: "", city: "" };
  const { place } = importRecord({
    ...toNativeRecord(UNKNOWN_SHOP),
    location: { ...UNKNOWN_SHOP.location, address },
  });
  if (isRejection(place)) throw new Error(place.reason);
  expect(place.location.address).toMatchObject({ ward: "Phường Bến Thành", city: "Hồ Chí Minh" });
  const record = toNativeRecord(place);
  expect(record).not.toHaveProperty("areas");
  expect(record).not.toHaveProperty("has_estimated_areas");
  expect(record).toMatchObject({ location: { address } });
});
