import type { CleanStep } from "./place-draft.ts";
import { fold, words } from "../../src/place/text/fold.ts";
import { memoize } from "../../src/place/text/memoize.ts";

/** Longer than any address. A longer text belongs to another column and is not split. */
const MAX_ADDRESS_LENGTH = 500;

/** Fills in street, ward and city of places in Vietnam from the one-line address. */
export const splitAddress: CleanStep = (draft) => {
  const { address, country_code: country } = draft.location;
  const isWhole = address.street !== "" && address.ward !== "" && address.city !== "";
  if (country !== "VN" || isWhole || address.full === "" || address.full.length > MAX_ADDRESS_LENGTH)
    return draft;
  const { street = "", ward = "", city = "" } = parseVietnameseAddress(address.full);
  const parts = { street: address.street || street, ward: address.ward || ward, city: address.city || city };
  return { ...draft, location: { ...draft.location, address: { ...address, ...parts } } };
};

/**
 * Adds missing parts to the one-line address, since it is searched and shown. A country alone is no address.
 */
export const completeAddress: CleanStep = (draft) => {
  const { address } = draft.location;
  if (address.full.length > MAX_ADDRESS_LENGTH) return draft;
  const full = includeParts(address.full, address);
  return full === address.full
    ? draft
    : { ...draft, location: { ...draft.location, address: { ...address, full } } };
};

/** The parts of an address in the Vietnamese order, the narrow before the wide. */
export interface AddressParts {
  readonly street?: string;
  readonly ward?: string;
  /** Vietnam has no districts since July 2025, but people still search for them. */
  readonly district?: string;
  readonly city?: string;
}

/** Words for levels of areas, full and short, folded. A name is the same with and without them. */
const KIND_WORDS: ReadonlySet<string> = new Set(
  "tp tinh quan q huyen h thi xa tx phuong p xa tran tt ward district commune city province".split(" "),
);

/** Abbreviations that may stand before a number instead of one word. */
const SHORT_KINDS: Readonly<Record<string, readonly string[]>> = {
  phuong: ["phuong", "p", "ward"],
  p: ["phuong", "p", "ward"],
  ward: ["phuong", "p", "ward"],
  quan: ["quan", "q", "district", "d"],
  q: ["quan", "q", "district", "d"],
  district: ["quan", "q", "district", "d"],
};

/**
 * Adds missing parts to the one-line address, since it is what is searched. The street goes first, ward and
 * district before the city, and the city last. For an empty text, the result is the parts alone.
 */
export function includeParts(
  full: string,
  { street = "", ward = "", district = "", city = "" }: AddressParts,
): string {
  if (full.trim() === "")
    return [...new Set([street, ward, district, city])].filter((part) => part !== "").join(", ");
  const isVerbatim = (part: string): boolean => part === "" || hasVerbatim(full, part);
  if (isVerbatim(street) && isVerbatim(ward) && isVerbatim(district) && isVerbatim(city)) return full;
  const parts = full.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const given = new Set(parts);
  // In the text or in one part that was added, not in several of them together, between which another may be added yet.
  const isMissing = (part: string): boolean =>
    part !== "" && !hasPart(full, part) && !parts.some((one) => !given.has(one) && hasPart(one, part));
  if (isMissing(street)) parts.unshift(street);
  if (isMissing(city)) parts.splice(endOf(parts), 0, city);
  if (isMissing(ward)) parts.splice(cityIndex(parts, city), 0, ward);
  if (isMissing(district)) parts.splice(cityIndex(parts, city), 0, district);
  return parts.join(", ");
}

const WORD = /[\p{L}\p{N}]/u;

/**
 * Most addresses contain their parts verbatim and need no closer look. "Quận 1" does not count as found in
 * "Quận 12".
 */
function hasVerbatim(full: string, part: string): boolean {
  const start = full.indexOf(part);
  return start !== -1 && !WORD.test(full[start - 1] ?? "") && !WORD.test(full[start + part.length] ?? "");
}

const FOLDED_COUNTRY = /^(?:viet ?nam|vn)$/;

/** The position before the country, which ends an address. */
const endOf = (parts: readonly string[]): number =>
  FOLDED_COUNTRY.test(fold(parts.at(-1) ?? "")) ? parts.length - 1 : parts.length;

/** The position where the city begins, by any of its names: "TP.HCM, Thành phố Hồ Chí Minh". */
function cityIndex(parts: readonly string[], city: string): number {
  const isCity = (part: string): boolean => (city !== "" && hasPart(part, city)) || isProvince(part);
  const last = parts.findLastIndex(isCity);
  if (last === -1) return endOf(parts);
  return last > 0 && isProvince(parts[last - 1] ?? "") ? last - 1 : last;
}

