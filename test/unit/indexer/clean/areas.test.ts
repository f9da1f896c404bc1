import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fillAreas, loadVietnamAreas } from "../../../../indexer/clean/areas.ts";
import { readAreas } from "../../../../src/place/geometry/areas.ts";
import { isRejection, type PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { buildDraft } from "../build-draft.ts";

const areas = loadVietnamAreas();
const context = { note: () => undefined, today: Temporal.PlainDate.from("2026-11-20") };

const namesAt = (latitude: number, longitude: number, text = "") => {
  const found = areas.find({ latitude, longitude }, text);
  return (
    found && { now: found.current.map(({ name }) => name), before: found.former.map(({ name }) => name) }
  );
};

describe("the areas of a point", () => {
  test("are found at the centre of each of today's wards, in every province, but for the few whose centre is in the sea", () => {
    const all = readAreas(
      readFileSync(new URL("../../../../src/place/geometry/areas/vietnam.csv", import.meta.url), "utf8"),
    );
    const wards = all.filter(({ level, valid }) => level === "ward" && valid !== "old");
    expect(wards.length).toBeGreaterThan(3_000);
    const lost = wards.filter(({ parent, centre }) => areas.find(centre, "")?.current.at(-1)?.id !== parent);
    // Islands such as Trường Sa, and five wards at the coast.
    expect(lost.length).toBeLessThanOrEqual(8);
  });

  test.each<[string, [number, number], string, string]>([
    ["the opera house of Saigon", [10.7766, 106.7031], "Phường Sài Gòn", "Quận 1"],
    ["Hoàn Kiếm lake", [21.0287, 105.8524], "Phường Hoàn Kiếm", "Quận Hoàn Kiếm"],
    ["the Dragon Bridge of Đà Nẵng", [16.0611, 108.2245], "Phường Hải Châu", "Quận Hải Châu"],
  ])("of %s are today's ward and the former district", (_what, point, ward, district) => {
    const names = namesAt(...point);
    expect(names?.now).toContain(ward);
    expect(names?.before[1]).toBe(district);
  });

  test("include the former ward that the address names, not the nearest", () => {
    const text = "5 Hàng Gai, P. Hàng Gai, Q. Hoàn Kiếm";
    expect(namesAt(21.0287, 105.8524, text)?.before[0]).toBe("Phường Hàng Gai");
    expect(areas.find({ latitude: 21.0287, longitude: 105.8524 }, text)?.isFormerEstimated).toBe(false);
  });

  test("include the neighbourhoods around it", () => {
    expect(namesAt(10.805, 106.737)?.now).toContain("Thảo Điền");
    expect(namesAt(10.7766, 106.7031)?.now).not.toContain("Thảo Điền");
  });

  test.each<[string, [number, number], string, boolean]>([
    ["beside Bến Thành market", [10.7725, 106.698], "Phường Bến Thành", true],
    ["at Hoàn Kiếm lake", [21.0287, 105.8524], "Phường Hàng Trống", true],
    ["at the opera house of Saigon", [10.7766, 106.7031], "Phường Bến Nghé", false],
  ])(
    "the former ward without an address is the nearest of several, a guess: %s",
    (_, point, ward, isGuess) => {
      const [latitude, longitude] = point;
      const found = areas.find({ latitude, longitude }, "");
      expect(found?.former[0]?.name).toBe(ward);
      expect(found?.isFormerEstimated).toBe(isGuess);
    },
  );

  test("do not exist in Bangkok", () => {
    expect(namesAt(13.75, 100.5)).toBeUndefined();
  });
});

function filled(address: Partial<PlaceDraft["location"]["address"]>): PlaceDraft {
  const draft = buildDraft();
  const location = { ...draft.location, latitude: 10.7766, longitude: 106.7031, country_code: "VN" };
  const parts = { full: "", street: "", ward: "", city: "", country: "", ...address };
  const result = fillAreas({ ...draft, location: { ...location, address: parts } }, context);
  if (isRejection(result)) throw new Error(result.reason);
  return result;
}

describe("the parts of an address", () => {
  test("that are missing come from the areas", () => {
    expect(filled({}).location.address).toMatchObject({ ward: "Phường Sài Gòn", city: "Hồ Chí Minh" });
  });

  test("that exist stay, and the full address stays as in the source", () => {
    const given = { full: "7 Công Trường Lam Sơn, P. Bến Nghé", ward: "P. Bến Nghé", city: "TP.HCM" };
    expect(filled(given).location.address).toMatchObject(given);
  });

  test("add the ids of all areas, current ones first", () => {
    const { areas: ids } = filled({});
    expect(ids?.filter((id) => id.startsWith("w"))).toHaveLength(1);
    expect(ids?.findIndex((id) => id.startsWith("p"))).toBeLessThan(
      ids?.findIndex((id) => id.startsWith("d")) ?? -1,
    );
  });
});

test("a place of another country has no areas of Vietnam, even a step behind the border", () => {
  const draft = buildDraft({ location: { latitude: 22.5, longitude: 103.97, country_code: "CN" } });
  expect(fillAreas(draft, context)).toBe(draft);
});
