/** What one person pays at a place, in VND, both ends included. */
export interface Prices {
  readonly min: number;
  readonly max: number;
}

/**
 * What Google's price levels mean for one person in Vietnam, in VND. Google defines levels by country and
 * publishes no amounts. These steps follow the price ranges that it shows instead of levels today.
 */
const LEVELS: readonly Prices[] = [
  { min: 0, max: 100_000 },
  { min: 100_000, max: 300_000 },
  { min: 300_000, max: 1_000_000 },
  { min: 1_000_000, max: 2_000_000 },
];

/** Currency signs and their value in VND, rounded: prices are for comparing and filtering, not for paying. */
const CURRENCIES: readonly (readonly [sign: RegExp, vnd: number])[] = [
  [/₫|(?<!\p{L})đ(?!\p{L})|vnđ|vnd|đồng/u, 1],
  [/us\$|usd/u, 26_000],
  [/€|eur/u, 30_000],
  [/£|gbp/u, 34_000],
  [/¥|￥|円|jpy/u, 170],
  [/元|cny|rmb/u, 3_600],
  [/₩|krw/u, 18],
  [/฿|thb/u, 800],
  [/s\$|sgd/u, 20_000],
  [/\brm|myr/u, 6_000],
  [/chf/u, 32_000],
  [/a\$|aud/u, 17_000],
  [/\$/u, 26_000],
];

const MAX_TEXT_LENGTH = 60;

const ONE_SIGN = /^([$€£¥₫₩฿])\1{0,3}$/u;

/** A number, with thousands separated by points, commas or spaces, and a word that multiplies it. */
const AMOUNT = /(\d[\d.,]{0,15})\s?(k|n|nghìn|ngàn|tr|triệu|m)?(?![\p{L}\d])/gu;

const FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  n: 1e3,
  nghìn: 1e3,
  ngàn: 1e3,
  m: 1e6,
  tr: 1e6,
  triệu: 1e6,
};

/** `1tr5` is a million and a half. */
const HALF_MILLION = /(\d) ?(tr|triệu) ?(\d)(?!\d)/gu;

const AT_MOST = /^(?:under|below|up to|less than|dưới|đến)\s/u;

/**
 * Parses a price or a price range as Google writes it: `₫100–200K`, `100.000–200.000 ₫`, `100-200 N ₫`,
 * `$10–20`, `$$`. `undefined` for any other text.
 */
export function parsePriceText(text: string): Prices | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const plain = text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  return parseLevels(plain) ?? parseAmounts(plain);
}

/** `$$`, and `$$ - $$$` for two levels. */
function parseLevels(text: string): Prices | undefined {
  const parts = text.split(/ ?[-–—] ?/);
  if (parts.length > 2 || !parts.every((part) => ONE_SIGN.test(part))) return undefined;
  const [low, high = low] = parts.map((part) => LEVELS[part.length - 1]);
  return low && high && low.max <= high.max ? { min: low.min, max: high.max } : undefined;
}

function parseAmounts(text: string): Prices | undefined {
  const [sign, vnd] = CURRENCIES.find(([one]) => one.test(text)) ?? [];
  if (sign === undefined || vnd === undefined) return undefined;
  const bare = text.replaceAll(new RegExp(sign, "gu"), " ").replaceAll(HALF_MILLION, "$1.$3$2");
  const amounts = [...bare.matchAll(AMOUNT)].map(([, digits = "", word]) => ({ digits, word }));
  if (amounts.length === 0 || amounts.length > 2) return undefined;
  // "100–200K" has one K for both amounts; "500–1.000.000" has none.
  const word = amounts.at(-1)?.word;
  const values = amounts.map((amount) => toNumber(amount.digits) * (FACTORS[amount.word ?? word ?? ""] ?? 1));
  const [first = 0, last = first] = values.map((value) => Math.round(value * vnd));
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || first > last) return undefined;
  if (last === 0) return undefined;
  // A single price, also in "over ₫500K", counts for both ends.
  return amounts.length === 1 && AT_MOST.test(text) ? { min: 0, max: last } : { min: first, max: last };
}

/** A separator before three digits groups thousands. Any other one is the decimal point. */
function toNumber(digits: string): number {
  const plain = digits.replace(/(?<![.,])[.,]+$/, "").replaceAll(/[.,](?=\d{3}(?!\d))/g, "");
  return Number(plain.replace(",", "."));
}