/** Chinese, Japanese, Thai and other scripts do not separate words by spaces. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u;

/** "Thành phố Huế" is a city, "Phố Huế" a street. */
const CITY_KIND = /^thanh pho /;

/** A part of an address, ready to be looked for in texts. */
export interface PartWords {
  readonly isOtherScript: boolean;
  readonly folded: string;
  /** Without the word for the level, where there is another. */
  readonly words: readonly string[];
  /** "Quận 1": the words for its level, one of which has to stand before the number. */
  readonly numbered?: { readonly kinds: readonly string[]; readonly number: number };
}

/** Memoized, since wards and cities repeat. */
export const readPart = memoize((part): PartWords => {
  const folded = fold(part);
  const all = words(folded.replace(CITY_KIND, ""));
  const name = all.filter((word) => !KIND_WORDS.has(word));
  const [kind = "", number = ""] = all;
  const isNumbered = all.length === 2 && name.length === 1 && /^\d{1,2}$/.test(number);
  return {
    isOtherScript: OTHER_SCRIPT.test(part),
    folded,
    words: name.length === 0 ? all : name,
    ...(isNumbered && { numbered: { kinds: SHORT_KINDS[kind] ?? [kind], number: Number(number) } }),
  };
});

/** The words of a text in which parts are looked for. */
export interface TextWords {
  readonly folded: string;
  readonly words: readonly string[];
}

/** Memoized: called with the same text for each part, and again for the areas that it may name. */
export const readText = memoize((text): TextWords => {
  const folded = fold(text);
  return { folded, words: words(folded) };
});

/**
 * True when the text contains the words of the name, with or without the word for the level. A number needs
 * that word.
 */
export const hasPart = (text: string, part: string): boolean => hasPartWords(readText(text), readPart(part));

/** The same for a text and a part that were read before. */
export function hasPartWords(text: TextWords, part: PartWords): boolean {
  if (part.isOtherScript) return text.folded.includes(part.folded);
  if (part.numbered) return hasNumbered(text.words, part.numbered);
  for (const word of part.words) if (!text.words.includes(word)) return false;
  return true;
}

/** "Quận 1", "Q.1", "Q1", "District 1"; leading zeros aside. */
function hasNumbered(
  ofText: readonly string[],
  { kinds, number }: NonNullable<PartWords["numbered"]>,
): boolean {
  return ofText.some((word, index) => {
    const isKind = kinds.includes(word) && /^\d+$/.test(ofText[index + 1] ?? "");
    if (isKind) return Number(ofText[index + 1]) === number;
    return kinds.some((short) => word === `${short}${number}` || word === `${short}0${number}`);
  });
}

/**
 * The provinces and cities of Vietnam before and after July 2025, since an address may be older than the
 * reform.
 */
const NAMES = [
  "An Giang, Bà Rịa - Vũng Tàu, Bạc Liêu, Bắc Giang, Bắc Kạn, Bắc Ninh, Bến Tre, Bình Dương, Bình Định, Bình Phước",
  "Bình Thuận, Cà Mau, Cao Bằng, Cần Thơ, Đà Nẵng, Đắk Lắk, Đắk Nông, Điện Biên, Đồng Nai, Đồng Tháp, Gia Lai",
  "Hà Giang, Hà Nam, Hà Nội, Hà Tĩnh, Hải Dương, Hải Phòng, Hậu Giang, Hòa Bình, Hồ Chí Minh, Hưng Yên, Khánh Hòa",
  "Kiên Giang, Kon Tum, Lai Châu, Lạng Sơn, Lào Cai, Lâm Đồng, Long An, Nam Định, Nghệ An, Ninh Bình, Ninh Thuận",
  "Phú Thọ, Phú Yên, Quảng Bình, Quảng Nam, Quảng Ngãi, Quảng Ninh, Quảng Trị, Sóc Trăng, Sơn La, Tây Ninh",
  "Thái Bình, Thái Nguyên, Thanh Hóa, Thừa Thiên Huế, Tiền Giang, Trà Vinh, Tuyên Quang, Vĩnh Long, Vĩnh Phúc, Yên Bái",
  // Other names of the same provinces.
  "Huế, Sài Gòn, Hồ Chí Minh City, HCM, TPHCM, HCMC, TP HCM, Ha Noi City, HN, Bà Rịa Vũng Tàu, Vũng Tàu, Daklak, Đắc Lắc",
];

const PROVINCES: ReadonlySet<string> = new Set(NAMES.flatMap((names) => names.split(", ").map(fold)));

