import { emptyFeatures, featureSection } from "../../../src/place/feature-codes.ts";
import type { Features } from "../../../src/place/place-document.ts";
import type { CellForm } from "./csv-columns.ts";

/**
 * A cell as the member of a native record it stands for. What is not of its form stays the text it is, so that the record's
 * own reading tells of it.
 */
export function readCell(form: CellForm, text: string): unknown {
  return READERS[form](text);
}

const READERS: Readonly<Record<CellForm, (text: string) => unknown>> = {
  text: (text) => text,
  day: (text) => text,
  number: readDecimal,
  whole: (text) => (THOUSANDS.test(text) ? Number(text.replaceAll(/[.,\s]/g, "")) : readDecimal(text)),
  list: splitList,
  features: (text) => sortFeatures(splitList(text)),
  hours: (text) => (text.startsWith("[") ? readJson(text) : text),
  json: readJson,
};

/** `50.000`, `1,250,000` and `1 250 000` have no decimals: so prices and counts are written where these are thousands. */
const THOUSANDS = /^\d{1,3}(?:([.,\s])\d{3})(?:\1\d{3})*$/;

/** A comma is the decimal sign of the spreadsheets of half the world, Viet Nam's among them. */
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

function readDecimal(text: string): number | string {
  const number = Number(DECIMAL_COMMA.test(text) ? text.replace(",", ".") : text);
  return Number.isFinite(number) ? number : text;
}

function splitList(text: string): string[] {
  return text
    .split("|")
    .map((element) => element.trim())
    .filter((element) => element !== "");
}

function sortFeatures(codes: readonly string[]): Features {
  const features = emptyFeatures();
  for (const code of codes) features[featureSection(code)].push(code);
  return features;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
