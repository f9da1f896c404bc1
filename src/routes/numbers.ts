import * as v from "valibot";
import { published, type Description } from "./published.ts";

/** One plain number with a decimal point or, as in our own links, a comma. No exponent, no plus sign, no spaces. */
const DECIMAL_NUMBER = /^-?\d{1,3}(?:[.,]\d+)?$/;

/** A number such as `10.8` or `10,8`. */
export const decimal = (minimum: number, maximum: number, description: Description) => {
  const message = `must be a number from ${minimum} to ${maximum}`;
  return v.pipe(
    v.string(),
    published({ type: "number", minimum, maximum, ...description }),
    v.regex(DECIMAL_NUMBER, message),
    v.transform((text) => Number(text.replace(",", "."))),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  );
};

/** Digits only: a comma or a point could mean thousands as well as a fraction. */
export const wholeNumber = (minimum: number, maximum: number, description: Description) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return v.pipe(
    v.string(),
    published({ type: "integer", minimum, maximum, ...description }),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  );
};
