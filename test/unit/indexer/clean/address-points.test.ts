import { describe, expect, test } from "vitest";
import { createAddressPoints, learnPlaces } from "../../../../indexer/clean/address-points.ts";
import { readDocuments } from "../../../../indexer/clean/clean-records.ts";
import { createTally } from "../../../../indexer/clean/import-tally.ts";
import { emptyDraft, type PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import type { Source } from "../../../../indexer/sources/open-sources.ts";
import type { SourceItem } from "../../../../indexer/sources/source.ts";
import { buildPlace, type PlaceFacts } from "../../../support/build-place.ts";

/** In Phường Bến Nghé, Quận 1, and in today's Phường Bến Thành. */
const AREAS = ["w26743", "p79", "v971", "d69"];

const NO_ADDRESS = { full: "", street: "", ward: "", city: "", country: "" };

const house = (street: string, longitude: number, more: PlaceFacts["location"] = {}) =>
  buildPlace({
    areas: AREAS,
    location: { address: { street, full: street }, latitude: 10.775, longitude, ...more },
  });

function estimateBy(places: readonly ReturnType<typeof house>[], full: string, parts: object = {}) {
  const points = createAddressPoints();
  for (const place of places) points.learn(place);
  return points.estimate({ ...NO_ADDRESS, full, ...parts });
}

const LE_LOI = [house("10 Lê Lợi", 106.701), house("20 Lê Lợi", 106.702), house("11 Đường Lê Lợi", 106.7015)];

describe("an address is not guessed", () => {
  test("when its street is not known and no ward is named", () => {
    expect(estimateBy(LE_LOI, "12 Nguyễn Huệ, Quận 1, Hồ Chí Minh")).toBeUndefined();
  });

  test("when no area is named: there is a Lê Lợi in every town", () => {
    expect(estimateBy(LE_LOI, "12 Lê Lợi")).toBeUndefined();
  });

  test("when the known street of the name lies in another city, or in another district", () => {
    expect(estimateBy(LE_LOI, "12 Lê Lợi, Hải Châu, Đà Nẵng")).toBeUndefined();
    expect(estimateBy(LE_LOI, "12 Lê Lợi, Quận Gò Vấp, Hồ Chí Minh")).toBeUndefined();
  });

  test("by a ward of which the city has had several", () => {
    expect(estimateBy([], "12 Lê Lợi, Phường 9, Hồ Chí Minh")).toBeUndefined();
    expect(estimateBy([], "12 Lê Lợi, Phường 9, Quận 3, Hồ Chí Minh")).toMatchObject({
      estimated_from: "ward",
    });
  });

  test("by a ward of another district than it names", () => {
    expect(estimateBy([], "12 Lê Lợi, Phường 13, Quận 3, Hồ Chí Minh")).toBeUndefined();
  });

  test("by places that were estimated themselves", () => {
    const estimated = house("12 Lê Lợi", 106.9, { estimated_from: "street" });
    expect(estimateBy([estimated], "12 Lê Lợi, Quận 1, Hồ Chí Minh")).toBeUndefined();
  });

  test("by the invented houses of the demo", async () => {
    const points = createAddressPoints();
    const pages = (async function* pages() {
      yield [{ ...house("12 Lê Lợi", 106.701), source: "demo" }];
    })();
    await learnPlaces(points, pages, new AbortController().signal);
    expect(points.estimate({ ...NO_ADDRESS, full: "12 Lê Lợi, Quận 1, Hồ Chí Minh" })).toBeUndefined();
  });

  test("when nothing is said", () => {
    expect(estimateBy(LE_LOI, "")).toBeUndefined();
  });
});

describe("a house lies", () => {
  test("where another place has its number", () => {
    expect(estimateBy(LE_LOI, "20 Lê Lợi, Quận 1, TP.HCM")).toEqual({
      latitude: 10.775,
      longitude: 106.702,
      estimated_from: "house",
    });
  });

  test("between the houses of its side", () => {
    const { longitude } = estimateBy(LE_LOI, "15 Lê Lợi, P. Bến Nghé, Q1, HCM") ?? {};
    expect(longitude).toBeCloseTo(106.7015, 6);
    expect(estimateBy(LE_LOI, "14 Lê Lợi, Quận 1, TP.HCM")?.longitude).toBeCloseTo(106.7014, 6);
  });

  test("where its alley leaves the street", () => {
    for (const address of ["20/3 Lê Lợi", "Số 7 ngõ 20 Lê Lợi", "Ngách 20/8 Lê Lợi"])
      expect(estimateBy(LE_LOI, `${address}, Quận 1, TP.HCM`)?.longitude).toBe(106.702);
  });

  test("by the street of its own field, with the areas of theirs", () => {
    const parts = { street: "20 Lê Lợi", ward: "Phường Bến Nghé", city: "Hồ Chí Minh" };
    expect(estimateBy(LE_LOI, "", parts)).toMatchObject({ longitude: 106.702, estimated_from: "house" });
  });

  test("without commas as well", () => {
    expect(estimateBy(LE_LOI, "20 Lê Lợi P. Bến Nghé Q1 TPHCM")).toMatchObject({ longitude: 106.702 });
  });

  test("on a street that is named after a date, or by a number", () => {
    const places = [
      house("5 3 Tháng 2", 106.703),
      house("5 Đường số 8", 106.704),
      house("5 Đường 30/4", 106.705),
    ];
    expect(estimateBy(places, "5 đường 3 tháng 2, Quận 1, HCM")?.longitude).toBe(106.703);
    expect(estimateBy(places, "5 Đường số 8, Quận 1, HCM")?.longitude).toBe(106.704);
    expect(estimateBy(places, "5 Đường 30/4, Quận 1, HCM")?.longitude).toBe(106.705);
    expect(estimateBy(places, "3 Tháng 2, Quận 1, HCM")).toMatchObject({
      longitude: 106.703,
      estimated_from: "street",
    });
  });

  test("abroad in the street of the same city", () => {
    const address = { street: "12 Hauptstraße", full: "12 Hauptstraße, Berlin", city: "Berlin" };
    const place = buildPlace({ location: { address, latitude: 52.5, longitude: 13.4, country_code: "DE" } });
    expect(estimateBy([place], "12 Hauptstraße, Berlin")).toMatchObject({ latitude: 52.5 });
    expect(estimateBy([place], "12 Hauptstraße, Hamburg")).toBeUndefined();
  });
});

describe("the middle of a street", () => {
  test("is where the house is, when its number says nothing", () => {
    for (const address of ["Lê Lợi", "900 Lê Lợi", "Đường Lê Lợi"])
      expect(estimateBy(LE_LOI, `${address}, Quận 1, TP.HCM`)).toMatchObject({
        longitude: 106.7015,
        estimated_from: "street",
      });
  });

  test("is not taken of a street that is kilometres long, or of two", () => {
    const apart = [house("10 Lê Lợi", 106.69), house("800 Lê Lợi", 106.72)];
    expect(estimateBy(apart, "400 Lê Lợi, Quận 1, TP.HCM")).toBeUndefined();
  });
});

describe("reading places of which some have only an address", () => {
  const draft = (title: string, address: string, longitude = Number.NaN): PlaceDraft => ({
    ...emptyDraft(),
    title,
    source_id: title,
    location: {
      ...emptyDraft().location,
      latitude: Number.isNaN(longitude) ? Number.NaN : 10.775,
      longitude,
      address: { ...NO_ADDRESS, full: address },
    },
  });

  const DRAFTS = [
    draft("Only an address", "14 Lê Lợi, Bến Nghé, Quận 1, Hồ Chí Minh"),
    draft("Nowhere", ""),
    draft("Ten", "10 Lê Lợi, Bến Nghé, Quận 1, Hồ Chí Minh", 106.701),
    draft("Twenty", "20 Lê Lợi, Bến Nghé, Quận 1, Hồ Chí Minh", 106.702),
  ];

  async function read(options: Pick<Parameters<typeof readDocuments>[1], "points" | "learnMore">) {
    const tally = createTally();
    const source = {
      input: { name: "cafes.csv", bytesGiven: () => 0 },
      async *read(): AsyncGenerator<SourceItem> {
        for (const [index, one] of DRAFTS.entries())
          yield { position: { file: "cafes.csv", part: "line", number: index + 2 }, draft: one };
      },
    } as unknown as Source;
    const today = Temporal.PlainDate.from("2026-11-20");
    const signal = new AbortController().signal;
    const places = await Array.fromAsync(readDocuments([source], { tally, today, signal, ...options }));
    return { tally, places: places.map(({ place }) => place) };
  }

  test("rejects those, with name and address for whoever looks for the point, unless it is to be estimated", async () => {
    const { tally, places } = await read({});
    expect(places.map(({ title }) => title)).toEqual(["Ten", "Twenty"]);
    const [reason] = tally.rejected.values();
    expect(reason).toMatchObject({ reason: "no coordinates", count: 2 });
    expect(reason?.examples[0]).toMatchObject({
      number: 2,
      value: "Only an address, 14 Lê Lợi, Bến Nghé, Quận 1, Hồ Chí Minh",
    });
  });

  test("estimates them when all others are known, marks them, and counts and names them", async () => {
    const { tally, places } = await read({ points: createAddressPoints() });
    expect(places.map(({ title }) => title)).toEqual(["Ten", "Twenty", "Only an address"]);
    expect(places[2]?.location).toMatchObject({ estimated_from: "house", latitude: 10.775 });
    expect(places[0]?.location).not.toHaveProperty("estimated_from");
    expect(tally.estimates.counts).toEqual(new Map([["house", 1]]));
    expect(tally.estimates.examples).toMatchObject([
      { number: 2, title: "Only an address", estimated_from: "house" },
    ]);
    expect([...tally.rejected.values()]).toMatchObject([
      { reason: "no coordinates, and nothing known at its address", count: 1 },
    ]);
    expect(tally.read).toBe(4);
  });

  test("learns more before the first estimate, and only then", async () => {
    const learned: string[] = [];
    await read({
      points: createAddressPoints(),
      learnMore: async () => void learned.push("once"),
    });
    expect(learned).toEqual(["once"]);
  });

  test("a place keeps its id when its estimate changes", async () => {
    const points = createAddressPoints();
    const before = await read({ points });
    points.learn(house("14 Lê Lợi", 106.7019));
    const after = await read({ points });
    const idOf = ({ places }: typeof before): string | undefined => places[2]?.data_id.split(":")[1];
    expect(after.places[2]?.location.longitude).not.toBe(before.places[2]?.location.longitude);
    expect(idOf(after)).toBe(idOf(before));
  });
});
