import type { CountryCode, PhoneNumber } from "libphonenumber-js/max";
import { phoneNumbers } from "../large-libraries.ts";
import * as v from "valibot";
import { readTable } from "../../src/place/read-table.ts";
import prefixesTable from "./mobile-prefixes.json" with { type: "json" };
import type { CleanStep } from "./place-draft.ts";

/**
 * Separators of several numbers of one place. A slash may also separate the last digits of two ("3825
 * 1234/35").
 */
const LIST_SIGN = /[;,\n]|\s\/\s| (?:or|hoặc) /;

/**
 * A dash with spaces separates two numbers, or groups the digits of one. It separates only where the whole is
 * not a number.
 */
const LOOSE_LIST_SIGN = /\s[-–—]\s/;

/** Emergency numbers and four-digit hotlines, which a country's numbering plan leaves out. */
const SHORT_NUMBER = /^(?:1\d{2}|911|999|[1-9]\d{3})$/;

/**
 * Formats the first number of a place for international calls, `+84 28 5550 1204`. A number that cannot be
 * called from abroad (`1900 1234`) has its national form. A number without a country code belongs to the
 * place's country. An unassigned number of the right length stays as written, since numbering plans change. A
 * text that is not a phone number is dropped.
 */
export const cleanPhone: CleanStep = (draft, { note }) => {
  const { phone } = draft.contacts;
  if (phone === "") return draft;
  const country = toCountry(draft.location.country_code);
  const numbers = phone.split(LIST_SIGN).flatMap((text) => readNumbers(text, country));
  const known = numbers.filter((number) => number !== undefined);
  if (known.length < numbers.length) note("contacts.phone", "not a phone number, dropped");
  if (known.length > 1) note("contacts.phone", "more than one number, the first kept");
  return { ...draft, contacts: { ...draft.contacts, phone: known[0] ?? "" } };
};

/** The number in a text, or several that a dash separates; `undefined` in place of what is none. */
function readNumbers(text: string, country: CountryCode | undefined): (string | undefined)[] {
  const number = formatNumber(text.trim(), country);
  if (number !== undefined) return [number];
  const others = text.split(LOOSE_LIST_SIGN).filter((part) => part.trim() !== "");
  return others.map((part) => formatNumber(part.trim(), country));
}

const toCountry = (code: string): CountryCode | undefined =>
  phoneNumbers().isSupportedCountry(code) ? code : undefined;

/** A longer text is a sentence. Its digits may not be a phone number. */
const MAX_TEXT_LENGTH = 80;

function formatNumber(text: string, country: CountryCode | undefined): string | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  if (SHORT_NUMBER.test(text)) return text;
  const number = parse(text, country);
  if (number?.isValid()) return format(number);
  const current = number?.countryCallingCode === "84" ? renumber(number) : undefined;
  if (current?.isValid()) return format(current);
  return number?.isPossible() && LOOKS_WHOLE.test(text) ? text : undefined;
}

/** Only a number: digits with signs between them. */
const LOOKS_WHOLE = /^\+?[\d\s().-]{6,24}$/;

const parse = (text: string, country: CountryCode | undefined): PhoneNumber | undefined =>
  phoneNumbers().parsePhoneNumberFromString(text, country && { defaultCountry: country });

function renumber({ nationalNumber }: PhoneNumber): PhoneNumber | undefined {
  const current = currentVietnameseNumber(nationalNumber);
  return current === undefined ? undefined : parse(`+84${current}`, undefined);
}

/** Service numbers in Vietnam begin with 1 (1800, 1900) and have no international form. */
const format = (number: PhoneNumber): string =>
  number.countryCallingCode === "84" && number.nationalNumber.startsWith("1")
    ? number.formatNational()
    : number.formatInternational();

/** The form of `mobile-prefixes.json`: prefixes of eleven-digit mobile numbers and their replacements of autumn 2018, without the leading 0. */
export const mobilePrefixesSchema = v.record(
  v.pipe(v.string(), v.regex(/^1\d{2}$/, "an old prefix has three digits")),
  v.pipe(v.string(), v.regex(/^\d{2}$/, "a prefix has two digits")),
);

const MOBILE_PREFIXES = readTable("indexer/clean/mobile-prefixes.json", mobilePrefixesSchema, prefixesTable);

/** Until summer 2017 the area code was 4 for Ha Noi and 8 for Ho Chi Minh City. */
const OLD_AREA_CODE = /^[48]\d{8}$/;

const OLD_MOBILE = /^(1\d{2})(\d{7})$/;

/**
 * Converts a number of Vietnam's old plan to the current one, both without the leading 0; `undefined` when
 * it is no old number. Only for numbers that are invalid today, since an old landline number looks like a new
 * mobile one.
 */
function currentVietnameseNumber(nationalNumber: string): string | undefined {
  if (OLD_AREA_CODE.test(nationalNumber)) return `2${nationalNumber}`;
  const [, prefix = "", rest = ""] = OLD_MOBILE.exec(nationalNumber) ?? [];
  const current = MOBILE_PREFIXES[prefix];
  return current === undefined ? undefined : current + rest;
}

/** `highlandscoffee.com.vn/stores`: a host with at least one dot, whose last part is letters, and perhaps a path. */
const BARE_ADDRESS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * Keeps only web addresses. Callers turn them into links, where `javascript:` and similar schemes would run.
 */
export const cleanWebsite: CleanStep = (draft, { note }) => {
  const { website } = draft.contacts;
  if (website === "") return draft;
  const address = toWebAddress(website);
  if (address === undefined) note("contacts.website", "not a web address, dropped");
  return { ...draft, contacts: { ...draft.contacts, website: address ?? "" } };
};

function toWebAddress(text: string): string | undefined {
  const withScheme = BARE_ADDRESS.test(text) ? `https://${text}` : text;
  const url = URL.parse(withScheme);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  return /\s/.test(withScheme) ? url.href : withScheme;
}
