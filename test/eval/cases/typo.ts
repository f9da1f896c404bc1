import { editDistance } from "../../../src/place/text/edit-distance.ts";
import type { Random } from "../random.ts";

const ALPHABET = Array.from("abcdefghijklmnopqrstuvwxyz");
/** Only letters are mistyped: a house number that is off by one is another house. */
const LETTER = /[a-z]/;
const MAX_TRIES = 20;

type Edit = (text: string, at: number, random: Random) => string;

const insert: Edit = (text, at, random) => text.slice(0, at) + random.pick(ALPHABET) + text.slice(at);
const remove: Edit = (text, at) => text.slice(0, at) + text.slice(at + 1);
const replace: Edit = (text, at, random) => text.slice(0, at) + random.pick(ALPHABET) + text.slice(at + 1);
const swap: Edit = (text, at) =>
  LETTER.test(text[at + 1] ?? "") ? text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2) : text;

const EDITS: readonly Edit[] = [insert, remove, replace, swap];

/**
 * The folded text with so many letters inserted, left out, replaced or swapped with the next, each of the four as likely, and
 * exactly so many edits away from it. `undefined` for a text too short or without Latin letters.
 */
export function mistype(folded: string, typos: number, random: Random): string | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let typed = folded;
    for (let typo = 0; typo < typos; typo++) typed = editOnce(typed, random);
    if (editDistance(typed, folded).whole === typos && hasSameWordCount(typed, folded)) return typed;
  }
  return undefined;
}

function editOnce(text: string, random: Random): string {
  const letters = [...text.matchAll(/[a-z]/g)].map(({ index }) => index);
  return letters.length === 0 ? text : random.pick(EDITS)(text, random.pick(letters), random);
}

/** Leaving out the only letter of a word would leave two spaces; that is another kind of mistake. */
const hasSameWordCount = (typed: string, folded: string): boolean =>
  !/^ | $| {2}/.test(typed) && typed.split(" ").length === folded.split(" ").length;
