import type { ReadValue } from "../native/members.ts";

/** A number, or a text that is one, as all values of a CSV are. */
export const asLooseNumber: ReadValue<number> = (value) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** A whole number from 0 on, also written with its thousands parted: "1,204". */
export const asLooseCount: ReadValue<number> = (value) => {
  const text = typeof value === "string" ? value.trim().replaceAll(/[.,](?=\d{3}(?!\d))/g, "") : value;
  const number = asLooseNumber(text);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

/** A text, or a number that stands for one: ids are written both ways. Numbers too large to be exact are none. */
export const asLooseText: ReadValue<string> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value)
    ? String(value)
    : typeof value === "string"
      ? value
      : undefined;

/** True and the words for it, for flags that CSV exports write as text. */
export const isTrue = (value: unknown): boolean => value === true || value === "true" || value === 1;
