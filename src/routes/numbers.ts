import * as v from "valibot";

/** One plain number with a decimal point or, as in our own links, a comma. No exponent, no plus sign, no spaces. */
const DECIMAL_NUMBER = /^-?\d{1,3}(?:[.,]\d+)?$/;

/** A number such as `10.8` or `10,8`. */
export const decimal = (min: number, max: number) => {
  const message = `must be a number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(DECIMAL_NUMBER, message),
    v.transform((text) => Number(text.replace(",", "."))),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
};

/** Digits only: a comma or a point could mean thousands as well as a fraction. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
};
