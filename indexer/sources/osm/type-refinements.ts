import { isTypeCode, type TypeCode } from "../../../src/place/type-codes.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";

type Codes = Readonly<Record<string, TypeCode>>;

/** A dish says more than a country, so it is looked for first; and a snack bar with a country's dishes stays a snack bar. */
const DISHES: Codes = {
  pho: "PHO",
  bun_bo_hue: "BUN_BO",
  bun_bo: "BUN_BO",
  bun_cha: "BUN_CHA",
  bun: "BUN",
  com_tam: "COM_TAM",
  banh_mi: "BANH_MI",
  banh_cuon: "BANH_CUON",
  banh_xeo: "BANH_XEO",
  hu_tieu: "HU_TIEU",
  rice: "RICE_RESTAURANT",
  noodle: "NOODLE_RESTAURANT",
  noodles: "NOODLE_RESTAURANT",
  porridge: "PORRIDGE_RESTAURANT",
  seafood: "SEAFOOD_RESTAURANT",
  fish: "SEAFOOD_RESTAURANT",
  snail: "SNAIL_RESTAURANT",
  hotpot: "HOTPOT_RESTAURANT",
  hot_pot: "HOTPOT_RESTAURANT",
  barbecue: "BARBECUE_RESTAURANT",
  bbq: "BARBECUE_RESTAURANT",
  grill: "BARBECUE_RESTAURANT",
  chicken: "CHICKEN_RESTAURANT",
  fried_chicken: "CHICKEN_RESTAURANT",
  wings: "CHICKEN_RESTAURANT",
  beef: "BEEF_RESTAURANT",
  sushi: "SUSHI_RESTAURANT",
  ramen: "RAMEN_RESTAURANT",
  pizza: "PIZZA_RESTAURANT",
  burger: "BURGER_RESTAURANT",
  steak_house: "STEAKHOUSE",
  steak: "STEAKHOUSE",
  kebab: "KEBAB_SHOP",
  buffet: "BUFFET_RESTAURANT",
  breakfast: "BREAKFAST_RESTAURANT",
};

const COUNTRIES: Codes = {
  vietnamese: "VIETNAMESE_RESTAURANT",
  vegetarian: "VEGETARIAN_RESTAURANT",
  vegan: "VEGETARIAN_RESTAURANT",
  halal: "HALAL_RESTAURANT",
  japanese: "JAPANESE_RESTAURANT",
  korean: "KOREAN_RESTAURANT",
  chinese: "CHINESE_RESTAURANT",
  cantonese: "CHINESE_RESTAURANT",
  thai: "THAI_RESTAURANT",
  indian: "INDIAN_RESTAURANT",
  italian: "ITALIAN_RESTAURANT",
  pasta: "ITALIAN_RESTAURANT",
  french: "FRENCH_RESTAURANT",
  western: "WESTERN_RESTAURANT",
  european: "WESTERN_RESTAURANT",
  american: "WESTERN_RESTAURANT",
  german: "WESTERN_RESTAURANT",
  spanish: "WESTERN_RESTAURANT",
  mediterranean: "WESTERN_RESTAURANT",
};

const CAFE_KINDS: Codes = {
  bubble_tea: "BUBBLE_TEA",
  milk_tea: "BUBBLE_TEA",
  tea: "TEA_HOUSE",
  juice: "JUICE_BAR",
  smoothie: "JUICE_BAR",
  dessert: "DESSERT_SHOP",
  che: "CHE",
  ice_cream: "ICE_CREAM_SHOP",
  frozen_yogurt: "ICE_CREAM_SHOP",
  cake: "BAKERY",
  pastry: "BAKERY",
};

const RELIGIONS: Codes = {
  buddhist: "PAGODA",
  christian: "CHURCH",
  muslim: "MOSQUE",
  jewish: "SYNAGOGUE",
  shinto: "SHRINE",
  hindu: "TEMPLE",
  taoist: "TEMPLE",
  confucian: "TEMPLE",
  caodaism: "TEMPLE",
  vietnamese_folk: "TEMPLE",
  chinese_folk: "TEMPLE",
};

