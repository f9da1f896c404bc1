import { describe, expect, test } from "vitest";
import {
  readOutscraper,
  readOutscraperCsv,
  readOutscraperList,
} from "../../../../../indexer/sources/google/outscraper.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";
import { OUTSCRAPER_RECORD } from "./google-records.ts";

const EXPECTED = {
  data_id: OUTSCRAPER_RECORD.google_id,
  source_id: "ChIJfifth",
  title: "Giặt Ủi Mây Trắng",
  type: "LAUNDRY",
  rating: 4.9,
  reviews: 45,
  pricing: { min: 100_000, max: 300_000 },
  contacts: { phone: "+84 28 5550 4321", website: "https://maytrang.example" },
  location: {
    timezone: "Asia/Ho_Chi_Minh",
    country_code: "VN",
    address: {
      full: OUTSCRAPER_RECORD.full_address,
      street: "21 Mây Trắng",
      ward: "Tân Phú",
      city: "Hồ Chí Minh",
    },
  },
  business_status: "operational",
  opening_hours: {
    week: [
      [[480, 1260]],
      [
        [480, 720],
        [840, 1260],
      ],
      [],
      [],
      [],
      [],
      [],
    ],
  },
  features: { service_options: ["has_delivery"], payments: ["pay_credit_card"] },
  popular_times: [[], [], [], [], [], [], [{ hour: 9, occupancy_percent: 20 }]],
  review_list: [{ review_id: "r9", author_name: "Yến", author_profile_pic: "", rating: 5, text: "Sạch." }],
  photos: [{ category_id: "all", media: [{ width: 800, height: 500 }] }],
};

describe("places of Outscraper are read from", () => {
  const place = OUTSCRAPER_RECORD;
  test.each([
    ["a list", readOutscraperList, [place, {}]],
    ["a list for each query", readOutscraperList, [[place], [{}]]],
    ["a response", readOutscraper, { id: "x", status: "Success", data: [[place], [{}]] }],
    ["a response with one list", readOutscraper, { data: [place, {}] }],
  ])("%s", async (_, read, value) => {
    expect(await readAll(read, JSON.stringify(value, undefined, 2))).toMatchObject([
      { position: { number: 1 }, draft: EXPECTED },
      { position: { number: 2 }, rejected: { field: "title" } },
    ]);
  });
});

test("a place whose popular times have only the numbers of the days has all of them", async () => {
  const day = (number: unknown) => ({ day: number, popular_times: [{ hour: 9, percentage: 20 }] });
  const changes = { popular_times: [7, 1, 8, "live", null].map(day) };
  const items = await readAll(readOutscraper, JSON.stringify({ ...OUTSCRAPER_RECORD, ...changes }));
  const busy = [{ hour: 9, occupancy_percent: 20 }];
  expect(items).toMatchObject([{ draft: { popular_times: [busy, [], [], [], [], [], busy] } }]);
});

/** Objects and lists are JSON in the cells. */
const toCsv = (record: object): string => {
  const toCell = (value: unknown): string => {
    const text =
      typeof value === "object" && value !== null
        ? JSON.stringify(value)
        : `${(value as string | number | null) ?? ""}`;
    return `"${text.replaceAll('"', '""')}"`;
  };
  return `${Object.keys(record).join(",")}\n${Object.values(record).map(toCell).join(",")}\n`;
};

describe("the CSV of Outscraper", () => {
  test("gives the same places as its JSON", async () => {
    const { context, notes } = noteTaker();
    const items = await Array.fromAsync(readOutscraperCsv(textInput(toCsv(OUTSCRAPER_RECORD)), context));
    expect(items).toMatchObject([{ draft: EXPECTED }]);
    expect(notes).toEqual([]);
  });

  test.each([
    ["the old form", { working_hours: "Monday:8AM-9PM|Tuesday:Closed" }, [[480, 1260]]],
    [
      "a column of its own",
      { working_hours: null, working_hours_old_format: "Monday:8:30AM-5PM" },
      [[510, 1020]],
    ],
  ])("may have its hours in %s", async (_, changes, monday) => {
    const [item] = await readAll(readOutscraperCsv, toCsv({ ...OUTSCRAPER_RECORD, ...changes }));
    expect(item).toMatchObject({ draft: { opening_hours: { week: [monday, [], [], [], [], [], []] } } });
  });

  test.each([
    ["cut off", '{"Monday": "8A'],
    ["a number", "17"],
  ])("with hours that are %s loses only these", async (_, hours) => {
    const items = await readAll(readOutscraperCsv, toCsv({ ...OUTSCRAPER_RECORD, working_hours: hours }));
    expect(items).toMatchObject([{ draft: { opening_hours: null, rating: 4.9 } }]);
  });

  test("without any id ends the import", async () => {
    await expect(readAll(readOutscraperCsv, "name,latitude,longitude\nA,1,2\n")).rejects.toThrow(
      "lacks the columns of Outscraper: one of google_id",
    );
  });
});
