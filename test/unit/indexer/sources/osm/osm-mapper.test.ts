import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlaceDraft } from "../../../../../indexer/clean/place-draft.ts";
import { createOsmMapper, isPlace, isSettlement } from "../../../../../indexer/sources/osm/osm-mapper.ts";
import { noteTaker } from "../../text-input.ts";

const POSITION = { file: "test-file", part: "element", number: 1 } as const;

function map(tags: Record<string, string>) {
  const { context, notes } = noteTaker();
  const element = { id: "node/1", latitude: 21.0, longitude: 105.85, tags };
  return { item: createOsmMapper(context)(element, POSITION), notes };
}

const draftOf = (tags: Record<string, string>) => (map(tags).item as { draft: PlaceDraft }).draft;

describe("the name", () => {
  test.each<[string, Record<string, string>, string]>([
    ["name", { name: "Phở Thìn", "name:vi": "x", brand: "y" }, "Phở Thìn"],
    ["the Vietnamese name", { "name:vi": "Hồ Tây", "name:en": "West Lake" }, "Hồ Tây"],
    ["the brand", { brand: "Highlands Coffee", operator: "x" }, "Highlands Coffee"],
    ["who runs the machine", { amenity: "atm", operator: "Vietcombank" }, "Vietcombank"],
  ])("is %s", (_, tags, title) => {
    expect(draftOf(tags).title).toBe(title);
  });

  test.each<Record<string, string>>([
    {},
    { amenity: "cafe" },
    { name: "  " },
    { operator: "VNPost" },
    { "addr:street": "x" },
  ])("is missing in %j, which is skipped", (tags) => {
    expect(map(tags).item).toEqual({ position: POSITION, skipped: "no name" });
  });

  test.each<[string, Record<string, string>]>([
    ["a private car park", { amenity: "parking", access: "private" }],
    ["a toilet that is no more", { "disused:amenity": "toilets" }],
  ])("is missing for %s, which is skipped although such places need none", (_, tags) => {
    expect(map(tags).item).toEqual({ position: POSITION, skipped: "no name" });
  });

  test.each(["suburb", "quarter", "borough"])("of a %s is that of an area, not a place", (place) => {
    expect(map({ name: "Thảo Điền", place }).item).toMatchObject({
      skipped: expect.stringContaining("area") as string,
    });
    expect(draftOf({ name: "Thảo Điền", place, amenity: "marketplace" }).type).toBe("MARKET");
  });

  test.each<[string, Record<string, string>, string]>([
    ["a toilet", { amenity: "toilets", access: "yes" }, "TOILET"],
    ["drinking water", { amenity: "drinking_water" }, "DRINKING_WATER"],
    ["a mosque", { amenity: "place_of_worship", religion: "muslim" }, "MOSQUE"],
    ["a park", { leisure: "park" }, "PARK"],
  ])("is empty for %s, which people look for by its kind", (_, tags, type) => {
    expect(draftOf(tags)).toMatchObject({ title: "", alternate_names: [], type });
  });

  test("alternate names are other languages, other names, brand and branch, once each and without the title", () => {
    const names = draftOf({
      name: "松屋",
      "name:ja": "松屋",
      "name:en": "Matsuya",
      "name:ja_rm": "Matsuya",
      "name:zh-Hant": "松屋家",
      alt_name: "マツヤ; まつや",
      "old_name:vi": "Ma-su-ya",
      "name:etymology": "pine",
      "name:signed": "no",
      brand: "松屋",
      "brand:wikidata": "Q848773",
      branch: "周南店",
    }).alternate_names;
    expect(names).toEqual(["Matsuya", "松屋家", "マツヤ", "まつや", "Ma-su-ya", "松屋 周南店"]);
  });
});

