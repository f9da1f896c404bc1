import { fold, words } from "../../src/text/fold.ts";
import { remembered } from "../../src/text/remembered.ts";
import { isProvince } from "./provinces.ts";

/** The parts of an address in the Vietnamese order, the narrow before the wide. */
export interface AddressParts {
  readonly street?: string;
  readonly ward?: string;
  /** Viet Nam has none since July 2025, but people go on looking for them. */
  readonly district?: string;
  readonly city?: string;
}

/** What kinds of places are called, full and short, folded: a name is the same with them and without. */
const KIND_WORDS: ReadonlySet<string> = new Set(
  "tp tinh quan q huyen h thi xa tx phuong p xa tran tt ward district commune city province".split(" "),
);

/** What may stand before a number in place of one word. */
const SHORT_KINDS: Readonly<Record<string, readonly string[]>> = {
  phuong: ["phuong", "p", "ward"],
  p: ["phuong", "p", "ward"],
  ward: ["phuong", "p", "ward"],
  quan: ["quan", "q", "district", "d"],
  q: ["quan", "q", "district", "d"],
  district: ["quan", "q", "district", "d"],
};

/**
 * The one-line address with all parts in it, since it is what is searched: those whose words it lacks are put where they
 * belong, the street first, ward and district before the city, the city last. An empty text becomes the parts alone.
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
  const isMissing = (part: string): boolean => part !== "" && !hasPart(parts.join(", "), part);
  if (isMissing(street)) parts.unshift(street);
  if (isMissing(city)) parts.splice(endOf(parts), 0, city);
  if (isMissing(ward)) parts.splice(cityIndex(parts, city), 0, ward);
  if (isMissing(district)) parts.splice(cityIndex(parts, city), 0, district);
  return parts.join(", ");
}

const WORD = /[\p{L}\p{N}]/u;

/** Most addresses have their parts as they are, and need no closer look: "Quận 1" is none of "Quận 12". */
function hasVerbatim(full: string, part: string): boolean {
  const start = full.indexOf(part);
  return start !== -1 && !WORD.test(full[start - 1] ?? "") && !WORD.test(full[start + part.length] ?? "");
}

const COUNTRY = /^(?:viet ?nam|vn)$/;

/** Before the country, which ends an address. */
const endOf = (parts: readonly string[]): number =>
  COUNTRY.test(fold(parts.at(-1) ?? "")) ? parts.length - 1 : parts.length;

/** Where the city begins, by its own name or another one: "TP.HCM, Thành phố Hồ Chí Minh". */
function cityIndex(parts: readonly string[], city: string): number {
  const isCity = (part: string): boolean => (city !== "" && hasPart(part, city)) || isProvince(part);
  const last = parts.findLastIndex(isCity);
  if (last === -1) return endOf(parts);
  return last > 0 && isProvince(parts[last - 1] ?? "") ? last - 1 : last;
}

/** Chinese, Japanese, Thai and the like part no words by spaces. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u;

/** "Thành phố Huế" is a city, "Phố Huế" a street. */
const CITY_KIND = /^thanh pho /;

interface PartWords {
  readonly isOtherScript: boolean;
  readonly folded: string;
  readonly all: readonly string[];
  /** Without the kind of place. */
  readonly name: readonly string[];
}

/** Wards and cities repeat. */
const partWordsOf = remembered((part): PartWords => {
  const folded = fold(part);
  const all = words(folded.replace(CITY_KIND, ""));
  const name = all.filter((word) => !KIND_WORDS.has(word));
  return { isOtherScript: OTHER_SCRIPT.test(part), folded, all, name };
});

/** Asked of one text for each part. */
const foldedText = remembered(fold);

/** True when the text has the name's words, whether or not it says what kind of place it is. A number needs its kind. */
function hasPart(text: string, part: string): boolean {
  const { isOtherScript, folded, all, name } = partWordsOf(part);
  if (isOtherScript) return foldedText(text).includes(folded);
  const ofText = words(foldedText(text));
  const [kind = "", number = ""] = all;
  if (all.length === 2 && name.length === 1 && /^\d{1,2}$/.test(number))
    return hasNumbered(ofText, kind, Number(number));
  return (name.length === 0 ? all : name).every((word) => ofText.includes(word));
}

/** "Quận 1", "Q.1", "Q1", "District 1"; leading zeros aside. */
function hasNumbered(ofText: readonly string[], kind: string, number: number): boolean {
  const kinds = SHORT_KINDS[kind] ?? [kind];
  return ofText.some((word, index) => {
    const isKind = kinds.includes(word) && /^\d+$/.test(ofText[index + 1] ?? "");
    if (isKind) return Number(ofText[index + 1]) === number;
    return kinds.some((short) => word === `${short}${number}` || word === `${short}0${number}`);
  });
}