const SPORTS: Codes = {
  soccer: "FOOTBALL_PITCH",
  football: "FOOTBALL_PITCH",
  futsal: "FOOTBALL_PITCH",
  badminton: "BADMINTON_COURT",
  tennis: "TENNIS_COURT",
  pickleball: "PICKLEBALL_COURT",
  basketball: "BASKETBALL_COURT",
  swimming: "SWIMMING_POOL",
  climbing: "CLIMBING_GYM",
  billiards: "BILLIARDS",
  fitness: "GYM",
  yoga: "YOGA_STUDIO",
  martial_arts: "MARTIAL_ARTS_SCHOOL",
  karate: "MARTIAL_ARTS_SCHOOL",
  equestrian: "HORSE_RIDING",
  golf: "GOLF_COURSE",
  scuba_diving: "DIVING_CENTER",
};

const SPECIALITIES: Codes = {
  ophthalmology: "EYE_CLINIC",
  paediatrics: "PEDIATRIC_CLINIC",
  dermatology: "DERMATOLOGY_CLINIC",
  otolaryngology: "EAR_NOSE_THROAT_CLINIC",
  gynaecology: "MATERNITY_CLINIC",
  maternity: "MATERNITY_CLINIC",
  psychiatry: "MENTAL_HEALTH_CLINIC",
  physiotherapy: "PHYSIOTHERAPY",
  traditional_chinese_medicine: "TRADITIONAL_MEDICINE",
  dental_oral_maxillo_facial_surgery: "DENTIST",
};

const SCHOOL_LEVELS: Codes = {
  "0": "KINDERGARTEN",
  "1": "PRIMARY_SCHOOL",
  "2": "SECONDARY_SCHOOL",
  "3": "HIGH_SCHOOL",
};

interface Refinement {
  readonly of: readonly TypeCode[];
  readonly keys: readonly string[];
  readonly codes: Codes;
}

/** Second tags that make a type more precise. The first that fits wins. */
const REFINEMENTS: readonly Refinement[] = [
  { of: ["RESTAURANT", "FAST_FOOD", "FOOD_COURT"], keys: ["cuisine"], codes: DISHES },
  { of: ["RESTAURANT"], keys: ["cuisine"], codes: COUNTRIES },
  { of: ["COFFEE"], keys: ["cuisine"], codes: CAFE_KINDS },
  { of: ["FAST_FOOD"], keys: ["cuisine"], codes: CAFE_KINDS },
  { of: ["PLACE_OF_WORSHIP"], keys: ["religion"], codes: RELIGIONS },
  { of: ["SPORTS_CENTER", "SOCIAL_CLUB", "STADIUM"], keys: ["sport"], codes: SPORTS },
  { of: ["CLINIC", "DOCTOR"], keys: ["healthcare:speciality"], codes: SPECIALITIES },
  { of: ["SCHOOL"], keys: ["isced:level"], codes: SCHOOL_LEVELS },
  {
    of: ["SCHOOL"],
    keys: ["school"],
    codes: { primary: "PRIMARY_SCHOOL", secondary: "HIGH_SCHOOL", special_education_needs: "SPECIAL_SCHOOL" },
  },
  {
    of: ["TRAIN_STATION"],
    keys: ["station"],
    codes: { subway: "METRO_STATION", light_rail: "METRO_STATION" },
  },
  {
    of: ["GOVERNMENT_OFFICE"],
    keys: ["government"],
    codes: { tax: "TAX_OFFICE", social_security: "SOCIAL_INSURANCE_OFFICE" },
  },
  { of: ["GOVERNMENT_OFFICE"], keys: ["diplomatic"], codes: { embassy: "EMBASSY", consulate: "EMBASSY" } },
  { of: ["BEAUTY_SALON"], keys: ["beauty"], codes: { nails: "NAIL_SALON", spa: "SPA", hair: "HAIR_SALON" } },
  { of: ["HAIR_SALON"], keys: ["male", "hairdresser"], codes: { only: "BARBER", barber: "BARBER" } },
  {
    of: ["CLOTHING_STORE"],
    keys: ["clothes"],
    codes: { children: "CHILDREN_CLOTHING_STORE", babies: "CHILDREN_CLOTHING_STORE" },
  },
  { of: ["BAR"], keys: ["bar", "drink"], codes: { wine: "WINE_BAR" } },
];

