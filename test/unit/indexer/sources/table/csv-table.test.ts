import { describe, expect, test } from "vitest";
import { readTableCsv } from "../../../../../indexer/sources/table/csv-table.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";

const NEEDED = { title: "Phở Sáng", source_id: "17", latitude: "10.7769", longitude: "106.7009" };

async function readRow(cells: Record<string, string>) {
  const row = { ...NEEDED, ...cells };
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const content = [Object.keys(row), Object.values(row)]
    .map((line) => `${line.map(quote).join(",")}\n`)
    .join("");
  const { context, notes } = noteTaker();
  const [item] = await Array.fromAsync(readTableCsv(textInput(content), context));
  return { item: item!, notes };
}

describe("readTableCsv", () => {
  test.each([
    ["shop_name,latitud,lng,id\n1,2,3,4\n", "lacks the columns title (the name of the place) and latitude."],
    ["shop_name,latitud,lng,id\n1,2,3,4\n", "Perhaps: --map title=shop_name --map latitude=latitud"],
    ["title,longitude,data_id\n1,2,3\n", "lacks the column latitude."],
    ["what;latitude;longitude;data_id\n", "Say which column it is, such as --map title=what"],
    ["lat,lng,phone\n", "such as --map title=…"],
    ["name,lat,floor\n", "such as --map longitude=…"],
  ])(
    "a header that lacks columns is refused with what is missing and what was found",
    async (content, message) => {
      await expect(readAll(readTableCsv, content)).rejects.toThrow(message);
    },
  );

  test.each([
    [{ latitude: "north" }, "location.latitude", "north"],
    [{ longitude: "10,776,900" }, "location.longitude", "10,776,900"],
    [{ title: " " }, "title", undefined],
  ])("a row with %j is rejected with its line", async (cells, field, value) => {
    const { item } = await readRow(cells);
    expect(item).toMatchObject({ position: { part: "line", number: 2 }, rejected: { field } });
    expect("rejected" in item && item.rejected.value).toBe(value);
  });

  test("each column goes into its field", async () => {
    const { item, notes } = await readRow({
      "Alternate Names": "Ben Thuyen | Bến Cũ",
      type: "coffee",
      address: "12 Bến Thuyền",
      "location.address.ward": "Phường Sài Gòn",
      phone: "+84 28 5550 1204",
      website: "https://benthuyen.example",
      rating: "4,5",
      reviews: "1.250",
      price_min: "25.000",
      price_max: "60,000",
      features: "pay_qr_code|has_parking_motorcycle",
      monday: "07:00–11:30, 13:00–22:00",
      sunday: "",
      special_days: '[{"date":"PH","hours":""}]',
    });
    expect(notes).toEqual([]);
    expect(item).toMatchObject({
      draft: {
        title: "Phở Sáng",
        source_id: "17",
        alternate_names: ["Ben Thuyen", "Bến Cũ"],
        type: "COFFEE",
        location: {
          latitude: 10.7769,
          longitude: 106.7009,
          address: { full: "12 Bến Thuyền", ward: "Phường Sài Gòn", city: "" },
        },
        contacts: { phone: "+84 28 5550 1204", website: "https://benthuyen.example" },
        rating: 4.5,
        reviews: 1250,
        pricing: { min: 25_000, max: 60_000 },
        features: { payments: ["pay_qr_code"], parking: ["has_parking_motorcycle"] },
        opening_hours: {
          week: [
            [
              [420, 690],
              [780, 1320],
            ],
            [],
            [],
            [],
            [],
            [],
            [],
          ],
          special_days: [],
        },
      },
    });
  });

  test.each([
    ["Mo-Fr 08:00-17:00", [[480, 1020]], []],
    ['[{"day":"Monday","hours":"08:00–17:00"}]', [[480, 1020]], []],
    ["every now and then", undefined, ["opening_hours: not understood"]],
    ['[{"day":', undefined, ["opening_hours: not understood"]],
  ])("opening hours %j", async (opening_hours, monday, expectedNotes) => {
    const { item, notes } = await readRow({ opening_hours });
    expect("draft" in item && item.draft.opening_hours?.week[0]).toEqual(monday);
    expect(notes).toEqual(expectedNotes);
  });

  test("invalid cells and unknown columns are reported and left out", async () => {
    const { item, notes } = await readRow({
      rating: "good",
      photos: "{",
      location: "here",
      mood: "",
      weather: "hot",
      price: "cheap",
      price_max: "60k",
      custom: "{",
      "custom.floor": "3",
    });
    expect(item).toMatchObject({ draft: { rating: 0, photos: [] } });
    expect(notes.toSorted()).toEqual([
      "coordinates: no coordinates in it",
      "custom: not of the documented form",
      "photos: not of the documented form",
      "pricing.min: not of the documented form",
      "rating: not of the documented form",
      "weather: unknown column, ignored",
    ]);
  });
});
