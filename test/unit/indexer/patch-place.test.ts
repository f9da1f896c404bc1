import { describe, expect, test } from "vitest";
import { mergePatch, patchPlace } from "../../../indexer/changes/patch-place.ts";
import { cleanToDocument } from "../../../indexer/clean/clean-records.ts";
import { isRejection, type PlaceDraft } from "../../../indexer/clean/place-draft.ts";
import { toNativeDraft } from "../../../indexer/sources/native/native-place.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { noteTaker } from "./text-input.ts";

const { context } = noteTaker();

const RECORD = {
  source_id: "17",
  title: "Lặng",
  type: "COFFEE",
  rating: 4.5,
  contacts: { phone: "024 3825 1004", website: "https://lang.example" },
  location: {
    latitude: 21.0285,
    longitude: 105.8542,
    address: { full: "12 Hàng Mây, Hoàn Kiếm, Hà Nội", street: "12 Hàng Mây" },
  },
  opening_hours: [{ day: "Monday", hours: "07:00–22:00" }],
};

const place = cleanToDocument(toNativeDraft(RECORD, context.note) as PlaceDraft, context) as PlaceDocument;

test.each([
  // The cases of RFC 7396, appendix A.
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j with %j is %j", (target, patch, merged) => expect(mergePatch(target, patch)).toEqual(merged));

describe("a patch is refused", () => {
  test.each([
    [{ rating: "good" }, "rating"],
    [{ contacts: { phone: "no number" } }, "contacts.phone"],
    [{ mood: "calm" }, "mood"],
    [{ title: null }, "title"],
    [{ location: { latitude: null } }, "location.latitude"],
    [{ location: { latitude: 91, longitude: 200 } }, "location"],
    [{ opening_hours: [{ day: "Monday", hours: "soon" }] }, "opening_hours"],
  ])("%j, with its field", (patch, field) => {
    const patched = patchPlace(place, patch, context);
    expect(isRejection(patched) && patched.field).toBe(field);
    expect(isRejection(patched) && patched.reason).not.toMatch(/ignored|dropped/);
  });
});

describe("patchPlace", () => {
  test("changes what is named, and keeps the rest and the id", () => {
    const patched = patchPlace(
      place,
      { source_id: "17", contacts: { website: "https://new.example" } },
      context,
    );
    expect(patched).toEqual({
      ...place,
      has_given_id: undefined,
      contacts: { ...place.contacts, website: "https://new.example" },
    });
  });

  test("an empty patch changes nothing", () => {
    expect(patchPlace(place, {}, context)).toEqual(place);
  });

  test("a place that moves keeps its id", () => {
    const patched = patchPlace(place, { location: { latitude: 10.77, longitude: 106.7 } }, context);
    expect(patched).toMatchObject({ data_id: place.data_id, location: { latitude: 10.77 } });
  });

  test("an estimated point loses its mark when somebody puts it right, and keeps it otherwise", () => {
    const estimated = { ...place, location: { ...place.location, estimated_from: "street" as const } };
    const move = { location: { latitude: 21.03, longitude: 105.85 } };
    const patched = (patch: Record<string, unknown>) =>
      patchPlace(estimated, patch, context) as PlaceDocument;
    expect(patched(move).location).not.toHaveProperty("estimated_from");
    expect(patched({ rating: 4 }).location.estimated_from).toBe("street");
  });

  test("a new street replaces the old one in the one-line address", () => {
    const patched = patchPlace(place, { location: { address: { street: "5 Hàng Gió" } } }, context);
    expect(patched).toMatchObject({
      location: { address: { full: "5 Hàng Gió, Hoàn Kiếm, Hà Nội", street: "5 Hàng Gió" } },
    });
  });
});
