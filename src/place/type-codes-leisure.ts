/* oxlint-disable max-lines -- a table of data, one entry for each type code */
import { list, type TypeEntry } from "./type-entry.ts";

/** Staying the night, sights, sport, nature and homes. */
export const LEISURE_TYPES = {
  LODGING: {
    vi: "Nơi lưu trú",
    en: "Lodging",
    words: list("lưu trú, chỗ ở, chỗ nghỉ, chỗ ngủ, accommodation, places to stay"),
  },
  HOTEL: {
    vi: "Khách sạn",
    en: "Hotel",
    parent: "LODGING",
    words: list(
      "hotels, ks, khách sạn 5 sao, khách sạn mini, khách sạn giá rẻ, khách sạn tình yêu, love hotel",
    ),
  },
  RESORT: {
    vi: "Khu nghỉ dưỡng",
    en: "Resort",
    parent: "HOTEL",
    words: list("resorts, nghỉ dưỡng, khu nghỉ mát"),
  },
  GUEST_HOUSE: {
    vi: "Nhà nghỉ",
    en: "Guest house",
    parent: "LODGING",
    words: list(
      "nhà khách, nhà trọ, phòng trọ, motel, inn, guesthouse, guest houses, bed and breakfast, phòng nghỉ",
    ),
  },
  HOSTEL: {
    vi: "Nhà nghỉ tập thể",
    en: "Hostel",
    parent: "LODGING",
    words: list("hostels, backpacker, backpackers, dorm bed, khách sạn con nhộng, capsule hotel"),
  },
  HOMESTAY: {
    vi: "Homestay",
    en: "Homestay",
    parent: "LODGING",
    words: list("homestays, home stay, farmstay, airbnb, nhà cho khách thuê"),
  },
  SERVICED_APARTMENT: {
    vi: "Căn hộ dịch vụ",
    en: "Serviced apartment",
    parent: "LODGING",
    words: list(
      "căn hộ cho thuê, căn hộ mini, villa, biệt thự du lịch, villa cho thuê, holiday apartment, vacation rental, condotel",
    ),
  },
  CAMPSITE: {
    vi: "Khu cắm trại",
    en: "Campsite",
    parent: "LODGING",
    words: list("cắm trại, camping, glamping, bãi cắm trại, campground, caravan site"),
  },
  TOURIST_ATTRACTION: {
    vi: "Điểm tham quan",
    en: "Tourist attraction",
    words: list(
      "điểm du lịch, địa điểm du lịch, tham quan, danh lam thắng cảnh, khu du lịch, chỗ chơi, attraction, attractions, sightseeing, things to do, landmark",
    ),
  },
  VIEWPOINT: {
    vi: "Điểm ngắm cảnh",
    en: "Viewpoint",
    parent: "TOURIST_ATTRACTION",
    words: list("ngắm cảnh, đài quan sát, scenic viewpoint, lookout, observation deck"),
  },
  MONUMENT: {
    vi: "Tượng đài",
    en: "Monument",
    parent: "TOURIST_ATTRACTION",
    words: list(
      "đài tưởng niệm, nhà tưởng niệm, bia tưởng niệm, memorial, statue, monuments, artwork, sculpture",
    ),
  },
  HISTORIC_SITE: {
    vi: "Di tích lịch sử",
    en: "Historic site",
    parent: "TOURIST_ATTRACTION",
    words: list(
      "di tích, khu di tích, lăng tẩm, thành cổ, cung điện, historic place, historical landmark, castle, ruins, archaeological site, palace, fort",
    ),
  },
  MUSEUM: {
    vi: "Bảo tàng",
    en: "Museum",
    parent: "TOURIST_ATTRACTION",
    words: list("viện bảo tàng, nhà trưng bày, museums, exhibition"),
  },
  ART_GALLERY: {
    vi: "Phòng tranh",
    en: "Art gallery",
    words: list("triển lãm tranh, phòng trưng bày tranh, gallery, galleries, art museum"),
  },
  ZOO: {
    vi: "Sở thú",
    en: "Zoo",
    parent: "TOURIST_ATTRACTION",
    words: list("vườn thú, thảo cầm viên, công viên động vật, safari, zoos"),
  },
  AQUARIUM: {
    vi: "Thủy cung",
    en: "Aquarium",
    parent: "TOURIST_ATTRACTION",
    words: list("thuỷ cung, viện hải dương học, sea world"),
  },
  AMUSEMENT_PARK: {
    vi: "Khu vui chơi",
    en: "Amusement park",
    parent: "TOURIST_ATTRACTION",
    words: list(
      "công viên giải trí, khu vui chơi giải trí, công viên trò chơi, vui chơi, theme park, theme parks",
    ),
  },
  WATER_PARK: {
    vi: "Công viên nước",
    en: "Water park",
    parent: "AMUSEMENT_PARK",
    words: list("trượt nước, hồ bơi tạo sóng, waterpark, aqua park"),
  },
  PARK: {
    vi: "Công viên",
    en: "Park",
    words: list("parks, hoa viên, công viên cây xanh, vườn hoa, public park, dog park, công viên chó"),
  },
  GARDEN: {
    vi: "Vườn bách thảo",
    en: "Garden",
    parent: "PARK",
    words: list("vườn thực vật, bách thảo, botanical garden, gardens"),
  },
  PLAYGROUND: {
    vi: "Sân chơi trẻ em",
    en: "Playground",
    words: list(
      "sân chơi, khu vui chơi trẻ em, nhà banh, khu trò chơi, playgrounds, kids play area, indoor playground",
    ),
  },
  BEACH: {
    vi: "Bãi biển",
    en: "Beach",
    parent: "NATURE",
    words: list("biển, bãi tắm, beaches, seaside, bãi tắm biển"),
  },
  WATERFALL: {
    vi: "Thác nước",
    en: "Waterfall",
    parent: "NATURE",
    words: list("thác, waterfalls, suối thác"),
  },
  LAKE: {
    vi: "Hồ nước",
    en: "Lake",
    parent: "NATURE",
    words: list("đầm phá, suối, lakes, reservoir, river, spring, hot spring, suối nước nóng"),
  },
  MOUNTAIN: {
    vi: "Núi",
    en: "Mountain",
    parent: "NATURE",
    words: list("đỉnh núi, hang động, peak, mountains, volcano, cave, hill"),
  },
  ISLAND: {
    vi: "Đảo",
    en: "Island",
    parent: "NATURE",
    words: list("hòn đảo, cù lao, quần đảo, islands"),
  },
  NATURE: {
    vi: "Khu thiên nhiên",
    en: "Nature area",
    words: list(
      "thiên nhiên, rừng, vườn quốc gia, khu bảo tồn, nature reserve, national park, forest, hiking",
    ),
  },
  FARM: {
    vi: "Nông trại",
    en: "Farm",
    words: list("trang trại, vườn trái cây, nông trường, farms, orchard, ranch, vineyard"),
  },
  CINEMA: {
    vi: "Rạp chiếu phim",
    en: "Cinema",
    words: list("rạp phim, xem phim, chiếu phim, rạp xi nê, cinemas, movie theater, movies, movie theatre"),
  },
  THEATER: {
    vi: "Nhà hát",
    en: "Theater",
    words: list("sân khấu, sân khấu kịch, múa rối nước, rạp hát, theatre, opera house, drama theatre"),
  },
  CONCERT_HALL: {
    vi: "Phòng hòa nhạc",
    en: "Concert hall",
    words: list("hòa nhạc, nhạc sống, phòng trà ca nhạc, live music, live music venue, concert"),
  },
  ARCADE: {
    vi: "Khu trò chơi điện tử",
    en: "Game arcade",
    words: list("trò chơi điện tử, game center, arcade, game, escape room, board game, nhà ma"),
  },
  CASINO: {
    vi: "Sòng bạc",
    en: "Casino",
    words: list("casinos, sòng bài, gambling, slot machines"),
  },
  BOWLING_ALLEY: {
    vi: "Sân bowling",
    en: "Bowling alley",
    words: list("bowling, chơi bowling, bowling center"),
  },
  BILLIARDS: {
    vi: "Câu lạc bộ bida",
    en: "Billiards club",
    words: list("bida, bi da, bi-a, quán bida, clb bida, billiards, pool hall, snooker"),
  },
  FISHING_SPOT: {
    vi: "Hồ câu cá",
    en: "Fishing spot",
    words: list("câu cá, hồ câu, câu cá giải trí, fishing, fishing pond"),
  },
  GYM: {
    vi: "Phòng gym",
    en: "Gym",
    words: list(
      "phòng tập gym, phòng tập, tập gym, thể hình, gyms, fitness, fitness centre, fitness center, crossfit, workout",
    ),
  },
  YOGA_STUDIO: {
    vi: "Phòng tập yoga",
    en: "Yoga studio",
    words: list("yoga, tập yoga, pilates, thiền, meditation"),
  },
  MARTIAL_ARTS_SCHOOL: {
    vi: "Võ đường",
    en: "Martial arts school",
    words: list("võ thuật, câu lạc bộ võ, học võ, boxing, mma, taekwondo, karate, vovinam, muay thai, dojo"),
  },
  SPORTS_CENTER: {
    vi: "Trung tâm thể thao",
    en: "Sports center",
    words: list(
      "trung tâm thể dục thể thao, nhà thi đấu, khu thể thao, câu lạc bộ thể thao, nhà thi đấu đa năng, sports centre, sports club, sports complex, sports hall, leisure centre",
    ),
  },
  FOOTBALL_PITCH: {
    vi: "Sân bóng đá",
    en: "Football pitch",
    parent: "SPORTS_CENTER",
    words: list(
      "sân bóng, sân banh, sân bóng mini, sân cỏ nhân tạo, đá banh, đá bóng, soccer field, football field, futsal, soccer",
    ),
  },
  BADMINTON_COURT: {
    vi: "Sân cầu lông",
    en: "Badminton court",
    parent: "SPORTS_CENTER",
    words: list("cầu lông, đánh cầu lông, badminton"),
  },
  TENNIS_COURT: {
    vi: "Sân tennis",
    en: "Tennis court",
    parent: "SPORTS_CENTER",
    words: list("tennis, quần vợt, sân quần vợt, tennis club"),
  },
  PICKLEBALL_COURT: {
    vi: "Sân pickleball",
    en: "Pickleball court",
    parent: "SPORTS_CENTER",
    words: list("pickleball, chơi pickleball"),
  },
  BASKETBALL_COURT: {
    vi: "Sân bóng rổ",
    en: "Basketball court",
    parent: "SPORTS_CENTER",
    words: list("bóng rổ, sân bóng chuyền, bóng chuyền, basketball, volleyball"),
  },
  GOLF_COURSE: {
    vi: "Sân golf",
    en: "Golf course",
    words: list("golf, sân tập golf, golf club, driving range, mini golf"),
  },
  SWIMMING_POOL: {
    vi: "Hồ bơi",
    en: "Swimming pool",
    parent: "SPORTS_CENTER",
    words: list("bể bơi, bơi lội, học bơi, bơi, swimming, swimming pools, pool"),
  },
  ICE_RINK: {
    vi: "Sân trượt băng",
    en: "Ice rink",
    parent: "SPORTS_CENTER",
    words: list("trượt băng, trượt patin, patin, skating, skating rink, ski"),
  },
  CLIMBING_GYM: {
    vi: "Phòng leo núi",
    en: "Climbing gym",
    parent: "SPORTS_CENTER",
    words: list("leo núi, leo núi trong nhà, climbing, bouldering"),
  },
  HORSE_RIDING: {
    vi: "Câu lạc bộ cưỡi ngựa",
    en: "Horse riding club",
    words: list("cưỡi ngựa, trường đua ngựa, horse riding, riding school, race track, trường đua"),
  },
  DIVING_CENTER: {
    vi: "Trung tâm lặn biển",
    en: "Diving center",
    words: list("lặn biển, diving, scuba diving, water sports, thể thao dưới nước, surfing, kayak"),
  },
  STADIUM: {
    vi: "Sân vận động",
    en: "Stadium",
    words: list("stadiums, svđ, sân vận động quốc gia, arena"),
  },
  SOCIAL_CLUB: {
    vi: "Câu lạc bộ",
    en: "Club",
    words: list("clb, câu lạc bộ hưu trí, social club, members club"),
  },
  TOURIST_INFORMATION: {
    vi: "Trung tâm thông tin du lịch",
    en: "Tourist information",
    words: list("thông tin du lịch, tourist office, visitor center, visitor centre, information"),
  },
  APARTMENT_BUILDING: {
    vi: "Chung cư",
    en: "Apartment building",
    words: list(
      "căn hộ, tòa chung cư, căn hộ chung cư, khu chung cư, apartments, apartment, condominium, condo",
    ),
  },
  RESIDENTIAL_AREA: {
    vi: "Khu dân cư",
    en: "Residential area",
    words: list(
      "khu đô thị, kdc, khu nhà ở, biệt thự, nhà ở xã hội, housing estate, urban area, neighbourhood, village",
    ),
  },
  SQUARE: {
    vi: "Quảng trường",
    en: "Square",
    words: list("public square, phố đi bộ, đường đi bộ, pedestrian street, plazas"),
  },
  BRIDGE: {
    vi: "Cầu",
    en: "Bridge",
    words: list("cầu vượt, cầu đường bộ, bridges, hầm đường bộ, tunnel"),
  },
  PARCEL_LOCKER: {
    vi: "Tủ nhận hàng",
    en: "Parcel locker",
    words: list("tủ đồ, tủ khóa, locker, lockers"),
  },
  PLACE: {
    vi: "Địa điểm",
    en: "Place",
    words: list("places, nơi chốn"),
  },
} as const satisfies Readonly<Record<string, TypeEntry>>;
