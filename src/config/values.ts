import * as v from "valibot";

/* The forms that values have as text. */

/** Digits only, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );

/** `0.25` */
export const ratio = v.pipe(
  v.string(),
  v.regex(/^\d(?:\.\d{1,9})?$/, "must be a number from 0 to 1"),
  v.transform(Number),
  v.maxValue(1, "must be a number from 0 to 1"),
);

/** Without the slashes at its end. */
export const url = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    ),
    v.transform((value) => value.replace(/\/+$/, "")),
  );

/** Parts without the white space around them; empty ones are left out. */
export const commaList = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
);

/** Scheme, host and port alone; a `*` would be another rule to whoever reads it. */
const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text && !text.includes("*");

const ORIGINS = "must be origins such as https://app.example, separated by commas";

export const origins = v.pipe(commaList, v.everyItem(isOrigin, ORIGINS));

/** Or one `*`, for all of them. */
export const originsOrAll = v.pipe(
  commaList,
  v.check(
    (texts) => texts.every(isOrigin) || (texts.length === 1 && texts[0] === "*"),
    `${ORIGINS}, or one *`,
  ),
);

/** Addresses of map tiles, as Leaflet reads them. */
export const tileTemplate = v.pipe(
  v.string(),
  v.regex(
    /^https?:\/\/[\w.:{}-]+\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})[^\s;,]*$/,
    "must be a URL with the placeholders {z}, {x} and {y}",
  ),
);
