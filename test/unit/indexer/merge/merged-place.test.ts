import { describe, expect, test } from "vitest";
import { countFilled, mergePlaces } from "../../../../indexer/merge/merged-place.ts";
import { toNativeRecord } from "../../../../indexer/sources/native/native-place.ts";
import { buildPlace } from "../../../support/build-place.ts";

const hours = { week: Array.from({ length: 7 }, () => [[480, 1200] as [number, number]]), special_days: [] };

describe("mergePlaces", () => {
  test("the first keeps its values and gets missing ones from the other", () => {
    const base = buildPlace({
      title: "Phở Thìn",
      type: "PHO",
      rating: 4.5,
      reviews: 10,
      contacts: { phone: "+84 24 3821 2709", website: "" },
    });
    const other = buildPlace({
      title: "Pho Thin Lo Duc",
      type: "RESTAURANT",
      place_id: "p-1",
      rating: 3,
      reviews: 900,
      pricing: { min: 50_000, max: 90_000 },
      contacts: { phone: "+84 24 0000 0000", website: "https://phothin.example" },
      opening_hours: hours,
      description: "Bò tái lăn",
    });
    expect(mergePlaces([base, other])).toEqual({
      ...base,
      place_id: "p-1",
      alternate_names: ["Pho Thin Lo Duc"],
      pricing: { min: 50_000, max: 90_000 },
      contacts: { phone: "+84 24 3821 2709", website: "https://phothin.example" },
      opening_hours: hours,
      description: "Bò tái lăn",
    });
  });

  test("a type that a source gave replaces one that a title said of an unknown place, and no other", () => {
    const estimated = (source_type: string) => buildPlace({ title: "Chè Bà Ba", type: "CHE", source_type });
    const exact = buildPlace({ title: "Chè Bà Ba", type: "DESSERT_SHOP" });
    const unknown = buildPlace({ title: "Chè Bà Ba", type: "PLACE" });
    expect(mergePlaces([estimated("PLACE"), exact])).not.toHaveProperty("source_type");
    expect(mergePlaces([estimated("PLACE"), exact])).toMatchObject({ type: "DESSERT_SHOP" });
    expect(mergePlaces([estimated("PLACE"), unknown])).toMatchObject({ type: "CHE", source_type: "PLACE" });
    expect(mergePlaces([unknown, estimated("PLACE")])).toMatchObject({ type: "CHE", source_type: "PLACE" });
    expect(mergePlaces([estimated("DESSERT_SHOP"), exact])).toMatchObject({
      type: "CHE",
      source_type: "DESSERT_SHOP",
    });
  });

  test("names that fold to the same occur once", () => {
    const base = buildPlace({ title: "Hồ Gươm", alternate_names: ["Hồ Hoàn Kiếm"] });
    const other = buildPlace({ title: "Ho Guom", alternate_names: ["HỒ HOÀN KIẾM", "Sword Lake"] });
    expect(mergePlaces([base, other]).alternate_names).toEqual(["Hồ Hoàn Kiếm", "Sword Lake"]);
    const twice = buildPlace({ title: "Sword Lake", alternate_names: ["SWORD LAKE"] });
    expect(mergePlaces([base, twice]).alternate_names).toEqual(["Hồ Hoàn Kiếm", "Sword Lake"]);
  });

  test("what the first has stays: the price, and each list as a whole", () => {
    const lists = (id: string) => {
      const media = { id, url: `https://example.org/${id}`, width: 1, height: 1 };
      return {
        features: { accessibility: [], parking: [], payments: [], service_options: [], other: [`has_${id}`] },
        photos: [{ category_id: id, category_label: "", media: [media] }],
      };
    };
    const base = buildPlace({ ...lists("a"), pricing: { min: 1_000, max: 2_000 } });
    const other = buildPlace({ ...lists("b"), pricing: { min: 5_000, max: 9_000 } });
    expect(mergePlaces([base, other])).toMatchObject({ ...lists("a"), pricing: { min: 1_000, max: 2_000 } });
    expect(mergePlaces([buildPlace(), other])).toMatchObject(lists("b"));
  });

  test("the latest date on which a source confirmed the place counts", () => {
    const [older, newer] = ["2026-01-31", "2026-11-02"].map((confirmed_on) => buildPlace({ confirmed_on }));
    expect(mergePlaces([older!, newer!]).confirmed_on).toBe("2026-11-02");
    expect(mergePlaces([newer!, older!]).confirmed_on).toBe("2026-11-02");
    expect(mergePlaces([buildPlace(), older!]).confirmed_on).toBe("2026-01-31");
    expect(mergePlaces([buildPlace(), buildPlace()])).not.toHaveProperty("confirmed_on");
  });

  test("no id of a provider is made up", () => {
    expect(mergePlaces([buildPlace(), buildPlace()])).not.toHaveProperty("place_id");
  });

  test("a rating is taken with its reviews from the first that has either", () => {
    const other = buildPlace({ rating: 5, reviews: 900 });
    for (const own of [
      { rating: 1, reviews: 0 },
      { rating: 0, reviews: 1 },
    ])
      expect(mergePlaces([buildPlace(own), other])).toMatchObject(own);
    expect(mergePlaces([buildPlace(), other])).toMatchObject({ rating: 5, reviews: 900 });
  });

  test("a generic type gives way to a specific one", () => {
    expect(mergePlaces([buildPlace(), buildPlace({ type: "PHO" })]).type).toBe("PHO");
  });

  test("the address with a street is taken as a whole", () => {
    const base = buildPlace({
      location: { address: { full: "Hà Nội", city: "Hà Nội", country: "Việt Nam" } },
    });
    const other = buildPlace({ location: { address: { full: "13 Lò Đúc, Hà Nội", street: "13 Lò Đúc" } } });
    expect(mergePlaces([base, other]).location.address).toEqual({
      full: "13 Lò Đúc, Hà Nội",
      street: "13 Lò Đúc",
      ward: "",
      city: "Hà Nội",
      country: "Việt Nam",
    });
  });

  test("of two addresses with a street, that of the first stays; of none, its parts", () => {
    const at = (address: { full: string; street?: string; ward?: string }) =>
      buildPlace({ location: { address } });
    const addressOf = (...places: [ReturnType<typeof at>, ReturnType<typeof at>]) =>
      mergePlaces(places).location.address;
    const [one, two] = [
      at({ full: "13 Lò Đúc", street: "13 Lò Đúc" }),
      at({ full: "5 Lê Lợi", street: "5 Lê Lợi" }),
    ];
    expect(addressOf(one, two)).toMatchObject({ full: "13 Lò Đúc", street: "13 Lò Đúc" });
    const [city, ward] = [at({ full: "Hà Nội" }), at({ full: "Phường Cửa Nam", ward: "Phường Cửa Nam" })];
    expect(addressOf(city, ward)).toMatchObject({ full: "Hà Nội", ward: "Phường Cửa Nam" });
  });

  test("merging without new data changes nothing", () => {
    const place = buildPlace({ title: "Phở" });
    const same = mergePlaces([place, buildPlace({ title: "pho" })]);
    expect(toNativeRecord(same)).toEqual(toNativeRecord(place));
  });
});

test("a record with more data is fuller", () => {
  const bare = buildPlace();
  const filled = [
    bare,
    buildPlace({ type: "PHO" }),
    buildPlace({ type: "PHO", opening_hours: hours }),
    buildPlace({ type: "PHO", opening_hours: hours, contacts: { phone: "1", website: "" } }),
    buildPlace({ type: "PHO", opening_hours: hours, contacts: { phone: "1", website: "w" }, rating: 4 }),
  ].map(countFilled);
  expect(filled).toEqual([0, 1, 2, 3, 5]);
  const more = [
    { reviews: 1 },
    { pricing: { min: 0, max: 1 } },
    { alternate_names: ["Phở"] },
    {
      features: { accessibility: [], parking: ["has_parking"], payments: [], service_options: [], other: [] },
    },
    { description: "Phở bò" },
  ].map((facts) => countFilled(buildPlace(facts)));
  expect(more, "each counts once").toEqual([1, 1, 1, 1, 1]);
});
