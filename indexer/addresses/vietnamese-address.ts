import { isProvince } from "./provinces.ts";
import type { AddressParts } from "./include-parts.ts";

const COUNTRY = /^(?:vi[eệ]t ?nam|vn)$/iu;

/** Postal codes have five digits, until 2018 six, and stand behind the province or alone. */
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

/** A house number that a comma parts from its street. */
const HOUSE_NUMBER = /^(?:số )?\d[\d/\-–]*[a-zđ]?$/iu;

/**
 * Street, ward, district and city of a one-line address of Viet Nam, the narrow before the wide, as far as it says what they
 * are: `12 Lê Lợi, Phường Bến Nghé, Quận 1, Hồ Chí Minh 700000, Việt Nam`. The last part is the city or province where it is
 * one; a nameless part between street and district is the ward. What is not told for sure is left out.
 */
export function parseVietnameseAddress(full: string): AddressParts {
  const parts = splitAddress(full);
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

function splitAddress(full: string): string[] {
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
