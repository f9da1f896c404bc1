import { describe, expect, test } from "vitest";
import type { OpenRange } from "../../../src/place/document/place-document.ts";
import { findAreas } from "../../../src/search/reading/area-spans.ts";
import { toTokens } from "../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { CENTRE, placeAt, searchAmong } from "../../support/memory-search.ts";

const NIGHT = Temporal.Instant.from("2026-11-18T23:30:00+07:00");

const daily = (range: OpenRange) => ({
  opening_hours: { week: Array.from({ length: 7 }, () => [range]), special_days: [] },
});

const [binhAn] = findAreas(toTokens("bình an"), loadVocabulary(), CENTRE);

describe("a sentence that names no kind", () => {
  const atm = placeAt(300, "Sacombank", { type: "ATM", ...daily([0, 1440]) });
  const closed = placeAt(200, "ACB", { type: "ATM", ...daily([480, 1020]) });
  const cafe = placeAt(100, "Mây", { type: "COFFEE", ...daily([0, 1440]) });

  test("finds what it needs", async () => {
    expect((await searchAmong([cafe, atm], "hết sạch tiền mặt rồi")).titles).toStrictEqual(["Sacombank"]);
  });

  test("looks in no area that nothing says to be one, inside of the sentence", async () => {
    const here = placeAt(500, "Chùa Sen", { type: "PAGODA" });
    const there = placeAt(500, "Chùa Lá", { type: "PAGODA", areas: [binhAn!.id] });
    const query = "rằm này muốn thắp nhang cầu bình an cho ba má";
    expect((await searchAmong([there, here], query)).reading?.area).toBeUndefined();
    const { reading } = await searchAmong([there, here], "rằm này muốn thắp nhang ở bình an cho ba má");
    expect(reading?.area?.name).toContain("Bình An");
  });

  test("finds what is open then, and no place to eat because it says when", async () => {
    const { titles } = await searchAmong([cafe, closed, atm], "nửa đêm hết sạch tiền mặt rồi", {
      now: NIGHT,
    });
    expect(titles).toStrictEqual(["Sacombank"]);
  });

  test("finds what it needs though nothing of it is open then", async () => {
    const { titles } = await searchAmong([cafe, closed], "nửa đêm hết sạch tiền mặt rồi", { now: NIGHT });
    expect(titles).toStrictEqual(["ACB"]);
  });

  test.each(["relevance", "distance"] as const)("is a name first, by %s", async (sort) => {
    const query = "bụng mỡ ba ngấn quyết tâm giảm cân";
    const named = placeAt(9_000, "Bụng mỡ ba ngấn quyết tâm giảm cân", { type: "COFFEE" });
    const needed = placeAt(300, "Sen", { type: "BEAUTY_SALON" });
    const { titles, total } = await searchAmong([needed, named], query, { sort, isCounted: true });
    expect(titles[0]).toBe(named.title);
    expect(total).toBe(1);
  });
});

describe("a chain that should be open", () => {
  const location = { address: { full: "70 Phạm Ngọc Thạch, Hà Nội" } };
  const open = placeAt(100, "Mixue", { type: "BUBBLE_TEA", location, ...daily([0, 1440]) });
  const cafe = placeAt(50, "Mây", { type: "COFFEE", ...daily([0, 1440]) });

  test("is found at a street though nobody knows its hours, and no other that is open", async () => {
    const query = "Phê La Phạm Ngọc Thạch còn mở không nhỉ";
    const branch = placeAt(900, "Phê La", { type: "BUBBLE_TEA", location });
    expect((await searchAmong([open, cafe, branch], query, { now: NIGHT })).titles[0]).toBe("Phê La");
  });

  test("has open places of its kind where the dataset lacks it", async () => {
    const closed = placeAt(90, "Gong Cha", { type: "BUBBLE_TEA", ...daily([480, 1020]) });
    const { titles } = await searchAmong([closed, open], "Phê La còn mở không", { now: NIGHT });
    expect(titles).toStrictEqual(["Mixue"]);
  });
});

describe("toilets, bus stops and the like", () => {
  const nearest = [
    placeAt(10, "Nhà vệ sinh số 5", { type: "TOILET" }),
    placeAt(20, "Bến Thành", { type: "BUS_STOP" }),
  ];

  test("are no answer to a wish without a kind", async () => {
    const eating = placeAt(900, "Lệ", { type: "PHO", rating: 4.8, reviews: 90 });
    expect((await searchAmong([...nearest, eating], "quán nào ngon")).titles).toStrictEqual(["Lệ"]);
  });

  test("come where they are asked for", async () => {
    expect((await searchAmong(nearest, "nhà vệ sinh gần đây")).titles[0]).toBe("Nhà vệ sinh số 5");
    expect((await searchAmong(nearest, "trạm xe buýt")).titles[0]).toBe("Bến Thành");
  });
});