const KIND = /^(?:thanh pho|tinh|tp|t) /;

/** True for the name of a province or a city of that rank, with or without the word for the level. */
export const isProvince = memoize((name: string): boolean => {
  const folded = fold(name);
  return (
    PROVINCES.has(folded) ||
    PROVINCES.has(folded.replace(KIND, "")) ||
    PROVINCES.has(folded.replace(/ (?:city|province)$/, ""))
  );
});

const COUNTRY = /^(?:vi[eệ]t ?nam|vn)$/iu;

/** Postal codes have five digits, six until 2018. They follow the province or stand alone. */
const POSTAL_CODE = /(?:^|\s)\d{5,6}$/;

const ONLY_POSTAL_CODE = /^\d{5,6}$/;

/** Plus codes stand before the first part: `QPG2+Q9 Bến Nghé`. */
const PLUS_CODE = /^[2-9CFGHJMPQRVWX]{2,8}\+[2-9CFGHJMPQRVWX]{2,3}(?:\s+|$)/;

const WARD =
  /^(?:phường|xã|thị trấn|đặc khu|ward)\s|^p\.\s?\S|^p ?\d{1,2}$|^(?:x|tt)\.\s?\S|\s(?:ward|commune)$/iu;

const DISTRICT = /^(?:quận|huyện|thị xã|district)\s|^q\.\s?\S|^q ?\d{1,2}$|^(?:h|tx)\.\s?\S|\sdistrict$/iu;

const CITY = /^(?:thành phố|tỉnh)\s|^(?:tp|t)\.\s?\S|^tp\s|\s(?:city|province)$/iu;

const STREET =
  /^(?:\d|lô |số |đường |phố |ngõ |ngách |hẻm |kiệt |đại lộ |quốc lộ |tỉnh lộ |ql\.? ?\d|đl\.? ?\d)/iu;

/** A house number that a comma separates from its street. */
const HOUSE_NUMBER = /^(?:số )?\d[\d/\-–]*[a-zđ]?$/iu;

/**
 * Parses street, ward, district and city from a one-line address in Vietnam, the narrow before the wide: `12
 * Lê Lợi, Phường Bến Nghé, Quận 1, Hồ Chí Minh 700000, Việt Nam`. The last part is the city or province if it
 * is a known one. A part without a level between street and district is the ward. Parts that are not certain
 * are left out.
 */
export function parseVietnameseAddress(full: string): AddressParts {
  const parts = splitAtCommas(full);
  const last = parts.at(-1) ?? "";
  const hasCity = isProvince(last) && (parts.length > 1 || CITY.test(last));
  const inner = hasCity ? parts.slice(0, -1) : parts;
  const isTown = (part: string, index: number): boolean => index > 0 && CITY.test(part);
  const districtIndex = inner.findIndex((part, index) => DISTRICT.test(part) || isTown(part, index));
  const streetIndex = inner.findIndex(
    (part) => STREET.test(part) && !WARD.test(part) && !DISTRICT.test(part),
  );
  const wardIndex = findWard(inner, streetIndex, districtIndex);
  const at = (index: number): string => inner[index] ?? "";
  return {
    street: streetOf(inner, streetIndex),
    ward: at(wardIndex),
    district: at(districtIndex),
    city: hasCity ? last : "",
  };
}

function splitAtCommas(full: string): string[] {
  const parts = full
    .normalize("NFC")
    .split(",")
    .map((part) => part.trim());
  const named = parts.map((part, index) => (index === 0 ? part.replace(PLUS_CODE, "") : part));
  return named
    .filter((part) => !COUNTRY.test(part))
    .map((part, index) =>
      index === 0 && !ONLY_POSTAL_CODE.test(part) ? part : part.replace(POSTAL_CODE, "").trim(),
    )
    .filter((part) => part !== "");
}

function findWard(parts: readonly string[], streetIndex: number, districtIndex: number): number {
  const named = parts.findIndex((part) => WARD.test(part));
  if (named !== -1) return named;
  const before = districtIndex - 1;
  const isBetween = streetIndex !== -1 && before > streetIndex && !/\d/.test(parts[before] ?? "");
  return isBetween && before === streetIndex + 1 && !HOUSE_NUMBER.test(parts[streetIndex] ?? "")
    ? before
    : -1;
}

function streetOf(parts: readonly string[], index: number): string {
  const street = parts[index] ?? "";
  const next = parts[index + 1] ?? "";
  const isParted = HOUSE_NUMBER.test(street) && next !== "" && !WARD.test(next) && !DISTRICT.test(next);
  return isParted ? `${street} ${next}` : street;
}
