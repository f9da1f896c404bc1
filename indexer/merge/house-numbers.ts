/** As much of a street as a house number takes. */
const MAX_LETTERS = 40;

/** `12`, `Số 12A`, `12/3 Ngõ 5`, `12-14`: at the beginning of a street. */
const HOUSE_NUMBER = /^(?:số nhà|số|nhà|sn|no\.?)?\s*(\d{1,5}[a-z]?(?:[/-]\d{1,5}[a-z]?){0,4})(?![\p{L}\d])/u;

/** Streets that are called after a date begin with a number as well: `3 Tháng 2`, `30/4`. */
const DATE = /^\d{1,2}\s*(?:tháng|thang)\s/u;

/** The house numbers that an address names, two of `12-14`; none when it names no house. */
export function houseNumbersOf(street: string): string[] {
  const text = street.normalize("NFC").toLowerCase().slice(0, MAX_LETTERS).trim();
  if (DATE.test(text)) return [];
  return HOUSE_NUMBER.exec(text)?.[1]?.split("-") ?? [];
}

/** Two houses, when both addresses name one. */
export const areOtherHouses = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((number) => other.includes(number));
