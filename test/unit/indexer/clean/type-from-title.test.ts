import { describe, expect, test } from "vitest";
import { toDocument } from "../../../../indexer/clean/clean-records.ts";
import { createTally } from "../../../../indexer/clean/import-tally.ts";
import type { PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { readClosedTitle, refineType, typeFromTitle } from "../../../../indexer/clean/type-from-title.ts";
import type { TypeCode } from "../../../../src/place/document/type-codes.ts";
import { buildDraft } from "../build-draft.ts";
import { noteTaker } from "../text-input.ts";

describe("a title says nothing", () => {
  test.each<[why: string, TypeCode, title: string]>([
    ["about a type of another branch", "HOTEL", "Pizza Hotel"],
    ["about a type that is narrow already", "PHO", "Bún Bò Huế O Xuân"],
    ["with a word of another branch", "SCHOOL", "Chùa Bà"],
    ["with a word that has other marks", "DESSERT_SHOP", "Che Chắn"],
    ["with other marks in a longer name", "RESTAURANT", "Bánh Khot Cô Ba Vũng Tàu"],
    ["with a short word without marks", "RESTAURANT", "Pho Hoa"],
    ["with a short word that begins others", "RESTAURANT", "Cua Hang Anle"],
    ["with the name of a person that begins like a country", "RESTAURANT", "Nhà hàng Thái Sơn"],
    ["with a flower", "RESTAURANT", "Nhà hàng Hoa Cau"],
    ["with a ship", "RESTAURANT", "Nhà Hàng Tàu Mỹ Cảnh"],
    ["with a word of every second restaurant", "RESTAURANT", "Blu Bar and Grill"],
    ["with a fashionable word", "RESTAURANT", "Chez Anh Bistro"],
    ["when one dish stands for many", "RESTAURANT", "Chả Cá Hà Nội"],
    ["where it says two dishes", "RESTAURANT", "Phở Bò & Cơm Tấm Hương"],
    ["where it says this and that", "FAST_FOOD", "Gà rán & Burger Thái Tài"],
    ["where a school has several levels", "SCHOOL", "Trường Tiểu học, Trung học cơ sở May"],
    ["where the other level comes later", "SCHOOL", "Trường Tiểu học - THCS An Bình"],
    ["where the other level is a short form", "SCHOOL", "THCS-PT Duy Tân"],
    ["where the level is only in brackets", "SCHOOL", "Westlink International School (khối Tiểu học)"],
    ["where a clinic is that and a station", "CLINIC", "Phòng khám Đa khoa khu vực - Trạm y tế xã Liên Hồng"],
    ["about a town that begins with a kind", "PLACE", "Chợ Mới"],
    ["about a town that begins with an inn", "PLACE", "Quán Hàu"],
    ["about a town that begins with a mountain", "PLACE", "Núi Thành"],
    ["about a hall that ends with a palace", "PLACE", "White Palace"],
    ["about a chain of supermarkets", "SHOP", "Mega Market"],
    ["about a shop of one thing", "SHOP", "Sữa tươi Mộc Châu"],
    ["about a monastery of any faith", "PLACE_OF_WORSHIP", "Tu viện Mân Côi"],
    ["about a country alone", "PLACE", "Thái Lan"],
    ["about lessons in a language", "PLACE", "Vietnamese class"],
    ["with two letters", "PLACE", "Siêu Thi C&C"],
    ["about a bank whose last words are a kind", "PLACE", "NH Quan Doi"],
    ["about a club", "PLACE", "Sax n'Art Club"],
    ["with a dish inside", "PLACE", "Hẻm Phở Bò"],
    ["where two kinds follow each other", "PLACE", "Nhà hàng Khách sạn Hương Sen"],
    ["without any word", "PLACE", "…"],
    ["without a name", "RESTAURANT", ""],
  ])("%s: %s %j", (_, type, title) => {
    expect(typeFromTitle(type, title)).toBeUndefined();
  });
});

describe("a title says a narrower type", () => {
  test.each<[TypeCode, title: string, narrower: TypeCode]>([
    ["RESTAURANT", "Nhà hàng Hàn Quốc Gogi", "KOREAN_RESTAURANT"],
    ["RESTAURANT", "Nhà hàng Hàn Quốc Seoul BBQ", "KOREAN_RESTAURANT"],
    ["RESTAURANT", "Nhà hàng Thái", "THAI_RESTAURANT"],
    ["RESTAURANT", "Nhà hàng Thái - Baan Saigon", "THAI_RESTAURANT"],
    ["RESTAURANT", "GoGi House", "KOREAN_RESTAURANT"],
    ["RESTAURANT", "Hoàng Tử Kimbap", "KOREAN_RESTAURANT"],
    ["RESTAURANT", "Tandoor Saigon", "INDIAN_RESTAURANT"],
    ["RESTAURANT", "Ichiba sushi vietnam", "SUSHI_RESTAURANT"],
    ["RESTAURANT", "Golden Dragon Chinese Restaurant", "CHINESE_RESTAURANT"],
    ["RESTAURANT", "Chi Thong (bún thịt nướng)", "BUN"],
    ["RESTAURANT", "Quán Lẩu Dê Lâm Ký", "HOTPOT_RESTAURANT"],
    ["RESTAURANT", "Com Tam 419", "COM_TAM"],
    ["FAST_FOOD", "I Love Burger", "BURGER_RESTAURANT"],
    ["RICE_RESTAURANT", "Cơm Tâm Nguyễn Văn Cừ (broken rice)", "COM_TAM"],
    ["DESSERT_SHOP", "Chè Bà Ba", "CHE"],
    ["BAR", "Kingdom Beer Club", "BEER_GARDEN"],
    ["SHOP", "Tiệm vàng Kim Ngọc", "JEWELRY_STORE"],
    ["CLINIC", "Phòng khám Tai Mũi Họng 789", "EAR_NOSE_THROAT_CLINIC"],
    ["SCHOOL", "Trường cấp 1 Phan Văn Trị", "PRIMARY_SCHOOL"],
    ["PLACE_OF_WORSHIP", "An Quang Pagoda", "PAGODA"],
    ["PLACE", "Trạm xe buýt Hàm Nghi", "BUS_STOP"],
    ["PLACE", "Bus stop", "BUS_STOP"],
    ["PLACE", "Chè Chú Mập", "CHE"],
    ["PLACE", "Nhà thuốc Long Châu", "PHARMACY"],
    ["PLACE", "KTX Trần Hưng Đạo", "STUDENT_DORMITORY"],
    ["PLACE", "Nhà hàng Ngọc Sương Hải Sản", "SEAFOOD_RESTAURANT"],
    ["PLACE", "Seoul Korean Restaurant", "KOREAN_RESTAURANT"],
  ])("%s %j is a %s", (type, title, narrower) => {
    expect(typeFromTitle(type, title)).toBe(narrower);
  });
});

const clean = (draft: PlaceDraft) => refineType(draft, noteTaker().context);

test("a type from the title is marked with the type that the source gave", () => {
  expect(clean(buildDraft({ title: "Chè Bà Ba", type: "PLACE" }))).toMatchObject({
    type: "CHE",
    source_type: "PLACE",
  });
});

test.each<[why: string, TypeCode, title: string, TypeCode]>([
  ["a branch of a chain is what the chain is", "COFFEE", "Ding Tea", "BUBBLE_TEA"],
  ["a name behind that of the chain is that of the branch", "COFFEE", "Phê La Bà Hạt", "BUBBLE_TEA"],
  ["a broad type becomes that of the chain", "RESTAURANT", "KFC", "FAST_FOOD"],
  ["a short name begins others too", "COFFEE", "Koi Cá Cảnh", "COFFEE"],
  ["other marks make another name", "COFFEE", "Phê Lá", "COFFEE"],
  ["a type of its own stays", "COM_TAM", "Cơm Tấm Cali", "COM_TAM"],
  ["something quite different stays", "ATM", "Vietcombank", "ATM"],
])("%s: %s %j is a %s", (_why, type, title, expected) => {
  expect(clean(buildDraft({ title, type }))).toMatchObject({ type: expected });
});

test("a place whose title says nothing new is left as it is", () => {
  const draft = buildDraft({ title: "Bông Súng", type: "RESTAURANT" });
  expect(clean(draft)).toBe(draft);
});

test("an import counts the types from titles, and no others", () => {
  const tally = createTally();
  const { context } = noteTaker();
  const read = (title: string, latitude = 10.7769) =>
    toDocument(
      {
        position: { file: "a", part: "line", number: 1 },
        draft: buildDraft({ title, type: "RESTAURANT", location: { latitude } }),
      },
      context,
      tally,
    );
  expect(read("Món Huế")).toMatchObject({ type: "VIETNAMESE_RESTAURANT", source_type: "RESTAURANT" });
  expect(read("Bông Súng")).not.toHaveProperty("source_type");
  expect(read("Sushi World", 91)).toBeUndefined();
  expect(tally.typesFromTitles).toBe(1);
});

test.each([
  ["Ga Ba Son (dự kiến)", "closed_temporarily"],
  ["Dân Chủ (dự kiến", "closed_temporarily"],
  ["Bến Thành [Under construction]", "closed_temporarily"],
  ["Quán Bụi - đã đóng cửa", "closed_permanently"],
  ["Quán Bụi (Đã Đóng Cửa) ", "closed_permanently"],
  ["Nhà sách Dự Kiến", "operational"],
  ["Dự kiến - Quán Bụi", "operational"],
  ["Closed Kitchen (quận 1)", "operational"],
])("the title %j says that the place is %s", (title, business_status) => {
  expect(readClosedTitle(buildDraft({ title }), noteTaker().context)).toMatchObject({ business_status });
});

test("a place that its title closes is in the report", () => {
  const { context, notes } = noteTaker();
  for (const title of ["Ga Ba Son (dự kiến)", "Ga Sài Gòn"]) readClosedTitle(buildDraft({ title }), context);
  expect(notes).toStrictEqual(["business_status: closed, as the title says"]);
});

test("what the source says of a place that is closed counts more than its title", () => {
  const draft = buildDraft({ title: "Quán Bụi (sắp mở cửa)", business_status: "closed_permanently" });
  expect(readClosedTitle(draft, noteTaker().context)).toBe(draft);
});
