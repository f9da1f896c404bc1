import { describe, expect, test } from "vitest";
import {
  readPhotos,
  readPopularTimes,
  readReviews,
} from "../../../../../indexer/sources/native/native-place.ts";
import type { RecordFields } from "../../../../../indexer/sources/record-fields.ts";

function fields(values: Record<string, unknown>): { record: RecordFields; notes: string[] } {
  const notes: string[] = [];
  return { notes, record: { values, path: "", note: (field, kind) => notes.push(`${field}: ${kind}`) } };
}

describe("readReviews", () => {
  test.each([0, 6, 4.5, "5", undefined])("a review with the rating %j is left out and noted", (rating) => {
    const { record, notes } = fields({ review_list: [{ rating, text: "Ngon" }] });
    expect(readReviews(record)).toEqual([]);
    expect(notes).toContain("review_list[]: not of the documented form");
  });

  test("a review requires only a rating", () => {
    const { record } = fields({ review_list: [{ rating: 5 }] });
    expect(readReviews(record)).toEqual([
      { review_id: "", author_name: "", author_profile_pic: "", rating: 5, text: "", photos: [] },
    ]);
  });

  test("a picture of the author with a script as its address is dropped", () => {
    const { record, notes } = fields({
      review_list: [{ rating: 5, author_profile_pic: "javascript:alert(1)" }],
    });
    expect(readReviews(record)[0]?.author_profile_pic).toBe("");
    expect(notes).toEqual(["review_list[].author_profile_pic: not of the documented form"]);
  });
});

describe("readPhotos", () => {
  test("pictures without a web address are left out, and galleries without pictures", () => {
    const { record } = fields({
      photos: [
        {
          category_id: "menu",
          category_label: "Thực đơn",
          media: [{ id: "1", url: "https://example.com/1.jpg", width: 800, height: 600 }, { id: "2" }],
        },
        { category_id: "vibe", media: [{ url: "data:image/png;base64,AA==" }] },
      ],
    });
    expect(readPhotos(record)).toEqual([
      {
        category_id: "menu",
        category_label: "Thực đơn",
        media: [{ id: "1", url: "https://example.com/1.jpg", width: 800, height: 600 }],
      },
    ]);
  });

  test("a picture of unknown size has the size 0", () => {
    const { record } = fields({ photos: [{ media: [{ url: "https://example.com/1.jpg", width: -4 }] }] });
    expect(readPhotos(record)[0]?.media[0]).toMatchObject({ width: 0, height: 0 });
  });
});

describe("readPopularTimes", () => {
  test("days are taken by name, hours in order with one value each", () => {
    const { record } = fields({
      popular_times: [
        {
          day: "Chủ Nhật",
          hours: [
            { hour: 9, occupancy_percent: 40, status: "ignored" },
            { hour: 8, occupancy_percent: 20 },
            { hour: 9, occupancy_percent: 50 },
          ],
        },
      ],
    });
    expect(readPopularTimes(record)).toEqual([
      [],
      [],
      [],
      [],
      [],
      [],
      [
        { hour: 8, occupancy_percent: 20 },
        { hour: 9, occupancy_percent: 50 },
      ],
    ]);
  });

  test("seven days without names are taken by position", () => {
    const { record } = fields({
      popular_times: Array.from({ length: 7 }, (_, hour) => ({ hours: [{ hour, occupancy_percent: 1 }] })),
    });
    expect(readPopularTimes(record).map((hours) => hours[0]?.hour)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test.each([
    [{ hour: 24, occupancy_percent: 1 }],
    [{ hour: 5, occupancy_percent: 101 }],
    [{ hour: 5 }],
    ["noon"],
  ])("an hour such as %j is left out and noted", (hour) => {
    const { record, notes } = fields({ popular_times: [{ day: "Monday", hours: [hour] }] });
    expect(readPopularTimes(record)).toEqual([]);
    expect(notes).toContain("popular_times[].hours[]: not of the documented form");
  });

  test("an invalid day is noted, the others stay", () => {
    const hours = [{ hour: 5, occupancy_percent: 1 }];
    const { record, notes } = fields({
      popular_times: [
        { day: "Monday", hours },
        { day: "Someday", hours },
      ],
    });
    expect(readPopularTimes(record)[0]).toEqual(hours);
    expect(notes).toEqual(["popular_times[].day: not a day of the week"]);
  });
});
