import type { PageOverview } from "../assets/assets.ts";
import type { Look } from "../place/document/looks.ts";
import { h } from "./dom.ts";
import { icon } from "./drawing.ts";
import { language } from "./texts.ts";

interface KindOnPage {
  readonly name: string;
  readonly parent?: string | null | undefined;
  readonly look?: Look | undefined;
  readonly emoji?: string | undefined;
  readonly colour?: string | undefined;
}

interface Words {
  readonly types: Readonly<Record<string, KindOnPage>>;
  readonly features: Readonly<Record<string, string>>;
}

/** The same as the server sends it. */
interface SentWords extends Pick<Words, "features"> {
  readonly types: Readonly<Record<string, readonly [name: string, parent?: string | null, look?: Look]>>;
}

let words: Words = { types: {}, features: {} };

/** Reads the names of types and features; without them, the page shows their codes. */
export async function readWords(): Promise<void> {
  const response = await fetch(new URL(`../words-${language}.json`, import.meta.url));
  if (!response.ok) return;
  const { types, features } = (await response.json()) as SentWords;
  const named = Object.entries(types).map(([code, [name, parent, look]]) => [code, { name, parent, look }]);
  words = { types: Object.fromEntries(named) as Words["types"], features };
}

export function typeName(code: string): string {
  return words.types[code]?.name ?? toWords(code);
}

export function featureName(code: string): string {
  return words.features[code] ?? toWords(code);
}

const toWords = (code: string): string => code.toLowerCase().replaceAll("_", " ");

/** The kinds of the data team, which come with the overview of its index. */
export function addKinds(kinds: PageOverview["kinds"]): void {
  const looks = new Set(Object.values(words.types).flatMap(({ look }) => look ?? []));
  const own = kinds.map(({ code, icon: picture, parent, colour, ...labels }) => {
    const isLook = looks.has(picture as Look);
    return [
      code,
      {
        name: labels[language],
        parent,
        colour,
        ...(isLook ? { look: picture as Look } : { emoji: picture }),
      },
    ] as const;
  });
  words = { ...words, types: { ...words.types, ...Object.fromEntries(own) } };
}

/** The look of a type on the map: its own, or that of the kind above it. */
export const lookOf = (code: string): Look => findUp(code, ({ look }) => look) ?? "civic";

/** The picture of a type: an emoji of the data team, else that of its look. */
export function pictureOf(code: string, size: number): HTMLElement | SVGElement {
  const emoji = findUp(code, (kind) => kind.emoji ?? (kind.look ? "" : undefined));
  return emoji ? h("span", { class: "emoji", "aria-hidden": "true" }, emoji) : icon(lookOf(code), size);
}

/** Gives an element with the class of its look the colour of the data team, where there is one. */
export function paint<T extends HTMLElement | SVGElement>(element: T, code: string): T {
  const colour = findUp(code, (kind) => kind.colour);
  if (colour !== undefined) element.style.setProperty("--look", colour);
  return element;
}

/** Types are not nested deep; this bound protects against a cycle. */
const MAX_DEPTH = 12;

/** What a type says, or else the nearest type above it that says it. */
function findUp<T>(code: string, read: (kind: KindOnPage) => T | undefined, depth = 0): T | undefined {
  const kind = words.types[code];
  if (kind === undefined || depth === MAX_DEPTH) return undefined;
  return read(kind) ?? (kind.parent ? findUp(kind.parent, read, depth + 1) : undefined);
}

/** What people look for first, in this order. */
const FIRST_KINDS = [
  "RESTAURANT",
  "COFFEE",
  "GAS_STATION",
  "ATM",
  "PHARMACY",
  "HOTEL",
  "HOSPITAL",
  "SUPERMARKET",
];

/** The kinds that people look for first, of those that a dataset has, then its most frequent of other looks. */
export function usualKinds(types: readonly string[], count: number): string[] {
  const has = (kind: string): boolean => types.some((type) => type === kind || isUnder(type, kind));
  const first = FIRST_KINDS.filter(has);
  const looks = new Set<string>(first.map(lookOf));
  const others = types.filter((type) => type !== "PLACE" && !first.some((kind) => isUnder(type, kind)));
  const different = others.filter((type) => !looks.has(lookOf(type)) && looks.add(lookOf(type)));
  return [...new Set([...first, ...different, ...others])].slice(0, count);
}

const isUnder = (code: string, kind: string, depth = 0): boolean => {
  const parent = words.types[code]?.parent;
  if (code === kind) return true;
  return typeof parent === "string" && depth < MAX_DEPTH && isUnder(parent, kind, depth + 1);
};
