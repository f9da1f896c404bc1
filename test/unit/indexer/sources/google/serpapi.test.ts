import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../../src/cli/errors.ts";
import { readSerpapiAnswers, readSerpapiList } from "../../../../../indexer/sources/google/serpapi.ts";
import { readAll } from "../../text-input.ts";
import { LOCAL_RESULT, PLACE_RESULTS } from "./google-records.ts";

const search = { search_metadata: { id: "x" }, local_results: [LOCAL_RESULT, {}] };
const place = { search_metadata: { id: "y" }, place_results: PLACE_RESULTS };

const searched = {
  data_id: "0x31752f38f9d2c1e7:0x1234",
  source: "google",
  title: "Bánh Mì Góc Phố",
  type: "BANH_MI",
  rating: 4.1,
  reviews: 1204,
  pricing: { min: 100_000, max: 300_000 },
  contacts: { phone: "+84 90 555 12 34", website: "https://gocpho.example" },
  location: { latitude: 10.78, longitude: 106.69 },
  business_status: "closed_temporarily",
  opening_hours: { week: [[], [], [[300, 1050]], [], [], [], []] },
  features: { service_options: ["has_takeout"], other: ["serves_dine_in"] },
  photos: [{ category_id: "all", media: [{ width: 122, height: 92 }] }],
};

const detailed = {
  data_id: expect.stringMatching(/:0x8c1f5a0b7e2d9436$/) as string,
  source_id: PLACE_RESULTS.data_cid,
  type: "BUN_CHA",
  pricing: { min: 50_000, max: 100_000 },
  business_status: "operational",
  opening_hours: { week: [[], [[270, 1110]], [], [], [], [], []] },
  features: { accessibility: ["has_wheelchair_accessible_entrance"], payments: ["pay_credit_card"] },
  photos: [{ category_id: "vibe" }],
  review_list: [
    { author_name: "An", rating: 4, text: "Ngon", photos: [{ url: "https://pictures.example/r" }] },
  ],
  popular_times: [
    [
      { hour: 10, occupancy_percent: 41 },
      { hour: 12, occupancy_percent: 80 },
    ],
    [],
    [],
    [],
    [],
    [],
    [],
  ],
};

describe("responses of SerpApi", () => {
  test.each([
    ["one answer over many lines", readSerpapiAnswers, JSON.stringify(search, undefined, 2)],
    ["one answer in a line", readSerpapiAnswers, JSON.stringify(search)],
    ["a list of answers", readSerpapiList, JSON.stringify([search])],
    ["a list of places", readSerpapiList, JSON.stringify([LOCAL_RESULT, {}])],
  ])("%s", async (_, read, content) => {
    expect(await readAll(read, content)).toMatchObject([
      { position: { number: 1 }, draft: searched },
      { position: { number: 2 }, rejected: { field: "title" } },
    ]);
  });

  test("are read one per line, also next to an invalid one", async () => {
    const content = [search, place].map((answer) => JSON.stringify(answer)).join("\noops\n\n");
    expect(await readAll(readSerpapiAnswers, content)).toMatchObject([
      { draft: searched },
      { rejected: { field: "title" } },
      { rejected: { reason: "not JSON", value: "oops" } },
      { position: { number: 4 }, draft: detailed },
    ]);
  });

  test("a search without results has no places", async () => {
    const content = JSON.stringify({ search_metadata: {}, error: "No results." });
    expect(await readAll(readSerpapiAnswers, content)).toEqual([]);
  });

  test("an incomplete response ends the import", async () => {
    const content = JSON.stringify(search, undefined, 2).slice(0, -10);
    await expect(readAll(readSerpapiAnswers, content)).rejects.toThrow(CommandError);
  });
});
