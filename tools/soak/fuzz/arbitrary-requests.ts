import * as fc from "fast-check";
import {
  NASTY_DATA_IDS,
  NASTY_HEADER_VALUES,
  NASTY_MOMENTS,
  NASTY_NAMES,
  NASTY_NUMBERS,
  NASTY_TEXTS,
} from "./nasty-values.ts";

/** Percent-encodes every byte of UTF-8 but letters and digits. A lone surrogate becomes the three bytes that no UTF-8 has. */
function encodeStrictly(text: string): string {
  let encoded = "";
  for (const character of text) {
    if (/^[A-Za-z0-9]$/.test(character)) encoded += character;
    else for (const byte of toBytes(character)) encoded += `%${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded;
}

function toBytes(character: string): Iterable<number> {
  const point = character.codePointAt(0)!;
  const isLoneSurrogate = point >= 0xd8_00 && point <= 0xdf_ff;
  if (!isLoneSurrogate) return Buffer.from(character);
  return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}

/** Encodes like a client that does not encode: only characters that cannot stand in a request line. */
function encodeHardly(text: string): string {
  let encoded = "";
  for (const character of text) encoded += /^[!-~]$/.test(character) ? character : encodeStrictly(character);
  return encoded;
}

/**
 * Encoded text, then broken: a percent sign without its digits, bytes that are not valid UTF-8, an overlong
 * slash.
 */
const BREAKS: readonly ((encoded: string) => string)[] = [
  (encoded) => `${encoded}%`,
  (encoded) => `%${encoded}`,
  (encoded) => `${encoded}%f`,
  (encoded) => `${encoded}%zz`,
  (encoded) => `${encoded}%ff%fe`,
  (encoded) => `%c0%af${encoded}`,
  (encoded) => `${encoded}%e0%80%80`,
  (encoded) => `${encoded}%f8%88%80%80%80`,
  (encoded) => `${encoded}%ed%a0%80`,
  (encoded) => `${encoded}%u0041`,
  (encoded) => encoded.replaceAll("%", "%25"),
  (encoded) => `${encoded}%00`,
];

/** A request of the fuzzer. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A word in the query or a header that no response may repeat. */
  readonly canary: string;
}

type Text = fc.Arbitrary<string>;

const anyText: Text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom("\ud800", "\udc00", "a", "\u0301", "\u200d", "đ") }),
  },
);

const anyNumber: Text = fc.oneof(
  fc.constantFrom(...NASTY_NUMBERS),
  fc.double().map(String),
  fc.integer({ min: -300, max: 300 }).map(String),
  fc
    .double({ min: -200, max: 200, noNaN: true })
    .map((number) => number.toFixed(5).replace("../../../tools/soak/fuzz", ",")),
);

const near: Text = fc.double({ min: 10.6, max: 10.9, noNaN: true }).map((degrees) => degrees.toFixed(6));
const nearEast: Text = fc
  .double({ min: 106.5, max: 106.9, noNaN: true })
  .map((degrees) => degrees.toFixed(6));

const listOf = (...values: string[]): Text =>
  fc.array(fc.constantFrom(...values), { maxLength: 8 }).map((list) => list.join(","));

const moment: Text = fc.oneof(
  fc.constantFrom(...NASTY_MOMENTS),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

/** Right values in most cases: a request that is refused for one parameter tests nothing about the others. */
const mostly = (right: Text, wrong: Text): Text =>
  fc.oneof({ weight: 5, arbitrary: right }, { weight: 2, arbitrary: wrong });

const one = (...values: string[]): Text => fc.constantFrom(...values);

/** West, south, east, north. */
const rectangle: Text = fc
  .tuple(nearEast, near, nearEast, near)
  .map(
    ([west, first, east, second]) =>
      `${west},${first < second ? first : second},${east},${first < second ? second : first}`,
  );

/** Values of parameters whose schema does not tell which are worth trying, right or nearly right. */
const OWN_VALUES: Readonly<Record<string, Text>> = {
  q: mostly(
    one("cafe", "pho", "atm", "benh vien", "Highlands Coffee", "h", "nha thuoc", "12 le loi"),
    anyText,
  ),
  lat: mostly(near, anyNumber),
  lng: mostly(nearEast, anyNumber),
  lon: mostly(nearEast, anyNumber),
  lang: mostly(one("vi", "en", "en-US", "ja_JP"), fc.oneof(one("x".repeat(9), "__proto__"), anyText)),
  open_at: moment,
  polygon: mostly(
    one(
      "oov`Ao{djS?_|B_|Bn}@",
      '{"type":"Polygon","coordinates":[[[106.6,10.7],[106.8,10.7],[106.7,10.9],[106.6,10.7]]]}',
    ),
    fc.oneof(
      one("otp`A", "?".repeat(900), '{"type":"Polygon","coordinates":[[[]]]}', "{", "~~~~~~~~~~"),
      anyText,
    ),
  ),
  route: mostly(
    one("gau`A_bcjSku@c|A_b@{w@"),
    fc.oneof(one("otp`A", "??", "?".repeat(3_000), "~~~~~~~~~~"), anyText),
  ),
  bbox: mostly(rectangle, fc.oneof(fc.array(anyNumber, { maxLength: 6 }).map(String), anyText)),
  data_id: mostly(one("0x1:0x2", "0XFF:0x00ff", "0x0:0x0"), fc.oneof(one(...NASTY_DATA_IDS), anyText)),
};

