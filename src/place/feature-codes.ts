/* oxlint-disable max-lines -- a table of data: one line for each feature code */
import type { Language } from "./localized-texts.ts";
import type { Features } from "./place-document.ts";

/** The member of `features` a code is listed in. */
export type FeatureSection = keyof Features;

/** What is known of one feature code. */
export interface FeatureEntry {
  readonly section: FeatureSection;
  readonly vi: string;
  readonly en: string;
}

/** For each section its codes with their Vietnamese and English labels. */
const LABELS = {
  accessibility: {
    has_wheelchair_accessible_entrance: ["Lối vào cho xe lăn", "Wheelchair-accessible entrance"],
    has_wheelchair_accessible_parking: ["Chỗ đỗ xe cho người dùng xe lăn", "Wheelchair-accessible parking"],
    has_wheelchair_accessible_restroom: ["Nhà vệ sinh cho xe lăn", "Wheelchair-accessible restroom"],
    has_wheelchair_accessible_seating: ["Chỗ ngồi cho xe lăn", "Wheelchair-accessible seating"],
    has_wheelchair_accessible_elevator: ["Thang máy cho xe lăn", "Wheelchair-accessible elevator"],
    has_wheelchair_rental: ["Cho mượn xe lăn", "Wheelchair rental"],
    has_hearing_loop: ["Vòng trợ thính", "Hearing loop"],
    has_tactile_paving: ["Lối đi cho người khiếm thị", "Tactile paving"],
  },
  parking: {
    parking_availability: ["Có chỗ đỗ xe", "Parking"],
    has_parking_easy: ["Dễ tìm chỗ đỗ xe", "Plenty of parking"],
    has_parking_lot_free: ["Bãi đỗ xe miễn phí", "Free parking lot"],
    has_parking_lot_paid: ["Bãi đỗ xe có phí", "Paid parking lot"],
    has_parking_street_free: ["Đỗ xe miễn phí trên phố", "Free street parking"],
    has_parking_street_paid: ["Đỗ xe có phí trên phố", "Paid street parking"],
    has_parking_garage_free: ["Nhà xe miễn phí", "Free parking garage"],
    has_parking_garage_paid: ["Nhà xe có phí", "Paid parking garage"],
    has_parking_valet: ["Có người đỗ xe hộ", "Valet parking"],
    has_parking_onsite: ["Chỗ đỗ xe trong khuôn viên", "On-site parking"],
    has_parking_motorcycle: ["Chỗ để xe máy", "Motorcycle parking"],
    has_parking_bicycle: ["Chỗ để xe đạp", "Bicycle parking"],
    has_ev_charging: ["Trạm sạc xe điện", "EV charging"],
  },
  payments: {
    pay_cash: ["Tiền mặt", "Cash"],
    pay_credit_card: ["Thẻ tín dụng", "Credit cards"],
    pay_credit_card_types_accepted: ["Nhận các loại thẻ tín dụng", "Credit card brands"],
    pay_debit_card: ["Thẻ ghi nợ", "Debit cards"],
    pay_mobile_nfc: ["Thanh toán không chạm bằng điện thoại", "Mobile contactless payments"],
    pay_contactless: ["Thẻ không chạm", "Contactless cards"],
    pay_qr_code: ["Quét mã QR", "QR code payments"],
    pay_e_wallet: ["Ví điện tử", "E-wallets"],
    pay_bank_transfer: ["Chuyển khoản", "Bank transfer"],
    pay_check: ["Séc", "Checks"],
    pay_meal_voucher: ["Phiếu ăn", "Meal vouchers"],
    pay_cryptocurrency: ["Tiền mã hóa", "Cryptocurrency"],
  },
  service_options: {
    has_delivery: ["Giao hàng", "Delivery"],
    has_no_contact_delivery: ["Giao hàng không tiếp xúc", "No-contact delivery"],
    has_takeout: ["Mang đi", "Takeout"],
    has_curbside_pickup: ["Nhận hàng tại lề đường", "Curbside pickup"],
    has_in_store_pickup: ["Nhận hàng tại cửa hàng", "In-store pickup"],
    has_in_store_shopping: ["Mua sắm tại cửa hàng", "In-store shopping"],
    has_drive_through: ["Mua không cần xuống xe", "Drive-through"],
    has_seating_outdoors: ["Chỗ ngồi ngoài trời", "Outdoor seating"],
    has_same_day_delivery: ["Giao trong ngày", "Same-day delivery"],
    has_online_appointments: ["Hẹn gặp trực tuyến", "Online appointments"],
    has_online_classes: ["Lớp học trực tuyến", "Online classes"],
    has_home_service: ["Phục vụ tại nhà", "Home service"],
    has_self_service: ["Tự phục vụ", "Self-service"],
    has_table_service: ["Phục vụ tại bàn", "Table service"],
    has_counter_service: ["Phục vụ tại quầy", "Counter service"],
  },
  other: {
    // These three are listed among the other features by the contract.
    serves_dine_in: ["Ăn tại chỗ", "Dine-in"],
    has_onsite_services: ["Dịch vụ tại chỗ", "On-site services"],
    requires_cash_only: ["Chỉ nhận tiền mặt", "Cash only"],
    accepts_reservations: ["Nhận đặt chỗ", "Accepts reservations"],
    requires_reservations: ["Phải đặt chỗ trước", "Reservations required"],
    requires_appointment: ["Phải hẹn trước", "Appointment required"],
    accepts_walk_ins: ["Không cần hẹn trước", "Walk-ins welcome"],
    serves_breakfast: ["Bữa sáng", "Breakfast"],
    serves_brunch: ["Bữa nửa buổi", "Brunch"],
    serves_lunch: ["Bữa trưa", "Lunch"],
    serves_dinner: ["Bữa tối", "Dinner"],
    serves_late_night_food: ["Đồ ăn khuya", "Late-night food"],
    serves_small_plates: ["Món ăn nhẹ", "Small plates"],
    serves_happy_hour_drinks: ["Đồ uống giờ vàng", "Happy hour drinks"],
    serves_happy_hour_food: ["Món ăn giờ vàng", "Happy hour food"],
    serves_vegetarian: ["Món chay", "Vegetarian options"],
    serves_vegan: ["Món thuần chay", "Vegan options"],
    serves_halal: ["Món halal", "Halal food"],
    serves_kosher: ["Món kosher", "Kosher food"],
    serves_gluten_free: ["Món không gluten", "Gluten-free options"],
    serves_organic: ["Món hữu cơ", "Organic dishes"],
    serves_healthy: ["Món ăn lành mạnh", "Healthy options"],
    serves_coffee: ["Cà phê", "Coffee"],
    serves_coffee_notable: ["Cà phê ngon", "Great coffee"],
    serves_tea: ["Trà", "Tea"],
    serves_tea_notable: ["Trà ngon", "Great tea"],
    serves_dessert: ["Món tráng miệng", "Dessert"],
    serves_dessert_notable: ["Món tráng miệng ngon", "Great dessert"],
    serves_alcohol: ["Đồ uống có cồn", "Alcohol"],
    serves_beer: ["Bia", "Beer"],
    serves_beer_notable: ["Nhiều loại bia ngon", "Great beer selection"],
    serves_wine: ["Rượu vang", "Wine"],
    serves_wine_notable: ["Nhiều loại rượu vang ngon", "Great wine list"],
    serves_liquor: ["Rượu mạnh", "Spirits"],
    serves_cocktails: ["Cocktail", "Cocktails"],
    serves_cocktails_notable: ["Cocktail ngon", "Great cocktails"],
    serves_salad_bar: ["Quầy salad", "Salad bar"],
    quick_bite: ["Ăn nhanh", "Quick bite"],
    has_catering: ["Phục vụ tiệc", "Catering"],
    has_seating: ["Chỗ ngồi", "Seating"],
    has_seating_rooftop: ["Chỗ ngồi trên sân thượng", "Rooftop seating"],
    has_private_dining_room: ["Phòng ăn riêng", "Private dining room"],
    has_bar_onsite: ["Quầy bar", "Bar on site"],
    has_restroom: ["Nhà vệ sinh", "Restroom"],
    has_restroom_unisex: ["Nhà vệ sinh chung", "Gender-neutral restroom"],
    has_restroom_public: ["Nhà vệ sinh công cộng", "Public restroom"],
    has_changing_table: ["Bàn thay tã", "Changing table"],
    has_wi_fi: ["Wi-Fi", "Wi-Fi"],
    wi_fi: ["Wi-Fi", "Wi-Fi"],
    has_free_wifi: ["Wi-Fi miễn phí", "Free Wi-Fi"],
    has_paid_wifi: ["Wi-Fi có phí", "Paid Wi-Fi"],
    has_air_conditioning: ["Máy lạnh", "Air conditioning"],
    has_power_outlets: ["Ổ cắm điện", "Power outlets"],
    has_elevator: ["Thang máy", "Elevator"],
    has_atm_onsite: ["Có máy ATM", "ATM on site"],
    has_fireplace: ["Lò sưởi", "Fireplace"],
    has_live_music: ["Nhạc sống", "Live music"],
    has_live_performances: ["Biểu diễn trực tiếp", "Live performances"],
    has_karaoke: ["Karaoke", "Karaoke"],
    has_sports_screen: ["Chiếu thể thao", "Sports on screen"],
    has_pool: ["Hồ bơi", "Swimming pool"],
    has_gym: ["Phòng gym", "Gym"],
    has_spa: ["Spa", "Spa"],
    has_sauna: ["Phòng xông hơi", "Sauna"],
    has_shower: ["Phòng tắm vòi sen", "Showers"],
    has_playground: ["Sân chơi trẻ em", "Playground"],
    has_high_chairs: ["Ghế trẻ em", "High chairs"],
    has_childrens_menu: ["Thực đơn trẻ em", "Children's menu"],
    has_smoking_area: ["Khu vực hút thuốc", "Smoking area"],
    smoke_free: ["Không hút thuốc", "No smoking"],
    feels_cozy: ["Ấm cúng", "Cozy"],
    feels_casual: ["Thoải mái", "Casual"],
    feels_contemporary: ["Hiện đại", "Contemporary"],
    feels_historic: ["Cổ kính", "Historic"],
    feels_romantic: ["Lãng mạn", "Romantic"],
    feels_quiet: ["Yên tĩnh", "Quiet"],
    feels_upscale: ["Sang trọng", "Upscale"],
    feels_trendy: ["Hợp thời", "Trendy"],
    popular_with_tourists: ["Được khách du lịch ưa thích", "Popular with tourists"],
    popular_with_students: ["Được sinh viên ưa thích", "Popular with students"],
    popular_for_breakfast: ["Đông khách buổi sáng", "Popular for breakfast"],
    popular_for_lunch: ["Đông khách buổi trưa", "Popular for lunch"],
    popular_for_dinner: ["Đông khách buổi tối", "Popular for dinner"],
    suitable_for_groups: ["Hợp cho nhóm", "Good for groups"],
    suitable_for_solo_dining: ["Hợp khi đi một mình", "Good for solo dining"],
    suitable_for_watching_sports: ["Hợp để xem thể thao", "Good for watching sports"],
    suitable_for_working_on_laptop: ["Hợp để làm việc với máy tính", "Good for working on a laptop"],
    suitable_for_birthdays: ["Hợp cho tiệc sinh nhật", "Good for birthdays"],
    welcomes_children: ["Hợp cho trẻ em", "Good for children"],
    welcomes_families: ["Hợp cho gia đình", "Family-friendly"],
    welcomes_lgbtq: ["Thân thiện với LGBTQ+", "LGBTQ+ friendly"],
    welcomes_dogs: ["Cho mang chó", "Dogs allowed"],
    allows_dogs_inside: ["Cho mang chó vào trong", "Dogs allowed inside"],
    allows_dogs_outside: ["Cho mang chó bên ngoài", "Dogs allowed outside"],
    open_around_the_clock: ["Mở cả ngày đêm", "Open around the clock"],
  },
} as const satisfies Record<FeatureSection, Record<string, readonly [vi: string, en: string]>>;

/** The feature codes we know. Records may bring others: they are kept as they are. */
export const FEATURE_CODES: ReadonlyMap<string, FeatureEntry> = new Map(
  (Object.keys(LABELS) as FeatureSection[]).flatMap((section) =>
    Object.entries<readonly [string, string]>(LABELS[section]).map(([code, [vi, en]]) => [
      code,
      { section, vi, en },
    ]),
  ),
);

/** The member of `features` that lists a code; an unknown code belongs to `other`. */
export function featureSection(code: string): FeatureSection {
  return FEATURE_CODES.get(code)?.section ?? "other";
}

/** The name of a feature for a person; an unknown code is its own label. */
export function featureLabel(code: string, language: Language): string {
  return FEATURE_CODES.get(code)?.[language] ?? code;
}

/** Five lists of their own, to be filled. */
export function emptyFeatures(): Features {
  return { accessibility: [], parking: [], payments: [], service_options: [], other: [] };
}