/** The more precise type that a second tag gives, or the same. Values may be lists: `cuisine=pho;vietnamese`. */
export function refineByTags(code: TypeCode, tags: OsmTags): TypeCode {
  for (const { of, keys, codes } of REFINEMENTS) {
    if (!of.includes(code)) continue;
    const values = (tagOf(tags, ...keys) ?? "").toLowerCase().split(";");
    const found = values.map((value) => value.trim()).find((value) => Object.hasOwn(codes, value));
    const refined = found === undefined ? undefined : codes[found];
    if (refined !== undefined && isTypeCode(refined)) return refined;
  }
  return code;
}

/**
 * Mappers in Viet Nam tag schools, health stations and kitchens alike, and the name says which it is. Marks count: "phở" is
 * a soup, "phố" a street. The words stand at the beginning, where Vietnamese names say what a thing is.
 */
const NAME_REFINEMENTS: readonly (readonly [of: TypeCode, begins: RegExp, code: TypeCode])[] = [
  ["SCHOOL", /^(?:trường )?(?:mầm non|mẫu giáo|nhà trẻ) /, "KINDERGARTEN"],
  ["SCHOOL", /^(?:trường (?:tiểu học|th)|tiểu học) /, "PRIMARY_SCHOOL"],
  ["SCHOOL", /^(?:trường )?(?:thcs|trung học cơ sở|ptcs) /, "SECONDARY_SCHOOL"],
  ["SCHOOL", /^(?:trường )?(?:thpt|trung học phổ thông|ptth) /, "HIGH_SCHOOL"],
  ["SCHOOL", /^(?:trường )?(?:đại học|học viện) /, "UNIVERSITY"],
  ["SCHOOL", /^(?:trường )?cao đẳng /, "COLLEGE"],
  ["HOSPITAL", /^trạm y tế /, "HEALTH_STATION"],
  ["HOSPITAL", /^phòng khám /, "CLINIC"],
  ["CLINIC", /^trạm y tế /, "HEALTH_STATION"],
  ["CLINIC", /^nha khoa /, "DENTIST"],
  ["PLACE_OF_WORSHIP", /^(?:chùa|thiền viện|tịnh xá) /, "PAGODA"],
  ["PLACE_OF_WORSHIP", /^(?:đền|đình|miếu|phủ|thánh thất) /, "TEMPLE"],
  ["PLACE_OF_WORSHIP", /^(?:nhà thờ|giáo xứ|giáo họ) /, "CHURCH"],
  ["RESTAURANT", /^(?:quán |tiệm |nhà hàng )?phở /, "PHO"],
  ["RESTAURANT", /^(?:quán |tiệm )?bún bò /, "BUN_BO"],
  ["RESTAURANT", /^(?:quán |tiệm )?bún chả /, "BUN_CHA"],
  ["RESTAURANT", /^(?:quán |tiệm )?bún /, "BUN"],
  ["RESTAURANT", /^(?:quán |tiệm )?cơm tấm /, "COM_TAM"],
  ["RESTAURANT", /^(?:quán |tiệm )?cơm /, "RICE_RESTAURANT"],
  ["RESTAURANT", /^(?:quán |tiệm )?hủ tiếu /, "HU_TIEU"],
  ["RESTAURANT", /^(?:quán )?ốc /, "SNAIL_RESTAURANT"],
  ["RESTAURANT", /^(?:quán )?lẩu /, "HOTPOT_RESTAURANT"],
  ["RESTAURANT", /^(?:nhà hàng )?(?:quán )?hải sản /, "SEAFOOD_RESTAURANT"],
  ["FAST_FOOD", /^(?:tiệm )?bánh mì /, "BANH_MI"],
  ["FAST_FOOD", /^(?:quán |tiệm )?phở /, "PHO"],
];

/** The more precise type that a Vietnamese name gives, or the same. */
export function refineByName(code: TypeCode, name: string): TypeCode {
  const lowerCase = `${name.normalize("NFC").toLowerCase().trim()} `;
  return NAME_REFINEMENTS.find(([of, begins]) => of === code && begins.test(lowerCase))?.[2] ?? code;
}
