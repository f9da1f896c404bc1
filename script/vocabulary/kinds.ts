import { readFile } from "node:fs/promises";
import { typeOfTags } from "../../indexer/sources/osm/type-of-tags.ts";
import { fold, joinWords } from "../../src/place/text/fold.ts";

/**
 * The languages whose words are taken: those that the schema's translators have done more than half of the common kinds in,
 * without the variants of one country.
 */
const LANGUAGES = [
  "vi en ar bg bn ca cs da de el es et eu fa fi fr gl he hi hr hu id is it ja ko lt lv mk ms nb nl pl pt pt-BR ro ru sk sl",
  "sr sv ta te th tr uk ur zh-CN zh-HK zh-TW",
].flatMap((line) => line.split(" "));

/** Of each kind in each language: names come first, and what follows is ever further from what people type. */
const MOST_WORDS = 4;

/** Types that stand for anything: the schema's words for "some shop" say nothing of a kind. */
const VAGUE_TYPES: ReadonlySet<string> = new Set(["PLACE", "SHOP", "COMPANY"]);

/** What the schema says of one kind of thing. */
interface Preset {
  readonly tags: Readonly<Record<string, string>>;
  readonly searchable?: boolean;
}
type Translations = Readonly<Record<string, { readonly name?: string; readonly terms?: readonly string[] }>>;

/** One word of one language for one type. */
interface Word {
  readonly type: string;
  readonly language: string;
  readonly text: string;
  /** The name of a kind says it; a search term only may. */
  readonly isName: boolean;
}

/**
 * The rows of `osm-kinds.csv`: a word, folded and without spaces, and the types that it names. A word that names several types in one language is kept for the
 * type whose name it is, and dropped where it is only a search term of them.
 */
export async function listKindWords(): Promise<string[]> {
  const types = toTypes(JSON.parse(await readSchemaFile("presets")) as Record<string, Preset>);
  const typesOf = new Map<string, Set<string>>();
  for (const language of LANGUAGES) {
    const file = JSON.parse(await readSchemaFile(`translations/${language}`)) as Record<
      string,
      { presets: { presets: Translations } }
    >;
    const words = wordsOf(language, types, file[language]?.presets.presets ?? {});
    for (const [type, texts] of groupByType(withoutAmbiguous(words))) {
      for (const text of texts.slice(0, MOST_WORDS)) {
        typesOf.getOrInsertComputed(joinWords(fold(text)), () => new Set()).add(type);
      }
    }
  }
  return [...typesOf.keys()]
    .toSorted()
    .map((letters) => `${letters},${[...typesOf.get(letters)!].toSorted().join(" ")}`);
}

const readSchemaFile = (name: string): Promise<string> =>
  readFile(new URL(import.meta.resolve(`@openstreetmap/id-tagging-schema/dist/${name}.json`)), "utf8");

/** The type code of each preset that our importer gives one. */
function toTypes(presets: Readonly<Record<string, Preset>>): Map<string, string> {
  const types = new Map<string, string>();
  for (const [id, { tags, searchable }] of Object.entries(presets)) {
    if (searchable === false || Object.values(tags).includes("*")) continue;
    const type = typeOfTags(tags, "");
    if (type !== undefined && !VAGUE_TYPES.has(type)) types.set(id, type);
  }
  return types;
}

function wordsOf(language: string, types: ReadonlyMap<string, string>, translations: Translations): Word[] {
  return [...types].flatMap(([id, type]) => {
    const { name, terms = [] } = translations[id] ?? {};
    const names = (name ?? "")
      .split("/")
      .map((text) => ({ type, language, text: clean(text), isName: true }));
    // English terms are loose ("bread, cake, coffee" for a café): they help to find a preset in a menu.
    const others =
      language === "en" ? [] : terms.map((text) => ({ type, language, text: clean(text), isName: false }));
    return [...names, ...others].filter(({ text }) => isUsable(text));
  });
}

const clean = (text: string): string =>
  text
    .replace(/[([（].*/s, "")
    .replaceAll(/[,;"]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();

/** At least two letters of an alphabet, or one sign of a script whose signs are words. */
const isUsable = (text: string): boolean => /\p{Script=Han}|\p{L}.*\p{L}/u.test(text) && text.length <= 40;

function withoutAmbiguous(words: readonly Word[]): Word[] {
  const byText = Map.groupBy(words, ({ text }) => fold(text));
  return [...byText.values()].flatMap((same) => {
    const marked = Map.groupBy(same, ({ text }) => text);
    return [...marked.values()].flatMap((meant) => {
      const named = meant.filter(({ isName }) => isName);
      const kept = named.length > 0 ? named : meant;
      const types = new Set(kept.map(({ type }) => type));
      return types.size === 1 && kept[0] ? [kept[0]] : [];
    });
  });
}

/** Words that differ by marks only are listed once, with their marks. */
function groupByType(words: readonly Word[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const seen = new Map<string, Set<string>>();
  const rank = ({ text, isName }: Word): number => (isName ? 0 : 2) + (fold(text) === text ? 1 : 0);
  const marksFirst = words.toSorted((a, b) => rank(a) - rank(b));
  for (const { type, text } of marksFirst) {
    const known = seen.getOrInsert(type, new Set());
    if (fold(text) === "" || known.has(fold(text))) continue;
    known.add(fold(text));
    groups.getOrInsert(type, []).push(text);
  }
  return groups;
}
