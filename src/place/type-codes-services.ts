/* oxlint-disable max-lines -- a table of data, one entry for each type code */
import { list, type TypeEntry } from "./type-entry.ts";

/** Money, beauty, repair, vehicles and offices. */
export const SERVICES_TYPES = {
  ATM: {
    vi: "ATM",
    en: "ATM",
    words: list("atms, cây atm, máy atm, máy rút tiền, rút tiền, trụ atm, cash machine, cashpoint"),
  },
  BANK: {
    vi: "Ngân hàng",
    en: "Bank",
    words: list(
      "banks, nhà băng, chi nhánh ngân hàng, phòng giao dịch, phòng giao dịch ngân hàng, quỹ tín dụng, credit union",
    ),
  },
  CURRENCY_EXCHANGE: {
    vi: "Thu đổi ngoại tệ",
    en: "Currency exchange",
    words: list(
      "đổi tiền, đổi ngoại tệ, thu đổi ngoại tệ usd, money exchange, money changer, bureau de change",
    ),
  },
  MONEY_TRANSFER: {
    vi: "Dịch vụ chuyển tiền",
    en: "Money transfer service",
    words: list("chuyển tiền, nhận tiền, money transfer, western union"),
  },
  PAWN_SHOP: {
    vi: "Tiệm cầm đồ",
    en: "Pawn shop",
    words: list("cầm đồ, hiệu cầm đồ, dịch vụ cầm đồ, pawnbroker, vay tiền"),
  },
  INSURANCE_AGENCY: {
    vi: "Công ty bảo hiểm",
    en: "Insurance agency",
    words: list("bảo hiểm, đại lý bảo hiểm, insurance, bảo hiểm nhân thọ"),
  },
  ACCOUNTING_FIRM: {
    vi: "Dịch vụ kế toán",
    en: "Accounting firm",
    words: list("kế toán, kiểm toán, accountant, accounting, auditor, tax advisor"),
  },
  LAWYER: {
    vi: "Văn phòng luật sư",
    en: "Law office",
    words: list("luật sư, công ty luật, tư vấn pháp luật, lawyer, lawyers, law firm, attorney, solicitor"),
  },
  NOTARY: {
    vi: "Văn phòng công chứng",
    en: "Notary office",
    words: list("công chứng, phòng công chứng, dịch thuật công chứng, notary, notary public"),
  },
  REAL_ESTATE_AGENCY: {
    vi: "Văn phòng bất động sản",
    en: "Real estate agency",
    words: list("bất động sản, nhà đất, môi giới nhà đất, real estate, estate agent, property agent"),
  },
  EMPLOYMENT_AGENCY: {
    vi: "Trung tâm giới thiệu việc làm",
    en: "Employment agency",
    words: list(
      "việc làm, giới thiệu việc làm, tuyển dụng, xuất khẩu lao động, recruitment agency, employment",
    ),
  },
  TRAVEL_AGENCY: {
    vi: "Công ty du lịch",
    en: "Travel agency",
    words: list(
      "du lịch, đại lý du lịch, tour du lịch, lữ hành, vé máy bay, phòng vé máy bay, travel agent, tour operator, tours",
    ),
  },
  TICKET_OFFICE: {
    vi: "Phòng vé",
    en: "Ticket office",
    words: list("đại lý vé, bán vé, vé xe, vé tàu, tickets, ticket shop"),
  },
  ADVERTISING_AGENCY: {
    vi: "Công ty quảng cáo",
    en: "Advertising agency",
    words: list("quảng cáo, bảng hiệu, làm bảng hiệu, marketing, advertising, signage"),
  },
  IT_COMPANY: {
    vi: "Công ty công nghệ",
    en: "IT company",
    parent: "COMPANY",
    words: list("công nghệ thông tin, phần mềm, thiết kế website, software company, it services"),
  },
  CONSTRUCTION_COMPANY: {
    vi: "Công ty xây dựng",
    en: "Construction company",
    parent: "COMPANY",
    words: list(
      "xây dựng, nhà thầu xây dựng, thiết kế nội thất, kiến trúc sư, architect, contractor, builder, construction",
    ),
  },
  CRAFT_WORKSHOP: {
    vi: "Xưởng thủ công",
    en: "Craft workshop",
    words: list(
      "thợ mộc, xưởng gỗ, cơ khí, thợ hàn, nhôm kính, inox, carpenter, welder, metal workshop, craftsman",
    ),
  },
  ELECTRICIAN: {
    vi: "Thợ điện nước",
    en: "Electrician and plumber",
    words: list(
      "sửa điện nước, thợ điện, thợ nước, sửa ống nước, thông cống, rút hầm cầu, electrician, plumber, plumbing",
    ),
  },
  COMPANY: {
    vi: "Công ty",
    en: "Company",
    words: list("văn phòng công ty, doanh nghiệp, trụ sở công ty, văn phòng, office, companies, business"),
  },
  COWORKING_SPACE: {
    vi: "Không gian làm việc chung",
    en: "Coworking space",
    words: list("coworking, co-working, văn phòng chia sẻ, văn phòng cho thuê, shared office"),
  },
  OFFICE_BUILDING: {
    vi: "Tòa nhà văn phòng",
    en: "Office building",
    words: list("cao ốc, cao ốc văn phòng, toà nhà văn phòng, office tower"),
  },
  FACTORY: {
    vi: "Nhà máy",
    en: "Factory",
    words: list(
      "xưởng sản xuất, khu công nghiệp, xí nghiệp, cơ sở sản xuất, factories, industrial park, manufacturer",
    ),
  },
  WAREHOUSE: {
    vi: "Kho bãi",
    en: "Warehouse",
    words: list("kho hàng, nhà kho, cho thuê kho, self storage, storage"),
  },
  NGO: {
    vi: "Tổ chức xã hội",
    en: "Association",
    words: list("hiệp hội, hội chữ thập đỏ, từ thiện, tổ chức phi lợi nhuận, ngo, charity, nonprofit"),
  },
  TELECOM_OFFICE: {
    vi: "Cửa hàng viễn thông",
    en: "Telecom office",
    words: list("viễn thông, lắp mạng, lắp internet, telecom, internet provider"),
  },
  UTILITY_OFFICE: {
    vi: "Điện lực và cấp nước",
    en: "Utility office",
    words: list("điện lực, cấp nước, công ty cấp nước, công ty điện lực, power company, water company"),
  },
  MEDIA_COMPANY: {
    vi: "Cơ quan báo chí",
    en: "Media company",
    words: list("tòa soạn, báo chí, đài truyền hình, đài phát thanh, newspaper, tv station, radio station"),
  },
  POST_OFFICE: {
    vi: "Bưu điện",
    en: "Post office",
    words: list("bưu cục, bưu chính, gửi thư, post offices, mail"),
  },
  COURIER: {
    vi: "Dịch vụ chuyển phát",
    en: "Courier service",
    words: list(
      "chuyển phát nhanh, giao hàng, giao hàng nhanh, gửi hàng, ship hàng, courier, delivery service, logistics, vận chuyển",
    ),
  },
  MOVING_COMPANY: {
    vi: "Dịch vụ chuyển nhà",
    en: "Moving company",
    words: list("chuyển nhà, dọn nhà, taxi tải, movers, removals"),
  },
  HAIR_SALON: {
    vi: "Tiệm tóc",
    en: "Hair salon",
    words: list(
      "làm tóc, salon tóc, tiệm làm tóc, cắt tóc nữ, uốn tóc, tiệm uốn tóc, hairdresser, hair salons, haircut",
    ),
  },
  BARBER: {
    vi: "Tiệm cắt tóc nam",
    en: "Barber shop",
    parent: "HAIR_SALON",
    words: list("cắt tóc, hớt tóc, tiệm hớt tóc, cắt tóc nam, barber, barbershop"),
  },
  HAIR_WASH: {
    vi: "Tiệm gội đầu",
    en: "Hair wash salon",
    parent: "HAIR_SALON",
    words: list("gội đầu, gội đầu dưỡng sinh, gội đầu thư giãn, hair wash, head spa"),
  },
  NAIL_SALON: {
    vi: "Tiệm nail",
    en: "Nail salon",
    words: list("nail, nails, làm móng, tiệm làm móng, sơn móng tay, manicure, pedicure"),
  },
  BEAUTY_SALON: {
    vi: "Thẩm mỹ viện",
    en: "Beauty salon",
    words: list(
      "làm đẹp, chăm sóc da, thẩm mỹ, phun xăm, nối mi, spa thẩm mỹ, trang điểm, beauty, skin care clinic, makeup artist",
    ),
  },
  SPA: {
    vi: "Spa",
    en: "Day spa",
    words: list("spas, spa thư giãn, chăm sóc sức khỏe, xông hơi, sauna, onsen, tắm khoáng, wellness"),
  },
  MASSAGE: {
    vi: "Tiệm massage",
    en: "Massage parlour",
    parent: "SPA",
    words: list("massage, mát xa, xoa bóp, bấm huyệt, massage chân, foot massage, thai massage"),
  },
  TATTOO_SHOP: {
    vi: "Tiệm xăm",
    en: "Tattoo shop",
    words: list("xăm, xăm hình, hình xăm, tattoo, tattoos, piercing"),
  },
  LAUNDRY: {
    vi: "Tiệm giặt ủi",
    en: "Laundry",
    words: list(
      "giặt ủi, giặt là, tiệm giặt là, giặt sấy, giặt khô, giặt hấp, giặt đồ, laundromat, launderette, dry cleaner, dry cleaning",
    ),
  },
  TAILOR: {
    vi: "Tiệm may",
    en: "Tailor",
    words: list("may đo, may áo dài, may vest, sửa quần áo, tailors, dressmaker, alterations"),
  },
  CLEANING_SERVICE: {
    vi: "Dịch vụ vệ sinh",
    en: "Cleaning service",
    words: list("vệ sinh nhà cửa, vệ sinh công nghiệp, dọn dẹp, giúp việc nhà, cleaning, cleaners"),
  },
  LOCKSMITH: {
    vi: "Thợ sửa khóa",
    en: "Locksmith",
    words: list("sửa khóa, sửa khoá, làm chìa khóa, cắt chìa khóa, mở khóa"),
  },
  PHOTO_STUDIO: {
    vi: "Tiệm chụp ảnh",
    en: "Photo studio",
    words: list(
      "chụp hình, chụp ảnh, studio ảnh, ảnh cưới, ảnh viện áo cưới, ảnh thẻ, rửa ảnh, photographer, photo shop, photography",
    ),
  },
  PRINT_SHOP: {
    vi: "Tiệm photocopy in ấn",
    en: "Print shop",
    words: list("photocopy, photo copy, in ấn, tiệm in, nhà in, in màu, printing, copy shop"),
  },
  PHONE_REPAIR: {
    vi: "Tiệm sửa điện thoại",
    en: "Phone repair shop",
    words: list("sửa điện thoại, ép kính, thay màn hình, phone repair, iphone repair"),
  },
  APPLIANCE_REPAIR: {
    vi: "Sửa chữa điện tử điện lạnh",
    en: "Appliance repair service",
    words: list(
      "điện lạnh, sửa máy lạnh, sửa máy giặt, sửa tủ lạnh, sửa tivi, sửa máy tính, sửa laptop, appliance repair, computer repair, electronics repair",
    ),
  },
  MOTORCYCLE_REPAIR: {
    vi: "Tiệm sửa xe máy",
    en: "Motorcycle repair shop",
    words: list(
      "sửa xe, sửa xe máy, vá xe, bơm vá xe, thay nhớt, sửa xe gắn máy, motorcycle repair, motorbike repair",
    ),
  },
  CAR_REPAIR: {
    vi: "Xưởng sửa ô tô",
    en: "Car repair shop",
    words: list(
      "gara, garage, gara ô tô, garage ô tô, sửa ô tô, sửa xe hơi, bảo dưỡng ô tô, auto repair, mechanic, car service",
    ),
  },
  CAR_WASH: {
    vi: "Tiệm rửa xe",
    en: "Car wash",
    words: list("rửa xe, rửa xe máy, rửa xe ô tô, rửa xe hơi, car washes, auto detailing"),
  },
  CAR_INSPECTION: {
    vi: "Trạm đăng kiểm",
    en: "Vehicle inspection station",
    words: list("đăng kiểm, trung tâm đăng kiểm, đăng kiểm ô tô, vehicle inspection"),
  },
  GAS_STATION: {
    vi: "Cây xăng",
    en: "Gas station",
    words: list(
      "trạm xăng, trạm xăng dầu, đổ xăng, xăng, xăng dầu, cửa hàng xăng dầu, petrol station, petrol, fuel, filling station, gas stations",
    ),
  },
  CHARGING_STATION: {
    vi: "Trạm sạc xe điện",
    en: "EV charging station",
    words: list("trạm sạc, sạc xe điện, trạm sạc vinfast, đổi pin, ev charger, charging station"),
  },
  PARKING: {
    vi: "Bãi đỗ xe",
    en: "Parking lot",
    words: list(
      "bãi xe, giữ xe, bãi giữ xe, gửi xe, bãi đậu xe, đậu xe, chỗ đậu xe, hầm gửi xe, parking, car park, parking garage",
    ),
  },
  CAR_RENTAL: {
    vi: "Cho thuê ô tô",
    en: "Car rental",
    words: list("thuê xe, thuê xe ô tô, thuê xe tự lái, thuê ô tô, rent a car, car hire, rental cars"),
  },
  MOTORCYCLE_RENTAL: {
    vi: "Cho thuê xe máy",
    en: "Motorcycle rental",
    words: list("thuê xe máy, motorbike rental, scooter rental, rent a motorbike"),
  },
  BICYCLE_RENTAL: {
    vi: "Cho thuê xe đạp",
    en: "Bicycle rental",
    words: list("thuê xe đạp, xe đạp công cộng, bike rental, bike share, bike sharing"),
  },
  TAXI_SERVICE: {
    vi: "Hãng taxi",
    en: "Taxi service",
    words: list("taxi, gọi taxi, bến taxi, trạm taxi, xe ôm, taxi stand, taxi rank, cab"),
  },
  INTERNET_CAFE: {
    vi: "Tiệm net",
    en: "Internet cafe",
    words: list("net, quán net, tiệm internet, cyber game, cyber, internet, gaming cafe, cafe internet"),
  },
  WEDDING_VENUE: {
    vi: "Trung tâm tiệc cưới",
    en: "Wedding venue",
    parent: "EVENT_VENUE",
    words: list("tiệc cưới, nhà hàng tiệc cưới, sảnh cưới, đám cưới, wedding hall, weddings"),
  },
  EVENT_VENUE: {
    vi: "Trung tâm sự kiện",
    en: "Event venue",
    words: list(
      "hội nghị, trung tâm hội nghị, sự kiện, tổ chức sự kiện, trung tâm triển lãm, conference centre, convention center, events, exhibition centre",
    ),
  },
  FUNERAL_HOME: {
    vi: "Nhà tang lễ",
    en: "Funeral home",
    words: list(
      "tang lễ, mai táng, trại hòm, dịch vụ tang lễ, hỏa táng, funeral, funeral director, crematorium",
    ),
  },
  FORTUNE_TELLER: {
    vi: "Thầy phong thủy",
    en: "Fortune teller",
    words: list("phong thủy, xem bói, coi bói, tử vi, astrologer, feng shui"),
  },
  PET_SERVICE: {
    vi: "Dịch vụ chăm sóc thú cưng",
    en: "Pet care service",
    words: list("spa thú cưng, khách sạn thú cưng, cắt tỉa lông chó, pet grooming, pet hotel, dog groomer"),
  },
  TOILET: {
    vi: "Nhà vệ sinh công cộng",
    en: "Public toilet",
    words: list("nhà vệ sinh, toilet, toilets, wc, restroom, bathroom"),
  },
} as const satisfies Readonly<Record<string, TypeEntry>>;