/** The part of a parameter's JSON Schema that says which values are right. */
interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly examples?: readonly unknown[];
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** It may be repeated. */
  readonly explode?: boolean;
  readonly schema: ValueSchema;
}

/** What the fuzzer reads of the server's OpenAPI document: a new path or parameter is fuzzed without a change here. */
export interface Documented {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
}

const WRONG_WORDS = ["", "__proto__", "toString", "NOTHING", " x", "x,", ",", "ALL"];

/** Small values, any that the schema allows, those beside its bounds, and what is no number. */
function numbersOf({ type, minimum = -1e6, maximum = 1e6 }: ValueSchema): Text {
  const isWhole = type === "integer";
  const within = (max: number): Text =>
    isWhole
      ? fc.integer({ min: minimum, max }).map(String)
      : fc.double({ min: minimum, max, noNaN: true }).map(String);
  const bounds = [minimum, maximum, minimum - 1, maximum + 1, maximum + 0.5].map(String);
  const right = fc.oneof(within(Math.min(maximum, minimum + 10)), within(maximum));
  return mostly(right, fc.oneof(one(...bounds), anyNumber));
}

/** Values of a parameter, right or nearly right. */
function valuesOf(name: string, { type, enum: words, items, ...schema }: ValueSchema): Text {
  const own = OWN_VALUES[name];
  if (own) return own;
  if (words) return mostly(one(...words), fc.oneof(one(...WRONG_WORDS, ...words.map(swapCase)), anyText));
  if (type === "integer" || type === "number") return numbersOf({ type, ...schema });
  if (type === "boolean") return mostly(one("true", "false", "1", "0", "TRUE"), one("yes", ""));
  if (type === "array" && items?.enum)
    return mostly(listOf(...items.enum), fc.oneof(one(...WRONG_WORDS, ...items.enum.map(swapCase)), anyText));
  const examples = (schema.examples ?? []).map(String);
  return examples.length > 0 ? mostly(one(...examples), anyText) : anyText;
}

const swapCase = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();

const encoder: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(encodeStrictly) },
  { weight: 2, arbitrary: fc.constant(encodeHardly) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...BREAKS).map((spoil) => (text: string) => spoil(encodeStrictly(text))),
  },
);

/** `name=value` as written in the query; more than once for a parameter that may be repeated. */
const pair = ({ name, schema, explode = false }: Parameter, knownIds: readonly string[]): Text => {
  const own = valuesOf(name, schema);
  const known = name === "data_id" ? fc.oneof(own, one(...knownIds)) : own;
  const value = fc.oneof({ weight: 15, arbitrary: known }, { weight: 1, arbitrary: anyText });
  const written = fc.tuple(value, encoder).map(([text, encode]) => `${name}=${encode(text)}`);
  return explode ? fc.array(written, { minLength: 1, maxLength: 4 }).map((all) => all.join("&")) : written;
};

const strangePair: Text = fc
  .tuple(fc.oneof(fc.constantFrom(...NASTY_NAMES), anyText), anyText, encoder)
  .map(([name, value, encode]) => `${encode(name)}=${encode(value)}`);

