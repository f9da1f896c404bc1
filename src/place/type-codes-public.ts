/* oxlint-disable max-lines -- a table of data, one entry for each type code */
import { list, type TypeEntry } from "./type-entry.ts";

/** Health, schools, the state, faith and transport. */
export const PUBLIC_TYPES = {
  HOSPITAL: {
    vi: "Bệnh viện",
    en: "Hospital",
    words: list("hospitals, nhà thương, bệnh viện đa khoa, cấp cứu, bv, emergency room"),
  },
  CLINIC: {
    vi: "Phòng khám",
    en: "Clinic",
    words: list(
      "phòng khám đa khoa, phòng mạch, khám bệnh, trung tâm y tế, clinics, medical centre, medical center, polyclinic",
    ),
  },
  DOCTOR: {
    vi: "Phòng khám bác sĩ",
    en: "Doctor's office",
    parent: "CLINIC",
    words: list("bác sĩ, bác sỹ, phòng khám tư, doctor, doctors"),
  },
  HEALTH_STATION: {
    vi: "Trạm y tế",
    en: "Health station",
    parent: "CLINIC",
    words: list("trạm y tế phường, trạm y tế xã, trạm xá, health post, health centre"),
  },
  MATERNITY_CLINIC: {
    vi: "Phòng khám sản phụ khoa",
    en: "Maternity clinic",
    parent: "CLINIC",
    words: list(
      "sản phụ khoa, phụ khoa, khám thai, nhà hộ sinh, siêu âm thai, gynecologist, obstetrician, maternity",
    ),
  },
  PEDIATRIC_CLINIC: {
    vi: "Phòng khám nhi",
    en: "Children's clinic",
    parent: "CLINIC",
    words: list("khám nhi, bác sĩ nhi, nhi khoa, pediatrician, paediatrician"),
  },
  EYE_CLINIC: {
    vi: "Phòng khám mắt",
    en: "Eye clinic",
    parent: "CLINIC",
    words: list("khám mắt, nhãn khoa, bác sĩ mắt, ophthalmologist, eye doctor, optometrist"),
  },
  EAR_NOSE_THROAT_CLINIC: {
    vi: "Phòng khám tai mũi họng",
    en: "Ear, nose and throat clinic",
    parent: "CLINIC",
    words: list("tai mũi họng, khám tai mũi họng"),
  },
  DERMATOLOGY_CLINIC: {
    vi: "Phòng khám da liễu",
    en: "Dermatology clinic",
    parent: "CLINIC",
    words: list("da liễu, bác sĩ da liễu, trị mụn, dermatologist, skin doctor"),
  },
  MENTAL_HEALTH_CLINIC: {
    vi: "Phòng khám tâm lý",
    en: "Mental health clinic",
    parent: "CLINIC",
    words: list("tâm lý, tâm thần, tư vấn tâm lý, psychologist, psychiatrist, psychotherapist, counselling"),
  },
  PHYSIOTHERAPY: {
    vi: "Vật lý trị liệu",
    en: "Physiotherapy",
    words: list(
      "phục hồi chức năng, trị liệu, cột sống, physiotherapist, physical therapy, chiropractor, rehabilitation",
    ),
  },
  TRADITIONAL_MEDICINE: {
    vi: "Y học cổ truyền",
    en: "Traditional medicine clinic",
    words: list(
      "đông y, thuốc bắc, thuốc nam, nhà thuốc đông y, phòng khám đông y, châm cứu, acupuncture, traditional medicine, herbal medicine",
    ),
  },
  DENTIST: {
    vi: "Nha khoa",
    en: "Dentist",
    words: list(
      "phòng khám nha khoa, nha sĩ, răng hàm mặt, phòng khám răng, làm răng, trồng răng, niềng răng, dentists, dental clinic, orthodontist",
    ),
  },
  PHARMACY: {
    vi: "Nhà thuốc",
    en: "Pharmacy",
    words: list(
      "tiệm thuốc, tiệm thuốc tây, thuốc tây, nhà thuốc tây, hiệu thuốc, quầy thuốc, thuốc, pharmacies, drugstore, drug store, chemist, medicine",
    ),
  },
  LABORATORY: {
    vi: "Trung tâm xét nghiệm",
    en: "Medical laboratory",
    words: list("xét nghiệm, xét nghiệm máu, chẩn đoán hình ảnh, chụp x quang, laboratory, lab, blood test"),
  },
  VACCINATION_CENTER: {
    vi: "Trung tâm tiêm chủng",
    en: "Vaccination center",
    words: list("tiêm chủng, tiêm ngừa, chích ngừa, vaccine, vắc xin, vaccination centre"),
  },
  BLOOD_BANK: {
    vi: "Điểm hiến máu",
    en: "Blood donation center",
    words: list("hiến máu, ngân hàng máu, blood bank, blood donation"),
  },
  NURSING_HOME: {
    vi: "Viện dưỡng lão",
    en: "Nursing home",
    words: list(
      "dưỡng lão, chăm sóc người già, trung tâm bảo trợ xã hội, mái ấm, retirement home, social facility, elderly care",
    ),
  },
  VETERINARY_CLINIC: {
    vi: "Phòng khám thú y",
    en: "Veterinary clinic",
    words: list("thú y, bác sĩ thú y, bệnh viện thú y, trạm thú y, vet, veterinarian, animal hospital"),
  },
  SCHOOL: {
    vi: "Trường học",
    en: "School",
    words: list(
      "schools, trường phổ thông, trường liên cấp, trường quốc tế, trường dân lập, international school",
    ),
  },
  KINDERGARTEN: {
    vi: "Trường mầm non",
    en: "Kindergarten",
    words: list(
      "mầm non, mẫu giáo, trường mẫu giáo, nhà trẻ, nhóm trẻ, preschool, nursery school, childcare, daycare",
    ),
  },
  PRIMARY_SCHOOL: {
    vi: "Trường tiểu học",
    en: "Primary school",
    parent: "SCHOOL",
    words: list("tiểu học, trường cấp 1, cấp 1, elementary school"),
  },
  SECONDARY_SCHOOL: {
    vi: "Trường trung học cơ sở",
    en: "Lower secondary school",
    parent: "SCHOOL",
    words: list("thcs, trung học cơ sở, trường thcs, trường cấp 2, cấp 2, middle school, junior high school"),
  },
  HIGH_SCHOOL: {
    vi: "Trường trung học phổ thông",
    en: "High school",
    parent: "SCHOOL",
    words: list(
      "thpt, trung học phổ thông, trường thpt, trường cấp 3, cấp 3, senior high school, secondary school, trường chuyên",
    ),
  },
  SPECIAL_SCHOOL: {
    vi: "Trường giáo dục đặc biệt",
    en: "Special education school",
    parent: "SCHOOL",
    words: list("giáo dục chuyên biệt, trường khuyết tật, trẻ tự kỷ, special needs school"),
  },
  COLLEGE: {
    vi: "Trường cao đẳng",
    en: "College",
    words: list(
      "cao đẳng, trường trung cấp, trung cấp nghề, trường nghề, cao đẳng nghề, vocational school, dạy nghề, trade school",
    ),
  },
  UNIVERSITY: {
    vi: "Trường đại học",
    en: "University",
    words: list("đại học, học viện, universities, campus, academy"),
  },
  LANGUAGE_SCHOOL: {
    vi: "Trung tâm ngoại ngữ",
    en: "Language school",
    words: list(
      "ngoại ngữ, anh ngữ, trung tâm anh ngữ, trung tâm tiếng anh, học tiếng anh, tiếng nhật, english centre, english center, language centre",
    ),
  },
  TUTORING_CENTER: {
    vi: "Trung tâm dạy thêm",
    en: "Tutoring center",
    words: list(
      "dạy thêm, học thêm, gia sư, luyện thi, trung tâm giáo dục, tutor, tutoring, prep school, training centre",
    ),
  },
  DRIVING_SCHOOL: {
    vi: "Trường dạy lái xe",
    en: "Driving school",
    words: list("học lái xe, dạy lái xe, sát hạch lái xe, thi bằng lái, driving lessons"),
  },
  ART_SCHOOL: {
    vi: "Lớp học nghệ thuật",
    en: "Art and music school",
    words: list("học đàn, dạy nhạc, trường nhạc, học vẽ, lớp vẽ, music school, art school, music lessons"),
  },
  DANCE_SCHOOL: {
    vi: "Lớp dạy khiêu vũ",
    en: "Dance school",
    words: list("học nhảy, dạy nhảy, khiêu vũ, dancing, dance studio, dance class"),
  },
  STUDENT_DORMITORY: {
    vi: "Ký túc xá",
    en: "Student dormitory",
    words: list("kí túc xá, ktx, nhà trọ sinh viên, dormitory, dorm, student housing"),
  },
  RESEARCH_INSTITUTE: {
    vi: "Viện nghiên cứu",
    en: "Research institute",
    words: list("phòng thí nghiệm, trung tâm nghiên cứu, research centre, institute"),
  },
  LIBRARY: {
    vi: "Thư viện",
    en: "Library",
    words: list("libraries, đọc sách, thư viện sách, public library"),
  },
  GOVERNMENT_OFFICE: {
    vi: "Cơ quan nhà nước",
    en: "Government office",
    words: list(
      "cơ quan hành chính, trung tâm hành chính, hành chính công, một cửa, ubnd tỉnh, sở ban ngành, government, city hall, town hall, administration",
    ),
  },
  PEOPLES_COMMITTEE: {
    vi: "Ủy ban nhân dân",
    en: "People's Committee",
    parent: "GOVERNMENT_OFFICE",
    words: list(
      "ủy ban, uỷ ban, uỷ ban nhân dân, ubnd, ủy ban phường, ubnd phường, ubnd xã, ủy ban xã, phường xã",
    ),
  },
  TAX_OFFICE: {
    vi: "Cơ quan thuế",
    en: "Tax office",
    parent: "GOVERNMENT_OFFICE",
    words: list("chi cục thuế, cục thuế, thuế, hải quan, chi cục hải quan, customs"),
  },
  SOCIAL_INSURANCE_OFFICE: {
    vi: "Bảo hiểm xã hội",
    en: "Social insurance office",
    parent: "GOVERNMENT_OFFICE",
    words: list("bhxh, cơ quan bảo hiểm xã hội, social security office, social security"),
  },
  POLICE: {
    vi: "Công an",
    en: "Police station",
    words: list(
      "công an phường, đồn công an, công an xã, trụ sở công an, đồn cảnh sát, cảnh sát, cảnh sát giao thông, police",
    ),
  },
  FIRE_STATION: {
    vi: "Trạm cứu hỏa",
    en: "Fire station",
    words: list("cứu hỏa, cứu hoả, phòng cháy chữa cháy, pccc, cảnh sát pccc, fire brigade, fire department"),
  },
  COURTHOUSE: {
    vi: "Tòa án",
    en: "Courthouse",
    words: list("toà án, tòa án nhân dân, viện kiểm sát, court, law court, prosecutor"),
  },
  EMBASSY: {
    vi: "Đại sứ quán",
    en: "Embassy",
    words: list("lãnh sự quán, tổng lãnh sự quán, đại sứ, embassies, consulate, visa office"),
  },
  MILITARY: {
    vi: "Cơ sở quân đội",
    en: "Military facility",
    words: list("quân đội, doanh trại, ban chỉ huy quân sự, doanh trại quân đội, barracks, military base"),
  },
  COMMUNITY_CENTER: {
    vi: "Nhà văn hóa",
    en: "Community center",
    words: list(
      "nhà văn hoá, trung tâm văn hóa, nhà thiếu nhi, cung văn hóa, nhà sinh hoạt cộng đồng, community centre, cultural centre, cultural center, youth centre",
    ),
  },
  PLACE_OF_WORSHIP: {
    vi: "Nơi thờ tự",
    en: "Place of worship",
    words: list("cơ sở tôn giáo, place of prayer, nơi thờ cúng, religious site"),
  },
  PAGODA: {
    vi: "Chùa",
    en: "Pagoda",
    parent: "PLACE_OF_WORSHIP",
    words: list("chùa chiền, thiền viện, tịnh xá, tu viện, tổ đình, pagodas, buddhist temple, monastery"),
  },
  TEMPLE: {
    vi: "Đình đền miếu",
    en: "Temple",
    parent: "PLACE_OF_WORSHIP",
    words: list(
      "đình, đền, miếu, đình làng, đền thờ, hội quán, phủ thờ, temples, thánh thất, cao đài, hindu temple",
    ),
  },
  SHRINE: {
    vi: "Đền Thần đạo",
    en: "Shrine",
    parent: "PLACE_OF_WORSHIP",
    words: list("shinto shrine, shrines, đền shinto"),
  },
  CHURCH: {
    vi: "Nhà thờ",
    en: "Church",
    parent: "PLACE_OF_WORSHIP",
    words: list(
      "giáo xứ, thánh đường, nhà thờ tin lành, giáo đường, hội thánh, churches, cathedral, chapel, parish",
    ),
  },
  MOSQUE: {
    vi: "Thánh đường Hồi giáo",
    en: "Mosque",
    parent: "PLACE_OF_WORSHIP",
    words: list("hồi giáo, nhà thờ hồi giáo, mosques, masjid, prayer room"),
  },
  SYNAGOGUE: {
    vi: "Giáo đường Do Thái",
    en: "Synagogue",
    parent: "PLACE_OF_WORSHIP",
    words: list("do thái giáo, synagogues, chabad"),
  },
  CEMETERY: {
    vi: "Nghĩa trang",
    en: "Cemetery",
    words: list("nghĩa địa, nghĩa trang liệt sĩ, hoa viên nghĩa trang, graveyard, cemeteries, columbarium"),
  },
  BUS_STATION: {
    vi: "Bến xe",
    en: "Bus station",
    words: list(
      "bến xe khách, nhà xe, xe khách, trạm xe khách, trạm trung chuyển, bus terminal, coach station",
    ),
  },
  BUS_STOP: {
    vi: "Trạm xe buýt",
    en: "Bus stop",
    words: list("xe buýt, trạm buýt, trạm xe bus, điểm dừng xe buýt, xe bus, bus, bus stops"),
  },
  TRAIN_STATION: {
    vi: "Ga xe lửa",
    en: "Train station",
    words: list("nhà ga, ga tàu, ga tàu hỏa, tàu hỏa, xe lửa, railway station, train, trains"),
  },
  METRO_STATION: {
    vi: "Ga metro",
    en: "Metro station",
    words: list(
      "metro, tàu điện ngầm, ga tàu điện, tàu điện, subway, subway station, underground station, tram stop",
    ),
  },
  AIRPORT: {
    vi: "Sân bay",
    en: "Airport",
    words: list("cảng hàng không, phi trường, airports, airport terminal, heliport, bãi đáp trực thăng"),
  },
  FERRY_TERMINAL: {
    vi: "Bến phà",
    en: "Ferry terminal",
    words: list("phà, bến đò, bến tàu, tàu cao tốc, bến du thuyền, ferry, pier, marina, boat station"),
  },
  PORT: {
    vi: "Cảng",
    en: "Port",
    words: list("cảng biển, bến cảng, cảng sông, harbour, harbor, seaport"),
  },
  TOLL_BOOTH: {
    vi: "Trạm thu phí",
    en: "Toll booth",
    words: list("thu phí, trạm bot, toll plaza, tollgate"),
  },
  REST_AREA: {
    vi: "Trạm dừng nghỉ",
    en: "Rest area",
    words: list("trạm dừng chân, trạm nghỉ, rest stop, service area"),
  },
} as const satisfies Readonly<Record<string, TypeEntry>>;
