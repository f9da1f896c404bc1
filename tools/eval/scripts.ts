import { Readable } from "node:stream";
import * as v from "valibot";
import { fold, joinWords } from "../../src/place/text/fold.ts";
import { type EvalCase, centreNear } from "./cases.ts";
import type { Dataset, TruePlace } from "./dataset.ts";
import { nearestOf } from "./name-cases.ts";
import { type Random, createRandom } from "../../test/support/random.ts";
import file from "./scripts.json" with { type: "json" };

const text = v.string();
const { cities: CITIES } = v.parse(
  v.strictObject({
    cities: v.array(
      v.strictObject({
        form: text,
        latitude: v.number(),
        longitude: v.number(),
        country: text,
        timezone: text,
        first: v.array(text),
        second: v.array(text),
        types: v.array(text),
      }),
    ),
  }),
  file,
);

/** Places lie around the middle of their city, some 5 km either way. */
const SPREAD_DEGREES = 0.05;

/** Every name that can be made of the words of each city, as lines of the native format. */
export const openScripts = (seed: number): Readable =>
  Readable.from(makeLines(createRandom(`scripts ${seed}`)), { objectMode: false });

function* makeLines(random: Random): Generator<string> {
  const around = (degrees: number): number =>
    Math.round((degrees + SPREAD_DEGREES * (2 * random.fraction() - 1)) * 1e6) / 1e6;
  for (const { form, latitude, longitude, country, timezone, first, second, types } of CITIES)
    for (const [number, one] of first.entries())
      for (const other of second) {
        const isStreet = form === STREET_FORM;
        const title = isStreet ? `${one}${other} ${number + 1}` : `${one} ${other}`;
        const street = isStreet ? `${one}${other} ${number + 1}` : "";
        const address = { full: street, street, ward: "", city: "", country: "" };
        yield `${JSON.stringify({
          source: "scripts",
          source_id: title,
          title,
          type: random.pick(types),
          location: {
            address,
            latitude: around(latitude),
            longitude: around(longitude),
            timezone,
            country_code: country,
          },
        })}\n`;
      }
}

const STREET_FORM = "German street";

type Type = (title: string, random: Random) => string;

const toHiragana: Type = (title) =>
  title.replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KANA_APART));
const toKatakana: Type = (title) =>
  title.replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + KANA_APART));
/** Hiragana and katakana lie so far apart in Unicode. */
const KANA_APART = 0x60;

/** Another vowel in one syllable. */
const mistypeJamo: Type = (title, random) => {
  const jamo = Array.from(title.normalize("NFD"));
  const vowels = jamo.flatMap((one, at) => (/[\u1161-\u1175]/.test(one) ? [at] : []));
  if (vowels.length === 0) return title;
  const at = random.pick(vowels);
  const other = 0x1161 + ((jamo[at]!.charCodeAt(0) - 0x1161 + 1 + random.below(19)) % 21);
  return jamo.with(at, String.fromCharCode(other)).join("").normalize("NFC");
};

const ARABIC: readonly Type[] = [
  (title) => title.replace(/[أإآ]/g, "ا"),
  (title) => title.replace(/ة/g, "ه"),
  (title) => title.replace(/ى/g, "ي"),
  (title) => title.replace(/(^| )ال/g, "$1"),
];
const GERMAN: readonly Type[] = [
  (title) => title.replace("straße", "strasse"),
  (title) => title.replace("straße", "str."),
  (title) => title.replace("straße", " Straße"),
  (title) => title.replace("straße", " str"),
  (title) => title.replaceAll("ü", "ue").replaceAll("ö", "oe").replace("straße", "strasse"),
];

/** How names of a script are typed by people who type them in another way; told by the letters of the name. */
const WAYS: readonly { readonly form: string; readonly letters: RegExp; readonly ways: readonly Type[] }[] = [
  { form: "kana", letters: /[ぁ-ゖァ-ヶ]/, ways: [toHiragana, toKatakana] },
  { form: "Hangul, one jamo", letters: /[가-힣]/, ways: [mistypeJamo] },
  { form: "Arabic", letters: /[\u0621-\u064a]/, ways: ARABIC },
  { form: STREET_FORM, letters: /straße/, ways: GERMAN },
];

/** Names of other scripts than Latin, and German streets, typed in another way than they are written. */
export function makeScriptCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  return WAYS.flatMap(({ form, letters, ways }) =>
    random
      .shuffle(dataset.places.filter(({ title, isClosed }) => !isClosed && letters.test(title)))
      .flatMap((place) => typeOtherwise(place, { form, ways, dataset, random }))
      .slice(0, count),
  );
}

interface Typing {
  readonly form: string;
  readonly ways: readonly Type[];
  readonly dataset: Dataset;
  readonly random: Random;
}

function typeOtherwise(place: TruePlace, { form, ways, dataset, random }: Typing): EvalCase[] {
  const others = ways.map((way) => way(place.title, random)).filter((query) => query !== place.title);
  if (others.length === 0) return [];
  const query = random.pick(others);
  const joined = joinWords(fold(query));
  if (joined !== joinWords(place.folded) && dataset.isTaken(joined)) return [];
  const centre = centreNear(place.location, random);
  const dataIds = nearestOf(dataset.bearersOf(joinWords(place.folded)), centre);
  return [{ kind: "script", form, query, centre, expected: { dataIds, name: place.folded } }];
}
