/* oxlint-disable max-lines -- a table of data, one entry for each type code */
import { list, type TypeEntry } from "./type-entry.ts";

/** Eating and drinking. */
export const FOOD_TYPES = {
  RESTAURANT: {
    vi: "Nhà hàng",
    en: "Restaurant",
    words: list(
      "restaurants, quán ăn, tiệm ăn, hàng ăn, chỗ ăn, ăn uống, đồ ăn, food, places to eat, ăn trưa, ăn tối, lunch, dinner",
    ),
  },
  EATERY: {
    vi: "Quán ăn bình dân",
    en: "Local eatery",
    parent: "RESTAURANT",
    words: list(
      "eatery, quán bình dân, quán ăn gia đình, quán ăn vặt, ăn vặt, snack bar, diner, street food, món ăn đường phố, quán vỉa hè",
    ),
  },
  VIETNAMESE_RESTAURANT: {
    vi: "Nhà hàng Việt Nam",
    en: "Vietnamese restaurant",
    parent: "RESTAURANT",
    words: list("vietnamese food, món việt, quán ăn việt nam, đồ ăn việt, món ngon việt nam"),
  },
  RICE_RESTAURANT: {
    vi: "Quán cơm",
    en: "Rice restaurant",
    parent: "RESTAURANT",
    words: list(
      "cơm, tiệm cơm, quán cơm bình dân, cơm bình dân, cơm văn phòng, cơm phần, cơm niêu, cơm gà, cơm rang, rice",
    ),
  },
  COM_TAM: {
    vi: "Quán cơm tấm",
    en: "Broken rice restaurant",
    parent: "RICE_RESTAURANT",
    words: list("cơm tấm, cơm sườn, cơm tấm sườn, tiệm cơm tấm, broken rice"),
  },
  NOODLE_RESTAURANT: {
    vi: "Quán bún mì",
    en: "Noodle restaurant",
    parent: "RESTAURANT",
    words: list(
      "noodles, noodle, noodle shop, noodle house, mì, quán mì, tiệm mì, mì gia, mì vằn thắn, mì quảng, quán mì quảng, miến, bánh đa, bánh đa cua, bánh canh, quán bánh canh",
    ),
  },
  PHO: {
    vi: "Quán phở",
    en: "Pho restaurant",
    parent: "NOODLE_RESTAURANT",
    words: list("phở, tiệm phở, phở bò, phở gà, pho noodle soup, pho noodles"),
  },
  BUN: {
    vi: "Quán bún",
    en: "Rice vermicelli restaurant",
    parent: "NOODLE_RESTAURANT",
    words: list(
      "bún, tiệm bún, bún đậu, bún đậu mắm tôm, bún riêu, bún mắm, bún thịt nướng, bún cá, vermicelli",
    ),
  },
  BUN_BO: {
    vi: "Quán bún bò",
    en: "Hue beef noodle restaurant",
    parent: "BUN",
    words: list("bún bò, bún bò huế, bun bo hue noodle soup"),
  },
  BUN_CHA: {
    vi: "Quán bún chả",
    en: "Bun cha restaurant",
    parent: "BUN",
    words: list("bún chả, bún chả hà nội"),
  },
  HU_TIEU: {
    vi: "Quán hủ tiếu",
    en: "Hu tieu restaurant",
    parent: "NOODLE_RESTAURANT",
    words: list("hủ tiếu, hủ tíu, tiệm hủ tiếu, hủ tiếu nam vang, hủ tiếu gõ"),
  },
  BANH_MI: {
    vi: "Tiệm bánh mì",
    en: "Banh mi shop",
    parent: "EATERY",
    words: list("bánh mì, quán bánh mì, lò bánh mì, xe bánh mì, bánh mì thịt, banh mi sandwich"),
  },
  BANH_CUON: {
    vi: "Quán bánh cuốn",
    en: "Steamed rice roll restaurant",
    parent: "EATERY",
    words: list("bánh cuốn, bánh ướt, rice rolls"),
  },
  BANH_XEO: {
    vi: "Quán bánh xèo",
    en: "Vietnamese pancake restaurant",
    parent: "EATERY",
    words: list("bánh xèo, bánh khọt, bánh căn"),
  },
  PORRIDGE_RESTAURANT: {
    vi: "Quán cháo",
    en: "Rice porridge restaurant",
    parent: "EATERY",
    words: list("cháo, tiệm cháo, cháo lòng, cháo dinh dưỡng, cháo vịt, porridge, congee"),
  },
  XOI: {
    vi: "Quán xôi",
    en: "Sticky rice shop",
    parent: "EATERY",
    words: list("xôi, tiệm xôi, xôi gà, sticky rice"),
  },
  SNAIL_RESTAURANT: {
    vi: "Quán ốc",
    en: "Snail and shellfish restaurant",
    parent: "SEAFOOD_RESTAURANT",
    words: list("ốc, tiệm ốc, ốc đêm, hải sản ốc, snails, shellfish"),
  },
  SEAFOOD_RESTAURANT: {
    vi: "Nhà hàng hải sản",
    en: "Seafood restaurant",
    parent: "RESTAURANT",
    words: list("hải sản, quán hải sản, đồ biển, seafood"),
  },
  HOTPOT_RESTAURANT: {
    vi: "Quán lẩu",
    en: "Hot pot restaurant",
    parent: "RESTAURANT",
    words: list("lẩu, nhà hàng lẩu, lẩu nướng, lẩu dê, lẩu bò, lẩu thái, hotpot, hot pot"),
  },
  BARBECUE_RESTAURANT: {
    vi: "Quán nướng",
    en: "Barbecue restaurant",
    parent: "RESTAURANT",
    words: list("nướng, đồ nướng, thịt nướng, nhà hàng nướng, nướng bbq, bbq, barbecue, grill"),
  },
  CHICKEN_RESTAURANT: {
    vi: "Quán gà",
    en: "Chicken restaurant",
    parent: "RESTAURANT",
    words: list("gà rán, gà nướng, fried chicken, chicken, chicken wings"),
  },
  BEEF_RESTAURANT: {
    vi: "Quán bò",
    en: "Beef restaurant",
    parent: "RESTAURANT",
    words: list("bò nướng, bò né, bò tơ, bò kho, beef"),
  },
  QUAN_NHAU: {
    vi: "Quán nhậu",
    en: "Beer and food restaurant",
    parent: "RESTAURANT",
    words: list("nhậu, quán nhậu bình dân, mồi nhậu, nhậu bình dân, drinking food, gastropub"),
  },
  VEGETARIAN_RESTAURANT: {
    vi: "Quán chay",
    en: "Vegetarian restaurant",
    parent: "RESTAURANT",
    words: list(
      "chay, cơm chay, nhà hàng chay, đồ chay, món chay, ăn chay, vegetarian, vegan, vegan restaurant, vegetarian food",
    ),
  },
  HALAL_RESTAURANT: {
    vi: "Nhà hàng Halal",
    en: "Halal restaurant",
    parent: "RESTAURANT",
    words: list("halal, halal food, món halal"),
  },
  JAPANESE_RESTAURANT: {
    vi: "Nhà hàng Nhật Bản",
    en: "Japanese restaurant",
    parent: "RESTAURANT",
    words: list("đồ nhật, món nhật, nhà hàng nhật, quán nhật, japanese food, izakaya"),
  },
  SUSHI_RESTAURANT: {
    vi: "Nhà hàng sushi",
    en: "Sushi restaurant",
    parent: "JAPANESE_RESTAURANT",
    words: list("sushi, quán sushi, sashimi, sushi bar"),
  },
  RAMEN_RESTAURANT: {
    vi: "Quán ramen",
    en: "Ramen restaurant",
    parent: "JAPANESE_RESTAURANT",
    words: list("ramen, udon, soba, mì ramen, mì nhật"),
  },
  KOREAN_RESTAURANT: {
    vi: "Nhà hàng Hàn Quốc",
    en: "Korean restaurant",
    parent: "RESTAURANT",
    words: list("đồ hàn, món hàn, nhà hàng hàn, quán hàn quốc, tokbokki, korean food, korean bbq"),
  },
  CHINESE_RESTAURANT: {
    vi: "Nhà hàng Trung Hoa",
    en: "Chinese restaurant",
    parent: "RESTAURANT",
    words: list(
      "món hoa, đồ tàu, nhà hàng hoa, nhà hàng trung quốc, dimsum, dim sum, há cảo, vịt quay, chinese food",
    ),
  },
  THAI_RESTAURANT: {
    vi: "Nhà hàng Thái",
    en: "Thai restaurant",
    parent: "RESTAURANT",
    words: list("món thái, đồ thái, nhà hàng thái lan, thai food"),
  },
  INDIAN_RESTAURANT: {
    vi: "Nhà hàng Ấn Độ",
    en: "Indian restaurant",
    parent: "RESTAURANT",
    words: list("món ấn, món ấn độ, nhà hàng ấn, cà ri, curry, indian food"),
  },
  WESTERN_RESTAURANT: {
    vi: "Nhà hàng Âu",
    en: "Western restaurant",
    parent: "RESTAURANT",
    words: list("món âu, đồ âu, nhà hàng món âu, western food, european restaurant, american restaurant"),
  },
  ITALIAN_RESTAURANT: {
    vi: "Nhà hàng Ý",
    en: "Italian restaurant",
    parent: "WESTERN_RESTAURANT",
    words: list("món ý, mì ý, pasta, spaghetti, italian food"),
  },
  FRENCH_RESTAURANT: {
    vi: "Nhà hàng Pháp",
    en: "French restaurant",
    parent: "WESTERN_RESTAURANT",
    words: list("món pháp, french food, bistro"),
  },
  PIZZA_RESTAURANT: {
    vi: "Tiệm pizza",
    en: "Pizza restaurant",
    parent: "RESTAURANT",
    words: list("pizza, quán pizza, nhà hàng pizza, pizzeria"),
  },
  BURGER_RESTAURANT: {
    vi: "Tiệm burger",
    en: "Burger restaurant",
    parent: "FAST_FOOD",
    words: list("burger, burgers, hamburger, quán burger"),
  },
  STEAKHOUSE: {
    vi: "Nhà hàng bít tết",
    en: "Steakhouse",
    parent: "WESTERN_RESTAURANT",
    words: list("bít tết, beefsteak, steak, steak house, quán bò bít tết"),
  },
  KEBAB_SHOP: {
    vi: "Tiệm kebab",
    en: "Kebab shop",
    parent: "FAST_FOOD",
    words: list("kebab, doner, doner kebab, bánh mì thổ nhĩ kỳ, shawarma, turkish restaurant"),
  },
  FAST_FOOD: {
    vi: "Quán ăn nhanh",
    en: "Fast food restaurant",
    parent: "RESTAURANT",
    words: list("fast food, fastfood, đồ ăn nhanh, thức ăn nhanh, cửa hàng thức ăn nhanh"),
  },
  BUFFET_RESTAURANT: {
    vi: "Nhà hàng buffet",
    en: "Buffet restaurant",
    parent: "RESTAURANT",
    words: list("buffet, tiệc buffet, ăn buffet, all you can eat"),
  },
  BREAKFAST_RESTAURANT: {
    vi: "Quán ăn sáng",
    en: "Breakfast restaurant",
    parent: "RESTAURANT",
    words: list("ăn sáng, điểm tâm, đồ ăn sáng, breakfast, brunch"),
  },
  FOOD_COURT: {
    vi: "Khu ẩm thực",
    en: "Food court",
    words: list("phố ẩm thực, khu ăn uống, hawker centre, food hall"),
  },
  CATERING: {
    vi: "Dịch vụ nấu tiệc",
    en: "Catering service",
    words: list("catering, đặt tiệc, nấu tiệc, nấu cỗ, suất ăn công nghiệp"),
  },
  COFFEE: {
    vi: "Quán cà phê",
    en: "Coffee shop",
    words: list(
      "cafe, cà phê, ca fe, caphe, cafê, quán cafe, tiệm cà phê, tiệm cafe, coffee, coffee house, coffee shops, cafes, café, coffeeshop, espresso bar, cà phê sách, cà phê vườn, quán nước",
    ),
  },
  BUBBLE_TEA: {
    vi: "Quán trà sữa",
    en: "Bubble tea shop",
    words: list("trà sữa, tiệm trà sữa, trà sữa trân châu, bubble tea, milk tea, milktea, boba, boba tea"),
  },
  TEA_HOUSE: {
    vi: "Quán trà",
    en: "Tea house",
    words: list("trà, tiệm trà, trà đá, trà chanh, phòng trà, trà đạo, tea, teahouse, tea room"),
  },
  JUICE_BAR: {
    vi: "Quán sinh tố nước ép",
    en: "Juice bar",
    words: list(
      "sinh tố, quán sinh tố, nước ép, quán nước ép, nước mía, giải khát, quán giải khát, juice, smoothie, smoothies",
    ),
  },
  DESSERT_SHOP: {
    vi: "Tiệm đồ ngọt",
    en: "Dessert shop",
    words: list("đồ ngọt, món tráng miệng, tráng miệng, dessert, desserts, sweets, tàu hũ, bánh flan"),
  },
  CHE: {
    vi: "Quán chè",
    en: "Vietnamese sweet soup shop",
    parent: "DESSERT_SHOP",
    words: list("chè, tiệm chè, chè thái, chè bưởi, sweet soup"),
  },
  ICE_CREAM_SHOP: {
    vi: "Tiệm kem",
    en: "Ice cream shop",
    parent: "DESSERT_SHOP",
    words: list("kem, quán kem, ice cream, gelato, sữa chua, yogurt, frozen yogurt"),
  },
  BAKERY: {
    vi: "Tiệm bánh",
    en: "Bakery",
    words: list(
      "bánh, bánh ngọt, tiệm bánh ngọt, bánh kem, tiệm bánh kem, bánh sinh nhật, bánh trung thu, cake, cakes, cake shop, bakeries, bread, pastry shop, patisserie",
    ),
  },
  CONFECTIONERY: {
    vi: "Cửa hàng bánh kẹo",
    en: "Confectionery",
    words: list("bánh kẹo, kẹo, candy, candy store, chocolate, chocolate shop, sô cô la"),
  },
  BAR: {
    vi: "Quán bar",
    en: "Bar",
    words: list(
      "bars, pub, pubs, quán pub, quán rượu, cocktail bar, cocktail, lounge, rooftop bar, sky bar, bar rượu",
    ),
  },
  WINE_BAR: {
    vi: "Quán rượu vang",
    en: "Wine bar",
    parent: "BAR",
    words: list("wine, rượu vang, hầm rượu"),
  },
  BEER_GARDEN: {
    vi: "Quán bia",
    en: "Beer garden",
    parent: "BAR",
    words: list(
      "bia, bia hơi, quán bia hơi, bia tươi, bia thủ công, beer, beer club, craft beer, brewery, biergarten",
    ),
  },
  NIGHT_CLUB: {
    vi: "Vũ trường",
    en: "Night club",
    words: list("nightclub, clubs, bar sàn, vũ trường bar, discotheque, disco"),
  },
  KARAOKE: {
    vi: "Quán karaoke",
    en: "Karaoke",
    words: list("hát karaoke, karaoke gia đình, phòng hát, ktv, karaoke bar"),
  },
  SHISHA_LOUNGE: {
    vi: "Quán shisha",
    en: "Shisha lounge",
    parent: "BAR",
    words: list("shisha, hookah, hookah lounge"),
  },
} as const satisfies Readonly<Record<string, TypeEntry>>;
