/* oxlint-disable max-lines -- a table of data, one entry for each type code */
import { list, type TypeEntry } from "./type-entry.ts";

/** Shops, from the market stall to the mall. */
export const SHOPS_TYPES = {
  SHOP: {
    vi: "Cửa hàng",
    en: "Shop",
    words: list("cửa hiệu, tiệm, shops, store, stores, shopping, mua sắm"),
  },
  CONVENIENCE_STORE: {
    vi: "Cửa hàng tiện lợi",
    en: "Convenience store",
    parent: "SHOP",
    words: list("tiện lợi, cửa hàng tiện ích, convenience, convenience stores, mini stop, kiosk, mini mart"),
  },
  SUPERMARKET: {
    vi: "Siêu thị",
    en: "Supermarket",
    parent: "SHOP",
    words: list("supermarkets, siêu thị mini, siêu thị lớn, đại siêu thị, hypermarket"),
  },
  GROCERY: {
    vi: "Tạp hóa",
    en: "Grocery store",
    parent: "SHOP",
    words: list(
      "tạp hoá, tiệm tạp hóa, tiệm tạp hoá, cửa hàng tạp hóa, hàng xén, bách hóa, bách hoá, grocery, groceries, general store, corner shop",
    ),
  },
  MARKET: {
    vi: "Chợ",
    en: "Market",
    parent: "SHOP",
    words: list(
      "chợ truyền thống, chợ đầu mối, chợ đêm, chợ búa, markets, wet market, night market, flea market",
    ),
  },
  SHOPPING_MALL: {
    vi: "Trung tâm thương mại",
    en: "Shopping mall",
    parent: "SHOP",
    words: list("tttm, trung tâm mua sắm, mall, malls, shopping center, shopping centre, plaza"),
  },
  DEPARTMENT_STORE: {
    vi: "Cửa hàng bách hóa",
    en: "Department store",
    parent: "SHOP",
    words: list("bách hóa tổng hợp, trung tâm bách hóa, department stores"),
  },
  CLOTHING_STORE: {
    vi: "Cửa hàng quần áo",
    en: "Clothing store",
    parent: "SHOP",
    words: list(
      "quần áo, shop quần áo, thời trang, shop thời trang, tiệm quần áo, đồ si, clothes, clothing, fashion, boutique, áo dài, váy cưới, uniforms",
    ),
  },
  CHILDREN_CLOTHING_STORE: {
    vi: "Cửa hàng thời trang trẻ em",
    en: "Children's clothing store",
    parent: "CLOTHING_STORE",
    words: list("quần áo trẻ em, thời trang trẻ em, kids clothes, children's clothes"),
  },
  SHOE_STORE: {
    vi: "Cửa hàng giày dép",
    en: "Shoe store",
    parent: "SHOP",
    words: list("giày, giày dép, dép, shop giày, tiệm giày, shoes, shoe shop, sneakers"),
  },
  BAG_STORE: {
    vi: "Cửa hàng túi xách",
    en: "Bag store",
    parent: "SHOP",
    words: list("túi xách, balo, vali, bags, handbags, luggage, leather goods"),
  },
  JEWELRY_STORE: {
    vi: "Tiệm vàng",
    en: "Jewelry store",
    parent: "SHOP",
    words: list(
      "vàng bạc, tiệm vàng bạc, vàng bạc đá quý, trang sức, kim hoàn, nữ trang, jewelry, jewellery, jeweler, gold shop",
    ),
  },
  WATCH_STORE: {
    vi: "Cửa hàng đồng hồ",
    en: "Watch store",
    parent: "SHOP",
    words: list("đồng hồ, tiệm đồng hồ, sửa đồng hồ, watches, watch shop"),
  },
  COSMETICS_STORE: {
    vi: "Cửa hàng mỹ phẩm",
    en: "Cosmetics store",
    parent: "SHOP",
    words: list("mỹ phẩm, shop mỹ phẩm, nước hoa, cosmetics, beauty store, perfume, perfumery, makeup"),
  },
  OPTICIAN: {
    vi: "Tiệm mắt kính",
    en: "Optician",
    parent: "SHOP",
    words: list(
      "mắt kính, kính mắt, kính thuốc, cửa hàng mắt kính, glasses, eyewear, optical shop, eyeglasses",
    ),
  },
  BOOKSTORE: {
    vi: "Nhà sách",
    en: "Bookstore",
    parent: "SHOP",
    words: list("hiệu sách, tiệm sách, cửa hàng sách, sách cũ, bookshop, book store, books"),
  },
  STATIONERY_STORE: {
    vi: "Văn phòng phẩm",
    en: "Stationery store",
    parent: "SHOP",
    words: list("cửa hàng văn phòng phẩm, dụng cụ học sinh, stationery, office supplies, newsagent"),
  },
  ELECTRONICS_STORE: {
    vi: "Cửa hàng điện máy",
    en: "Electronics store",
    parent: "SHOP",
    words: list(
      "điện máy, siêu thị điện máy, điện tử, điện gia dụng, đồ điện, electronics, appliances, appliance store, tivi tủ lạnh",
    ),
  },
  PHONE_STORE: {
    vi: "Cửa hàng điện thoại",
    en: "Phone store",
    parent: "SHOP",
    words: list(
      "điện thoại, shop điện thoại, điện thoại di động, phụ kiện điện thoại, phone shop, mobile phones, cell phone store, sim thẻ",
    ),
  },
  COMPUTER_STORE: {
    vi: "Cửa hàng máy tính",
    en: "Computer store",
    parent: "SHOP",
    words: list(
      "máy tính, vi tính, laptop, linh kiện máy tính, tin học, computers, computer shop, laptop store",
    ),
  },
  CAMERA_STORE: {
    vi: "Cửa hàng máy ảnh",
    en: "Camera store",
    parent: "SHOP",
    words: list("máy ảnh, máy quay phim, cameras, camera shop"),
  },
  MUSIC_STORE: {
    vi: "Cửa hàng nhạc cụ",
    en: "Musical instrument store",
    parent: "SHOP",
    words: list("nhạc cụ, đàn guitar, đàn piano, music store, instruments, piano shop"),
  },
  FURNITURE_STORE: {
    vi: "Cửa hàng nội thất",
    en: "Furniture store",
    parent: "SHOP",
    words: list("nội thất, đồ gỗ, đồ nội thất, chăn ga gối nệm, nệm, furniture, mattress store, bedding"),
  },
  HOME_GOODS_STORE: {
    vi: "Cửa hàng gia dụng",
    en: "Home goods store",
    parent: "SHOP",
    words: list(
      "gia dụng, đồ gia dụng, hàng gia dụng, rèm cửa, kitchenware, household goods, home decor, curtains",
    ),
  },
  HARDWARE_STORE: {
    vi: "Cửa hàng vật liệu xây dựng",
    en: "Hardware store",
    parent: "SHOP",
    words: list(
      "vật liệu xây dựng, vlxd, sắt thép, sơn nước, kim khí, ngũ kim, điện nước, hardware, building materials, paint store, diy store",
    ),
  },
  LIGHTING_STORE: {
    vi: "Cửa hàng đèn trang trí",
    en: "Lighting store",
    parent: "SHOP",
    words: list("đèn trang trí, đèn led, lighting"),
  },
  GARDEN_CENTER: {
    vi: "Cửa hàng cây cảnh",
    en: "Garden center",
    parent: "SHOP",
    words: list("cây cảnh, cây kiểng, vườn ươm, cây xanh, plant nursery, garden centre, plants"),
  },
  FLORIST: {
    vi: "Tiệm hoa",
    en: "Florist",
    parent: "SHOP",
    words: list("hoa tươi, shop hoa, cửa hàng hoa, shop hoa tươi, bán hoa, flowers, flower shop, florists"),
  },
  GIFT_SHOP: {
    vi: "Cửa hàng quà tặng",
    en: "Gift shop",
    parent: "SHOP",
    words: list(
      "quà tặng, quà lưu niệm, đồ lưu niệm, cửa hàng lưu niệm, souvenirs, souvenir shop, gifts, handicrafts",
    ),
  },
  TOY_STORE: {
    vi: "Cửa hàng đồ chơi",
    en: "Toy store",
    parent: "SHOP",
    words: list("đồ chơi, shop đồ chơi, đồ chơi trẻ em, toys, toy shop"),
  },
  BABY_STORE: {
    vi: "Cửa hàng mẹ và bé",
    en: "Baby store",
    parent: "SHOP",
    words: list("mẹ và bé, mẹ bé, đồ sơ sinh, tã sữa, baby shop, baby goods, sữa bột"),
  },
  PET_STORE: {
    vi: "Cửa hàng thú cưng",
    en: "Pet store",
    parent: "SHOP",
    words: list("thú cưng, shop thú cưng, đồ thú cưng, cá cảnh, pets, pet shop, aquarium shop"),
  },
  SPORTING_GOODS_STORE: {
    vi: "Cửa hàng dụng cụ thể thao",
    en: "Sporting goods store",
    parent: "SHOP",
    words: list(
      "dụng cụ thể thao, đồ thể thao, thể thao, sports shop, sporting goods, sportswear, outdoor shop",
    ),
  },
  BICYCLE_STORE: {
    vi: "Cửa hàng xe đạp",
    en: "Bicycle store",
    parent: "SHOP",
    words: list("xe đạp, tiệm xe đạp, sửa xe đạp, bicycles, bike shop, xe đạp điện"),
  },
  MOTORCYCLE_DEALER: {
    vi: "Cửa hàng xe máy",
    en: "Motorcycle dealer",
    parent: "SHOP",
    words: list(
      "xe máy, mua xe máy, xe gắn máy, bán xe máy, honda head, motorcycle shop, motorbikes, scooter shop",
    ),
  },
  CAR_DEALER: {
    vi: "Đại lý ô tô",
    en: "Car dealer",
    parent: "SHOP",
    words: list("ô tô, xe hơi, showroom ô tô, mua bán ô tô, salon ô tô, car showroom, car dealership, cars"),
  },
  AUTO_PARTS_STORE: {
    vi: "Cửa hàng phụ tùng",
    en: "Auto parts store",
    parent: "SHOP",
    words: list(
      "phụ tùng, phụ tùng ô tô, phụ tùng xe máy, lốp xe, vỏ xe, ắc quy, auto parts, car parts, tires, tyres, tire shop",
    ),
  },
  BUTCHER: {
    vi: "Cửa hàng thịt",
    en: "Butcher",
    parent: "SHOP",
    words: list("thịt tươi, thịt sạch, thịt heo, thịt bò, butcher shop, meat shop"),
  },
  FISHMONGER: {
    vi: "Cửa hàng cá hải sản tươi",
    en: "Fishmonger",
    parent: "SHOP",
    words: list("hải sản tươi sống, vựa hải sản, cá tươi, fish market, fish shop"),
  },
  FRUIT_SHOP: {
    vi: "Cửa hàng trái cây",
    en: "Fruit shop",
    parent: "SHOP",
    words: list("trái cây, hoa quả, rau củ, rau sạch, vựa trái cây, fruit, fruits, greengrocer, vegetables"),
  },
  SPECIALTY_FOOD_STORE: {
    vi: "Cửa hàng thực phẩm",
    en: "Food store",
    parent: "SHOP",
    words: list(
      "thực phẩm, thực phẩm sạch, đặc sản, cửa hàng đặc sản, thực phẩm chức năng, organic food, health food, deli, delicatessen, frozen food, gạo, đại lý gạo, rice shop",
    ),
  },
  LIQUOR_STORE: {
    vi: "Cửa hàng rượu bia",
    en: "Liquor store",
    parent: "SHOP",
    words: list(
      "rượu bia, rượu ngoại, đại lý bia, liquor, wine shop, off licence, nước giải khát, đại lý nước ngọt",
    ),
  },
  TEA_COFFEE_STORE: {
    vi: "Cửa hàng trà và cà phê hạt",
    en: "Tea and coffee store",
    parent: "SHOP",
    words: list("cà phê hạt, cà phê rang xay, bán trà, coffee beans, coffee roaster, tea store"),
  },
  TOBACCO_SHOP: {
    vi: "Cửa hàng thuốc lá",
    en: "Tobacco shop",
    parent: "SHOP",
    words: list("thuốc lá, vape, vape shop, tobacco, cigars, tobacconist"),
  },
  GAS_SUPPLIER: {
    vi: "Đại lý gas",
    en: "Cooking gas supplier",
    parent: "SHOP",
    words: list("gas, đổi gas, cửa hàng gas, bình gas, giao gas, lpg"),
  },
  FABRIC_STORE: {
    vi: "Cửa hàng vải",
    en: "Fabric store",
    parent: "SHOP",
    words: list("vải, tiệm vải, chợ vải, phụ liệu may, fabric, textiles, sewing shop"),
  },
  SECOND_HAND_STORE: {
    vi: "Cửa hàng đồ cũ",
    en: "Second-hand store",
    parent: "SHOP",
    words: list("đồ cũ, đồ second hand, ve chai, thu mua phế liệu, thrift store, second hand, charity shop"),
  },
  ANTIQUE_STORE: {
    vi: "Cửa hàng đồ cổ",
    en: "Antique store",
    parent: "SHOP",
    words: list("đồ cổ, cổ vật, antiques, art shop, tranh ảnh"),
  },
  WORSHIP_GOODS_STORE: {
    vi: "Cửa hàng đồ thờ cúng",
    en: "Worship goods store",
    parent: "SHOP",
    words: list("đồ thờ, đồ thờ cúng, nhang đèn, vàng mã, đồ cúng, religious goods"),
  },
  LOTTERY_SHOP: {
    vi: "Đại lý vé số",
    en: "Lottery shop",
    parent: "SHOP",
    words: list("vé số, xổ số, bán vé số, lottery, vietlott"),
  },
  MEDICAL_SUPPLY_STORE: {
    vi: "Cửa hàng thiết bị y tế",
    en: "Medical supply store",
    parent: "SHOP",
    words: list("thiết bị y tế, dụng cụ y tế, medical supplies, medical equipment, hearing aids"),
  },
  WHOLESALER: {
    vi: "Cửa hàng bán sỉ",
    en: "Wholesaler",
    words: list("bán sỉ, bán buôn, nhà phân phối, tổng kho, wholesale, distributor"),
  },
} as const satisfies Readonly<Record<string, TypeEntry>>;
