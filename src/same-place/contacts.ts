import { shortHash } from "../place/text/short-hash.ts";

/** Shorter numbers are emergency numbers and extensions. */
const MIN_DIGITS = 8;

/** The national part of most numbers, which is the same with and without a country code. */
const KEPT_DIGITS = 9;

/** Service numbers in Vietnam. All branches of a company share one. */
const HOTLINE = /^1[89]00/;

/** The part of a phone number to compare; empty when the number does not distinguish places. */
export function phoneKey(phone: string): string {
  const digits = phone.replaceAll(/\D/g, "");
  return digits.length < MIN_DIGITS || HOTLINE.test(digits) ? "" : digits.slice(-KEPT_DIGITS);
}

/**
 * Sites with pages about companies, people and dishes as well as places. One place has several such pages.
 */
const SHARED_HOSTS: ReadonlySet<string> = new Set(
  (
    "facebook.com m.facebook.com fb.com fb.me instagram.com tiktok.com youtube.com zalo.me " +
    "twitter.com x.com linktr.ee google.com goo.gl sites.google.com t.me foody.vn shopeefood.vn " +
    "tripadvisor.com booking.com agoda.com wikipedia.org"
  ).split(" "),
);

/** Host and path of a web address, without the parts that vary; empty for a page on a shared site. */
export function siteKey(website: string): string {
  const url = URL.parse(website);
  if (!url) return "";
  const host = url.hostname.replace(/^www\./, "");
  if (SHARED_HOSTS.has(host) || host.endsWith(".wikipedia.org")) return "";
  return (host + url.pathname).toLowerCase().replace(/\/(?:index\.\w{2,5})?$/, "");
}

/** So many letters still are a whole number. Two sites with one hash are told apart by their places. */
const SITE_HASH_LETTERS = 9;

/** The values under which the index files a phone and a website; none for those that do not distinguish places. */
export function contactKeys({
  phone,
  website,
}: {
  readonly phone: string;
  readonly website: string;
}): string[] {
  const [number, site] = [phoneKey(phone), siteKey(website)];
  return [...(number === "" ? [] : [number]), ...(site === "" ? [] : [shortHash(site, SITE_HASH_LETTERS)])];
}

/** Signs between several numbers of one place. */
const BETWEEN_PHONES = /[;,|\n]|\s[/–—-]\s|\s(?:or|hoặc)\s/;

/** The keys of a phone column, which may hold several numbers, and of a website. */
export const phoneKeys = ({ phone, website }: { readonly phone: string; readonly website: string }) => ({
  phones: [...new Set(phone.split(BETWEEN_PHONES).map(phoneKey))].filter((key) => key !== ""),
  // People leave the scheme out.
  site: siteKey(URL.canParse(website) ? website : `https://${website}`),
});

/** The longest beginning of a street that can hold a house number. */
const MAX_LETTERS = 40;

/** `12`, `Số 12A`, `12/3 Ngõ 5`, `12-14` at the beginning of a street. */
const HOUSE_NUMBER = /^(?:số nhà|số|nhà|sn|no\.?)?\s*(\d{1,5}[a-z]?(?:[/-]\d{1,5}[a-z]?){0,4})(?![\p{L}\d])/u;

/** Streets named after a date begin with a number too: `3 Tháng 2`, `30/4`. */
const DATE = /^\d{1,2}\s*(?:tháng|thang)\s/u;

/** The house numbers in an address: two for `12-14`, none when it names no house. */
export function houseNumbersOf(street: string): string[] {
  const text = street.normalize("NFC").toLowerCase().slice(0, MAX_LETTERS).trim();
  if (DATE.test(text)) return [];
  return HOUSE_NUMBER.exec(text)?.[1]?.split("-") ?? [];
}

/** True when both addresses have house numbers and share none. */
export const areOtherHouses = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((number) => other.includes(number));
