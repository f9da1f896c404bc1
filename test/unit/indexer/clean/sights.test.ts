import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cleanDraft } from "../../../../indexer/clean/clean-records.ts";
import { isRejection, type PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { addSightNames, parseSights } from "../../../../indexer/clean/sights.ts";
import { distanceMeters } from "../../../../src/place/geometry/coordinates.ts";
import { fold } from "../../../../src/place/text/fold.ts";
import { buildDraft } from "../build-draft.ts";
import { noteTaker } from "../text-input.ts";

const named = (draft: PlaceDraft): PlaceDraft => {
  const result = addSightNames(draft, noteTaker().context);
  if (isRejection(result)) throw new Error(result.reason);
  return result;
};

const IN_SAIGON = { latitude: 10.7826, longitude: 106.6959 };
const IN_HANOI = { latitude: 21.0354, longitude: 105.8332 };

describe("a place that has the name of a sight", () => {
  test("gets its other names after its own", () => {
    const draft = buildDraft({ title: "Hồ Con Rùa", type: "SQUARE", alternate_names: ["Hồ rùa"] });
    expect(named(draft).alternate_names).toEqual([
      "Hồ rùa",
      "Công trường Quốc tế",
      "Turtle Lake",
      "亀の池",
      "タートルレイク",
      "거북이 호수",
      "龟湖",
      "龜湖",
    ]);
  });

  test.each(["HO CON RUA", "Hồ Con-Rùa", "Turtle Lake", "거북이 호수"])("also written %j", (title) => {
    expect(named(buildDraft({ title, type: "SQUARE" })).alternate_names).toContain("亀の池");
  });

  test("does not get a name twice, however it is written", () => {
    const draft = buildDraft({ title: "Asia Park", location: { latitude: 16.04, longitude: 108.23 } });
    const names = named({ ...draft, alternate_names: ["アジアパーク"] }).alternate_names;
    expect(new Set(names.map(fold)).size).toBe(names.length);
    expect(names).not.toContain("Asia Park");
    expect(named({ ...draft, alternate_names: names }).alternate_names).toEqual(names);
  });

  test("gets those of the one in its city", () => {
    const draft = (location: typeof IN_HANOI) =>
      buildDraft({ title: "Bảo tàng Hồ Chí Minh", type: "MUSEUM", location });
    expect(named(draft(IN_SAIGON)).alternate_names).toContain("Dragon Wharf");
    expect(named(draft(IN_HANOI)).alternate_names).not.toContain("Dragon Wharf");
    expect(named(draft(IN_HANOI)).alternate_names).toContain("Ho Chi Minh Museum");
  });

  test("has them after all cleaning", () => {
    const draft = buildDraft({ title: "Chợ Bến Thành", type: "MARKET" });
    expect(cleanDraft(draft, noteTaker().context)).toMatchObject({
      alternate_names: expect.arrayContaining(["Ben Thanh Market", "ベンタイン市場", "벤탄 시장"]) as unknown,
    });
  });
});

test.each([
  ["of another city", buildDraft({ title: "Hồ Con Rùa", type: "SQUARE", location: IN_HANOI })],
  ["whose title only begins so", buildDraft({ title: "Hồ Con Rùa Xanh", type: "SQUARE" })],
  ["that is a café of that name", buildDraft({ title: "Hồ Con Rùa", type: "COFFEE" })],
  ["that is a hotel of that name", buildDraft({ title: "Turtle Lake", type: "HOTEL" })],
  ["that is a stop of that name", buildDraft({ title: "Chợ Bến Thành", type: "BUS_STOP" })],
  ["without a name", buildDraft({ title: "", type: "PARK" })],
])("a place %s stays as it is", (_, draft) => {
  expect(named(draft)).toBe(draft);
});

describe("the table of sights", () => {
  test.each([
    ["a column is missing", "10.78,106.69,Hồ Con Rùa,Turtle Lake,,"],
    ["the point is in the sea of zeros", "0,0,Hồ Con Rùa,Turtle Lake,,,"],
    ["the coordinates are swapped", "106.69,10.78,Hồ Con Rùa,Turtle Lake,,,"],
    ["the point is missing", ",,Hồ Con Rùa,Turtle Lake,,,"],
    ["there is only one name", "10.78,106.69,Hồ Con Rùa,,,,"],
  ])("is refused by its line when %s", (_, line) => {
    expect(() => parseSights(`# Sights\n${line}\n`, "a.csv")).toThrow("a.csv:2: must be");
  });

  const sights = parseSights(readFileSync("indexer/clean/sights.csv", "utf8"), "sights.csv");

  test("says each name once among the sights of a city", () => {
    const twice = sights.flatMap((one, index) =>
      sights
        .slice(index + 1)
        .filter((other) => distanceMeters(one, other) <= 30_000)
        .flatMap((other) =>
          one.names.filter((name) => other.names.some((same) => fold(same) === fold(name))),
        ),
    );
    expect(twice).toEqual([]);
  });

  test("names no sight like a town, whose name stands for more than the sight", () => {
    const towns = ["ha long", "cat ba", "hoi an", "sa pa", "hue", "da lat", "con dao", "phu quoc"];
    expect(sights.flatMap(({ names }) => names.filter((name) => towns.includes(fold(name))))).toEqual([]);
  });
});
