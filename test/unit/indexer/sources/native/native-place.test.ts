import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRejection, type PlaceDraft } from "../../../../../indexer/clean/place-draft.ts";
import { toNativeDraft } from "../../../../../indexer/sources/native/native-place.ts";

const MINIMAL = {
  title: "Phở Thìn",
  source_id: "42",
  location: { latitude: 21.0187, longitude: 105.8577 },
};

function read(record: unknown) {
  const notes: string[] = [];
  const draft = toNativeDraft(record, (field, kind) => notes.push(`${field}: ${kind}`));
  return { draft, notes };
}

const readDraft = (fields: object) =>
  read({ ...MINIMAL, ...fields }) as { draft: PlaceDraft; notes: string[] };

describe("a record is rejected", () => {
  test.each([
    ["that is a list", [], "record", "not a JSON object"],
    ["that is a number", 42, "record", "not a JSON object"],
    ["that is null", null, "record", "not a JSON object"],
    ["without a title", { ...MINIMAL, title: undefined }, "title", "missing or not a string"],
    ["with a number as title", { ...MINIMAL, title: 24 }, "title", "missing or not a string"],
    ["without a location", { ...MINIMAL, location: undefined }, "location", "missing or not an object"],
    ["with a text as location", { ...MINIMAL, location: "21,105" }, "location", "missing or not an object"],
    [
      "without a latitude",
      { ...MINIMAL, location: { longitude: 1 } },
      "location.latitude",
      "missing or not a number",
    ],
    [
      "with a text as longitude",
      { ...MINIMAL, location: { latitude: 1, longitude: "2" } },
      "location.longitude",
      "missing or not a number",
    ],
    ["without any id", { ...MINIMAL, source_id: undefined }, "data_id", "missing, and no source_id either"],
    [
      "with empty ids",
      { ...MINIMAL, source_id: "", data_id: "" },
      "data_id",
      "missing, and no source_id either",
    ],
    ["with a number as source_id", { ...MINIMAL, source_id: 42 }, "source_id", "not a string"],
    ["with a number as data_id", { ...MINIMAL, data_id: 42 }, "data_id", "not a string"],
  ])("%s", (_, record, field, reason) => {
    expect(read(record).draft).toMatchObject({ field, reason });
  });
});

describe("an optional field", () => {
  test.each([
    ["rating", 5.1],
    ["rating", 0.5],
    ["rating", "4.5"],
    ["reviews", -1],
    ["reviews", 1.5],
    ["place_id", 7],
    ["type", 7],
    ["contacts", "0901 234 567"],
    ["pricing", [1, 2]],
    ["business_status", "open"],
    ["features", []],
    ["description", {}],
    ["alternate_names", "Phở"],
    ["popular_times", "busy"],
    ["review_list", 12],
    ["photos", true],
  ])("%s of a wrong form (%j) is dropped and noted, and the place stays", (name, value) => {
    const { draft, notes } = readDraft({ [name]: value });
    expect(draft).toEqual(readDraft({}).draft);
    expect(notes).toEqual([`${name}: not of the documented form`]);
  });

  test.each(["rating", "contacts", "opening_hours", "features", "review_list", "location"])(
    "%s that is null counts as absent",
    (name) => {
      const location = { ...MINIMAL.location, address: null, timezone: null };
      const { draft, notes } = readDraft({ [name]: name === "location" ? location : null });
      expect(draft).toEqual(readDraft({}).draft);
      expect(notes).toEqual([]);
    },
  );

  test("an invalid part of an object does not affect the others", () => {
    const { draft, notes } = readDraft({ contacts: { phone: 901, website: "https://example.com" } });
    expect(draft.contacts).toEqual({ phone: "", website: "https://example.com" });
    expect(notes).toEqual(["contacts.phone: not of the documented form"]);
  });

  test("unknown fields are ignored and noted, computed fields are ignored silently", () => {
    const { notes } = readDraft({
      colour: "red",
      open_state: {},
      link_docs: "x",
      global_plus_code: "y",
      distance_m: 3,
    });
    expect(notes).toEqual(["colour: unknown field, ignored"]);
  });
});

describe("toNativeDraft", () => {
  test("the minimal record is a place without other data", () => {
    const { draft, notes } = readDraft({});
    expect(notes).toEqual([]);
    expect(draft).toMatchObject({
      title: "Phở Thìn",
      type: "PLACE",
      data_id: "",
      source: "",
      source_id: "42",
      rating: 0,
      business_status: "operational",
      opening_hours: null,
    });
  });

  test.each([
    ["COFFEE", "COFFEE", 0],
    ["coffee", "COFFEE", 0],
    [" Pho ", "PHO", 0],
    ["toString", "PLACE", 1],
    ["Speakeasy", "PLACE", 1],
  ])("type %j is read as %s with %i notes", (type, code, noted) => {
    const { draft, notes } = readDraft({ type });
    expect(draft.type).toBe(code);
    expect(notes).toHaveLength(noted);
  });

  test.each([
    [
      { min: 20_000, max: 50_000 },
      { min: 20_000, max: 50_000 },
    ],
    [{ min: 20_000 }, { min: 20_000, max: 20_000 }],
    [{ max: 50_000 }, { min: 50_000, max: 50_000 }],
    [
      { min: 50_000, max: 20_000 },
      { min: 0, max: 0 },
    ],
    [
      { min: -1, max: 20_000 },
      { min: 20_000, max: 20_000 },
    ],
    [{}, { min: 0, max: 0 }],
  ])("prices %j are read as %j", (pricing, expected) => {
    expect(readDraft({ pricing }).draft.pricing).toEqual(expected);
  });

  test("unknown feature codes are kept, once each", () => {
    const { draft } = readDraft({
      features: { other: ["feels_cozy", "feels_cozy", "Cozy corner", 3], parking: ["parking_availability"] },
    });
    expect(draft.features.other).toEqual(["feels_cozy", "Cozy corner"]);
    expect(draft.features.parking).toEqual(["parking_availability"]);
  });

  test("any JSON is a draft or a rejection, never an exception", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const { draft } = read(JSON.parse(json));
        expect(isRejection(draft) || "title" in draft).toBe(true);
      }),
    );
  });

  test("fields of any form never throw", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            "rating",
            "location",
            "opening_hours",
            "photos",
            "features",
            "review_list",
            "popular_times",
            "__proto__",
          ),
          fc.jsonValue(),
        ),
        (fields) => {
          expect(read({ ...MINIMAL, ...fields }).draft).toBeTypeOf("object");
        },
      ),
    );
  });
});
