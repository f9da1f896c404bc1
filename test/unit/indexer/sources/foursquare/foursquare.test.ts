import { describe, expect, test } from "vitest";
import { parseLabels, readFoursquareCsv } from "../../../../../indexer/sources/foursquare/foursquare.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";

const CAFE = "Dining and Drinking > Cafe, Coffee, and Tea House > Coffee Shop";

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** A CSV of one place. */
function csvOf(cells: Record<string, string>): string {
  const all = {
    fsq_place_id: "66ab01",
    name: "Cà Phê Mưa",
    latitude: "21.03",
    longitude: "105.85",
    ...cells,
  };
  return `${Object.keys(all).join(",")}\n${Object.values(all).map(quote).join(",")}\n`;
}

async function readOne(cells: Record<string, string>) {
  const { context, notes } = noteTaker();
  const [item] = await Array.fromAsync(readFoursquareCsv(textInput(csvOf(cells)), context));
  return { item, draft: item && "draft" in item ? item.draft : undefined, notes };
}

test("a CSV with other columns is refused with those that are missing and those that are there", async () => {
  await expect(readAll(readFoursquareCsv, "fsq_place_id,title,lat\n1,x,2\n")).rejects.toThrow(
    "because it lacks name, latitude, longitude. It has fsq_place_id, title, lat.",
  );
});

describe("a row is rejected", () => {
  test.each([
    ["without a name", { name: " " }, "name"],
    ["without coordinates", { latitude: "" }, "latitude"],
    ["with words for coordinates", { latitude: "north" }, "latitude"],
  ])("%s", async (_, cells, field) => {
    expect((await readOne(cells)).item).toMatchObject({
      position: { part: "line", number: 2 },
      rejected: { field },
    });
  });
});

describe("a row is skipped", () => {
  test.each([
    [
      "that is somebody's home",
      { fsq_category_labels: `["Community and Government > Residential Building > Home (private)"]` },
      "a private home",
    ],
    [
      "that is marked as a duplicate",
      { unresolved_flags: "[closed, duplicate]" },
      "flagged duplicate at Foursquare",
    ],
    ["that does not exist", { unresolved_flags: `["doesnt_exist"]` }, "flagged doesnt_exist at Foursquare"],
  ])("%s", async (_, cells, skipped) => {
    expect((await readOne(cells)).item).toMatchObject({ skipped });
  });
});

test("a full row becomes a place; what has no field is counted", async () => {
  const { draft, notes } = await readOne({
    address: "14 Ngõ Trạm",
    locality: "Hà Nội",
    region: "Thành phố Hà Nội",
    postcode: "100000",
    country: "VN",
    date_created: "2020-02-03",
    tel: "024 5550 9999",
    website: "https://mua.example",
    facebook_id: "110123456789012345",
    instagram: "caphemua",
    fsq_category_labels: `["${CAFE}"]`,
    surprise: "x",
  });
  expect(draft).toMatchObject({
    source: "foursquare",
    source_id: "66ab01",
    title: "Cà Phê Mưa",
    type: "COFFEE",
    business_status: "operational",
    contacts: { phone: "024 5550 9999", website: "https://mua.example" },
    location: {
      latitude: 21.03,
      longitude: 105.85,
      country_code: "VN",
      address: { full: "14 Ngõ Trạm, Hà Nội, Thành phố Hà Nội", street: "14 Ngõ Trạm", city: "Hà Nội" },
    },
  });
  expect(notes.toSorted()).toEqual([
    "facebook_id: no field for it, dropped",
    "instagram: no field for it, dropped",
    "postcode: no field for it, dropped",
    "surprise: unknown field, ignored",
  ]);
});

test("a place with a date of closing is closed, and NULL is no date", async () => {
  expect((await readOne({ date_closed: "2024-05-06" })).draft?.business_status).toBe("closed_permanently");
  expect((await readOne({ date_closed: "NULL" })).draft?.business_status).toBe("operational");
});

test("a page on Facebook is the website of a place without one, in all its digits", async () => {
  expect((await readOne({ facebook_id: "110123456789012345" })).draft?.contacts.website).toBe(
    "https://www.facebook.com/110123456789012345",
  );
});

describe("the type", () => {
  test.each([
    [CAFE, "COFFEE"],
    [
      "Dining and Drinking > Restaurant > Asian Restaurant > Chinese Restaurant > Dongbei Restaurant",
      "CHINESE_RESTAURANT",
    ],
    ["Dining and Drinking > Restaurant > Moon Restaurant", "RESTAURANT"],
    ["Retail > Moon Store", "SHOP"],
    ["Dining and Drinking", "RESTAURANT"],
    ["Community and Government > Spiritual Center > Buddhist Temple", "PAGODA"],
  ])("%s is %s", async (label, type) => {
    expect((await readOne({ fsq_category_labels: JSON.stringify([label]) })).draft).toMatchObject({ type });
  });

  test("a second label counts where the first names the trade only", async () => {
    const fsq_category_labels = JSON.stringify(["Retail", "Retail > Fashion Retail > Shoe Store"]);
    expect((await readOne({ fsq_category_labels })).draft).toMatchObject({ type: "SHOE_STORE" });
  });

  test("unknown labels are noted", async () => {
    expect((await readOne({ fsq_category_labels: `["Moon > Crater Hopping"]` })).notes).toEqual([
      "fsq_category_labels: not in the category table, read as PLACE",
    ]);
  });
});

const SHOP = "Retail > Boutique";

test.each([
  ["JSON", `["${CAFE}","${SHOP}"]`],
  ["DuckDB", `[${CAFE}, ${SHOP}]`],
  ["Python", `['${CAFE}', '${SHOP}']`],
  ["PostgreSQL", `{"${CAFE}","${SHOP}"}`],
  ["nobody", `${CAFE}, ${SHOP}`],
])("a list of labels as %s writes it is read, its commas and all", (_, cell) => {
  expect(parseLabels(cell)).toEqual([CAFE, SHOP]);
});