describe("the address", () => {
  test.each<[Record<string, string>, Partial<PlaceDraft["location"]["address"]>]>([
    [{}, { full: "", street: "", ward: "", city: "" }],
    [
      { "addr:housenumber": "132", "addr:street": "Chiến Thắng", "addr:city": "Hà Nội" },
      { full: "132 Chiến Thắng, Hà Nội", street: "132 Chiến Thắng", city: "Hà Nội" },
    ],
    [
      {
        "addr:street": "Phố Huế",
        "addr:subdistrict": "Phường Phố Huế",
        "addr:district": "Hai Bà Trưng",
        "addr:province": "Hà Nội",
      },
      { full: "Phố Huế, Phường Phố Huế, Hai Bà Trưng, Hà Nội", ward: "Phường Phố Huế", city: "Hà Nội" },
    ],
    [
      { "addr:city": "Phường Tây Mỗ", "addr:province": "Hà Nội" },
      { full: "Phường Tây Mỗ, Hà Nội", ward: "Phường Tây Mỗ", city: "Hà Nội" },
    ],
    [
      { "addr:full": "山口県周南市新宿通5-6-23", "addr:city": "周南市" },
      { full: "山口県周南市新宿通5-6-23", city: "周南市" },
    ],
  ])("of %j", (tags, address) => {
    expect(draftOf({ name: "x", ...tags }).location.address).toMatchObject(address);
  });

  test("the country is a code; with a name instead, the coordinates decide", () => {
    expect(draftOf({ name: "x", "addr:country": "vn" }).location.country_code).toBe("vn");
    expect(draftOf({ name: "x", "addr:country": "Việt Nam" }).location.country_code).toBe("");
  });
});

describe("contacts", () => {
  test.each<[Record<string, string>, PlaceDraft["contacts"]]>([
    [
      { phone: "+84 24 3869 3731; +84 24 3869 0000" },
      { phone: "+84 24 3869 3731; +84 24 3869 0000", website: "" },
    ],
    [{ "contact:mobile": "+84 969 128 128" }, { phone: "+84 969 128 128", website: "" }],
    [
      { website: "https://a.vn;https://b.vn", "contact:facebook": "abc" },
      { phone: "", website: "https://a.vn" },
    ],
    [
      { "contact:facebook": "highlandscoffee" },
      { phone: "", website: "https://www.facebook.com/highlandscoffee" },
    ],
    [{ "contact:facebook": "https://fb.com/a" }, { phone: "", website: "https://fb.com/a" }],
    [{ "contact:facebook": "fb.com/a" }, { phone: "", website: "fb.com/a" }],
  ])("of %j", (tags, contacts) => {
    expect(draftOf({ name: "x", ...tags }).contacts).toEqual(contacts);
  });
});

describe("features", () => {
  test("tags become codes in their sections", () => {
    const { features } = draftOf({
      name: "x",
      wheelchair: "yes",
      takeaway: "only",
      delivery: "no",
      internet_access: "wlan",
      "internet_access:fee": "no",
      "payment:visa": "yes",
      "payment:mastercard": "yes",
      outdoor_seating: "terrace",
      smoking: "no",
    });
    expect(features).toEqual({
      accessibility: ["has_wheelchair_accessible_entrance"],
      parking: [],
      payments: ["pay_credit_card"],
      service_options: ["has_takeout", "has_seating_outdoors"],
      other: ["has_wi_fi", "smoke_free", "has_free_wifi"],
    });
  });

  test("the value only counts as yes", () => {
    expect(draftOf({ name: "x", takeaway: "only" }).features.service_options).toEqual(["has_takeout"]);
    const payments = (value: string) => draftOf({ name: "x", "payment:cash": value }).features;
    expect(payments("only")).toMatchObject({ payments: ["pay_cash"], other: ["requires_cash_only"] });
    expect(payments("yes")).toMatchObject({ payments: ["pay_cash"], other: [] });
  });

  test.each<[string, Record<string, string>, string[]]>([
    ["wi-fi without a word about a fee", { internet_access: "wlan" }, ["has_wi_fi"]],
    ["wi-fi for a fee", { internet_access: "wlan", "internet_access:fee": "yes" }, ["has_wi_fi"]],
    ["wi-fi for no fee", { wifi: "yes", "internet_access:fee": "no" }, ["has_wi_fi", "has_free_wifi"]],
    ["a terminal for no fee", { internet_access: "terminal", "internet_access:fee": "no" }, []],
  ])("wi-fi is free only where both are said: %s", (_, tags, codes) => {
    expect(draftOf({ name: "x", ...tags }).features.other).toEqual(codes);
  });

  test("a code from several tags occurs once", () => {
    const { payments } = draftOf({ name: "x", "payment:cards": "yes", "payment:visa": "yes" }).features;
    expect(payments).toEqual(["pay_credit_card", "pay_debit_card"]);
  });

  test("limited wheelchair access does not count as access", () => {
    expect(draftOf({ name: "x", wheelchair: "limited" }).features.accessibility).toEqual([]);
  });
});

