import { describe, expect, test } from "vitest";
import { checkCoordinates, unswapCoordinates } from "../../../../indexer/clean/location.ts";
import { completeAddress, splitAddress } from "../../../../indexer/clean/address.ts";
import { cleanDraft } from "../../../../indexer/clean/clean-records.ts";
import { buildDraft } from "../build-draft.ts";
import { noteTaker } from "../text-input.ts";

type Location = NonNullable<NonNullable<Parameters<typeof buildDraft>[0]>["location"]>;

function unswap(location: Location) {
  const { context, notes } = noteTaker();
  return { result: unswapCoordinates(buildDraft({ location }), context), notes };
}

const SWAPPED = { latitude: 106.7009, longitude: 10.7769 };

describe("swapped coordinates", () => {
  test.each<[string, Location]>([
    ["the country code", { ...SWAPPED, country_code: "vn" }],
    ["the country's name", { ...SWAPPED, address: { country: "Việt Nam" } }],
    ["the country at the end of the address", { ...SWAPPED, address: { full: "12 Lê Lợi, Vietnam" } }],
  ])("are swapped back when %s confirms it", (_, location) => {
    const { result, notes } = unswap(location);
    expect(result).toMatchObject({ location: { latitude: 10.7769, longitude: 106.7009 } });
    expect(notes).toEqual(["location: latitude and longitude swapped, corrected"]);
  });

  test("are detected when both orders are valid points", () => {
    const { result } = unswap({ latitude: 9.5209, longitude: 47.141, country_code: "LI" });
    expect(result).toMatchObject({ location: { latitude: 47.141, longitude: 9.5209 } });
  });

  test.each<[string, Location]>([
    ["nothing says which country it is", SWAPPED],
    ["the point lies in the stated country", { latitude: 47.141, longitude: 9.5209, country_code: "LI" }],
    [
      "it would lie elsewhere the other way round too",
      { latitude: 48.85, longitude: 2.35, country_code: "VN" },
    ],
    ["the country is none", { ...SWAPPED, country_code: "XX", address: { country: "Nowhere" } }],
    ["there is no point", { latitude: Number.NaN, longitude: 10, country_code: "VN" }],
  ])("are left where %s", (_, location) => {
    const { result, notes } = unswap(location);
    expect(result).toMatchObject({
      location: { latitude: location.latitude, longitude: location.longitude },
    });
    expect(notes).toEqual([]);
  });
});

test.each([
  [10.7, 106.7, 1],
  [10.77, 106, 1],
  [-10.07, 106.29, 1],
  [10.7769, 106.7, 0],
  [10.7, 106.701, 0],
])("%d, %d: rough points are noted %d times", (latitude, longitude, count) => {
  const { context, notes } = noteTaker();
  checkCoordinates(buildDraft({ location: { latitude, longitude } }), context);
  expect(notes).toHaveLength(count);
});

describe("the address of a place in Viet Nam", () => {
  const addressOf = (address: object, country_code = "VN") => {
    const draft = cleanDraft(buildDraft({ location: { country_code, address } }), noteTaker().context);
    return "location" in draft ? draft.location.address : draft;
  };

  test("is split into missing parts", () => {
    const full = "12 Lê Lợi, Phường Bến Nghé, Quận 1, Hồ Chí Minh";
    expect(addressOf({ full })).toMatchObject({
      full,
      street: "12 Lê Lợi",
      ward: "Phường Bến Nghé",
      city: "Hồ Chí Minh",
    });
  });

  test("keeps the parts of the record, and includes them in its line", () => {
    expect(
      addressOf({ full: "12 Lê Lợi, Phường Bến Nghé, Hồ Chí Minh", ward: "Phường Sài Gòn" }),
    ).toMatchObject({
      full: "12 Lê Lợi, Phường Bến Nghé, Phường Sài Gòn, Hồ Chí Minh",
      ward: "Phường Sài Gòn",
    });
  });

  const FULL = "12 Lê Lợi, Phường Bến Nghé, Hồ Chí Minh";
  const WHOLE = { full: FULL, street: "7 Pasteur", ward: "Phường Sài Gòn", city: "TP.HCM" };
  const split = (address: object, country_code = "VN") => {
    const draft = splitAddress(buildDraft({ location: { country_code, address } }), noteTaker().context);
    return "location" in draft ? draft.location.address : draft;
  };

  test("stays unchanged when the record has street, ward and city", () => {
    const draft = buildDraft({ location: { country_code: "VN", address: WHOLE } });
    expect(splitAddress(draft, noteTaker().context)).toBe(draft);
  });

  test.each([
    ["street", "12 Lê Lợi"],
    ["ward", "Phường Bến Nghé"],
    ["city", "Hồ Chí Minh"],
  ])("gives a missing %s, and the parts that are named stay", (part, found) => {
    expect(split({ ...WHOLE, [part]: "" })).toMatchObject({ ...WHOLE, [part]: found });
  });

  test("that is missing or as long as a description gives no parts", () => {
    const none = { street: "", ward: "", city: "" };
    expect(split({ full: "" })).toMatchObject(none);
    const longest = `${"x".repeat(500 - FULL.length - 2)}, ${FULL}`;
    expect(split({ full: longest })).toMatchObject({ street: "12 Lê Lợi", ward: "Phường Bến Nghé" });
    expect(split({ full: `x${longest}` })).toMatchObject(none);
  });

  test("as long as a description stays unchanged", () => {
    const draft = buildDraft({
      location: { country_code: "VN", address: { full: "x".repeat(501), city: "Huế" } },
    });
    expect(completeAddress(draft, noteTaker().context)).toBe(draft);
  });

  test("with all its parts in its line stays unchanged", () => {
    const draft = buildDraft({ location: { address: { full: FULL, ward: "Phường Bến Nghé" } } });
    expect(completeAddress(draft, noteTaker().context)).toBe(draft);
  });

  test("elsewhere is not split", () => {
    expect(split({ full: FULL }, "TH")).toMatchObject({ street: "", ward: "", city: "" });
    expect(addressOf({ full: "12 Lê Lợi, Phường Bến Nghé, Hồ Chí Minh" }, "FR")).toMatchObject({
      street: "",
    });
  });
});
