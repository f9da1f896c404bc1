import { fold } from "../../src/text/fold.ts";

/** The provinces and cities of Viet Nam before and after July 2025: an address may be older than the reform. */
const NAMES = [
  "An Giang, Bà Rịa - Vũng Tàu, Bạc Liêu, Bắc Giang, Bắc Kạn, Bắc Ninh, Bến Tre, Bình Dương, Bình Định, Bình Phước",
  "Bình Thuận, Cà Mau, Cao Bằng, Cần Thơ, Đà Nẵng, Đắk Lắk, Đắk Nông, Điện Biên, Đồng Nai, Đồng Tháp, Gia Lai",
  "Hà Giang, Hà Nam, Hà Nội, Hà Tĩnh, Hải Dương, Hải Phòng, Hậu Giang, Hòa Bình, Hồ Chí Minh, Hưng Yên, Khánh Hòa",
  "Kiên Giang, Kon Tum, Lai Châu, Lạng Sơn, Lào Cai, Lâm Đồng, Long An, Nam Định, Nghệ An, Ninh Bình, Ninh Thuận",
  "Phú Thọ, Phú Yên, Quảng Bình, Quảng Nam, Quảng Ngãi, Quảng Ninh, Quảng Trị, Sóc Trăng, Sơn La, Tây Ninh",
  "Thái Bình, Thái Nguyên, Thanh Hóa, Thừa Thiên Huế, Tiền Giang, Trà Vinh, Tuyên Quang, Vĩnh Long, Vĩnh Phúc, Yên Bái",
  // The same by other names.
  "Huế, Sài Gòn, Hồ Chí Minh City, HCM, TPHCM, HCMC, TP HCM, Ha Noi City, HN, Bà Rịa Vũng Tàu, Vũng Tàu, Daklak, Đắc Lắc",
];

const PROVINCES: ReadonlySet<string> = new Set(NAMES.flatMap((names) => names.split(", ").map(fold)));

const KIND = /^(?:thanh pho|tinh|tp|t) /;

/** True for the name of a province or of a city of that rank, with its kind or without. */
export function isProvince(name: string): boolean {
  const folded = fold(name);
  return (
    PROVINCES.has(folded) ||
    PROVINCES.has(folded.replace(KIND, "")) ||
    PROVINCES.has(folded.replace(/ (?:city|province)$/, ""))
  );
}