/** Thousands of parameters, as many as fit into a request line. */
const FLOODS: readonly string[] = [
  "a&".repeat(7_000),
  "q=a&".repeat(3_000),
  "=&".repeat(7_000),
  "&".repeat(10_000),
  "data_id=0x1:0x2&".repeat(900),
];

/** What a path without parameters is sent, and others now and then. */
const NO_PARAMETER: Parameter = { name: "unknown", required: false, schema: {} };

const queryOf = (path: string, { paths }: Documented, knownIds: readonly string[]): Text => {
  const parameters = [...(paths[path]?.get?.parameters ?? []), NO_PARAMETER];
  const required = fc.tuple(
    ...parameters.filter((each) => each.required).map((each) => pair(each, knownIds)),
  );
  const others = fc.array(
    fc.constantFrom(...parameters).chain((each) => pair(each, knownIds)),
    { maxLength: 4 },
  );
  const strange = fc.array(strangePair, { maxLength: 2 });
  const usual = fc
    .tuple(required, others, strange, fc.boolean())
    .map(([first, more, odd, withoutFirst]) => [
      ...(withoutFirst && odd.length > 1 ? [] : first),
      ...more,
      ...odd,
    ]);
  const joined = usual.map((pairs) => pairs.join("&"));
  return fc.oneof({ weight: 200, arbitrary: joined }, { weight: 1, arbitrary: fc.constantFrom(...FLOODS) });
};

const HEADERS = [
  "accept-language",
  "x-request-id",
  "if-none-match",
  "if-modified-since",
  "if-match",
  "accept",
  "accept-encoding",
  "range",
  "origin",
  "access-control-request-method",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-http-method-override",
  "forwarded",
  "traceparent",
  "tracestate",
  "baggage",
  "cookie",
  "user-agent",
  "authorization",
  "referer",
  "cache-control",
  "pragma",
  "__proto__",
  "constructor",
];

/**
 * Values that HTTP allows in a header. It refuses others before they reach our code (raw requests test that).
 */
const headerValue: Text = fc.oneof(
  fc.constantFrom(...NASTY_HEADER_VALUES),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    maxLength: 80,
  }),
  fc.string({
    unit: fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCodePoint(code)),
    maxLength: 20,
  }),
);

const headers = fc
  .array(fc.tuple(fc.constantFrom(...HEADERS), headerValue), { maxLength: 3 })
  .map((fields) => Object.fromEntries(fields));

/** The usage of a key has a separate limit, its keys may not read the status, and the health needs nobody's query. */
const RARELY = ["/api/usage", "/api/status", "/healthz", "/readyz"];

const pathOf = ({ paths }: Documented): Text => {
  const often = Object.keys(paths).filter((path) => !RARELY.includes(path));
  return fc.oneof(
    { weight: 27, arbitrary: fc.constantFrom("/api/maps/search", ...often) },
    { weight: 1, arbitrary: fc.constantFrom(...RARELY) },
    { weight: 3, arbitrary: anyText.map((text) => `/${encodeHardly(text).slice(0, 2_000)}`) },
    { weight: 1, arbitrary: anyText.map((text) => `/api/maps/search/${encodeStrictly(text)}`) },
  );
};

const method: Text = fc.oneof(
  { weight: 30, arbitrary: fc.constant("GET") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE"),
  },
);

/** Appended to the query or sent in a separate header. No response of ours may contain it. */
const canary: Text = fc.integer({ min: 0, max: 2 ** 40 }).map((number) => `zqcanary${number.toString(36)}`);

/** All sorts of requests that an HTTP client can send. `knownIds` are data ids of existing places. */
export const requestArbitrary = (
  documented: Documented,
  knownIds: readonly string[],
): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(pathOf(documented), method, headers, canary, fc.constantFrom("query", "header", "none"))
    .chain(([asked, verb, fields, word, where]) =>
      queryOf(asked, documented, knownIds).map((query) => ({
        method: verb,
        path: `${asked}?${query}${where === "query" ? `&canary=${word}` : ""}`,
        headers: where === "header" ? { ...fields, "x-canary": word, referer: word } : fields,
        canary: word,
      })),
    );
