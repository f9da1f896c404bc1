import { describe, expect, test } from "vitest";
import { TYPE_KEYS, typeOfTags } from "../../../../../indexer/sources/osm/type-of-tags.ts";
import { toTags } from "../../../../../indexer/sources/osm/osm-element.ts";
import table from "../../../../../indexer/sources/osm/types.json" with { type: "json" };

describe("the table of types", () => {
  const tags = Object.values(table.tags).flat();

  test("no tag has two types", () => {
    expect(tags.filter((tag, index) => tags.indexOf(tag) !== index)).toEqual([]);
  });

  test("every key in it is used", () => {
    const keys = new Set(tags.map((tag) => tag.split("=")[0] ?? ""));
    expect([...keys].filter((key) => !TYPE_KEYS.includes(key))).toEqual([]);
  });
});

describe("typeOfTags", () => {
  test.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ name: "x" }, undefined],
    [{ amenity: "no" }, undefined],
    [{ shop: "vacant" }, undefined],
    [{ constructor: "x" }, undefined],
    [{ tourism: "information", information: "board" }, undefined],
    [{ amenity: "cafe" }, "COFFEE"],
    [{ amenity: "cafe", cuisine: "bubble_tea" }, "BUBBLE_TEA"],
    [{ amenity: "restaurant", cuisine: "vietnamese" }, "VIETNAMESE_RESTAURANT"],
    [{ amenity: "restaurant", cuisine: "vietnamese;pho" }, "PHO"],
    [{ amenity: "restaurant", cuisine: "Pizza; burger" }, "PIZZA_RESTAURANT"],
    [{ amenity: "restaurant", cuisine: "lebanese" }, "RESTAURANT"],
    [{ amenity: "fast_food", cuisine: "japanese" }, "FAST_FOOD"],
    [{ amenity: "fast_food", cuisine: "burger" }, "BURGER_RESTAURANT"],
    [{ amenity: "hospital", healthcare: "hospital" }, "HOSPITAL"],
    [{ amenity: "clinic", "healthcare:speciality": "ophthalmology" }, "EYE_CLINIC"],
    [{ amenity: "place_of_worship", religion: "buddhist" }, "PAGODA"],
    [{ amenity: "place_of_worship", religion: "christian", tourism: "attraction" }, "CHURCH"],
    [{ tourism: "attraction", historic: "castle" }, "HISTORIC_SITE"],
    [{ tourism: "attraction", historic: "monument" }, "MONUMENT"],
    [{ amenity: "parking", shop: "supermarket" }, "SUPERMARKET"],
    [{ shop: "goldfish" }, "SHOP"],
    [{ shop: "clothes ; shoes" }, "CLOTHING_STORE"],
    [{ shop: "clothes;shoes" }, "CLOTHING_STORE"],
    [{ office: "it" }, "IT_COMPANY"],
    [{ office: "whatever" }, "COMPANY"],
    [{ leisure: "pitch", sport: "soccer" }, "FOOTBALL_PITCH"],
    [{ railway: "station" }, "TRAIN_STATION"],
    [{ railway: "station", station: "subway" }, "METRO_STATION"],
    [{ public_transport: "station", bus: "yes" }, "BUS_STATION"],
    [{ tourism: "information", information: "office" }, "TOURIST_INFORMATION"],
    [{ aeroway: "aerodrome" }, "AIRPORT"],
    [{ natural: "beach" }, "BEACH"],
    [{ natural: "cliff" }, "NATURE"],
    [{ building: "apartments" }, "APARTMENT_BUILDING"],
    [{ building: "yes", amenity: "bank" }, "BANK"],
  ])("%j is %s", (tags, code) => {
    expect(typeOfTags(tags, "x")).toBe(code);
  });

  test.each([
    ["school", "Trường Tiểu học Kim Đồng", "PRIMARY_SCHOOL"],
    ["school", "Trường THCS Trưng Vương", "SECONDARY_SCHOOL"],
    ["school", "THPT Chu Văn An", "HIGH_SCHOOL"],
    ["school", "Trường Mầm non Hoa Mai".normalize("NFD"), "KINDERGARTEN"],
    ["school", "TH School", "SCHOOL"],
    ["hospital", "Trạm y tế", "HEALTH_STATION"],
    ["hospital", "Bệnh viện Bạch Mai", "HOSPITAL"],
    ["restaurant", "Phở Thìn Lò Đúc", "PHO"],
    ["restaurant", "Phố Cổ", "RESTAURANT"],
    ["restaurant", "Bún chả Hương Liên", "BUN_CHA"],
    ["place_of_worship", "Chùa Trấn Quốc", "PAGODA"],
    ["place_of_worship", "Nhà thờ Lớn", "CHURCH"],
  ])("amenity=%s with the name %s is a %s", (amenity, name, code) => {
    expect(typeOfTags({ amenity }, name)).toBe(code);
  });
});

test.each<[string, Record<string, string>, string, string]>([
  ["a cuisine", { amenity: "restaurant", cuisine: "greek" }, "", "GREEK_RESTAURANT"],
  ["a cuisine of two", { amenity: "fast_food", cuisine: "sandwich;ice_cream" }, "", "ICE_CREAM_SHOP"],
  ["a diet", { amenity: "restaurant", "diet:vegetarian": "only" }, "", "VEGETARIAN_RESTAURANT"],
  ["a word of the name", { amenity: "restaurant" }, "Nhà hàng Pizza 4P's", "PIZZA_RESTAURANT"],
  ["a word with its marks", { amenity: "restaurant" }, "Cơm Chay Hương Sen", "VEGETARIAN_RESTAURANT"],
  ["no word with other marks", { amenity: "restaurant" }, "Gà Cháy Tỏi", "RESTAURANT"],
  ["two words of the name", { amenity: "cafe" }, "TocoToco Trà Sữa", "BUBBLE_TEA"],
  ["a shop beside the amenity", { amenity: "cafe", shop: "bubble_tea" }, "", "BUBBLE_TEA"],
  ["the shop that the machine stands in", { amenity: "atm", shop: "convenience" }, "", "CONVENIENCE_STORE"],
  ["any shop that the toilet is in", { amenity: "toilets", shop: "yes" }, "", "SHOP"],
  ["the amenity that sells something", { amenity: "fuel", shop: "convenience" }, "", "GAS_STATION"],
])("%s decides the type of %j, %s", (_, tags, name, type) => {
  expect(typeOfTags(toTags(tags), name)).toBe(type);
});