describe("the business status", () => {
  test.each<[Record<string, string>, string, string]>([
    [{ amenity: "cafe" }, "operational", "COFFEE"],
    [{ "disused:amenity": "cafe" }, "closed_permanently", "COFFEE"],
    [{ "abandoned:shop": "books" }, "closed_permanently", "BOOKSTORE"],
    [{ "was:amenity": "restaurant", shop: "shoes" }, "operational", "SHOE_STORE"],
    [{ amenity: "cafe", disused: "yes" }, "closed_permanently", "COFFEE"],
    [{ amenity: "cafe", opening_hours: "closed" }, "closed_temporarily", "COFFEE"],
    [{ amenity: "cafe", opening_hours: "off" }, "closed_temporarily", "COFFEE"],
    [{ amenity: "cafe", end_date: "2014-12-30 15:00+0900" }, "closed_permanently", "COFFEE"],
    [{ amenity: "cafe", end_date: "2026" }, "operational", "COFFEE"],
    [{ amenity: "cafe", end_date: "2027-01" }, "operational", "COFFEE"],
    [{ amenity: "cafe", end_date: "soon" }, "operational", "COFFEE"],
  ])("of %j is %s, the type %s", (tags, business_status, type) => {
    const { item, notes } = map({ name: "x", ...tags });
    expect(item).toMatchObject({ draft: { business_status, type } });
    expect(notes).toEqual([]);
  });
});

describe("an element of a full extract", () => {
  test.each<[string, Record<string, string>]>([
    ["is what its tags say", { amenity: "cafe" }],
    ["was a place before it closed", { "disused:amenity": "cafe" }],
    ["is a place beside what it was before", { "was:amenity": "bank", shop: "books" }],
    ["has other tags before the one that tells", { "name:vi": "x", height: "3", amenity: "cafe" }],
  ])("is a place that %s", (_, tags) => {
    expect(isPlace(tags)).toBe(true);
  });

  test.each<[string, Record<string, string>]>([
    ["has no tags", {}],
    ["is a street", { highway: "residential", name: "Lê Lợi", "name:vi": "Lê Lợi" }],
    ["has a key of ours with a value that says nothing", { shop: "no", name: "x" }],
    ["only has a name before", { "was:name": "Cà phê Giảng", building: "yes" }],
    ["will be a place", { "proposed:amenity": "cafe" }],
    ["is named like a prefix", { "name:disused": "cafe" }],
    ["is a town, which no type code describes", { place: "town", name: "Sa Pa" }],
  ])("is not a place that %s", (_, tags) => {
    expect(isPlace(tags)).toBe(false);
  });

  test("is a settlement if its place tag says so", () => {
    expect(isSettlement({ place: "town" })).toBe(true);
    expect(isSettlement({ place: " ", amenity: "cafe" })).toBe(false);
    expect(isSettlement({ name: "Sa Pa" })).toBe(false);
  });
});

test("lost or simplified hours are noted each time, although parsed once", () => {
  const { context, notes } = noteTaker();
  const mapElement = createOsmMapper(context);
  const element = {
    id: "node/1",
    latitude: 21,
    longitude: 105,
    tags: { name: "x", opening_hours: "whenever" },
  };
  mapElement(element, POSITION);
  mapElement(element, POSITION);
  expect(notes).toEqual(["opening_hours: not understood", "opening_hours: not understood"]);
});

test("any element is a draft or skipped", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.oneof(
          fc.constantFrom(
            "name",
            "opening_hours",
            "amenity",
            "shop",
            "cuisine",
            "addr:city",
            "website",
            "__proto__",
          ),
          fc.string(),
        ),
        fc.string(),
      ),
      (tags) => {
        const { item } = map(tags);
        expect("draft" in item || "skipped" in item).toBe(true);
      },
    ),
  );
});
